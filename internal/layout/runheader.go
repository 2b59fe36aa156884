package layout

import (
	"slices"

	"verbatim/internal/number"
	"verbatim/internal/report"
	"verbatim/internal/table"
	"verbatim/internal/terminal"
)

// runHeader describes the runs of a table side by side: a line for each with the facts in which it
// differs, and the facts that all runs share.
func runHeader(runs []report.Block) []table.Block {
	described := make([]table.Facts, len(runs))
	for i := range runs {
		described[i] = description(&runs[i].Head)
	}
	var own, common table.Facts
	for i := range runs {
		h := &runs[i].Head
		parts := []string{terminal.Visible(h.Name)}
		for _, f := range described[i] {
			switch {
			case f.Name == "model" && len(f.Parts) > 1:
				parts = append(parts, f.Parts[1:]...) // the name itself is above the column
			case f.Name != "model" && !shared(described, f):
				parts = append(parts, f.Name+" "+f.Parts[0])
				parts = append(parts, f.Parts[1:]...)
			}
		}
		own = append(own, table.Fact{Name: runName(h), Parts: parts})
	}
	for _, f := range described[0] {
		if f.Name != "model" && shared(described, f) {
			common = append(common, f)
		}
	}
	for i := range own {
		if runs[i].Head.N == 0 { // its name is the first part already, and may be long
			own[i].Name = "run"
		}
	}
	return append(append([]table.Block{own}, runNotes(runs)...), common)
}

// shared reports whether all runs have the fact.
func shared(described []table.Facts, f table.Fact) bool {
	for _, d := range described {
		if !slices.ContainsFunc(d, func(o table.Fact) bool { return o.Name == f.Name && slices.Equal(o.Parts, f.Parts) }) {
			return false
		}
	}
	return true
}

// runNotes prints the notes of runs, which must be wherever their numbers are. A note that all runs
// share is printed once.
func runNotes(runs []report.Block) []table.Block {
	same := !slices.ContainsFunc(runs, func(b report.Block) bool { return b.Head.Note != runs[0].Head.Note })
	var notes []table.Block
	for i := range runs {
		note := terminal.Visible(runs[i].Head.Note)
		if note == "" || same && i > 0 {
			continue
		}
		if !same {
			note = runName(&runs[i].Head) + ": " + note
		}
		notes = append(notes, table.Paragraph{Text: note, Paint: terminal.Alert})
	}
	return notes
}

// runTitle names a run, with the note that must be wherever its numbers appear.
func runTitle(model string, n int64, run, note string) []table.Block {
	title := []table.Block{table.Heading{Text: terminal.Visible(model) + " · run " + number.Count(n) + " · " + terminal.Visible(run)}}
	if note != "" {
		title = append(title, table.Paragraph{Text: terminal.Visible(note), Paint: terminal.Alert})
	}
	return title
}
