package run

import (
	"errors"
	"regexp"
	"strconv"
	"strings"

	"verbatim"
)

// Refused reports whether a request in a batch was refused because of its token limit. It lowers the
// limit of later batches then.
func (l *Limiter) Refused(q *verbatim.Request, err error) bool {
	f, ok := errors.AsType[*verbatim.Failure](err)
	if !ok {
		return false
	}
	l.mu.Lock()
	first := l.accepted == 0 || q.MaxTokens > l.accepted // its message names the limit
	l.mu.Unlock()
	lower, ok := lowerLimit(f, q, first)
	if ok {
		l.accept(lower)
	}
	return ok
}

// accept notes a token limit that is lower than the requested one and that the server accepted.
func (l *Limiter) accept(tokens int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.accepted == 0 || tokens < l.accepted {
		l.accepted = tokens
	}
}

// limitWords matches messages of servers that refuse a token limit.
var limitWords = regexp.MustCompile(`(?i)max_?tokens|max_(completion|output|new)_tokens|maxOutputTokens|num_predict|maximum context|context length`)

// numbers finds numbers in a message.
var numbers = regexp.MustCompile(`\d[\d,]*`)

// lowerLimit returns the token limit to send after a server refused that of q; false if it refused q
// for another reason. At first it is the largest lower number in the server's message, less the
// tokens of the prompt. If the server refuses that too, it is the limit of the answer.
func lowerLimit(f *verbatim.Failure, q *verbatim.Request, first bool) (int, bool) {
	if f.Err == nil {
		return 0, false
	}
	message := f.Err.Error() // without the number of the status
	if q.ContentTokens == 0 || q.MaxTokens <= q.ContentTokens || f.Class != verbatim.BadAsk || f.Status/100 != 4 || !limitWords.MatchString(message) {
		return 0, false
	}
	lower := q.ContentTokens
	if first {
		for _, text := range numbers.FindAllString(message, -1) {
			n, err := strconv.Atoi(strings.ReplaceAll(text, ",", ""))
			if err == nil && n < q.MaxTokens {
				lower = max(lower, n-1-PromptBytes(q.Prompt)/2)
			}
		}
	}
	return lower, true
}
