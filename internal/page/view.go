package page

import (
	"verbatim/internal/number"
	"verbatim/internal/report"
)

// A view is the data of the page's templates, in the order of the page.
type view struct {
	frame
	Runs       []run
	Lone       bool // the report has one run
	Summary    *summaryView
	Warnings   *warningsView
	Ranking    *rankingView
	Ranks      rankChart
	Legend     []legendKey
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

func newView(r *report.Report) *view {
	runs := runs(r)
	versus := newBaselineIndex(r)
	charts := curves(r)
	v := &view{
		frame: newFrame(title(r, runs)),
		Runs:  runs, Lone: len(runs) == 1,
		Summary: newSummary(r, runs, versus), Warnings: newWarnings(r, runs), Ranking: newRanking(r, runs),
		Ranks: rankBars(r), Legend: legend(r), Curves: charts, CurveNotes: newCurveNotes(r, charts), Heat: heatmap(r), Forest: overallForest(r),
		Models: modelTable(r, runs), Families: familyViews(r, versus), Compared: comparisonViews(r, runs),
		Outcomes: present(outcomeTable(r, runs), outageTable(r, runs), upstreamTable(r, runs), retriedTable(r, runs), trialTable(r, runs), flagTable(r, runs), firstErrorTable(r, runs)),
		Labels:   labelBars(r), Flips: flips(r), Samples: newSamples(r),
		Spent: present(moneyTable(r, runs), timeTable(r, runs), tokenTable(r, runs), reasoningTable(r, runs), contextTable(r, runs)),
		Days:  dayTable(r, runs), Groups: groupTable(r), From: newProvenance(r, runs), Glossary: glossary(),
	}
	if versus.baseline >= 0 {
		v.Baseline = runs[versus.baseline].Name
	}
	return v
}

// A samplesView has the samples of all runs, the largest number of each label, and the number of all
// answers.
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
	return &samplesView{number.Plural(int64(r.Samples.Each), "answer", "answers"), number.Plural(r.Samples.Of, "answer", "answers"), list}
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
