package layout

import (
	"strings"

	"verbatim"
	"verbatim/internal/layout/drawing"
	"verbatim/internal/number"
	"verbatim/internal/report"
	"verbatim/internal/terminal"
)

// A column is one figure of every row. rank tells which columns give way first
// on a narrow terminal: the highest. A column that has nothing to say in any row
// is left out whatever the width.
type column struct {
	head string
	rank int
	cell func(*report.Line) string
}

// columns lists the figures of a table in the order in which they stand. A
// narrow table has its intervals in whole per cent.
func columns(b *report.Block, narrow bool) []column {
	metric := b.Head.Metric
	list := []column{
		{"n", 0, answered},
		{"exact", 0, func(l *report.Line) string { return number.Percent(l.Exact.Share) }},
		{"95 % range", 0, func(l *report.Line) string { return number.PercentRange(l.Exact.Low, l.Exact.High, 1) }},
		{"of all", 1, func(l *report.Line) string { return number.Percent(l.Exact.OfPlanned) }},
		{"extracted", 2, func(l *report.Line) string { return number.Percent(l.Extracted.Share) }},
		{scoreHead(metric), 3, func(l *report.Line) string { return number.Score(l.Score.Value) }},
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
			continue // exact says it
		}
		list = append(list, column{string(o), 6, func(l *report.Line) string { return countOrEmpty(l.Outcomes[i].N) }})
	}
	if complete(&b.Total) {
		list[3].cell = func(*report.Line) string { return "" } // exact says it
	}
	if narrow {
		list[0].cell = briefly
		list[2] = column{"95 %", 0, func(l *report.Line) string { return number.PercentRange(l.Exact.Low, l.Exact.High, 0) }}
	}
	return list
}

func scoreHead(metric report.Metric) string {
	switch metric {
	case report.MetricExact, report.MetricExtracted: // which have columns of their own
		return string(metric) + " score"
	}
	return string(metric)
}

// answered prints how many answers a line is over, and of how many requests
// where that differs or is unknown.
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

// trials says how the trials of items agree.
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

// complete reports whether everything planned was answered, so that a share of the
// one is a share of the other.
func complete(l *report.Line) bool { return l.Planned != nil && *l.Planned == l.Answered }

func countOrEmpty(n int64) string {
	if n == 0 {
		return ""
	}
	return number.Count(n)
}

// failures prints the commonest labels of a line, as many as fit, at most three.
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

// A runTable is laid out for one width.
type runTable struct {
	style   terminal.Style
	rows    []row
	cols    []column
	widths  []int
	grid    *grid         // nil: every length has a row
	lengths []report.Line // all families by length, drawn below a grid
	name    int           // width of the first column
	drawing int           // width of the bars, or of the grid
	tail    int           // width of the failures; 0 when they stand below instead
}

const (
	gap      = 2
	leastBar = 8
	least    = 22 // width of the failures
	// leastName is what is left of names on the narrowest terminal.
	leastName = 6
	ample     = 36
)

func newTable(b *report.Block, everyLength bool, s terminal.Style) *runTable {
	t := &runTable{style: s, rows: rows(b, everyLength)}
	t.fit()
	all := columns(b, s.Columns() < narrow)
	if len(t.rows) > screenful && !everyLength {
		t.across(b, all)
	}
	widths := t.measure(all)
	room := t.yield(all, widths)
	keep := make([]bool, len(all))
	const tailRank = 5
	for rank := 0; rank <= 8; rank++ {
		if rank == tailRank && room >= least+gap && len(b.Total.Failures) > 0 {
			t.tail = min(room-gap, ample)
			room -= t.tail + gap
		}
		room = choose(all, widths, keep, rank, room)
	}
	for i := range all {
		if keep[i] {
			t.cols, t.widths = append(t.cols, all[i]), append(t.widths, widths[i])
		}
	}
	t.spread(room)
	return t
}

// mostBar is how wide bars are at most: what a wide terminal has to spare is better
// given to words.
func (t *runTable) mostBar() int { return max(24, t.style.Columns()/5) }

