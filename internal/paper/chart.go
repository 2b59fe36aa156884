package paper

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"verbatim"
	"verbatim/internal/figure"
	"verbatim/internal/number"
	"verbatim/internal/report"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict"
)

// Charts returns the figures of an ordinary report, numbered from 1. A figure without data is
// left out. They are:
//
//   - the exact share, the extracted share and the score over length, a panel for each task
//   - the exact share by task and length, a heat map for each run
//   - the failure labels
//   - the runs by rank, and their differences from the baseline
//   - time over length, and the exact share by cost
//   - the length of the reasoning by outcome
//   - the exact share by the facts of a grouping
//
// Shares have their 95 % Wilson intervals. A run has the same color, dash and mark in all
// figures.
func Charts(r *report.Report) (list []Figure) {
	c := &charts{report: r}
	c.Names = seriesNames(r)
	c.Runs = r.Runs[:len(c.Names)]
	c.Other = func(h *verdict.RunInfo) string { return nameOf(h.Model, h.Name) }
	for _, draw := range []func() []Figure{
		c.exact, c.extracted, c.score, c.heat, c.failures, c.leaderboard, c.differences, c.taskDifferences, c.time, c.firstToken, c.cost, c.reasoning, c.groups,
	} {
		list = append(list, draw()...)
	}
	for i := range list {
		f := &list[i]
		f.Number = i + 1
		if f.Figure.Names == nil {
			f.Figure.Names = c.Names
		}
		f.Caption = sentences(f.Caption, c.left(), notes(r))
		f.Figure.Title, f.Figure.Text = "Figure "+strconv.Itoa(f.Number)+". "+f.Caption, f.Text
	}
	return list
}

// groups shows the exact share by the last fact of --group-by, a panel for each combination
// of the facts before it. Panels with one value are left out.
func (c *charts) groups() []Figure {
	g := c.report.Groups
	if g == nil || len(g.By) == 0 {
		return nil
	}
	name := "all runs"
	if len(c.Names) == 1 {
		name = c.Names[0]
	}
	last, exact := len(g.By)-1, exactShare()
	var panels []figure.Panel
	title := ""
	for i := range g.Groups {
		keys, point := g.Groups[i].Key, exact.Point(&g.Groups[i].Line)
		fact, value, named := strings.Cut(keys[last], "=") // the key of a knob holds its name
		if !named {
			fact, value = strings.TrimPrefix(g.By[last], "fact:"), keys[last]
		}
		if value == "" || !point.Known() {
			continue
		}
		if of := terminal.Visible(strings.Join(keys[:last], ", ")); len(panels) == 0 || of != title {
			title = of
			panels = append(panels, figure.Panel{Title: of, X: figure.Axis{Label: terminal.Visible(fact)}, Lines: []figure.Line{{Name: name}}})
		}
		p := &panels[len(panels)-1]
		point.X = float64(len(p.X.Ticks))
		p.X.Ticks = append(p.X.Ticks, figure.Tick{At: point.X, Label: terminal.Visible(value)})
		p.Lines[0].Points = append(p.Lines[0].Points, point)
	}
	var several []figure.Panel
	for _, p := range panels {
		if n := len(p.X.Ticks); n > 1 {
			p.X.Min, p.X.Max = 0, float64(n-1)
			several = append(several, p)
		}
	}
	sameHeights(several, exact.Axis)
	list := pages("exact-share-by-group", exact.what+" by "+terminal.Visible(strings.Join(g.By, ", "))+exact.rest, c.overAll(exact), false, several)
	for i := range list {
		list[i].Figure.Names = []string{name}
	}
	return list
}

