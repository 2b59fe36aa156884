package page

import (
	"verbatim/internal/figure"
	"verbatim/internal/number"
	"verbatim/internal/report"
	"verbatim/internal/verdict"
)

// A rankingView is the text around the leaderboard.
type rankingView struct {
	Lead  string // what the runs are ranked by, and over which items
	Ties  []tieView
	Notes []safeText
}

// newRanking returns the ranking; nil without one.
func newRanking(r *report.Report, runs []run) *rankingView {
	b := r.Leaderboard
	if b == nil || len(b.Places) == 0 {
		return nil
	}
	v := &rankingView{Ties: ties(r, runs)}
	v.Lead = "By " + rankedBy(b) + " on the " + number.Plural(b.Items, "item", "items") + " that all runs answered, each item once"
	if !b.Paired {
		v.Lead = "By " + rankedBy(b) + " of each run on its own items, which differ between runs"
	} else if b.LeftOut > 0 {
		v.Lead += "; " + number.Plural(b.LeftOut, "item is", "items are") + " left out because some run has no answer"
	}
	v.Lead += ". The first table is over all answers of each run."
	for _, n := range b.Notes {
		v.Notes = append(v.Notes, sentence(n.Text))
	}
	return v
}

// rankedBy names what the runs are ranked by.
func rankedBy(b *verdict.Leaderboard) string {
	switch report.Metric(b.Metric) {
	case report.MetricExact:
		return "the exact share"
	case report.MetricScore, "":
		return "the mean score"
	}
	return "the mean " + string(name(b.Metric)) + " score"
}

// A tieView is a run with the runs that are indistinguishable from it.
type tieView struct {
	Name safeText
	With []safeText
}

// ties lists each pair of indistinguishable runs once, under the first of the two.
func ties(r *report.Report, runs []run) []tieView {
	b := r.Leaderboard
	var list []tieView
	for i := range b.Places {
		t := tieView{Name: called(r, runs, &b.Places[i].RunInfo)}
		for _, j := range b.Places[i].Indistinguishable {
			if j > i && j < len(b.Places) {
				t.With = append(t.With, called(r, runs, &b.Places[j].RunInfo))
			}
		}
		if len(t.With) > 0 {
			list = append(list, t)
		}
	}
	return list
}

// called returns the name of a run of a verdict.
func called(r *report.Report, runs []run, h *verdict.RunInfo) safeText {
	if i := figure.RunIndex(r.Runs, h); i >= 0 {
		return runs[i].Name
	}
	if h.Model != "" {
		return name(h.Model)
	}
	return name(h.Name)
}
