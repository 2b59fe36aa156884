package report

import (
	"slices"

	"verbatim/internal/number"

	"verbatim/internal/table"
	"verbatim/internal/terminal"
)

// narrow is the number of columns of a terminal below which columns are left out. From narrow on,
// only long names are truncated.
const narrow = 80

// Table returns the first table of a report, for a terminal of so many columns, or for any width if
// it is 0. At 80 columns, only the interval of a metric other than exactness is left out.
func (h *Headline) Table(columns int) *table.Table {
	rank := func(n int) int {
		if columns <= 0 || columns >= narrow {
			return 0
		}
		return n
	}
	t := &table.Table{Name: "headline", Columns: []table.Column{{Head: "model", Min: 8}}}
	ranked := h.ranked()
	if ranked {
		t.Columns = append([]table.Column{{Head: HeadRank, Right: true}}, t.Columns...)
	}
	other := h.Metric != MetricExact
	if other {
		t.Columns = append(t.Columns, table.Column{Head: terminal.Visible(string(h.Metric)), Right: true}, table.Column{Head: "95 %", Rank: 5, Right: true})
	}
	t.Columns = append(t.Columns, table.Column{Head: HeadExact + " %", Right: true}, table.Column{Head: "95 %", Rank: rank(1), Right: true},
		table.Column{Head: HeadUpTo, Rank: rank(2), Right: true}, table.Column{Head: HeadDollars, Short: "$ per 1,000", Rank: rank(3), Right: true},
		table.Column{Head: HeadSeconds, Short: "median", Rank: rank(4), Right: true})
	names := h.Names()
	for i := range h.Rows {
		r := &h.Rows[i]
		cells := []string{names[i]}
		if ranked {
			cells = []string{r.RankText(), names[i]}
		}
		if other {
			cells = append(cells, number.Score(r.Score.Value), number.ScoreRange(r.Score.Low, r.Score.High))
		}
		t.Add(append(cells, number.Percent(r.Exact.Share), number.PercentRange(r.Exact.Low, r.Exact.High, 1), r.UpToText(), r.DollarsText(), number.Seconds(r.Seconds))...)
	}
	return t
}

// ranked reports whether a run has a rank. A single run has none.
func (h *Headline) ranked() bool {
	return slices.ContainsFunc(h.Rows, func(r HeadlineRow) bool { return r.Rank > 0 })
}

// Names returns a name for each row: its model, or the name of the run if several runs are of one
// model.
func (h *Headline) Names() []string {
	seen := make(map[string]int)
	for i := range h.Rows {
		seen[h.Rows[i].Model]++
	}
	names := make([]string, len(h.Rows))
	for i := range h.Rows {
		r := &h.Rows[i]
		if names[i] = terminal.Visible(r.Model); seen[r.Model] > 1 {
			names[i] = terminal.Visible(r.Name)
		}
	}
	return names
}

// Reading explains the columns that have a value.
func (h *Headline) Reading() table.Fact {
	return table.Fact{Name: "reading", Parts: h.Explained()}
}

// Explained explains the columns that have a value, each in a sentence without its period.
func (h *Headline) Explained() []string {
	parts := []string{"exact up to: longest length with at least 95 % exact, by the fitted curve"}
	if slices.ContainsFunc(h.Rows, func(r HeadlineRow) bool { return r.UpTo == nil }) {
		parts[0] += "; –: too few items"
	}
	if slices.ContainsFunc(h.Rows, func(r HeadlineRow) bool { return r.Dollars != nil && *r.Dollars > 0 }) {
		parts = append(parts, "$/1,000 exact: price of 1,000 exact answers, wrong ones included")
	}
	return parts
}
