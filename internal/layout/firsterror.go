package layout

import (
	"strconv"

	"verbatim/internal/number"
	"verbatim/internal/report"
	"verbatim/internal/table"
	"verbatim/internal/terminal"
)

// firstErrorTable has the share of answers with their first error in each tenth of the text, for
// each task with long texts. It is nil without such tasks.
func firstErrorTable(families []report.Family) *table.Table {
	t := &table.Table{Columns: []table.Column{{Head: "first error, %"}, {Head: "n", Right: true}}}
	for i := range 10 {
		t.Columns = append(t.Columns, table.Column{Head: "≤" + strconv.Itoa(i*10+10), Right: true, Rank: i})
	}
	for _, f := range families {
		if len(f.FirstErrors) == 0 {
			continue
		}
		row := []string{terminal.Visible(f.Name), number.Count(f.FirstErrors[0].Of)}
		for _, r := range f.FirstErrors {
			row = append(row, number.WholePercent(r.Share))
		}
		t.Add(row...)
	}
	if len(t.Rows) == 0 {
		return nil
	}
	t.Notes = []string{"Of the answers that are right so far, those with their first error in this tenth of the text."}
	return t
}
