package grade

import (
	"testing"

	"verbatim"
)

// TestRaw: white space at the ends counts.
func TestRaw(t *testing.T) {
	for _, c := range []struct {
		want, reply, label, detail string
		extracted                  bool
	}{
		{"\tx = 1  \n", "\tx = 1  \n", "pass", "", true},
		{"\tx = 1  \n", "x = 1", "whitespace", "at both ends", false},
		{"\tx = 1  \n", "\tx = 1", "whitespace", "at the end", false},
		{"\tx = 1", "x = 1", "whitespace", "at the start", false},
		{"\tx = 1  \n", "```\n\tx = 1  \n```", "fenced", "", true},
		{"\tx = 1  \n", "```go\n\tx = 1  \n\n```", "fenced", "", true},
		{"\tx = 1", "\"\tx = 1\"", "quoted", "", true},
		{"ab", "ab\n", "whitespace", "at the end", false},
		{"\tx = 1", "\u00a0\"\tx = 1\"", "quoted", "", true},
		{"\tab\n", "\tac\n", "substituted_char", "b>c@1", false},
		{"\tab\n", "<think>y</think>\tab\n", "reasoning_leak", "", true},
	} {
		g := Of(&verbatim.Item{Want: verbatim.TextAnswer(c.want), Grader: "text-raw"}, c.reply, verbatim.FinishStop)
		if Older(g.Label) != c.label || g.Detail != c.detail || g.Extracted != c.extracted || g.Exact != (c.label == "pass") || g.Grader != Current("text-raw") {
			t.Errorf("%q for %q: %s (%s), extracted %v, %s; want %s (%s), %v", c.reply, c.want, g.Label, g.Detail, g.Extracted, g.Grader, c.label, c.detail, c.extracted)
		}
		if g.Extracted && g.Span != nil && c.reply[g.Span.Start:g.Span.End] != c.want {
			t.Errorf("%q for %q: the answer is in %q", c.reply, c.want, c.reply[g.Span.Start:g.Span.End])
		}
	}
}
