package page

import "verbatim/internal/report"

// A warningView is a doubt about numbers, with the runs that it is about.
type warningView struct {
	Text said
	Runs []said // empty: all of them
}

// The warnings that stand open; the others are a click away.
const openWarnings = 4

// A warnedView is all the doubts.
type warnedView struct {
	First, More []warningView
}

// warned gathers the warnings: those about comparing the runs first, then those of
// runs, of which the same one stands once. It is nil where there are none.
func warned(r *report.Report, runs []run) *warnedView {
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
		list = append(list, warningView{sentence(text), []said{runs[i].Name}})
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
	return &warnedView{list[:n], list[n:]}
}
