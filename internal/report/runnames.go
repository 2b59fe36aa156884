package report

import (
	"verbatim/internal/number"
	"verbatim/internal/terminal"
)

// RunNames returns a name for each run: its model. If several runs are of one model, the number of
// the run is added, or the name of a run that is not saved yet. The names are Visible and at most
// 60 columns wide.
func RunNames(runs []Block) []string {
	const limit = 60
	seen := make(map[string]int)
	for i := range runs {
		seen[runs[i].Head.Model]++
	}
	names := make([]string, len(runs))
	for i := range runs {
		h := &runs[i].Head
		tail := ""
		if seen[h.Model] > 1 || h.Model == "" {
			if tail = terminal.Truncate(terminal.Visible(h.Name), limit/2); h.N > 0 {
				tail = "run " + number.Count(h.N)
			}
		}
		switch model := terminal.Visible(h.Model); {
		case tail == "":
			names[i] = terminal.Truncate(model, limit)
		case model == "":
			names[i] = tail
		default:
			names[i] = terminal.Truncate(model, limit-terminal.Width(tail)-3) + " (" + tail + ")"
		}
	}
	return names
}
