package page

import (
	"slices"

	"verbatim/internal/report"
)

// A labelsView counts the failures by label, with what the labels mean.
type labelsView struct {
	Table    *table
	Meanings []labelView
}

// A labelView is a label with what it means.
type labelView struct {
	Name    said
	Meaning string
}

// newLabels has a row for every label that any run has, the commonest first; nil
// where every answer is exact.
func newLabels(r *report.Report, runs []run) *labelsView {
	sums := make(map[string]int64)
	counts := make([]map[string]int64, len(r.Runs))
	var order []string
	for i := range r.Runs {
		counts[i] = make(map[string]int64)
		for _, c := range r.Runs[i].Total.Failures {
			if _, known := sums[c.Name]; !known {
				order = append(order, c.Name)
			}
			sums[c.Name] += c.N
			counts[i][c.Name] += c.N
		}
	}
	if len(order) == 0 {
		return nil
	}
	slices.SortStableFunc(order, func(a, b string) int { return int(sums[b] - sums[a]) })
	const most = 100
	order = order[:min(len(order), most)]
	v := &labelsView{Table: &table{ID: "t-labels", Caption: "What goes wrong, in answers that are not exact", First: "label"}}
	for i := range runs {
		v.Table.Columns = append(v.Table.Columns, column{Run: &runs[i]})
	}
	for _, label := range order {
		row := row{Head: name(label)}
		for i := range runs {
			row.Cells = append(row.Cells, cell{Text: some(counts[i][label])})
		}
		v.Table.Rows = append(v.Table.Rows, row)
		if text := report.Explain(label); text != "" {
			v.Meanings = append(v.Meanings, labelView{name(label), text})
		}
	}
	return v
}
