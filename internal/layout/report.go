package layout

import (
	"slices"
	"strings"

	"verbatim/internal/number"
	"verbatim/internal/report"

	"verbatim/internal/table"
	"verbatim/internal/terminal"
)

// Report returns the document of a report. A terminal shows several runs side by side if they fit;
// other formats have a section for each. A report with groups shows these in place of the runs.
func Report(r *report.Report, o Options) *table.Document {
	first := report.HeadlineOf(r)
	d := &table.Document{Title: "verbatim report", Value: report.HeadlineReport{Report: r, Headline: first}, Raw: o.Raw, Tests: func() []table.Suite { return reportTests(r, o.FailUnder) }}
	if r.Groups != nil {
		d.Data = func() *table.Table { return groupData(r) }
		d.Body = func(columns int) []table.Block { return groupBody(r, columns) }
		return d
	}
	d.Data = func() *table.Table { return reportData(r, first) }
	d.Body = func(columns int) []table.Block {
		if columns == 0 {
			return documentBody(r, first)
		}
		return terminalBody(r, first, o, columns)
	}
	return d
}

// terminalBody is the body for a terminal: the first table, the runs, the ranks and the
// comparisons.
func terminalBody(r *report.Report, first *report.Headline, o Options, columns int) []table.Block {
	var body []table.Block
	if len(r.Runs) == 1 {
		body = terminalRun(&r.Runs[0], first, o, columns, true)
	} else if tables := sides(r, o, columns); tables != nil {
		body = append(append(runHeader(r.Runs), table.Blank{}), headlineBody(r, first, columns)...)
		body = append(append(body, table.Blank{}), tables...)
	} else {
		body = append(runNotes(r.Runs), headlineBody(r, first, columns)...)
		for i := range r.Runs {
			body = append(append(body, table.Blank{}), terminalRun(&r.Runs[i], nil, o, columns, i == len(r.Runs)-1)...)
		}
	}
	if r.Leaderboard != nil {
		body = append(append(body, table.Blank{}), leaderboardBody(r.Leaderboard)...)
	}
	switch len(r.Comparisons) {
	case 0:
	case 1:
		c := r.Comparisons[0]
		body = append(body, table.Blank{}, table.Heading{Text: Sentence(c), Wrap: true})
		if text := Settling(c.ItemsNeeded); text != "" {
			body = append(body, table.Paragraph{Text: text})
		}
	default:
		body = append(body, table.Blank{}, verdictTable(r.Comparisons))
	}
	if len(r.Warnings) > 0 {
		body = append(body, table.Blank{}, warningList(r.Warnings))
	}
	return body
}

// headlineBody is the sentence about the ranking, and the first table.
func headlineBody(r *report.Report, first *report.Headline, columns int) []table.Block {
	var body []table.Block
	if l := r.Leaderboard; l != nil && len(l.Places) > 0 {
		body = append(body, table.Paragraph{Text: leadSentence(l), Paint: terminal.Bold}, table.Blank{})
	}
	return append(body, first.Table(columns), table.Blank{}, table.Facts{first.Reading()})
}

// terminalRun shows one run on a terminal, with the first table if it is not nil. The last run
// explains the tables of all.
func terminalRun(b *report.Block, first *report.Headline, o Options, columns int, last bool) []table.Block {
	body := append(runHeading(&b.Head), table.Blank{})
	if first != nil {
		body = append(body, first.Table(columns), table.Blank{})
	}
	list := summary(b)
	if len(b.Families) > 0 {
		t := newTable(b, o.EveryLength, terminal.Style{Width: columns})
		body = append(body, &table.Table{Drawn: t.draw})
		if last {
			list = append(list, reading(b, t))
		}
	}
	if first != nil {
		list = withReading(list, first)
	}
	for _, t := range extraTables(b) {
		body = append(body, table.Blank{}, t)
	}
	return append(body, table.Blank{}, list, warningList(b.Warnings))
}

// extraTables returns the tables that only some runs have.
func extraTables(b *report.Block) []*table.Table {
	list := []*table.Table{firstErrorTable(b.Families), reasoningTable(b.Reasoning)}
	if len(b.Days) > 0 {
		list = append(list, dayTable(b))
	}
	return slices.DeleteFunc(list, func(t *table.Table) bool { return t == nil })
}

// withReading adds the explanation of the first table to the facts.
func withReading(list table.Facts, first *report.Headline) table.Facts {
	if last := len(list) - 1; last >= 0 && list[last].Name == "reading" {
		list[last].Parts = append(first.Explained(), list[last].Parts...)
		return list
	}
	return append(list, first.Reading())
}

// documentBody is the body for formats without a width.
func documentBody(r *report.Report, first *report.Headline) []table.Block {
	body := headlineBody(r, first, 0)
	if l := r.Leaderboard; l != nil && len(l.Places) > 0 {
		body = append(body, leaderboardBody(l)...)
	}
	for i := range r.Runs {
		b := &r.Runs[i]
		body = append(body, runHeading(&b.Head)...)
		if len(b.Families) > 0 {
			body = append(body, lengthTable(b))
		}
		for _, t := range extraTables(b) {
			body = append(body, t)
		}
		body = append(body, summary(b), warningList(b.Warnings))
	}
	return append(body, warningList(r.Warnings))
}

// runHeading says which run a section is about.
func runHeading(h *report.Head) []table.Block {
	title := terminal.Visible(h.Name)
	if h.N > 0 {
		title = "run " + number.Count(h.N) + " · " + title
	}
	body := []table.Block{table.Heading{Text: title}}
	if h.Note != "" {
		body = append(body, table.Paragraph{Text: terminal.Visible(h.Note), Paint: terminal.Alert})
	}
	return append(body, description(h))
}

// lengthTable has a row for each length of each family, with all figures.
func lengthTable(b *report.Block) *table.Table {
	t := &table.Table{Columns: []table.Column{{}, {Head: "exact by length"}}}
	figures := columns(b, false)
	for _, c := range figures {
		t.Columns = append(t.Columns, table.Column{Head: c.head, Rank: 1, Right: true})
	}
	t.Columns = append(t.Columns, table.Column{Head: "commonest failures"})
	for _, r := range rows(b, true) {
		cells := []string{strings.TrimSpace(terminal.Visible(r.name)), r.curve}
		for _, c := range figures {
			cells = append(cells, c.cell(r.line))
		}
		t.Rows = append(t.Rows, table.Row{Cells: append(cells, failures(r.line, 200)), Bold: r.head})
	}
	return t
}
