package recordview

import (
	"fmt"

	"verbatim"
	"verbatim/internal/terminal"
)

// Line returns a record in one line: its outcome, its label or the class of its failure, and its
// item.
func Line(r *verbatim.Record) string {
	label, detail := "", ""
	switch {
	case r.Failure != nil:
		label = string(r.Failure.Class)
	case r.Grade != nil:
		label, detail = r.Grade.Label, r.Grade.Detail
	}
	line := fmt.Sprintf("%-8s %-18s %s", terminal.Visible(string(r.Outcome)), terminal.Visible(label), terminal.Visible(r.Item.ID))
	if detail != "" {
		line += "  " + terminal.Visible(detail)
	}
	if r.Trial > 0 {
		line += fmt.Sprintf("  trial %d", r.Trial)
	}
	return line
}