// reasoning shows how long the models reasoned before answers of each outcome, a panel for
// each run: in tokens if a server counted any, otherwise in characters. It is left out if no
// run has reasoning.
func (c *charts) reasoning() []Figure {
	tokens := false
	for i := range c.Runs {
		for _, r := range c.Runs[i].Reasoning {
			tokens = tokens || r.Total > 0
		}
	}
	unit := "characters"
	if tokens {
		unit = "tokens"
	}
	var panels []figure.Panel
	var words []string
	for i := range c.Runs {
		p := figure.Panel{Title: c.Names[i], Y: figure.Axis{Label: unit + " of reasoning"}}
		for _, o := range verbatim.Outcomes() {
			for _, r := range c.Runs[i].Reasoning {
				if s := sizesOf(&r, tokens); r.Outcome == o && s.N > 0 {
					at := float64(len(p.Boxes))
					p.X.Ticks = append(p.X.Ticks, figure.Tick{At: at, Label: string(o)})
					p.Boxes = append(p.Boxes, figure.Box{Name: c.Names[i], At: at, Low: *s.Min, Q1: *s.P25, Median: *s.Median, Q3: *s.P75, High: *s.Max, N: int(s.N)})
					words = append(words, fmt.Sprintf("%s, %s: median %.0f, quartiles %.0f and %.0f", c.Names[i], o, *s.Median, *s.P25, *s.P75))
				}
			}
		}
		if len(p.Boxes) > 0 {
			p.X.Min, p.X.Max = -0.5, float64(len(p.Boxes))-0.5
			panels = append(panels, p)
		}
	}
	sameSizes(panels)
	caption := "Length of the reasoning in " + unit + ", by outcome. Boxes are quartiles; whiskers reach the shortest and the longest"
	return pages("reasoning", caption, strings.Join(words, "; "), false, panels)
}

// sizesOf returns the numbers of tokens, or otherwise of characters.
func sizesOf(r *report.Reasoned, tokens bool) report.Sizes {
	switch {
	case tokens:
		return r.Sizes
	case r.Texts != nil:
		return r.Texts.Characters
	}
	return report.Sizes{}
}

// sameSizes gives all panels the same Y axis.
func sameSizes(panels []figure.Panel) {
	least, most := math.Inf(1), 0.0
	for _, p := range panels {
		for _, b := range p.Boxes {
			least, most = min(least, b.Low), max(most, b.High)
		}
	}
	for i := range panels {
		panels[i].Y = figure.CountAxis(panels[i].Y.Label, least, most)
	}
}

// maxColumns is the largest number of lengths in a readable heat map.
const maxColumns = 24

// heat is left out if no task has several lengths, if there are too many lengths, or if most
// cells would be empty.
func (c *charts) heat() []Figure {
	tasks, lengths := figure.Tasks(c.Runs), c.lengths()
	if len(tasks) > 40 || len(lengths) < 2 || len(lengths) > maxColumns {
		return nil
	}
	var panels []figure.Panel
	known, all := 0, 0
	for i := range c.Runs {
		h := c.Heat(i, tasks, lengths)
		for k, l := range lengths {
			h.Columns[k] = lengthName(*l.Span)
		}
		for k, row := range h.Values {
			h.Rows[k] = terminal.Visible(h.Rows[k])
			all += len(row)
			for _, v := range row {
				if !math.IsNaN(v) {
					known++
				}
			}
		}
		panels = append(panels, figure.Panel{Title: c.Names[i], X: figure.Axis{Label: "length"}, Heat: h})
	}
	if 2*known < all {
		return nil
	}
	out := pages("heat-map", "Exact share by task and length, for each model; a dash is unknown", c.overAll(exactShare()), false, panels)
	for i := range out {
		out[i].Figure.Columns = columnsOf(len(out[i].Figure.Panels), len(lengths))
	}
	return out
}

// columnsOf returns the number of heat maps in a row, so that values fit their cells.
func columnsOf(panels, lengths int) int {
	switch {
	case panels == 1 || lengths > 12:
		return 1
	case lengths > 8 || panels == 2 || panels == 4:
		return 2
	}
	return 3
}

// lengths lists the lengths of all runs that are numbers, the shortest first.
func (c *charts) lengths() []figure.Length {
	var lines [][]report.Line
	for i := range c.Runs {
		for _, f := range c.Runs[i].Families {
			lines = append(lines, f.Lines)
		}
	}
	return slices.DeleteFunc(figure.Lengths(lines...), func(l figure.Length) bool { return l.Span == nil })
}

func lengthName(l verbatim.Lengths) string {
	if l.Min == l.Max {
		return l.String()
	}
	return verbatim.Lengths{Min: l.Min, Max: l.Min}.String() + "–" + verbatim.Lengths{Min: l.Max, Max: l.Max}.String()
}

