package layout

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/number"
	"verbatim/internal/recordtest"
	"verbatim/internal/report"
	"verbatim/internal/table"
	"verbatim/internal/terminal"
	"verbatim/internal/terminal/terminaltest"
)

// Names come from files and servers: none of them becomes markup, another
// column, or something that a terminal obeys.
func TestHostileNames(t *testing.T) {
	const evil = "a|b <img src=x> [l](http://x) `c` *d* & \x1b[2J\u202e\n"
	r := recordtest.Record(evil, evil, verbatim.Wrong, evil)
	r.Reply.ServedModel, r.Grade.Grader, r.Grade.Flags = evil, evil, []string{evil}
	out := must(report.Of(report.Options{}, report.Input{Note: evil, Run: verbatim.Run{Name: evil, Model: evil, Tool: evil, Params: verbatim.Params{Effort: evil}, Plan: verbatim.Plan{Suite: evil, Hash: evil}}, Records: recordtest.Each(r, r)}))(t)
	for _, f := range table.Formats() {
		var b bytes.Buffer
		if err := f.Write(&b, Report(out, Options{}), terminal.Style{}); err != nil {
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

// An unreported sum has no number.
func TestNoTokens(t *testing.T) {
	if got := tokens(report.Sum{}); got != number.Missing {
		t.Errorf("%q", got)
	}
}
