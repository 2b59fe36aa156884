package recordview

import (
	"fmt"

	"verbatim"
	"verbatim/internal/terminal"
)

// Line returns a record in one line: its outcome, its label and its item.
func Line(r *verbatim.Record) string {
	line := fmt.Sprintf("%-8s %-18s %s", terminal.Visible(string(r.Outcome)), "", terminal.Visible(r.Item.ID))
	if r.Grade != nil {
		line = fmt.Sprintf("%-8s %-18s %s", r.Outcome, terminal.Visible(r.Grade.Label), terminal.Visible(r.Item.ID))
		if r.Grade.Detail != "" {
			line += "  " + terminal.Visible(r.Grade.Detail)
		}
	}
	if r.Failure != nil {
		line = fmt.Sprintf("%-8s %-18s %s", r.Outcome, terminal.Visible(string(r.Failure.Class)), terminal.Visible(r.Item.ID))
	}
	if r.Trial > 0 {
		line += fmt.Sprintf("  trial %d", r.Trial)
	}
	return line
}
