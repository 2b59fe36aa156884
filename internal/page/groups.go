package page

import (
	"verbatim/internal/report"
)

// groupTable has a row for every group of records that --group-by makes; nil without
// it.
func groupTable(r *report.Report) *table {
	g := r.Groups
	if g == nil || len(g.Groups) == 0 {
		return nil
	}
	const most = 2000
	t := &table{ID: "t-groups", Caption: "By the requested facts", First: "group"}
	for i, by := range g.By {
		if i == 0 {
			t.First = string(name(by))
			continue
		}
		t.Columns = append(t.Columns, column{Head: string(name(by)), Left: true})
	}
	t.Columns = append(t.Columns, column{Head: "answers"}, column{Head: "exact", Unit: "% of answers"}, column{Head: "extracted", Unit: "% of answers"}, column{Head: "score"},
		column{Head: "cost"}, column{Head: "median time"}, column{Head: "pooled here", Left: true})
	for n := range g.Groups {
		if n == most {
			t.Notes = append(t.Notes, "The first "+count(most)+" of "+count(int64(len(g.Groups)))+" groups.")
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
		row.Cells = append(row.Cells, cell{Text: answered(l)}, rate(l.Exact), bare(l.Extracted), cell{Text: mean(l.Score.Value)}, cell{Text: price(l.Cost)}, cell{Text: seconds(l.Seconds.Median)}, cell{Safe: pooled(one)})
		t.Rows = append(t.Rows, row)
	}
	return t.without()
}

// pooled names the hidden differences between the records of a group.
func pooled(g *report.Group) safeText {
	var text safeText
	for i, m := range g.Mixed {
		if i > 0 {
			text += "; "
		}
		text += name(m.Fact) + ": " + names(m.Values)
	}
	return text
}
