package layout

import (
	"slices"

	"verbatim/internal/report"
	"verbatim/internal/table"
	"verbatim/internal/terminal"
)

// WarningList lists doubts about numbers.
func WarningList(warnings ...[]report.Warning) table.List {
	list := table.List{Kind: table.Warnings}
	for _, w := range slices.Concat(warnings...) {
		list.Items = append(list.Items, table.Item{Text: terminal.Visible(w.Text)})
	}
	return list
}
