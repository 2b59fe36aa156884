package recordview

import (
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/terminal"
)

// TestDeparture finds the token at which a reply departs from the expected answer.
func TestDeparture(t *testing.T) {
	one := func(texts ...string) []verbatim.Token {
		var tokens []verbatim.Token
		for _, text := range texts {
			tokens = append(tokens, verbatim.Token{Text: text, Logprob: -0.5, Top: []verbatim.Token{{Text: text, Logprob: -0.5}, {Text: "cd", Logprob: -1}, {Text: "x", Logprob: -2}}})
		}
		return tokens
	}
	for _, c := range []struct {
		name, want, reply string
		tokens            []verbatim.Token
		at                int // -1: no departure is shown
		token             string
		right             string // the alternative that is right
	}{
		{"inside", "abcd", "abxy", one("ab", "xy"), 2, "xy", "cd"},
		{"inside a token", "abcd", "abxd", one("a", "bxd"), 2, "bxd", ""},
		{"behind reasoning", "abcd", "abxy", one("hm", "ab", "xy"), 2, "xy", "cd"},
		{"quoted", "cd", `"cd"`, one(`"`, "cd", `"`), 0, `"`, "cd"},
		{"an end that came too early", "abcd", "ab", one("ab"), -1, "", ""},
		{"tokens of another text", "abcd", "abxy", one("zz"), -1, "", ""},
		{"no tokens", "abcd", "abxy", nil, -1, "", ""},
		{"nothing expected is left", "ab", "abcd", one("ab", "cd"), 2, "cd", ""},
	} {
		g := &verbatim.Grade{Outcome: verbatim.Wrong}
		d := departure(verbatim.TextAnswer(c.want), g, &verbatim.Reply{Text: c.reply, Tokens: c.tokens})
		if (d == nil) != (c.at < 0) {
			t.Errorf("%s: %+v", c.name, d)
			continue
		}
		if d == nil {
			continue
		}
		right := ""
		for _, a := range d.Alternatives {
			if a.Right {
				right = a.Text
			}
		}
		if d.At != c.at || d.Token.Text != c.token || right != c.right {
			t.Errorf("%s: %+v, want %q at %d, and %q right", c.name, d, c.token, c.at, c.right)
		}
	}
	if d := departure(verbatim.ListAnswer([]any{"a", "b"}), &verbatim.Grade{}, &verbatim.Reply{Text: `["a", "x"]`, Tokens: one(`["a", "`, `x`, `"]`)}); d == nil || d.At != 7 {
		t.Errorf("a list in double quotation marks: %+v", d)
	}
	if d := departure(verbatim.TextAnswer("ab"), &verbatim.Grade{Exact: true}, &verbatim.Reply{Text: "ab", Tokens: one("ab")}); d != nil {
		t.Errorf("an exact answer departs: %+v", d)
	}
	d := &Departure{Token: Alternative{Text: terminal.Visible("\x1b[31m"), Probability: 0.5}, Alternatives: []Alternative{{Text: "a", Probability: 0.25, Right: true}}}
	if text := showDeparture(d, terminal.Style{}); strings.ContainsRune(text, '\x1b') || !strings.Contains(text, "25.0 %") || !strings.Contains(text, "right") {
		t.Errorf("%s", text)
	}
}

// A grade of an imported file may have any span.
func TestDepartureOfAnySpan(t *testing.T) {
	for _, span := range []verbatim.Span{{Start: -1, End: 2}, {Start: 1 << 40, End: 2}, {Start: 1, End: -5}} {
		d := departure(verbatim.TextAnswer("abcd"), &verbatim.Grade{Span: &span}, &verbatim.Reply{Text: "abxy", Tokens: []verbatim.Token{{Text: "ab"}, {Text: "xy"}}})
		if span.Start != 1 && (d == nil || d.At != 2) {
			t.Errorf("%v: %+v", span, d)
		}
	}
}
