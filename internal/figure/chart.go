package figure

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"verbatim"
	"verbatim/internal/number"
	"verbatim/internal/report"
	"verbatim/internal/stats"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict"
)

// A Panel is a pair of axes with content: one of Lines, Boxes, Bars, Heat and Rows.
type Panel struct {
	Title string
	X, Y  Axis
	Lines []Line
	Boxes []Box
	Bars  []Bars
	Heat  *Heat
	Rows  []Row
	// Zone is a shaded range of the X axis of Rows, such as the equivalence margin; nil:
	// none.
	Zone *Zone
}

// An Axis has a label with its unit, and a range.
type Axis struct {
	Label string
	// Min and Max bound the axis. If they are equal, the data determine the bounds.
	Min, Max float64
	Log2     bool // the axis is logarithmic
	// Ticks are the labelled positions; nil: the drawing chooses them. Boxes, bars and heat
	// maps are at 0, 1, 2 and so on.
	Ticks []Tick
}

// A Tick is a labelled position of an axis.
type Tick struct {
	At    float64
	Label string
	Full  string // the label unabridged, for tables; empty: Label
}

// Category returns the full label of a position, or the position without a label.
func (a *Axis) Category(at float64) string {
	for _, t := range a.Ticks {
		if t.At == at {
			return cmp.Or(t.Full, t.Label)
		}
	}
	return strconv.FormatFloat(at, 'g', -1, 64)
}

// A Line is a series with a name.
type Line struct {
	Name   string
	Points []Point
}

// A Point is a value with its interval. If Low and High differ, a band is drawn, or a bar
// at a single point. A Y of NaN breaks the line.
type Point struct {
	X, Y, Low, High float64
	N               int64  // number of answers
	Label           string // of its X, as the axis has it
	Text            string // the value as people read it
}

// A Box is the summary of a sample: quartiles, whiskers and outliers.
type Box struct {
	Name           string // of its series, for the colour
	At             float64
	Low, High      float64 // ends of the whiskers
	Q1, Median, Q3 float64
	Outliers       []float64
	N              int // size of the sample
}

// Bars are the values of a series, one for each category. If a Panel has several, they are stacked.
type Bars struct {
	Name   string
	Values []float64
	// Counts and Notes are the number of answers of each value and their description; nil if
	// unknown.
	Counts []int64
	Notes  []string
}

// A Heat is a table of values from 0 to 1, a row for each label; NaN: unknown.
type Heat struct {
	Rows, Columns []string
	Values        [][]float64
	// Notes describe each value; an empty one has no request. Nil: no notes.
	Notes [][]string
}

// A Row is a value with its interval along the X axis, next to its label. The first row is
// on top. A value of NaN leaves the row empty.
type Row struct {
	Name             string // of its series, for the colour; "": no series
	Label            string // to the left
	Note             string // to the right, such as the interval in figures
	Value, Low, High float64
	// For rows of leaderboards and comparisons: the index of the run in the report, -1 if it is
	// not in the report, and the numbers of the row.
	Run     int
	Place   *verdict.RankPlace
	Verdict *verdict.Row
}

// A Zone is a range of an axis.
type Zone struct{ Low, High float64 }

// BoxOf summarises a sample, which must not be empty. The quartiles are those of stats.Quantile. The
// whiskers end at the last values within 1.5 times the distance of the quartiles (Tukey 1977). The
// other values are outliers.
func BoxOf(name string, at float64, sample []float64) Box {
	sorted := slices.Sorted(slices.Values(sample))
	b := Box{Name: name, At: at, N: len(sorted), Q1: stats.Quantile(sorted, 0.25), Median: stats.Quantile(sorted, 0.5), Q3: stats.Quantile(sorted, 0.75)}
	reach := 1.5 * (b.Q3 - b.Q1)
	b.Low, b.High = b.Q1, b.Q3
	for _, v := range sorted {
		if v < b.Q1-reach || v > b.Q3+reach {
			b.Outliers = append(b.Outliers, v)
			continue
		}
		b.Low, b.High = min(b.Low, v), max(b.High, v)
	}
	return b
}

