package page

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"verbatim/internal/figure"
	"verbatim/internal/layout"
	"verbatim/internal/number"
	"verbatim/internal/report"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict"
)

// A forestPanel shows differences with their intervals and verdicts, a row for each, on one
// scale. A difference is the run minus its baseline.
type forestPanel struct {
	ID, Title, Text string
	Head            string // of the first column of the table
	Height          string
	Bottom          string // of the axis
	Zero            string
	RopeX, RopeW    string
	Rope            string
	Ticks           []tick
	TickY           string
	EndY            string
	Holm            bool // the verdicts are by adjusted p-values
	Rows            []forestRow
}

// A forestRow is one difference.
type forestRow struct {
	Name, Full             string
	Ink                    ink
	Word, Sign, Class, Why string
	Numbers                string
	NameY, Y               string
	Low, High              string
	CapTop, CapBottom      string
	Mark                   string
	Items, A, B            string
	Difference, Range      string
	Worse, Same, Better    string
	Adjusted               string
}

const (
	forestHeight = 38.0 // of a row
	forestEdge   = 8.0
	forestTop    = 4.0
)

// overallForest returns the differences of all comparisons of the report; nil without any.
func overallForest(r *report.Report) *forestPanel {
	if len(r.Comparisons) == 0 {
		return nil
	}
	shown := seriesOf(r).Differences(r.Comparisons)
	for i, c := range r.Comparisons {
		_, shown.Rows[i].Label = layout.PairNames(c)
	}
	p := newForestPanel("forest-all", &shown)
	a, _ := layout.PairNames(r.Comparisons[0])
	p.Title, p.Head = "all items", "model"
	p.Text = "Differences of the mean scores, each model less the baseline " + terminal.Truncate(a, 60) + ", with their intervals." + wordCount(shown.Rows)
	return &p
}

// comparisonForests returns the differences of a comparison, given by its index, by task and
// by length. It leaves out the one that has no rows.
func comparisonForests(r *report.Report, index int) (panels []forestPanel) {
	c := r.Comparisons[index]
	a, b := layout.PairNames(c)
	for j, table := range []struct {
		head string
		rows []verdict.Row
	}{{"task", c.Families}, {"length", c.Lengths}} {
		if len(table.rows) == 0 {
			continue
		}
		shown := seriesOf(r).DifferencesBy(c, table.rows)
		p := newForestPanel(fmt.Sprintf("forest-%d-%d", index, j), &shown)
		p.Holm = true
		p.Title, p.Head = "by "+table.head, table.head
		p.Text = fmt.Sprintf("Differences by %s of %s less %s with their intervals.%s", table.head, terminal.Truncate(b, 60), terminal.Truncate(a, 60), wordCount(shown.Rows))
		panels = append(panels, p)
	}
	return panels
}

// newForestPanel draws rows on a scale that holds every interval, zero and the equivalence
// margin.
func newForestPanel(id string, shown *figure.Panel) forestPanel {
	x := scale{from: shown.X.Min, to: shown.X.Max, low: forestEdge, high: drawingWidth - forestEdge}
	if x.to <= x.from {
		x.from, x.to = -1, 1
	}
	rope := 0.0
	if shown.Zone != nil {
		rope = shown.Zone.High
	}
	bottom := forestTop + forestHeight*float64(len(shown.Rows)) + 2
	p := forestPanel{
		ID: id, Height: pixel(bottom + 36), Bottom: pixel(bottom), Zero: pixel(x.at(0)), RopeX: pixel(x.at(-rope)), RopeW: pixel(x.at(rope) - x.at(-rope)),
		Rope: strconv.FormatFloat(rope, 'g', -1, 64), TickY: pixel(bottom + 15), EndY: pixel(bottom + 31),
	}
	p.ticks(x)
	for i := range shown.Rows {
		p.Rows = append(p.Rows, newForestRow(&shown.Rows[i], x, forestTop+forestHeight*float64(i)))
	}
	return p
}

// ticks puts at most seven round numbers on the axis, zero among them.
func (p *forestPanel) ticks(x scale) {
	step := 0.01
	for _, s := range []float64{0.02, 0.05, 0.1, 0.2, 0.25, 0.5, 1} {
		if (x.to-x.from)/step <= 6 {
			break
		}
		step = s
	}
	decimals := 2
	if step >= 0.1 && step != 0.25 {
		decimals = 1
	}
	for i := int(math.Ceil(x.from / step)); float64(i)*step <= x.to && len(p.Ticks) < 20; i++ {
		v := float64(i) * step
		p.Ticks = append(p.Ticks, newTick(x.at(v), number.Signed(v, decimals)))
	}
}

func newForestRow(r *figure.Row, x scale, top float64) forestRow {
	d, k := &r.Verdict.Difference, inkOf(r.Run)
	sign, class := wordSign(r.Verdict.Word)
	y := top + 25
	row := forestRow{
		Name: terminal.Truncate(r.Label, 30), Full: terminal.Truncate(r.Label, 80), Ink: k, Word: string(r.Verdict.Word), Sign: sign, Class: class,
		Why: whyText(&r.Verdict.Verdict), NameY: pixel(top + 12), Y: pixel(y),
		Low: pixel(x.at(d.Low)), High: pixel(x.at(d.High)), CapTop: pixel(y - 3.5), CapBottom: pixel(y + 3.5),
		Mark:  k.mark(dot{x.at(d.Value), y}, 4),
		Items: number.Count(r.Verdict.Items), A: number.Fixed(r.Verdict.A.Mean, 3), B: number.Fixed(r.Verdict.B.Mean, 3),
		Difference: number.Signed(d.Value, 3), Range: number.SignedRange(d.Low, d.High, 3),
		Worse: number.Probability(d.Worse), Same: number.Probability(d.Equivalent), Better: number.Probability(d.Better),
		Adjusted: number.PValue(r.Verdict.Adjusted),
	}
	row.Numbers = row.Difference + " (" + row.Range + ")"
	return row
}

// wordSign returns the sign of a verdict and the class of its colour. The sign tells the
// verdicts apart where colours are not seen.
func wordSign(w verdict.Word) (sign, class string) {
	switch w {
	case verdict.Better:
		return "▲", "vb-better"
	case verdict.Worse:
		return "▼", "vb-worse"
	case verdict.Equivalent:
		return "≈", "vb-even"
	case verdict.Pass:
		return "✓", "vb-better"
	case verdict.Withheld:
		return "∅", "vb-unknown"
	}
	return "?", "vb-unknown"
}

// whyText gives the reason of a withheld verdict, or the items that would settle it.
func whyText(v *verdict.Verdict) string {
	if len(v.Why) > 0 {
		reasons := make([]string, len(v.Why))
		for i, why := range v.Why {
			reasons[i] = terminal.Truncate(terminal.Visible(why), 300)
		}
		return strings.Join(reasons, "; ")
	}
	return layout.Settling(v.ItemsNeeded)
}

// wordCount is a sentence that counts the verdicts; empty without any.
func wordCount(rows []figure.Row) string {
	var counts []string
	for _, w := range []verdict.Word{verdict.Better, verdict.Equivalent, verdict.Worse, verdict.Pass, verdict.Inconclusive, verdict.Withheld} {
		n := 0
		for _, r := range rows {
			if r.Verdict.Word == w {
				n++
			}
		}
		if n > 0 {
			counts = append(counts, strconv.Itoa(n)+" "+string(w))
		}
	}
	if counts == nil {
		return ""
	}
	return " Verdicts: " + strings.Join(counts, ", ") + "."
}
