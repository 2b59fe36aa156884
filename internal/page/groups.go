package page

import (
	"strings"

	"verbatim/internal/layout"
	"verbatim/internal/number"
	"verbatim/internal/report"
)

// groupTable has a row for each group of --group-by, at most 2,000; nil without groups.
func groupTable(r *report.Report) *table {
	g := r.Groups
	if g == nil || len(g.Groups) == 0 {
		return nil
	}
	const most = 2000
	t := &table{ID: "t-groups", Caption: "By the requested facts", First: string(name(g.By[0]))}
	for _, by := range g.By[1:] {
		t.Columns = append(t.Columns, column{Head: string(name(by)), Left: true})
	}
	t.Columns = append(t.Columns, column{Head: "answers"}, column{Head: "exact", Unit: "% of answers"}, column{Head: "extracted", Unit: "% of answers"}, column{Head: "score"},
		column{Head: "cost"}, column{Head: "median time"}, column{Head: "pooled here", Left: true})
	for n := range g.Groups {
		if n == most {
			t.Notes = append(t.Notes, "The first "+number.Count(most)+" of "+number.Count(int64(len(g.Groups)))+" groups.")
			break
		}
		one := &g.Groups[n]
		key := func(i int) safeText {
			if i >= len(one.Key) || one.Key[i] == "" {
				return "(none)"
			}
			return name(one.Key[i])
		}
		row := row{Head: key(0)}
		for i := 1; i < len(g.By); i++ {
			row.Cells = append(row.Cells, cell{Safe: key(i)})
		}
		l := &one.Line
		row.Cells = append(row.Cells, cell{Text: answered(l)}, rate(l.Exact), bare(l.Extracted), cell{Text: number.Score(l.Score.Value)}, cell{Text: layout.CostText(l.Cost)}, cell{Text: number.Seconds(l.Seconds.Median)}, cell{Safe: pooled(one)})
		t.Rows = append(t.Rows, row)
	}
	return t.withoutEmpty()
}

// pooled names the facts in which the records of a group differ, with their values.
func pooled(g *report.Group) safeText {
	parts := make([]string, len(g.Mixed))
	for i, m := range g.Mixed {
		parts[i] = string(name(m.Fact) + ": " + names(m.Values))
	}
	return safeText(strings.Join(parts, "; "))
}