// choose keeps the columns of a rank if all of them fit, and returns the room
// that is left.
func choose(cols []column, widths []int, keep []bool, rank, room int) int {
	need := 0
	for i, c := range cols {
		if c.rank == rank && widths[i] >= 0 {
			need += gap + widths[i]
		}
	}
	if need > room && rank > 0 {
		return room
	}
	for i, c := range cols {
		keep[i] = keep[i] || c.rank == rank && widths[i] >= 0
	}
	return room - need
}

// spread gives the room that is left to the failures and the bars.
func (t *runTable) spread(room int) {
	if room <= 0 {
		return
	}
	more := 0
	if t.grid == nil {
		more = max(min(room, t.mostBar()-t.drawing), 0)
	}
	if t.tail > 0 {
		more /= 2
		t.tail += min(room-more, 30)
	}
	t.drawing += more
}

// draw writes the table for a terminal.
func (t *runTable) draw(style terminal.Style) string {
	t.style = style
	var head strings.Builder
	if t.grid == nil {
		head.WriteString(terminal.PadRight("shares in %", t.name+gap+t.drawing))
	} else {
		head.WriteString(terminal.PadRight(terminal.Truncate("exact in %", t.name+gap), t.name+gap) + t.grid.head())
	}
	for i, c := range t.cols {
		head.WriteString(strings.Repeat(" ", gap) + terminal.PadLeft(c.head, t.widths[i]))
	}
	if t.tail > 0 {
		head.WriteString(strings.Repeat(" ", gap) + "commonest failures")
	}
	lines := []string{t.style.Paint(terminal.Faint, head.String())}
	for _, r := range t.rows {
		lines = append(lines, t.row(r))
		if r.marks != "" {
			for _, line := range terminal.Wrap(r.marks, t.style.Columns()-4) {
				lines = append(lines, t.style.Paint(terminal.Faint, "    "+line))
			}
			continue
		}
		if t.grid == nil && t.tail == 0 && r.head && !r.all && len(r.line.Failures) > 0 {
			indent := "    "
			lines = append(lines, t.style.Paint(terminal.Faint, indent+failures(r.line, t.style.Columns()-len(indent))))
		}
	}
	if t.grid != nil && len(t.lengths) > 0 {
		lines = append(lines, t.grid.chart(t.lengths, t.name, t.style)...)
	}
	var b strings.Builder
	for _, line := range lines {
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

// drawingOf returns what a row has to look at: the cells of the grid, or a curve or a bar.
func (t *runTable) drawingOf(r row) string {
	if t.grid != nil {
		return t.grid.row(r.cells, t.style)
	}
	shape := r.curve
	if shape == "" || terminal.Width(shape) > t.drawing {
		shape = drawing.Bar(r.line.Exact, t.drawing)
	}
	return t.style.Paint(terminal.Drawing, terminal.PadRight(shape, t.drawing))
}

func (t *runTable) row(r row) string {
	var b strings.Builder
	name := terminal.PadRight(terminal.Truncate(terminal.Visible(r.name), t.name), t.name)
	heavy := r.head && (t.grid == nil || r.all) // what stands out is little
	if heavy {
		name = t.style.Paint(terminal.Bold, name)
	}
	b.WriteString(name + strings.Repeat(" ", gap) + t.drawingOf(r))
	for i, c := range t.cols {
		cell := strings.Repeat(" ", gap) + terminal.PadLeft(c.cell(r.line), t.widths[i])
		if heavy && i <= 1 {
			cell = t.style.Paint(terminal.Bold, cell)
		}
		b.WriteString(cell)
	}
	if t.tail > 0 {
		b.WriteString(strings.Repeat(" ", gap) + t.style.Paint(terminal.Faint, failures(r.line, t.tail)))
	}
	return b.String()
}

func tokens(s report.Sum) string {
	if s.Total == nil {
		return number.Missing
	}
	return number.Short(*s.Total)
}
