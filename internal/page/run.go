package page

import "verbatim/internal/report"

// A run is how a run is called and drawn wherever it stands on the page.
type run struct {
	Name said
	// Class is that of its colour, and Mark draws its sign around the origin, as in the
	// drawings.
	Class, Mark string
}

// runs names the runs of a report, see report.RunNames, in their order.
func runs(r *report.Report) []run {
	list := make([]run, len(r.Runs))
	for i, called := range report.RunNames(r.Runs) {
		k := inkOf(i)
		list[i] = run{said(called), k.Class, k.mark(dot{}, 4.4)}
	}
	return list
}
