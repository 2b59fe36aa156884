package page

import "verbatim/internal/report"

// A view is the data of the page's templates: texts and drawings, which they only place.
type view struct {
	frame
	Runs       []run
	Lone       bool // there is one run
	Summary    *summaryView
	Warnings   *warningsView
	Ranking    *rankingView
	Ranks      rankChart
	Legend     legendView
	Curves     []curveChart
	CurveNotes curveNotes
	Heat       []heatTable
	Forest     *forestPanel
	Models     *table
	Families   []familyView
	Baseline   safeText
	Compared   []comparisonView
	Flips      []flipView
	Samples    *samplesView
	Outcomes   []*table
	Labels     labelChart
	Spent      []*table
	Days       *table
	Groups     *table
	From       *provenanceView
	Glossary   []termView
}

func newView(r *report.Report) (*view, error) {
	runs := runs(r)
	frame, err := newFrame(title(r, runs))
	if err != nil {
		return nil, err
	}
	versus := newBaselineIndex(r)
	drawn, charts := forest(r), curves(r)
	v := &view{
		frame: frame,
		Runs:  runs, Lone: len(runs) == 1,
		Summary: newSummary(r, runs, versus), Warnings: newWarnings(r, runs), Ranking: newRanking(r, runs),
		Ranks: rankBars(r), Legend: legend(r), Curves: charts, CurveNotes: newCurveNotes(r, charts), Heat: heatmap(r), Forest: drawn.Overall,
		Models: modelTable(r, runs), Families: familyViews(r, versus), Compared: comparisonViews(r, runs, &drawn),
		Outcomes: present(outcomeTable(r, runs), outageTable(r, runs), upstreamTable(r, runs), retriedTable(r, runs), trialTable(r, runs), flagTable(r, runs), firstErrorTable(r, runs)),
		Labels:   labelBars(r),
		Flips:    flips(r), Samples: newSamples(r),
		Spent: present(moneyTable(r, runs), timeTable(r, runs), tokenTable(r, runs), reasoningTable(r, runs), contextTable(r, runs)),
		Days:  dayTable(r, runs), Groups: groupTable(r), From: newProvenance(r, runs), Glossary: glossary(),
	}
	if versus.baseline >= 0 {
		v.Baseline = runs[versus.baseline].Name
	}
	return v, nil
}

// A samplesView is the samples of all runs and the number of answers.
type samplesView struct {
	Each, Of string
	Runs     []sampleView
}

// newSamples returns the samples; nil without any.
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
