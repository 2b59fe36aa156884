package layout

import (
	"verbatim/internal/table"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict"
)

// compareData has one row for each line of the tables. The column level says what a row
// is over: "all", "family", "length" or "cell" (a family at a length).
func compareData(list []*verdict.Comparison) *table.Table {
	t := dataTable("run_a", "run_b", "model_a", "model_b", "metric", "level", "family", "length", "items",
		"mean_a", "mean_b", "difference", "low", "high", "p_worse", "p_equivalent", "p_better", "p", "p_holm", "verdict",
		"right_a", "right_b", "answers_a", "answers_b", "share_a", "share_b", "l50_a", "l50_b", "only_a", "only_b", "sd", "more_items")
	for _, c := range list {
		compareRows(t, c)
	}
	return t
}

// compareRows adds the rows of one comparison.
func compareRows(t *table.Table, c *verdict.Comparison) {
	head := []string{terminal.Visible(c.A.Name), terminal.Visible(c.B.Name), terminal.Visible(c.A.Model), terminal.Visible(c.B.Model), c.Metric}
	line := func(level, family, length string, items int64, rest []string) {
		t.Add(append(append(append([]string{}, head...), level, terminal.Visible(family), terminal.Visible(length), digits(items)), rest...)...)
	}
	line("all", "", "", c.Items, verdictCells(&c.A.SideResult, &c.B.SideResult, &c.Verdict, []string{Float(&c.P), Float(&c.Adjusted)}, []string{digits(c.Flips.OnlyA), digits(c.Flips.OnlyB)}))
	for _, part := range []struct {
		level string
		rows  []verdict.Row
	}{{"family", c.Families}, {"length", c.Lengths}} {
		for i := range part.rows {
			r := &part.rows[i]
			line(part.level, r.Family, r.Length, r.Items, verdictCells(&r.A, &r.B, &r.Verdict, []string{Float(&r.P), Float(&r.Adjusted)}, []string{"", ""}))
		}
	}
	for i := range c.Cells {
		cell := &c.Cells[i]
		line("cell", cell.Family, cell.Length, cell.Items, []string{
			Float(&cell.A.Mean), Float(&cell.B.Mean), Float(&cell.Value), "", "", "", "", "", "", "", "",
			digits(cell.A.Right), digits(cell.B.Right), digits(cell.A.Answers), digits(cell.B.Answers), "", "", "", "",
			digits(cell.OnlyA), digits(cell.OnlyB), Float(cell.SD), "",
		})
	}
}

// verdictCells returns the cells from the means to the end of a row. p has the p-value and the
// adjusted one; only has the numbers of items that only A and only B has right.
func verdictCells(a, b *verdict.SideResult, v *verdict.Verdict, p, only []string) []string {
	d := &v.Difference
	cells := []string{Float(&a.Mean), Float(&b.Mean), Float(&d.Value), Float(&d.Low), Float(&d.High), Float(&d.Worse), Float(&d.Equivalent), Float(&d.Better)}
	cells = append(append(cells, p...), string(v.Word), digits(a.Right), digits(b.Right), digits(a.Answers), digits(b.Answers), Float(&a.Share), Float(&b.Share))
	for _, l := range []*verdict.Horizon{a.Horizon, b.Horizon} {
		if l == nil {
			cells = append(cells, "")
		} else {
			cells = append(cells, Float(&l.Length))
		}
	}
	cells = append(append(cells, only...), "")
	if v.ItemsNeeded == nil {
		return append(cells, "")
	}
	return append(cells, optional(v.ItemsNeeded.More))
}