// failures draws the shares of the failure labels.
func (c *charts) failures() []Figure {
	labels := figure.LabelsByCount(c.Runs)
	if len(labels) == 0 {
		return nil
	}
	p := figure.Panel{Y: figure.Axis{Label: "share of the answers"}, Bars: figure.Failures(c.Runs, labels)}
	for i, name := range c.Names {
		p.X.Ticks = append(p.X.Ticks, figure.Tick{At: float64(i), Label: name})
	}
	var names []string // the labels, so that they get no look of a run
	for _, part := range p.Bars {
		names = append(names, part.Name)
	}
	return []Figure{{Name: "failures", Caption: "Answers that are not exact, by failure label, as a share of all answers of a model",
		Text:   "The commonest label is " + names[0] + ".",
		Figure: figure.Figure{Panels: []figure.Panel{p}, Legend: true, Width: wideFor(len(c.Names)), Names: names}}}
}

// wideFor returns the width of a figure in millimetres: one column of a journal for few bars,
// otherwise two.
func wideFor(bars int) float64 {
	if bars <= 4 {
		return 85
	}
	return 178
}

const (
	// maxSeries is the largest number of runs in a figure; the caption has the number of all.
	maxSeries = 24
	// maxPanels is the largest number of panels in a figure.
	maxPanels = 18
)

// charts holds what the figures of one report share: at most maxSeries runs, whose names
// are all different.
type charts struct {
	figure.Set
	report *report.Report
}

// left says that runs are left out; empty if none is.
func (c *charts) left() string {
	if n := len(c.report.Runs) - len(c.Names); n > 0 {
		return "The first " + strconv.Itoa(len(c.Names)) + " of " + strconv.Itoa(len(c.report.Runs)) + " runs are shown."
	}
	return ""
}

// seriesNames names the runs by their models, with additions where models are equal or are
// drawn equally.
func seriesNames(r *report.Report) []string {
	runs := r.Runs[:min(len(r.Runs), maxSeries)]
	names := make([]string, len(runs))
	for i := range runs {
		names[i] = nameOf(runs[i].Head.Model, runs[i].Head.Name)
	}
	names = distinct(names, func(i int) string { return nameOf(runs[i].Head.Name, runs[i].Head.Model) })
	return distinct(names, func(i int) string { return names[i] + " #" + strconv.Itoa(i+1) })
}

// nameOf returns the first text that is not empty, bounded, as it is drawn.
func nameOf(words ...string) string {
	const most = 48
	for _, w := range words {
		if name := figure.Printable(terminal.Visible(w)); name != "" {
			if letters := []rune(name); len(letters) > most {
				name = string(letters[:most-1]) + "…"
			}
			return name
		}
	}
	return "run"
}

// captionNotes is the number of notes on runs that a caption has room for.
const captionNotes = 4

// notes joins the notes on runs, such as that a model is simulated. Every caption has them. Of more
// than captionNotes different ones it has the first, and the number of the others.
func notes(r *report.Report) string {
	var list []string
	for i := range r.Runs {
		if n := terminal.Visible(r.Runs[i].Head.Note); n != "" && !slices.Contains(list, n) {
			list = append(list, n)
		}
	}
	if more := len(list) - captionNotes; more > 0 {
		list = append(list[:captionNotes], number.Plural(int64(more), "more note is", "more notes are")+" in the report")
	}
	return capital(strings.Join(list, "; "))
}

// capital returns s with a capital first letter.
func capital(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return s
	}
	return string(unicode.ToUpper(first)) + s[size:]
}

// sentences joins the parts that are not empty, each with a full stop.
func sentences(parts ...string) string {
	var b strings.Builder
	for _, p := range parts {
		if p = strings.TrimSpace(p); p == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(p)
		if !strings.ContainsAny(p[len(p)-1:], ".!?") {
			b.WriteByte('.')
		}
	}
	return b.String()
}

// pages divides the panels into figures of at most maxPanels with numbered names.
func pages(name, caption, text string, legend bool, panels []figure.Panel) []Figure {
	var out []Figure
	for i := 0; i < len(panels); i += maxPanels {
		f := Figure{Name: name, Caption: caption, Text: text}
		if len(panels) > maxPanels {
			page := strconv.Itoa(i/maxPanels + 1)
			f.Name, f.Caption = name+"-"+page, sentences(caption, "Part "+page)
		}
		f.Figure = figure.Figure{Panels: panels[i:min(i+maxPanels, len(panels))], Legend: legend}
		out = append(out, f)
	}
	return out
}

