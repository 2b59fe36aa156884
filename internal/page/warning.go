package page

import "verbatim/internal/report"

// A warningView is a warning with the runs that it is about.
type warningView struct {
	Text safeText
	Runs []safeText // empty: all of them
}

// openWarnings is the most warnings that are shown at first.
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
	at := make(map[string]int)
	add := func(i int, text string) {
		if text == "" {
			return
		}
		if place, known := at[text]; known {
			list[place].Runs = append(list[place].Runs, runs[i].Name)
			return
		}
		at[text] = len(list)
		list = append(list, warningView{sentence(text), []safeText{runs[i].Name}})
	}
	for i := range r.Runs {
		add(i, r.Runs[i].Head.Note)
		for _, w := range r.Runs[i].Warnings {
			add(i, w.Text)
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
	if len(list) == openWarnings+1 {
		n++
	}
	return &warningsView{list[:n], list[n:]}
}
