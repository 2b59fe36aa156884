package page

import (
	"verbatim/internal/report"
)

// A view is a report in the words and figures of the page; templates only place
// them.
type view struct {
	shell
	Runs     []run
	Lone     bool // there is one run
	Glance   *glanceView
	Warned   *warnedView
	Board    *boardView
	Models   *table
	Families []familyView
	Baseline said
	Compared []comparisonView
	Outcomes []*table
	Labels   *labelsView
	Spent    []*table
	Days     *table
	Groups   *table
	From     *provenanceView
	Glossary []termView
}

func newView(r *report.Report) *view {
	runs := runs(r)
	beside := newBesides(r)
	v := &view{
		shell: newShell(title(r, runs)),
		Runs:  runs, Lone: len(runs) == 1,
		Glance: newGlance(r, runs, beside), Warned: warned(r, runs), Board: newBoard(r, runs),
		Models: modelTable(r, runs), Families: familyViews(r, beside), Compared: comparisonViews(r, runs),
		Outcomes: present(outcomeTable(r, runs), outageTable(r, runs), retriedTable(r, runs), flagTable(r, runs)),
		Labels:   newLabels(r, runs),
		Spent:    present(moneyTable(r, runs), timeTable(r, runs), tokenTable(r, runs), reasoningTable(r, runs), contextTable(r, runs)),
		Days:     dayTable(r, runs), Groups: groupTable(r), From: newProvenance(r, runs), Glossary: glossary(),
	}
	if beside.baseline >= 0 {
		v.Baseline = runs[beside.baseline].Name
	}
	return v
}

// present leaves out the tables that are nil.
func present(list ...*table) []*table {
	var out []*table
	for _, t := range list {
		if t != nil {
			out = append(out, t)
		}
	}
	return out
}