// decimals prints a value with three decimals.
func decimals(v float64) string {
	return strings.Replace(strconv.FormatFloat(v, 'f', 3, 64), "-", "−", 1)
}

func exactShare() quantity {
	return quantity{"exact-share", "Exact share", ", with 95 % Wilson intervals", figure.Exact()}
}

// overAll returns an alternative text: the totals of the runs.
func (c *charts) overAll(m quantity) string {
	var list []string
	for i := range c.Runs {
		if p := m.Point(&c.Runs[i].Total); p.Known() {
			list = append(list, c.Names[i]+" "+decimals(p.Y))
		}
	}
	if len(list) == 0 {
		return ""
	}
	return m.what + " over all tasks: " + strings.Join(list, ", ") + "."
}

// A quantity is a measure with the words of its figure.
type quantity struct {
	name string // of the file
	what string // begins the caption
	rest string // ends it
	figure.Measure
}

func (c *charts) exact() []Figure {
	return c.overLength(exactShare())
}

// extracted is left out if the extracted shares equal the exact ones.
func (c *charts) extracted() []Figure {
	differs := false
	for i := range c.Runs {
		differs = differs || c.Runs[i].Total.Extracted.N != c.Runs[i].Total.Exact.N
	}
	if !differs {
		return nil
	}
	return c.overLength(quantity{"extracted-share", "Extracted share", ": right once a wrapper is removed, with 95 % Wilson intervals", figure.Extracted()})
}

// score is left out if it equals the exact share.
func (c *charts) score() []Figure {
	metric := ""
	for i := range c.Runs {
		b := &c.Runs[i]
		if v, share := b.Total.Score.Value, b.Total.Exact.Share; v != nil && share != nil && *v != *share {
			metric = b.Head.Metric.String()
		}
	}
	if metric == "" {
		return nil
	}
	return c.overLength(quantity{"score", "Mean score (" + terminal.Visible(metric) + ")", "", figure.Score(metric)})
}

func (c *charts) time() []Figure {
	return c.overLength(quantity{"time", "Median time of a whole answer", "", figure.Time()})
}

func (c *charts) firstToken() []Figure {
	return c.overLength(quantity{"first-token", "Median time to the first token", "", figure.FirstToken()})
}

// overLength draws a panel of curves for each task with several lengths. The other tasks have a
// figure of their own, with a panel of rows for each task and a row for each run.
func (c *charts) overLength(m quantity) []Figure {
	var curves, single []figure.Panel
	for _, task := range figure.Tasks(c.Runs) {
		switch p := c.panel(task, m); {
		case several(p):
			curves = append(curves, p)
		case len(p.Lines) > 0:
			single = append(single, p)
		}
	}
	text := c.overAll(m)
	var out []Figure
	if len(curves) > 0 {
		sameLengths(curves)
		sameHeights(curves, m.Axis)
		out = pages(m.name, m.what+" over length, by task"+m.rest, text, len(curves) > 1, curves)
	}
	if len(single) > 0 {
		axis := sameHeights(single, m.Axis)
		out = append(out, pages(m.name+"-by-task", m.what+" by task"+m.rest, text, false, asRows(single, axis))...)
	}
	return out
}

// panel returns the curves of one task, over the lengths that are numbers. A run with no such
// length has one point: its total. Runs without a value are left out.
func (c *charts) panel(task string, m quantity) figure.Panel {
	p := c.Curves(task, m.Measure)
	lines := p.Lines
	p.X, p.Lines = figure.Axis{Label: "length"}, nil
	for i, l := range lines {
		f := figure.FindTask(&c.Runs[i], task)
		if f == nil {
			continue
		}
		l.Points = slices.DeleteFunc(l.Points, func(p figure.Point) bool { return math.IsNaN(p.X) })
		if len(l.Points) == 0 {
			l.Points = []figure.Point{m.Point(&f.Total)}
		}
		if l.Known() {
			p.Lines = append(p.Lines, l)
		}
	}
	return p
}

