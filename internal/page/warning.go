package page

import (
	"slices"

	"verbatim/internal/report"
)

// A warningView is a warning with the runs that it is about.
type warningView struct {
	Text safeText
	Runs []safeText // empty: the warning is about all runs
}

// openWarnings is the largest number of warnings that are shown at first.
const openWarnings = 4

// A warningsView is all warnings: those shown at first, and the others.
type warningsView struct {
	First, More []warningView
}

// newWarnings lists the warnings: first those about comparisons of the runs, then those of
// single runs, where equal ones are joined. It is nil without warnings.
func newWarnings(r *report.Report, runs []run) *warningsView {
	var list []warningView
	for _, w := range r.Warnings {
		list = append(list, warningView{Text: sentence(w.Text)})
	}
	if r.Groups != nil {
		for _, w := range r.Groups.Warnings {
			list = append(list, warningView{Text: sentence(w.Text)})
		}
	}
	index := make(map[string]int) // of each text in the list
	for i := range r.Runs {
		texts := []string{r.Runs[i].Head.Note}
		for _, w := range r.Runs[i].Warnings {
			texts = append(texts, w.Text)
		}
		for n, text := range texts {
			if text == "" || slices.Contains(texts[:n], text) {
				continue
			}
			if _, known := index[text]; !known {
				index[text] = len(list)
				list = append(list, warningView{Text: sentence(text)})
			}
			w := &list[index[text]]
			w.Runs = append(w.Runs, runs[i].Name)
		}
	}
	if len(list) == 0 {
		return nil
	}
	for i := range list {
		if len(runs) > 1 && len(list[i].Runs) == len(runs) {
			list[i].Runs = nil
		}
	}
	n := min(len(list), openWarnings)
	if len(list) == openWarnings+1 { // "1 more" would take as much room
		n++
	}
	return &warningsView{list[:n], list[n:]}
}
