package page

import (
	"strconv"

	"verbatim/internal/chart"
	"verbatim/internal/report"
	"verbatim/internal/verdict"
	"verbatim/internal/verdict/leaderboard"
)

// A boardView is the leaderboard: never a bare order.
type boardView struct {
	Lead  string // what the ranks are of
	Ties  []tieView
	Notes []said
}

// newBoard lays the leaderboard out, or nil.
func newBoard(r *report.Report, runs []run) *boardView {
	b := r.Leaderboard
	if b == nil || len(b.Places) == 0 {
		return nil
	}
	v := &boardView{Ties: ties(r, runs)}
	v.Lead = "By the mean score over the " + plural(b.Items, "item", "items") + " that all of them answered"
	if !b.Paired {
		v.Lead = "By the mean score of each over its own items: they were not all asked the same"
	} else if b.LeftOut > 0 {
		v.Lead += "; " + plural(b.LeftOut, "item is", "items are") + " left out, since not all did"
	}
	v.Lead += "."
	for _, n := range b.Notes {
		v.Notes = append(v.Notes, sentence(n.Text))
	}
	return v
}

// A tieView is a run with those that it cannot be told apart from.
type tieView struct {
	Name said
	With []said
}

// ties lists what is tied, each pair once, under the one that stands first.
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

// ranks prints the ranks that a place may have, in truth.
func ranks(p *leaderboard.Place) string {
	if p.RankLow == p.RankHigh {
		return strconv.Itoa(p.RankLow)
	}
	return strconv.Itoa(p.RankLow) + "–" + strconv.Itoa(p.RankHigh)
}

// called names a run that a verdict speaks of.
func called(r *report.Report, runs []run, h *verdict.RunInfo) said {
	if i := chart.Run(r.Runs, h); i >= 0 {
		return runs[i].Name
	}
	if h.Model != "" {
		return name(h.Model)
	}
	return name(h.Name)
}
