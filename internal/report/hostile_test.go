package report

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/number"
	"verbatim/internal/recordtest"
	"verbatim/internal/terminal"
	"verbatim/internal/terminal/terminaltest"
)

// Names come from files and servers: none of them becomes markup, another
// column, or something that a terminal obeys.
func TestHostileNames(t *testing.T) {
	const evil = "a|b <img src=x> [l](http://x) `c` *d* & \x1b[2J\u202e\n"
	r := recordtest.Record(evil, evil, verbatim.Wrong, evil)
	r.Reply.ServedModel, r.Grade.Grader, r.Grade.Flags = evil, evil, []string{evil}
	out := must(Of(Options{}, Input{Note: evil, Run: verbatim.Run{Name: evil, Model: evil, Tool: evil, Params: verbatim.Params{Effort: evil}, Plan: verbatim.Plan{Suite: evil, Hash: evil}}, Records: recordtest.Each(r, r)}))(t)
	for _, f := range Formats() {
		var b bytes.Buffer
		if err := f.Write(&b, out, terminal.Style{}); err != nil {
			t.Fatal(err)
		}
		if bad := terminaltest.Unsafe(b.String()); bad != "" {
			t.Errorf("%s lets %s through", f.Name, bad)
		}
		if f.Name != "md" {
			continue
		}
		plainText := regexp.MustCompile(`\\.`).ReplaceAllString(b.String(), "")
		for _, markup := range []string{"<img", "[l](", "a|b", "`c`", "*d*"} {
			if strings.Contains(plainText, markup) {
				t.Errorf("Markdown lets %s through", markup)
			}
		}
	}
}

// TestParameters: what was sent is said whole, and the model's defaults only where that is
// nothing.
func TestParameters(t *testing.T) {
	half, budget := 0.5, int64(100)
	for _, c := range []struct {
		params verbatim.Params
		want   string
	}{
		{verbatim.Params{}, "the model's defaults"},
		{verbatim.Params{ReasoningTokens: 7}, "thinking 7"},
		{verbatim.Params{ReasoningBudget: &budget}, "reasoning budget 100"},
		{verbatim.Params{Temperature: &half, Effort: "low"}, "temperature 0.5, effort low"},
	} {
		if got := Parameters(c.params); got != c.want {
			t.Errorf("%+v: %q, want %q", c.params, got, c.want)
		}
	}
	runs := []Block{{Head: Head{Name: "a"}}, {Head: Head{Name: "b", Params: verbatim.Params{ReasoningBudget: &budget}}}}
	warned := func() bool {
		return slices.ContainsFunc(comparing(runs), func(w Warning) bool { return w.Kind == "parameters" })
	}
	if !warned() {
		t.Error("two reasoning budgets side by side, and no warning")
	}
	if runs[0].Head.Params.ReasoningBudget = &budget; warned() {
		t.Error("the same budget, and a warning")
	}
}

// A sum that nobody reported has no number.
func TestNoTokens(t *testing.T) {
	if got := tokens(Sum{}); got != number.Missing {
		t.Errorf("%q", got)
	}
}
