package layout

import (
	"bufio"
	"io"
	"slices"
	"strconv"
	"strings"

	"verbatim/internal/csvfile"
	"verbatim/internal/number"
	"verbatim/internal/report"
	"verbatim/internal/terminal"
)

// GroupText writes the groups of a report for a terminal: a row each, with as many
// figures as fit.
func GroupText(w io.Writer, r *report.Report, s terminal.Style) error {
	g := r.Groups
	var b strings.Builder
	b.WriteString(s.Paint(terminal.Bold, terminal.Truncate(groupTitle(r), s.Columns())) + "\n")
	for _, note := range groupNotes(r) {
		for _, line := range terminal.Wrap(note, s.Columns()) {
			b.WriteString(s.Paint(terminal.Alert, line) + "\n")
		}
	}
	b.WriteString(facts(groupRuns(r), s) + "\n")
	if len(g.Groups) > 0 {
		groupSheet(r, s.Columns() < narrow).write(&b, s)
		b.WriteString("\n" + facts([]fact{groupReading(r)}, s))
	}
	b.WriteString(warnings(groupWarnings(r), s))
	_, err := io.WriteString(w, b.String())
	return err
}

// groupMarkdown leaves write errors to the Flush of its caller.
func groupMarkdown(out *bufio.Writer, r *report.Report) {
	out.WriteString("## " + marked(groupTitle(r)) + "\n\n")
	for _, note := range groupNotes(r) {
		out.WriteString("> " + marked(note) + "\n\n")
	}
	markdownFacts(out, groupRuns(r))
	if len(r.Groups.Groups) > 0 {
		out.WriteString("\n")
		sheetMarkdown(out, groupSheet(r, false))
	}
	markdownWarnings(out, groupWarnings(r))
}

// groupCSV writes one row for each group: the values of the facts in columns of their
// names, and the figures that the rows of CSV have.
func groupCSV(w io.Writer, r *report.Report, s terminal.Style) error {
	out := csvfile.NewWriter(w, s.Raw)
	var head []string
	for _, name := range r.Groups.By {
		head = append(head, terminal.Visible(name))
	}
	if err := out.Write(append(append(head, csvFigureNames()...), "pools")); err != nil {
		return err
	}
	for i := range r.Groups.Groups {
		g := &r.Groups.Groups[i]
		var row []string
		for _, value := range g.Key {
			row = append(row, terminal.Visible(value))
		}
		row = append(append(row, csvFigures(r.Runs[0].Head.Metric, &g.Line)...), pools(g))
		if err := out.Write(row); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func groupTitle(r *report.Report) string {
	title := "by " + terminal.Visible(strings.Join(r.Groups.By, ", "))
	if len(r.Runs) > 1 {
		title += " · " + number.Plural(int64(len(r.Runs)), "run", "runs")
	}
	return title + " · " + number.Plural(int64(len(r.Groups.Groups)), "group", "groups")
}

// groupRuns names the runs that the groups are of.
func groupRuns(r *report.Report) []fact {
	var runs []string
	for i := range r.Runs {
		h := &r.Runs[i].Head
		name := terminal.Visible(h.Name)
		if h.N > 0 {
			name = number.Count(h.N) + " " + name
		}
		runs = append(runs, name)
	}
	list := []fact{{"runs", runs}}
	if len(r.Runs) > 0 {
		list = append(list, fact{"score", []string{r.Runs[0].Head.Metric.String()}})
	}
	return list
}

// groupNotes are the notes of the runs, each once.
func groupNotes(r *report.Report) []string {
	var notes []string
	for i := range r.Runs {
		if note := terminal.Visible(r.Runs[i].Head.Note); note != "" && !slices.Contains(notes, note) {
			notes = append(notes, note)
		}
	}
	return notes
}

// groupWarnings are what is to be said of the groups, of the runs next to each other
// and of each of them.
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

func groupReading(r *report.Report) fact {
	parts := []string{"exact: of the n answered, with its 95 % range", "extracted: right once unwrapped"}
	for i := range r.Groups.Groups {
		if len(r.Groups.Groups[i].Mixed) > 0 {
			return fact{"reading", append(parts, "pools: what differs inside a row")}
		}
	}
	return fact{"reading", parts}
}

// groupSheet lays the groups out: a column for each fact, and the figures that any
// group has.
func groupSheet(r *report.Report, short bool) *sheet {
	list := r.Groups.Groups
	t := &sheet{rows: make([][]string, len(list))}
	for i, name := range r.Groups.By {
		numbers := true
		for j := range list {
			value := list[j].Key[i]
			_, err := strconv.ParseFloat(value, 64)
			numbers = numbers && (value == "" || err == nil)
			if value == "" {
				value = number.Missing
			}
			t.rows[j] = append(t.rows[j], terminal.Visible(value))
		}
		t.head = append(t.head, sheetColumn{strings.TrimPrefix(terminal.Visible(name), "fact:"), 0, numbers, 7})
	}
	for _, c := range groupColumns(r, short) {
		said := c.rank == 0
		for j := range list {
			said = said || !isEmpty(c.cell(&list[j]))
		}
		if !said {
			continue
		}
		t.head = append(t.head, sheetColumn{c.head, c.rank, c.right, 0})
		for j := range list {
			t.rows[j] = append(t.rows[j], c.cell(&list[j]))
		}
	}
	return t
}

// A groupColumn is one figure of every group. Columns of a higher rank give way first
// on a narrow terminal.
type groupColumn struct {
	head  string
	rank  int
	right bool
	cell  func(*report.Group) string
}

func groupColumns(r *report.Report, short bool) []groupColumn {
	on, decimals, free := report.MetricScore, 1, true
	if short {
		decimals = 0
	}
	for i := range r.Runs {
		on, free = r.Runs[i].Head.Metric, free && r.Runs[i].Free
	}
	return []groupColumn{
		{"", 3, false, func(g *report.Group) string { return terminal.PadRight(bar(g.Line.Exact, leastBar), leastBar) }},
		{"n", 0, true, func(g *report.Group) string { return answered(&g.Line) }},
		{"exact", 0, true, func(g *report.Group) string { return number.Percent(g.Line.Exact.Share) }},
		{"95 %", 0, true, func(g *report.Group) string {
			return number.PercentRange(g.Line.Exact.Low, g.Line.Exact.High, decimals)
		}},
		{"extracted", 1, true, func(g *report.Group) string { return number.Percent(g.Line.Extracted.Share) }},
		{scoreHead(on), 2, true, func(g *report.Group) string { return number.Score(g.Line.Score.Value) }},
		{"median", 4, true, func(g *report.Group) string { return number.Seconds(g.Line.Seconds.Median) }},
		{"1st token", 7, true, func(g *report.Group) string { return number.Seconds(g.Line.FirstToken.Median) }},
		{"cost", 5, true, func(g *report.Group) string {
			if free {
				return ""
			}
			return CostText(g.Line.Cost)
		}},
		{"tokens out", 8, true, func(g *report.Group) string { return tokens(g.Line.Tokens.Completion) }},
		{"pools", 5, false, pools},
		{"commonest failures", 6, false, func(g *report.Group) string { return failures(&g.Line, ample) }},
	}
}

// pools names what differs inside a group.
func pools(g *report.Group) string {
	names := make([]string, len(g.Mixed))
	for i, m := range g.Mixed {
		names[i] = m.Fact
	}
	return strings.Join(names, " ")
}
