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
		markup, known := markupOf()[f.Name]
		if !known {
			t.Errorf("%s is not in markupOf: which parts of %q are markup in it, or end a cell?", f.Name, evil)
		}
		plainText := regexp.MustCompile(`\\.`).ReplaceAllString(b.String(), "")
		for _, part := range markup {
			if strings.Contains(plainText, part) {
				t.Errorf("%s lets %s through", f.Name, part)
			}
		}
	}
}

// markupOf returns, by format, the parts of the hostile name that would be markup or end a cell. A
// backslash and the character after it do not count.
func markupOf() map[string][]string {
	return map[string][]string{
		"text":  nil,
		"md":    {"<img", "[l](", "a|b", "`c`", "*d*"},
		"csv":   nil, // quotes hold anything
		"json":  nil,
		"junit": {"<img", " & "},
		"html":  {"<img", " & "},
		"latex": {"*d* & "},
	}
}

// An unreported sum has no number.
func TestNoTokens(t *testing.T) {
	if got := tokens(report.Sum{}); got != number.Missing {
		t.Errorf("%q", got)
	}
}
