package layout

import (
	"slices"
	"strings"

	"verbatim/internal/report"
	"verbatim/internal/terminal"
)

// runHeader says which runs a table beside each other is about: a line for each with what
// sets it apart, and once what is the same for all.
func runHeader(runs []report.Block, s terminal.Style) string {
	described := make([][]fact, len(runs))
	for i := range runs {
		described[i] = description(&runs[i].Head)
	}
	var own, common []fact
	for i := range runs {
		h := &runs[i].Head
		parts := []string{terminal.Visible(h.Name)}
		for _, f := range described[i] {
			switch {
			case f.name == "model" && len(f.parts) > 1:
				parts = append(parts, f.parts[1:]...) // the name itself stands above the column
			case f.name != "model" && !shared(described, f):
				parts = append(parts, f.name+" "+f.parts[0])
				parts = append(parts, f.parts[1:]...)
			}
		}
		own = append(own, fact{runName(h), parts})
	}
	for _, f := range described[0] {
		if f.name != "model" && shared(described, f) {
			common = append(common, f)
		}
	}
	for i := range own {
		if runs[i].Head.N == 0 { // its name stands there already, and may be long
			own[i].name = "run"
		}
	}
	return facts(own, s) + runNotes(runs, s) + facts(common, s)
}

// shared reports whether all runs say the same under a name.
func shared(described [][]fact, f fact) bool {
	for _, d := range described {
		if !slices.ContainsFunc(d, func(o fact) bool { return o.name == f.name && slices.Equal(o.parts, f.parts) }) {
			return false
		}
	}
	return true
}

// runNotes prints what must be said wherever the numbers appear, once where it is
// the same for all.
func runNotes(runs []report.Block, s terminal.Style) string {
	same := !slices.ContainsFunc(runs, func(b report.Block) bool { return b.Head.Note != runs[0].Head.Note })
	var b strings.Builder
	for i := range runs {
		note := terminal.Visible(runs[i].Head.Note)
		if note == "" || same && i > 0 {
			continue
		}
		if !same {
			note = runName(&runs[i].Head) + ": " + note
		}
		for _, line := range terminal.Wrap(note, s.Columns()) {
			b.WriteString(s.Paint(terminal.Alert, line) + "\n")
		}
	}
	return b.String()
}
