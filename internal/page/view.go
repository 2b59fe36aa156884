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
	Ranks    rankChart
	Legend   legendView
	Curves   []curveChart
	Drawn    drawnView
	Heat     []heatTable
	Forest   *forestPanel
	Models   *table
	Families []familyView
	Baseline said
	Compared []comparisonView
	Flips    []flipView
	Samples  *samplesView
	Outcomes []*table
	Labels   labelChart
	Spent    []*table
	Days     *table
	Groups   *table
	From     *provenanceView
	Glossary []termView
}

func newView(r *report.Report) (*view, error) {
	runs := runs(r)
	shell, err := newShell(title(r, runs))
	if err != nil {
		return nil, err
	}
	beside := newBesides(r)
	drawn, charts := forest(r), curves(r)
	v := &view{
		shell: shell,
		Runs:  runs, Lone: len(runs) == 1,
		Glance: newGlance(r, runs, beside), Warned: warned(r, runs), Board: newBoard(r, runs),
		Ranks: rankBars(r), Legend: legend(r), Curves: charts, Drawn: newDrawn(r, charts), Heat: heatmap(r), Forest: drawn.Overall,
		Models: modelTable(r, runs), Families: familyViews(r, beside), Compared: comparisonViews(r, runs, &drawn),
		Outcomes: present(outcomeTable(r, runs), outageTable(r, runs), retriedTable(r, runs), flagTable(r, runs)),
		Labels:   labelBars(r),
		Flips:    flips(r), Samples: newSamples(r),
		Spent: present(moneyTable(r, runs), timeTable(r, runs), tokenTable(r, runs), reasoningTable(r, runs), contextTable(r, runs)),
		Days:  dayTable(r, runs), Groups: groupTable(r), From: newProvenance(r, runs), Glossary: glossary(),
	}
	if beside.baseline >= 0 {
		v.Baseline = runs[beside.baseline].Name
	}
	return v, nil
}

// A samplesView is single answers, and of how many they are.
type samplesView struct {
	Each, Of string
	Runs     []sampleView
}

// newSamples lays the samples out; nil where there are none.
func newSamples(r *report.Report) *samplesView {
	list := samples(r)
	if len(list) == 0 {
		return nil
	}
	return &samplesView{count(int64(r.Samples.Each)), plural(r.Samples.Of, "answer", "answers"), list}
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
