package layout

import (
	"cmp"
	"strings"

	"verbatim"
	"verbatim/internal/number"
	"verbatim/internal/report"
	"verbatim/internal/terminal"
)

// A row is a row of the table of a run: a Line with its name and its drawing.
type row struct {
	name  string
	curve string         // of a total by length; if it is empty, a bar is drawn
	cells []*report.Rate // at the lengths of a grid, in place of the drawing
	line  *report.Line
	head  bool // the row is a family; rows of its lengths may follow
	all   bool // the row is the total of the run
	// marks has the outcome of each length, if each has one request. It replaces the rows of the
	// lengths, which would take more room.
	marks string
}

// rows lists the rows of a run. A family with one line has one row, and a run with one family has
// no row for the total.
func rows(b *report.Block, everyLength bool) []row {
	var out []row
	for i := range b.Families {
		f := &b.Families[i]
		if len(f.Lines) == 1 {
			out = append(out, row{name: strings.TrimSpace(f.Name + " " + f.Lines[0].Length), line: &f.Lines[0], head: true})
			continue
		}
		family := row{name: f.Name, curve: curve(f.Lines), line: &f.Total, head: true}
		if !everyLength {
			family.marks = marks(f.Lines)
		}
		out = append(out, family)
		if family.marks != "" {
			continue
		}
		for j := range f.Lines {
			out = append(out, row{name: "  " + lengthWord(f.Lines[j].Length), line: &f.Lines[j]})
		}
	}
	if len(b.Families) > 1 {
		out = append(out, row{name: "all", line: &b.Total, head: true, all: true})
	}
	return out
}

// lengthWord names a length.
func lengthWord(length string) string { return cmp.Or(length, "(no length)") }

// marks returns the mark of each length. It is empty if a length has several requests.
func marks(lines []report.Line) string {
	var parts []string
	for i := range lines {
		l := &lines[i]
		if l.Recorded > 1 || l.Planned == nil || *l.Planned > 1 {
			return ""
		}
		parts = append(parts, strings.TrimSpace(terminal.Visible(l.Length)+" "+mark(l)))
	}
	return strings.Join(parts, "  ")
}

// mark prints the outcome of a line with one request: ✓, or ✗ or – with the reason.
func mark(l *report.Line) string {
	switch {
	case l.Exact.N > 0:
		return "✓"
	case len(l.Failures) > 0:
		return "✗ " + terminal.Visible(l.Failures[0].Name)
	}
	for _, o := range l.Outcomes {
		if o.N > 0 {
			return "– " + terminal.Visible(o.Name)
		}
	}
	return "– not sent"
}

// A column is one figure of every row. On a narrow terminal the columns of the highest ranks are
// left out first. A column of empty cells is left out on every terminal.
type column struct {
	head string
	rank int
	cell func(*report.Line) string
}

// columns lists the figures of a table from left to right. A narrow table has its intervals in
// whole per cent.
func columns(b *report.Block, narrow bool) []column {
	n := column{"n", 0, answered}
	interval := column{"95 % range", 0, func(l *report.Line) string { return number.PercentRange(l.Exact.Low, l.Exact.High, 1) }}
	if narrow {
		n.cell = briefly
		interval = column{"95 %", 0, func(l *report.Line) string { return number.PercentRange(l.Exact.Low, l.Exact.High, 0) }}
	}
	list := []column{
		n,
		{"exact", 0, func(l *report.Line) string { return number.Percent(l.Exact.Share) }},
		interval,
		{"of all", 1, func(l *report.Line) string {
			if complete(&b.Total) {
				return "" // it is the exact share
			}
			return number.Percent(l.Exact.OfPlanned)
		}},
		{"extracted", 2, func(l *report.Line) string { return number.Percent(l.Extracted.Share) }},
		{scoreHead(b.Head.Metric), 3, func(l *report.Line) string { return number.Score(l.Score.Value) }},
		{"median", 4, func(l *report.Line) string { return number.Seconds(l.Seconds.Median) }},
		{"1st token", 7, func(l *report.Line) string { return number.Seconds(l.FirstToken.Median) }},
		{"cost", 5, func(l *report.Line) string {
			if b.Free {
				return ""
			}
			return CostText(l.Cost)
		}},
		{"tokens out", 8, func(l *report.Line) string { return tokens(l.Tokens.Completion) }},
	}
	for i, o := range verbatim.Outcomes() {
		if o == verbatim.Pass {
			continue // it is the exact share
		}
		list = append(list, column{string(o), 6, func(l *report.Line) string { return countOrEmpty(l.Outcomes[i].N) }})
	}
	return list
}