// CountAxis returns an axis for counts from least to most. It is logarithmic, because a few counts
// are often a hundred times as large as the others. It has a tick at each power of ten; if these
// are few, also at twice and five times each. If least is below 1, the axis is linear.
func CountAxis(label string, least, most float64) Axis {
	if least < 1 {
		return Axis{Label: label}
	}
	a := Axis{Label: label, Log2: true}
	for power := 1.0; power <= 10*most; power *= 10 {
		for _, m := range []float64{1, 2, 5} {
			if m == 1 || most < 100*least {
				a.Ticks = append(a.Ticks, Tick{At: m * power, Label: number.Count(int64(m * power))})
			}
		}
	}
	return a
}

// A Color is one of the palette, as #rrggbb: for white paper and a light screen, and for
// a dark one.
type Color struct{ Light, Dark string }

// Looks is the number of colours, of dashes and of marks.
const Looks = 8

// Palette returns the colours of series: those of Okabe and Ito (2008), which differ for
// people with any colour blindness, darkened for thin lines and letters on white.
func Palette() [Looks]Color {
	return [Looks]Color{
		{"#0072b2", "#4da6e0"}, // blue
		{"#c94f00", "#f0824a"}, // vermilion
		{"#00855f", "#2fbd8f"}, // bluish green
		{"#a86f00", "#e69f00"}, // orange
		{"#a8497f", "#d98fb8"}, // reddish purple
		{"#2a86bb", "#8fd0f5"}, // sky blue
		{"#16191d", "#e9ecef"}, // black
		{"#7d7500", "#f0e442"}, // yellow
	}
}

// A Look is the colour, dash and mark of a series, each a number below Looks. Of the first 64 series,
// any two differ in colour or dash; without colours, they differ in dash or mark.
type Look struct{ Color, Dash, Mark int }

// LookOf returns the look of a series by its index.
func LookOf(series int) Look {
	return Look{Color: series % Looks, Dash: (series + series/Looks) % Looks, Mark: series % Looks}
}

// A Length is a length of a task: a number, a band of them, or a word.
type Length struct {
	Label string
	Span  *verbatim.Lengths // nil: a word
}

// Middle returns the position of a length on an axis; NaN for a word.
func (l Length) Middle() float64 {
	if l.Span == nil {
		return math.NaN()
	}
	return (float64(l.Span.Min) + float64(l.Span.Max)) / 2
}

