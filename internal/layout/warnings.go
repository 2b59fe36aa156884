package layout

import (
	"verbatim/internal/report"
	"verbatim/internal/table"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict"
)

// warningList lists the warnings of a report.
func warningList(warnings []report.Warning) table.List {
	list := table.List{Kind: table.Warnings}
	for _, w := range warnings {
		list.Items = append(list.Items, table.Item{Text: terminal.Visible(w.Text)})
	}
	return list
}

// noteList lists the notes or the warnings of a verdict.
func noteList(kind table.ListKind, notes []verdict.Note) table.List {
	list := table.List{Kind: kind}
	for _, n := range notes {
		list.Items = append(list.Items, table.Item{Text: terminal.Visible(n.Text)})
	}
	return list
}