// sameHeights gives all panels the same Y axis: that of the quantity, extended to all values.
// Scores of lists that are longer than the expected ones can be outside it.
func sameHeights(panels []figure.Panel, axis figure.Axis) figure.Axis {
	low, high := math.Inf(1), math.Inf(-1)
	for _, p := range panels {
		for _, l := range p.Lines {
			for _, q := range l.Points {
				if q.Known() {
					low, high = min(low, q.Y, q.Low), max(high, q.Y, q.High)
				}
			}
		}
	}
	switch {
	case axis.Log2 && low > 0:
		axis.Min, axis.Max = low/1.2, high*1.2
	case axis.Min < axis.Max:
		axis.Min, axis.Max = min(axis.Min, math.Floor(low*5)/5), max(axis.Max, math.Ceil(high*5)/5)
	}
	for i := range panels {
		panels[i].Y = axis
	}
	return axis
}

// several reports whether a line of the panel has several points.
func several(p figure.Panel) bool {
	for _, l := range p.Lines {
		if len(l.Points) > 1 {
			return true
		}
	}
	return false
}

// sameLengths gives all panels the same X axis. It is logarithmic if the longest length is at
// least four times the shortest.
func sameLengths(panels []figure.Panel) {
	low, high := math.Inf(1), math.Inf(-1)
	for _, p := range panels {
		for _, l := range p.Lines {
			for _, q := range l.Points {
				low, high = min(low, q.X), max(high, q.X)
			}
		}
	}
	for i := range panels {
		panels[i].X.Min, panels[i].X.Max = low, high
		panels[i].X.Log2 = low > 0 && high >= 4*low
	}
}

// asRows turns lines of one point into rows.
func asRows(panels []figure.Panel, axis figure.Axis) []figure.Panel {
	out := make([]figure.Panel, len(panels))
	for i, p := range panels {
		out[i] = figure.Panel{Title: p.Title, X: axis}
		for _, l := range p.Lines {
			q := l.Points[0]
			out[i].Rows = append(out[i].Rows, figure.Row{Name: l.Name, Label: l.Name, Value: q.Y, Low: q.Low, High: q.High})
		}
	}
	return out
}

// leaderboard draws mean scores with their intervals and ranks; without a leaderboard, the
// exact share of every run.
func (c *charts) leaderboard() []Figure {
	lead := c.report.Leaderboard
	if lead == nil || len(lead.Places) == 0 {
		return c.totals()
	}
	rows := c.Ranks(lead)
	p := figure.Panel{X: figure.Axis{Label: "mean score"}, Rows: rows[:min(len(rows), maxSeries)]}
	for i := range p.Rows {
		p.Rows[i].Note = rankRange(p.Rows[i].Place)
	}
	over := "each on its own items"
	if lead.Paired {
		over = "on the " + strconv.FormatInt(lead.Items, 10) + " items that all of them answered"
	}
	return []Figure{{Name: "leaderboard", Text: inWords(p.Rows),
		Caption: sentences("Mean score ("+terminal.Visible(lead.Metric)+") with its "+levelText(lead.Confidence)+" interval, "+over, "To the right: the ranks that the interval holds"),
		Figure:  figure.Figure{Panels: []figure.Panel{p}, Width: 120}}}
}

func (c *charts) totals() []Figure {
	p := figure.Panel{X: figure.Axis{Label: "exact share"}}
	for i := range c.Runs {
		if q := figure.Exact().Point(&c.Runs[i].Total); q.Known() {
			p.Rows = append(p.Rows, figure.Row{Name: c.Names[i], Label: c.Names[i], Note: decimals(q.Y), Value: q.Y, Low: q.Low, High: q.High})
		}
	}
	if len(p.Rows) == 0 {
		return nil
	}
	return []Figure{{Name: "totals", Caption: "Exact share over all tasks with its 95 % Wilson interval", Text: inWords(p.Rows),
		Figure: figure.Figure{Panels: []figure.Panel{p}, Width: 120}}}
}

// inWords returns the alternative text of rows.
func inWords(rows []figure.Row) string {
	var list []string
	for _, r := range rows {
		if math.IsNaN(r.Value) {
			list = append(list, r.Label+" has no answer")
			continue
		}
		s := r.Label + " " + decimals(r.Value) + " (" + decimals(r.Low) + " to " + decimals(r.High) + ")"
		if r.Note != "" && r.Note != decimals(r.Value) {
			s += ", " + r.Note
		}
		list = append(list, s)
	}
	return sentences(strings.Join(list, "; "))
}