// Lengths returns the lengths of lines, each once, in the order of report.CompareLengths.
func Lengths(all ...[]report.Line) []Length {
	var list []Length
	type key struct {
		label string
		span  verbatim.Lengths
	}
	seen := make(map[key]bool)
	for _, lines := range all {
		for i := range lines {
			k := key{label: lines[i].Length}
			if lines[i].Lengths != nil {
				k.span = *lines[i].Lengths
			}
			if !seen[k] {
				seen[k] = true
				list = append(list, Length{lines[i].Length, lines[i].Lengths})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b Length) int { return report.CompareLengths(a.Label, a.Span, b.Label, b.Span) })
	return list
}

// LineAt returns the line with the label of a length; nil without it.
func LineAt(lines []report.Line, label string) *report.Line {
	for i := range lines {
		if lines[i].Length == label {
			return &lines[i]
		}
	}
	return nil
}

// lengthAxis returns an axis with a tick at every length. If all are numbers, it goes from the first
// to the last, and is logarithmic if they span three doublings or more.
func lengthAxis(lengths []Length) Axis {
	a := Axis{Label: "length"}
	numbers, least, most := len(lengths) > 0, 0, 0
	for i, l := range lengths {
		a.Ticks = append(a.Ticks, Tick{At: l.Middle(), Label: l.Label})
		if l.Span == nil {
			numbers = false
			continue
		}
		if i == 0 || l.Span.Min < least {
			least = l.Span.Min
		}
		most = max(most, l.Span.Max)
	}
	if numbers {
		a.Min, a.Max, a.Log2 = a.Ticks[0].At, a.Ticks[len(a.Ticks)-1].At, least > 0 && most >= 8*least
	}
	return a
}

// linesOf draws the bands of all lines first, and the lines with their marks over them.
func (p *plot) linesOf(s *sheet) {
	opacity := min(0.18, 0.45/float64(len(p.Lines))) // many bands overlap
	for i := range p.Lines {
		for _, band := range p.bands(&p.Lines[i]) {
			if inside := clippedPolygon(band, p.area); len(inside) > 2 {
				s.add(stroke{points: inside, closed: true, fill: p.look.of(p.Lines[i].Name).color.fade(opacity)})
			}
		}
	}
	for i := range p.Lines {
		l := &p.Lines[i]
		s.add(group{l.Name})
		p.line(s, l)
		s.add(groupEnd{})
	}
	switch {
	case p.names && p.curves():
		p.endNames(s)
	case p.names:
		p.pointNames(s)
	}
}

// line draws a line with its marks. A point between gaps has its interval.
func (p *plot) line(s *sheet, l *Line) {
	k := p.look.of(l.Name)
	width, r := lineWidth, 2.1
	if p.area.w < 170 {
		width, r = 0.9, 1.6
	}
	for _, run := range p.runs(l) {
		points := make([]point, len(run))
		for i, q := range run {
			points[i] = p.place(q.X, q.Y)
		}
		for _, part := range clippedLine(points, p.area) {
			s.add(stroke{points: part, line: k.color, width: width, dash: k.dash})
		}
		if len(run) == 1 {
			p.whisker(s, run[0], k)
		}
		for _, at := range points {
			if p.area.contains(at) {
				drawMark(s, k, at, r)
			}
		}
	}
}

// bands returns the polygons between the ends of intervals, one for each part without gaps.
func (p *plot) bands(l *Line) [][]point {
	var out [][]point
	var upper, lower []point
	flush := func() {
		if len(upper) > 1 {
			slices.Reverse(lower)
			out = append(out, append(upper, lower...))
		}
		upper, lower = nil, nil
	}
	for _, q := range l.Points {
		high, low := p.place(q.X, q.High), p.place(q.X, q.Low)
		if q.Low >= q.High || !finite(q.Y) || !finite(high.y) || !finite(low.y) || !finite(high.x) {
			flush()
			continue
		}
		upper, lower = append(upper, high), append(lower, low)
	}
	flush()
	return out
}

// whisker draws the interval of a single point.
func (p *plot) whisker(s *sheet, q Point, k look) {
	high, low := p.place(q.X, q.High), p.place(q.X, q.Low)
	if !(q.Low < q.High) || !finite(high.y) || !finite(low.y) {
		return
	}
	if a, b, ok := clipped(low, high, p.area); ok {
		s.add(stroke{points: []point{a, b}, line: k.color, width: 0.9})
	}
}

// A Measure is a value of a line of the tables, with its interval if it has one.
type Measure struct {
	Name    string // the heading of a panel
	What    string // the values in a sentence
	Percent bool   // it is a share and printed in per cent
	Axis    Axis
	rate    func(l *report.Line) report.Rate
	text    func(l *report.Line) string
}

// Exact is the share of exact answers.
func Exact() Measure {
	return chartShare("exact", "exactly right answers", "exact share", func(l *report.Line) report.Rate { return l.Exact })
}

// Extracted is the share of answers whose extracted answer is right.
func Extracted() Measure {
	return chartShare("extracted", "answers whose extracted answer is right", "extracted share", func(l *report.Line) report.Rate { return l.Extracted })
}

func chartShare(name, what, label string, rate func(l *report.Line) report.Rate) Measure {
	return Measure{Name: name, What: what, Percent: true, Axis: Axis{Label: label, Max: 1}, rate: rate,
		text: func(l *report.Line) string {
			v := rate(l)
			if v.Share == nil {
				return number.Percent(nil)
			}
			return number.Percent(v.Share) + " (" + number.PercentRange(v.Low, v.High, 0) + ")"
		}}
}

// Score is the mean score, under a name.
func Score(name string) Measure {
	return Measure{Name: name, What: "mean score", Axis: Axis{Label: "mean score", Max: 1},
		rate: func(l *report.Line) report.Rate { return report.Rate{Of: l.Score.N, Share: l.Score.Value} },
		text: func(l *report.Line) string { return number.Score(l.Score.Value) }}
}

// Time is the median time of a complete reply.
func Time() Measure {
	return seconds("seconds", func(l *report.Line) *float64 { return l.Seconds.Median })
}

// FirstToken is the median time to the first token.
func FirstToken() Measure {
	return seconds("seconds to the first token", func(l *report.Line) *float64 { return l.FirstToken.Median })
}

func seconds(label string, median func(l *report.Line) *float64) Measure {
	return Measure{Name: label, What: label, Axis: Axis{Label: label, Log2: true, Ticks: Decades()},
		rate: func(l *report.Line) report.Rate { return report.Rate{Share: median(l)} },
		text: func(l *report.Line) string { return number.Seconds(median(l)) }}
}

// Decades returns ticks at the powers of ten from 0.0001 to 100,000, and at twice and five times each.
func Decades() []Tick {
	var ticks []Tick
	for power := -4; power <= 5; power++ {
		for _, m := range []float64{1, 2, 5} {
			v := m * math.Pow(10, float64(power))
			ticks = append(ticks, Tick{At: v, Label: strconv.FormatFloat(v, 'f', max(0, -power), 64)})
		}
	}
	return ticks
}

// Point returns the value of a line, at the middle of its lengths.
func (m Measure) Point(l *report.Line) Point {
	r := m.rate(l)
	p := Point{X: Length{Span: l.Lengths}.Middle(), Y: math.NaN(), N: r.Of, Label: l.Length, Text: m.text(l)}
	if r.Share != nil {
		p.Y = *r.Share
	}
	p.Low, p.High = p.Y, p.Y
	if r.Low != nil && r.High != nil {
		p.Low, p.High = *r.Low, *r.High
	}
	return p
}

// Known reports whether the point has a value.
func (p Point) Known() bool { return !math.IsNaN(p.Y) }

// MostLabels is the maximum number of failure labels with bars of their own; the others share one.
const MostLabels = 9

// LabelsByShare lists the failure labels of all runs, the commonest first. It adds up shares of the
// answers of a run, not counts, so that long runs do not dominate.
func LabelsByShare(runs []report.Block) []string {
	shares := make(map[string]float64)
	list := labelsOf(runs, func(t *report.Line, f report.Count) { shares[f.Name] += float64(f.N) / float64(max(t.Answered, 1)) })
	slices.SortFunc(list, func(a, b string) int { return cmp.Or(cmp.Compare(shares[b], shares[a]), cmp.Compare(a, b)) })
	return list
}

// LabelsByCount lists the failure labels of all runs by the number of their answers, the
// commonest first.
func LabelsByCount(runs []report.Block) []string {
	counts := make(map[string]int64)
	list := labelsOf(runs, func(_ *report.Line, f report.Count) { counts[f.Name] += f.N })
	slices.SortStableFunc(list, func(a, b string) int { return cmp.Compare(counts[b], counts[a]) })
	return list
}

// labelsOf lists the failure labels in the order of the runs, and calls count for each of each run.
func labelsOf(runs []report.Block, count func(t *report.Line, f report.Count)) []string {
	var list []string
	seen := make(map[string]bool)
	for i := range runs {
		t := &runs[i].Total
		for _, f := range t.Failures {
			if !seen[f.Name] {
				seen[f.Name] = true
				list = append(list, f.Name)
			}
			count(t, f)
		}
	}
	return list
}

// Failures returns the share of each label in the answers of every run: bars for each of the first
// MostLabels labels, and for the others together. labels must have all labels of the runs.
func Failures(runs []report.Block, labels []string) []Bars {
	index := make(map[string]int) // in parts
	parts := make([]Bars, min(len(labels), MostLabels+1))
	for i, label := range labels {
		index[label] = min(i, MostLabels)
		parts[index[label]].Name = terminal.Visible(label)
	}
	if len(labels) > MostLabels {
		parts[MostLabels].Name = "others"
	}
	for i := range parts {
		parts[i].Values, parts[i].Counts, parts[i].Notes = make([]float64, len(runs)), make([]int64, len(runs)), make([]string, len(runs))
	}
	for run := range runs {
		t := &runs[run].Total
		for _, f := range t.Failures {
			p := &parts[index[f.Name]]
			p.Counts[run] += f.N
			p.Values[run] = float64(p.Counts[run]) / float64(max(t.Answered, 1))
			if p.Notes[run] != "" {
				p.Notes[run] += "\n"
			}
			p.Notes[run] += terminal.Visible(f.Name) + " " + number.Count(f.N)
		}
	}
	return parts
}

// Ranks shows a leaderboard: a row for each run, with its mean and interval. They are NaN for
// a run without an answer.
func (s *Set) Ranks(lead *verdict.Leaderboard) []Row {
	var rows []Row
	for i := range lead.Places {
		p := &lead.Places[i]
		name, run := s.Name(&p.RunInfo)
		row := Row{Name: name, Label: name, Run: run, Value: p.Mean, Low: p.Low, High: p.High, Place: p}
		if p.Items == 0 {
			row.Value, row.Low, row.High = math.NaN(), math.NaN(), math.NaN()
		}
		rows = append(rows, row)
	}
	return rows
}

// Differences shows the difference of each comparison. The axis has room for every
// interval, zero and the equivalence margin.
func (s *Set) Differences(list []*verdict.Comparison) Panel {
	p := Panel{}
	for _, c := range list {
		name, run := s.Name(&c.B.RunInfo)
		row := &verdict.Row{Items: c.Items, A: c.A.SideResult, B: c.B.SideResult, Verdict: c.Verdict}
		p.Rows = append(p.Rows, difference(name, name, run, row))
		p.Zone = zone(c)
	}
	one := []Panel{p}
	SpanDifferences(one)
	return one[0]
}

// DifferencesBy shows the rows of one comparison, such as those of its tasks.
func (s *Set) DifferencesBy(c *verdict.Comparison, rows []verdict.Row) Panel {
	name, run := s.Name(&c.B.RunInfo)
	p := Panel{Title: name, Zone: zone(c)}
	for i := range rows {
		label := rows[i].Length
		switch {
		case rows[i].Length == "":
			label = rows[i].Family
		case rows[i].Family != "":
			label = rows[i].Length + " (" + rows[i].Family + ")"
		}
		p.Rows = append(p.Rows, difference(name, terminal.Visible(label), run, &rows[i]))
	}
	one := []Panel{p}
	SpanDifferences(one)
	return one[0]
}

func difference(name, label string, run int, row *verdict.Row) Row {
	d := &row.Difference
	return Row{Name: name, Label: label, Note: string(row.Word), Run: run, Value: d.Value, Low: d.Low, High: d.High, Verdict: row}
}

// zone is the equivalence margin.
func zone(c *verdict.Comparison) *Zone {
	if c.Rope <= 0 {
		return nil
	}
	return &Zone{Low: -c.Rope, High: c.Rope}
}

// SpanDifferences gives panels of differences the same axis: it holds zero, twice the
// zone and every interval.
func SpanDifferences(panels []Panel) {
	low, high := 0.0, 0.0
	for _, p := range panels {
		if p.Zone != nil {
			low, high = min(low, 2*p.Zone.Low), max(high, 2*p.Zone.High)
		}
		for _, r := range p.Rows {
			low, high = min(low, r.Low), max(high, r.High)
		}
	}
	for i := range panels {
		panels[i].X.Min, panels[i].X.Max = low, high
	}
}

// RankText prints the rank interval of a place, as "2–4" or "2"; a dash without a rank.
func RankText(p *verdict.RankPlace) string {
	if p.Rank == 0 {
		return number.Missing
	}
	if p.RankLow == p.RankHigh {
		return strconv.Itoa(p.RankLow)
	}
	return strconv.Itoa(p.RankLow) + "–" + strconv.Itoa(p.RankHigh)
}
