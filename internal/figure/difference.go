package figure

import (
	"math"
	"strconv"

	"verbatim/internal/number"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict"
)

// Ranks shows a leaderboard: a row for each run, with its mean and interval. They are NaN for
// a run without an answer.
func (s *Set) Ranks(lead *verdict.Leaderboard) []Row {
	var rows []Row
	for i := range lead.Places {
		p := &lead.Places[i]
		name, run := s.Name(&p.RunInfo)
		row := Row{Name: name, Label: name, Run: run, Value: p.Mean, Low: p.Low, High: p.High, Place: p}
		if p.Items == 0 {
			row.Value, row.Low, row.High = math.NaN(), math.NaN(), math.NaN()
		}
		rows = append(rows, row)
	}
	return rows
}

// Differences shows the difference of each comparison. The axis has room for every
// interval, zero and the equivalence margin.
func (s *Set) Differences(list []*verdict.Comparison) Panel {
	p := Panel{}
	for _, c := range list {
		name, run := s.Name(&c.B.RunInfo)
		row := &verdict.Row{Items: c.Items, A: c.A.SideResult, B: c.B.SideResult, Verdict: c.Verdict}
		p.Rows = append(p.Rows, difference(name, name, run, row))
		p.Zone = zone(c)
	}
	one := []Panel{p}
	SpanDifferences(one)
	return one[0]
}

// DifferencesBy shows the rows of one comparison, such as those of its tasks.
func (s *Set) DifferencesBy(c *verdict.Comparison, rows []verdict.Row) Panel {
	name, run := s.Name(&c.B.RunInfo)
	p := Panel{Title: name, Zone: zone(c)}
	for i := range rows {
		label := rows[i].Length
		switch {
		case rows[i].Length == "":
			label = rows[i].Family
		case rows[i].Family != "":
			label = rows[i].Length + " (" + rows[i].Family + ")"
		}
		p.Rows = append(p.Rows, difference(name, terminal.Visible(label), run, &rows[i]))
	}
	one := []Panel{p}
	SpanDifferences(one)
	return one[0]
}

func difference(name, label string, run int, row *verdict.Row) Row {
	d := &row.Difference
	return Row{Name: name, Label: label, Note: string(row.Word), Run: run, Value: d.Value, Low: d.Low, High: d.High, Verdict: row}
}

// zone is the equivalence margin.
func zone(c *verdict.Comparison) *Zone {
	if c.Rope <= 0 {
		return nil
	}
	return &Zone{Low: -c.Rope, High: c.Rope}
}

// SpanDifferences gives panels of differences the same axis: it holds zero, twice the
// zone and every interval.
func SpanDifferences(panels []Panel) {
	low, high := 0.0, 0.0
	for _, p := range panels {
		if p.Zone != nil {
			low, high = min(low, 2*p.Zone.Low), max(high, 2*p.Zone.High)
		}
		for _, r := range p.Rows {
			low, high = min(low, r.Low), max(high, r.High)
		}
	}
	for i := range panels {
		panels[i].X.Min, panels[i].X.Max = low, high
	}
}

// RankText prints the rank interval of a place, as "2–4" or "2"; a dash without a rank.
func RankText(p *verdict.RankPlace) string {
	if p.Rank == 0 {
		return number.Missing
	}
	if p.RankLow == p.RankHigh {
		return strconv.Itoa(p.RankLow)
	}
	return strconv.Itoa(p.RankLow) + "–" + strconv.Itoa(p.RankHigh)
}
