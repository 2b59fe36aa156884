package preflight

import (
	"fmt"
	"strconv"

	"verbatim"
)

// mostEvidence is the number of characters of a text that are shown.
const mostEvidence = 160

// quote returns a text as evidence: quoted, and the beginning of a long one.
func quote(text string) string {
	if r := []rune(text); len(r) > mostEvidence {
		return strconv.Quote(string(r[:mostEvidence])) + "…"
	}
	return strconv.Quote(text)
}

// quoted quotes each of some texts.
func quoted(texts ...string) (out []string) {
	for _, text := range texts {
		out = append(out, quote(text))
	}
	return out
}

// finishOf is the finish reason of a reply as it is printed.
func finishOf(r *verbatim.Reply) string {
	switch {
	case r.FinishRaw == "completed":
		return r.FinishRaw
	case r.Finish == verbatim.FinishUnknown:
		return "none"
	}
	return string(r.Finish)
}

// usageOf is the number of completion tokens of a reply as it is printed; "" if it is not reported.
func usageOf(r *verbatim.Reply) string {
	if r.Usage.Completion == nil {
		return ""
	}
	return fmt.Sprintf(" · %d completion tokens", *r.Usage.Completion)
}