// needed returns the width of the columns that are never left out.
func needed(cols []column, widths []int) int {
	need := 0
	for i, c := range cols {
		if c.rank == 0 {
			need += gap + widths[i]
		}
	}
	return need
}

// Widths of the parts of a table, in columns of the terminal.
const (
	gap           = 2 // between two columns
	leastBar      = 8
	leastName     = 6 // on the narrowest terminal
	leastFailures = 22
	ampleFailures = 36
)

// scoreHead returns the head of the column of the score.
func scoreHead(metric report.Metric) string {
	switch metric {
	case report.MetricExact, report.MetricExtracted: // these heads are used by other columns
		return string(metric) + " score"
	}
	return string(metric)
}

// answered prints the number of answers of a line, and of requests if that is another number. With
// several trials it prints items and trials.
func answered(l *report.Line) string {
	switch {
	case l.Exact.Repeated():
		return number.Items(l.Exact.Items, l.Exact.Of)
	case l.Planned != nil && *l.Planned != l.Answered:
		return number.Count(l.Answered) + "/" + number.Count(*l.Planned)
	case l.Planned == nil && l.Recorded != l.Answered:
		return number.Count(l.Answered) + "/" + number.Count(l.Recorded)
	}
	return number.Count(l.Answered)
}

// leastSide is the smallest width of a run's column in a table side by side: "55.0  40–69".
const leastSide = 12

// briefly is answered in at most leastSide columns.
func briefly(l *report.Line) string {
	text, of := answered(l), l.Recorded
	if l.Planned != nil {
		of = *l.Planned
	}
	if terminal.Width(text) > leastSide {
		return number.Short(l.Answered) + "/" + number.Short(of)
	}
	return text
}

// complete reports whether all planned requests were answered, so that shares of both are equal.
func complete(l *report.Line) bool { return l.Planned != nil && *l.Planned == l.Answered }

func countOrEmpty(n int64) string {
	if n == 0 {
		return ""
	}
	return number.Count(n)
}

func tokens(s report.Sum) string {
	if s.Total == nil {
		return number.Missing
	}
	return number.Short(*s.Total)
}

// failures prints the commonest labels of a line: as many as fit the width, at most three.
func failures(l *report.Line, width int) string {
	const most = 3
	var out string
	for i, c := range l.Failures {
		next := terminal.Visible(c.Name) + " " + number.Count(c.N)
		if out != "" {
			next = out + ", " + next
		}
		rest := len(l.Failures) - i - 1
		if i == most || terminal.Width(next)+2*min(rest, 1) > width {
			if out != "" {
				out += " …"
			}
			break
		}
		out = next
	}
	return out
}

// trials has the shares of items that are exact in one trial, in all and in most.
func trials(t *report.Trials) []string {
	if t == nil {
		return nil
	}
	part := func(what string, r report.Rate) string {
		return what + " " + number.Percent(r.Share) + " % of items (" + number.PercentRange(r.Low, r.High, 1) + ")"
	}
	k := number.Count(t.Each)
	parts := []string{
		part("exact at least once in "+k+" (pass@"+k+")", t.Any),
		part("every time (all@"+k+")", t.All),
		part("mostly (majority)", t.Majority),
	}
	for _, f := range t.Fewer {
		if f.Trials > 1 { // one trial is the exact share
			n := number.Count(f.Trials)
			for _, m := range []struct {
				name string
				report.Mean
			}{{"pass@", f.Any}, {"all@", f.All}} {
				parts = append(parts, m.name+n+" "+number.Percent(m.Value)+" % ("+number.PercentRange(m.Low, m.High, 1)+")")
			}
		}
	}
	return parts
}
