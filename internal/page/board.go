package page

import (
	"strconv"
	"strings"

	"verbatim/internal/report"
	"verbatim/internal/verdict"
)

// A boardView is the leaderboard: never a bare order.
type boardView struct {
	Lead   string // what the ranks are of
	Ranks  *table
	Chance *table // of every rank
	Notes  []said
}

// newBoard lays the leaderboard out; nil where there is none.
func newBoard(r *report.Report, runs []run) *boardView {
	b := r.Leaderboard
	if b == nil || len(b.Places) == 0 {
		return nil
	}
	v := &boardView{Ranks: rankTable(r, runs), Chance: chanceTable(r, runs)}
	v.Lead = "By the mean score over the " + plural(b.Items, "item", "items") + " that all of them answered"
	if !b.Paired {
		v.Lead = "By the mean score of each over its own items: they were not all asked the same"
	} else if b.Left > 0 {
		v.Lead += "; " + plural(b.Left, "item is", "items are") + " left out, since not all did"
	}
	v.Lead += "."
	for _, n := range b.Notes {
		v.Notes = append(v.Notes, sentence(n.Text))
	}
	return v
}

// rankTable has a row for each place.
func rankTable(r *report.Report, runs []run) *table {
	b := r.Leaderboard
	t := &table{ID: "t-ranks", Caption: "Ranks, with what they can be trusted for", First: "model",
		Columns: []column{{Head: "rank", Unit: "from – to"}, {Head: "score", Unit: scoreWords(r)}, {Head: "first", Unit: "probability"}, {Head: "cannot be told apart from", Left: true}}}
	for i := range b.Places {
		p := &b.Places[i]
		first := missing
		if len(p.P) > 0 {
			first = chance(p.P[0])
		}
		cells := texts(ranks(p), "", first, "")
		cells[1] = cell{Text: score(p.Mean), Range: scores(p.Range), Bar: newBar(p.Low, p.Mean, p.High)}
		cells[3].Said = tied(r, runs, p)
		t.Rows = append(t.Rows, place(r, runs, p, cells))
	}
	return t
}

// ranks prints the ranks that a place may have, in truth.
func ranks(p *verdict.Place) string {
	if p.RankLow == p.RankHigh {
		return strconv.Itoa(p.RankLow)
	}
	return strconv.Itoa(p.RankLow) + "–" + strconv.Itoa(p.RankHigh)
}

// tied names the runs that a place cannot be told apart from.
func tied(r *report.Report, runs []run, p *verdict.Place) said {
	var parts []string
	for _, i := range p.Tied {
		if i >= 0 && i < len(r.Leaderboard.Places) {
			parts = append(parts, string(called(r, runs, &r.Leaderboard.Places[i].Head)))
		}
	}
	return said(strings.Join(parts, ", "))
}

// place is the row of a run.
func place(r *report.Report, runs []run, p *verdict.Place, cells []cell) row {
	if i := find(r, &p.Head); i >= 0 {
		return row{Run: &runs[i], Cells: cells}
	}
	return row{Head: called(r, runs, &p.Head), Cells: cells}
}

// called names a run that a verdict speaks of.
func called(r *report.Report, runs []run, h *verdict.Head) said {
	if i := find(r, h); i >= 0 {
		return runs[i].Name
	}
	if h.Model != "" {
		return name(h.Model)
	}
	return name(h.Name)
}

// chanceTable says how likely every run has every rank; nil for two, whose chances
// the first column says.
func chanceTable(r *report.Report, runs []run) *table {
	b := r.Leaderboard
	if len(b.Places) < 3 {
		return nil
	}
	t := &table{ID: "t-chances", Caption: "The probability of every rank", First: "model"}
	for n := range b.Places {
		t.Columns = append(t.Columns, column{Head: strconv.Itoa(n + 1)})
	}
	for i := range b.Places {
		p := &b.Places[i]
		cells := make([]cell, len(b.Places))
		for n := range cells {
			cells[n].Text = missing
			if n < len(p.P) && p.P[n] >= 0.0005 {
				cells[n].Text = chance(p.P[n])
			}
		}
		t.Rows = append(t.Rows, place(r, runs, p, cells))
	}
	return t
}
