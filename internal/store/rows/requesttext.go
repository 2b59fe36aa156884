package rows

import (
	"strconv"
	"strings"
)

// tokenLimitMark stands for the token limit in what was sent.
const tokenLimitMark = "$max_tokens"

// What was sent is the same for all requests of a run but for the token limit,
// which follows the expected answer. With the limit taken out it is one word for
// the run, and not one for every length.

// maskTokenLimit puts tokenLimitMark in the place of the token limit, where that stands in
// sent exactly once as a number of its own, and reports whether it did.
func maskTokenLimit(sent string, limit int) (string, bool) {
	if limit <= 0 || strings.Contains(sent, tokenLimitMark) {
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
	return sent[:at] + tokenLimitMark + sent[at+len(number):], true
}

// unmaskTokenLimit is the reverse of maskTokenLimit.
func unmaskTokenLimit(sent string, limit int) string {
	return strings.Replace(sent, tokenLimitMark, strconv.Itoa(limit), 1)
}
