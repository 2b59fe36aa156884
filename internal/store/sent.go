package store

import (
	"strconv"
	"strings"
)

// limitMark stands for the token limit in what was sent.
const limitMark = "$max_tokens"

// What was sent is the same for all requests of a run but for the token limit,
// which follows the wanted answer. With the limit taken out it is one word for
// the run, and not one for every length.

// takeLimit puts limitMark in the place of the token limit, where that stands in
// sent exactly once as a number of its own, and reports whether it did.
func takeLimit(sent string, limit int) (string, bool) {
	if limit <= 0 || strings.Contains(sent, limitMark) {
		return sent, false
	}
	number := strconv.Itoa(limit)
	at := -1
	for from := 0; ; {
		i := strings.Index(sent[from:], number)
		if i < 0 {
			break
		}
		i += from
		from = i + len(number)
		if i == 0 || sent[i-1] != ':' || from == len(sent) || sent[from] != ',' && sent[from] != '}' {
			continue
		}
		if at >= 0 {
			return sent, false
		}
		at = i
	}
	if at < 0 {
		return sent, false
	}
	return sent[:at] + limitMark + sent[at+len(number):], true
}

// putLimit is the reverse of takeLimit.
func putLimit(sent string, limit int) string {
	return strings.Replace(sent, limitMark, strconv.Itoa(limit), 1)
}
