package store

import (
	"strconv"
	"strings"
)

// The requests of a run differ only in their token limits, which depend on the expected answers.
// With a mask for the limit, the text of all of them is one word, and not one for every length.

// tokenLimitMark is the mask for the token limit.
const tokenLimitMark = "$max_tokens"

// maskTokenLimit replaces the token limit in a request by tokenLimitMark if the limit occurs
// exactly once as the value of a member. It reports whether it did.
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
