package report

import (
	"verbatim/internal/number"
	"verbatim/internal/terminal"
)

// RunNames returns what to call the runs: their models, or where several are of one
// model their models with what differs: the number, or before it is kept the name. The
// names are Visible and of at most 60 columns.
func RunNames(runs []Block) []string {
	const most = 60
	seen := make(map[string]int)
	for i := range runs {
		seen[runs[i].Head.Model]++
	}
	names := make([]string, len(runs))
	for i := range runs {
		h := &runs[i].Head
		tail := ""
		if seen[h.Model] > 1 || h.Model == "" {
			if tail = terminal.Truncate(terminal.Visible(h.Name), most/2); h.N > 0 {
				tail = "run " + number.Count(h.N)
			}
		}
		switch model := terminal.Visible(h.Model); {
		case tail == "":
			names[i] = terminal.Truncate(model, most)
		case model == "":
			names[i] = tail
		default:
			names[i] = terminal.Truncate(model, most-terminal.Width(tail)-3) + " (" + tail + ")"
		}
	}
	return names
}
