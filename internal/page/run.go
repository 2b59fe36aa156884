package page

import (
	"strconv"

	"verbatim/internal/report"
	"verbatim/internal/verdict"
)

// styles is how many runs look different; those beyond them begin anew, and their
// names tell them apart.
const styles = 8

// A run is how a run is called and drawn wherever it stands on the page.
type run struct {
	Name said
	// Class is that of its colour, and Mark that of its sign: "m0" and "k0" to "m7"
	// and "k7".
	Class, Mark string
}

// runs names the runs of a report, see report.RunNames, in their order.
func runs(r *report.Report) []run {
	list := make([]run, len(r.Runs))
	for i, called := range report.RunNames(r.Runs) {
		style := strconv.Itoa(i % styles)
		list[i] = run{said(called), "m" + style, "k" + style}
	}
	return list
}

// find returns the place of the run in the report, -1 where it has none: that a
// verdict speaks of.
func find(r *report.Report, h *verdict.Head) int {
	for i := range r.Runs {
		of := &r.Runs[i].Head
		if of.N == h.N && of.Name == h.Name && of.Model == h.Model {
			return i
		}
	}
	return -1
}