// paidInWords returns the alternative text of the figure of cost.
func paidInWords(points []figure.Line) string {
	var list []string
	for _, l := range points {
		q := l.Points[0]
		list = append(list, l.Name+" "+strconv.FormatFloat(q.X, 'g', 3, 64)+" dollars, exact share "+decimals(q.Y))
	}
	return sentences(strings.Join(list, "; "))
}

// rankRange prints the rank interval of a run.
func rankRange(p *verdict.RankPlace) string {
	if p.Rank == 0 {
		return "not ranked"
	}
	return "rank " + figure.RankText(p)
}

// levelText prints a confidence level in per cent.
func levelText(level float64) string { return strconv.FormatFloat(100*level, 'g', 4, 64) + " %" }

// differences draws the difference of every run from the baseline.
func (c *charts) differences() []Figure {
	list := c.compared()
	if len(list) == 0 {
		return nil
	}
	base, _ := c.Name(&list[0].A.RunInfo)
	p := c.Differences(list)
	p.X.Label = "difference of the mean score to " + base
	return []Figure{{Name: "differences", Caption: differing(list[0], base), Text: inWords(p.Rows),
		Figure: figure.Figure{Panels: []figure.Panel{p}, Width: 120}}}
}

// taskDifferences draws these differences by task, a panel for each run.
func (c *charts) taskDifferences() []Figure {
	var panels []figure.Panel
	list := c.compared()
	for _, v := range list {
		if len(v.Families) < 2 || len(v.Families) > 40 {
			continue
		}
		p := c.DifferencesBy(v, v.Families)
		p.X.Label = "difference of the mean score"
		panels = append(panels, p)
	}
	if len(panels) == 0 {
		return nil
	}
	figure.SpanDifferences(panels)
	base, _ := c.Name(&list[0].A.RunInfo)
	figures := pages("differences-by-task", sentences("By task. "+differing(list[0], base), "The verdicts hold for all tasks of a model together (Holm)"), "", false, panels)
	for i := range figures {
		f := &figures[i].Figure
		if f.Columns = min(len(f.Panels), 2); f.Columns == 1 {
			f.Width = 120
		}
	}
	return figures
}

// compared returns the comparisons with the first baseline that are not withheld.
func (c *charts) compared() []*verdict.Comparison {
	var list []*verdict.Comparison
	for _, v := range c.report.Comparisons {
		if v != nil && v.Word != verdict.Withheld && len(list) < maxSeries && (len(list) == 0 || v.A.RunInfo.N == list[0].A.RunInfo.N && v.A.RunInfo.Name == list[0].A.RunInfo.Name) {
			list = append(list, v)
		}
	}
	return list
}

// differing is the caption of differences from a baseline.
func differing(v *verdict.Comparison, base string) string {
	s := sentences("Difference of the mean score to " + base + " on the items that both answered, with its " + levelText(v.Confidence) + " interval")
	if v.Rope > 0 {
		s = sentences(s, "Shaded: too small to matter (±"+strconv.FormatFloat(v.Rope, 'f', -1, 64)+")")
	}
	return s
}

// cost draws the exact share over the price of 1,000 answers. It is left out with fewer than
// two priced runs.
func (c *charts) cost() []Figure {
	p := figure.Panel{X: figure.Axis{Label: "dollars for 1,000 answers", Log2: true, Ticks: figure.Decades()}, Y: figure.Exact().Axis}
	for i := range c.Runs {
		t := &c.Runs[i].Total
		if t.Cost == nil || t.Cost.Dollars == nil || t.Cost.Known == 0 || *t.Cost.Dollars <= 0 {
			continue
		}
		q := figure.Exact().Point(t)
		q.X = float64(*t.Cost.Dollars) / float64(verbatim.Dollar) / float64(t.Cost.Known) * 1000
		p.Lines = append(p.Lines, figure.Line{Name: c.Names[i], Points: []figure.Point{q}})
	}
	if len(p.Lines) < 2 {
		return nil
	}
	return []Figure{{Name: "cost", Caption: "Exact share over all tasks, with its 95 % Wilson interval, by the price of 1,000 answers", Text: paidInWords(p.Lines),
		Figure: figure.Figure{Panels: []figure.Panel{p}, Width: 120}}}
}
