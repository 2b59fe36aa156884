package layout

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"verbatim/internal/number"
	"verbatim/internal/report"
	"verbatim/internal/table"
	"verbatim/internal/terminal"
)

// groupBody shows the groups of a report: a row for each, with as many figures as fit.
func groupBody(r *report.Report, columns int) []table.Block {
	body := []table.Block{table.Heading{Text: groupTitle(r)}}
	var notes []string
	for i := range r.Runs {
		if note := terminal.Visible(r.Runs[i].Head.Note); note != "" && !slices.Contains(notes, note) {
			notes = append(notes, note)
			body = append(body, table.Paragraph{Text: note, Paint: terminal.Alert})
		}
	}
	body = append(body, groupRuns(r), table.Blank{})
	if len(r.Groups.Groups) > 0 {
		body = append(body, groupTable(r, isNarrow(columns)))
		if columns > 0 {
			body = append(body, table.Blank{}, table.Facts{groupReading(r)})
		}
	}
	return append(body, warningList(groupWarnings(r)))
}

// groupData has one row for each group: the values of the facts, and the figures as in reportData.
func groupData(r *report.Report) *table.Table {
	var heads []string
	for _, name := range r.Groups.By {
		heads = append(heads, terminal.Visible(name))
	}
	t := dataTable(append(append(heads, figureNames()...), "pools")...)
	for i := range r.Groups.Groups {
		g := &r.Groups.Groups[i]
		var row []string
		for _, value := range g.Key {
			row = append(row, terminal.Visible(value))
		}
		t.Add(append(append(row, figureCells(r.Runs[0].Head.Metric, &g.Line)...), pools(g))...)
	}
	return t
}

func groupTitle(r *report.Report) string {
	title := "by " + terminal.Visible(strings.Join(r.Groups.By, ", "))
	if len(r.Runs) > 1 {
		title += " · " + number.Plural(int64(len(r.Runs)), "run", "runs")
	}
	return title + " · " + number.Plural(int64(len(r.Groups.Groups)), "group", "groups")
}

// groupRuns names the runs, and the score.
func groupRuns(r *report.Report) table.Facts {
	var runs []string
	for i := range r.Runs {
		h := &r.Runs[i].Head
		name := terminal.Visible(h.Name)
		if h.N > 0 {
			name = number.Count(h.N) + " " + name
		}
		runs = append(runs, name)
	}
	list := table.Facts{{Name: "runs", Parts: runs}}
	if len(r.Runs) > 0 {
		list = append(list, table.Fact{Name: "score", Parts: []string{r.Runs[0].Head.Metric.String()}})
	}
	return list
}

// groupWarnings returns the warnings about the groups, about the report and about each run.
func groupWarnings(r *report.Report) []report.Warning {
	list := slices.Concat(r.Groups.Warnings, r.Warnings)
	for i := range r.Runs {
		for _, w := range r.Runs[i].Warnings {
			if len(r.Runs) > 1 {
				w.Text = r.Runs[i].Head.Name + ": " + w.Text
			}
			list = append(list, w)
		}
	}
	return list
}

// groupReading explains the columns.
func groupReading(r *report.Report) table.Fact {
	parts := []string{"exact: of the n answered, with its 95 % range", "extracted: the answer found in the reply is right"}
	if slices.ContainsFunc(r.Groups.Groups, func(g report.Group) bool { return g.Line.Exact.Items < g.Line.Exact.Of }) {
		parts[0] = "exact: of all answers, with its 95 % range by item"
		parts = append([]string{"n: items × trials, or items (answers)"}, parts...)
	}
	if slices.ContainsFunc(r.Groups.Groups, func(g report.Group) bool { return len(g.Mixed) > 0 }) {
		parts = append(parts, "pools: what differs inside a row")
	}
	return table.Fact{Name: "reading", Parts: parts}
}

// A groupColumn is one figure of every group.
type groupColumn struct {
	table.Column
	cell func(*report.Group) string
}

// groupTable has a column for each fact, and the figures.
func groupTable(r *report.Report, narrow bool) *table.Table {
	list := r.Groups.Groups
	t := &table.Table{Rows: make([]table.Row, len(list))}
	add := func(c table.Column, cell func(*report.Group) string) {
		t.Columns = append(t.Columns, c)
		for i := range list {
			t.Rows[i].Cells = append(t.Rows[i].Cells, cell(&list[i]))
		}
	}
	for i, name := range r.Groups.By {
		numbers := !slices.ContainsFunc(list, func(g report.Group) bool {
			_, err := strconv.ParseFloat(g.Key[i], 64)
			return g.Key[i] != "" && err != nil
		})
		add(table.Column{Head: strings.TrimPrefix(terminal.Visible(name), "fact:"), Right: numbers, Min: 7}, func(g *report.Group) string {
			return terminal.Visible(cmp.Or(g.Key[i], number.Missing))
		})
	}
	for _, c := range groupColumns(r, narrow) {
		add(c.Column, c.cell)
	}
	return t
}

// groupColumns lists the columns of figures. A narrow table has its intervals in whole per cent.
func groupColumns(r *report.Report, narrow bool) []groupColumn {
	metric, decimals, free := report.MetricScore, 1, true
	if narrow {
		decimals = 0
	}
	for i := range r.Runs {
		metric, free = r.Runs[i].Head.Metric, free && r.Runs[i].Free
	}
	return []groupColumn{
		{table.Column{Rank: 3}, func(g *report.Group) string { return terminal.PadRight(bar(g.Line.Exact, leastBar), leastBar) }},
		{table.Column{Head: "n", Right: true}, func(g *report.Group) string { return answered(&g.Line) }},
		{table.Column{Head: "exact", Right: true}, func(g *report.Group) string { return number.Percent(g.Line.Exact.Share) }},
		{table.Column{Head: "95 %", Right: true}, func(g *report.Group) string {
			return number.PercentRange(g.Line.Exact.Low, g.Line.Exact.High, decimals)
		}},
		{table.Column{Head: "extracted", Rank: 1, Right: true}, func(g *report.Group) string { return number.Percent(g.Line.Extracted.Share) }},
		{table.Column{Head: scoreHead(metric), Rank: 2, Right: true}, func(g *report.Group) string { return number.Score(g.Line.Score.Value) }},
		{table.Column{Head: "median", Rank: 4, Right: true}, func(g *report.Group) string { return number.Seconds(g.Line.Seconds.Median) }},
		{table.Column{Head: "1st token", Rank: 7, Right: true}, func(g *report.Group) string { return number.Seconds(g.Line.FirstToken.Median) }},
		{table.Column{Head: "cost", Rank: 5, Right: true}, func(g *report.Group) string {
			if free {
				return ""
			}
			return CostText(g.Line.Cost)
		}},
		{table.Column{Head: "tokens out", Rank: 8, Right: true}, func(g *report.Group) string { return tokens(g.Line.Tokens.Completion) }},
		{table.Column{Head: "pools", Rank: 5}, pools},
		{table.Column{Head: "commonest failures", Rank: 6}, func(g *report.Group) string { return failures(&g.Line, ampleFailures) }},
	}
}

// pools names the facts that differ inside a group.
func pools(g *report.Group) string {
	names := make([]string, len(g.Mixed))
	for i, m := range g.Mixed {
		names[i] = m.Fact
	}
	return strings.Join(names, " ")
}
