package page

import (
	"strconv"

	"verbatim/internal/figure"
	"verbatim/internal/number"
	"verbatim/internal/recordview"
	"verbatim/internal/report"
	"verbatim/internal/terminal"
)

// A labelChart shows the failure labels: a bar for each run, as long as the share of its
// answers that are not exact, divided by label.
type labelChart struct {
	ID, Text      string
	Height        string
	Bars          []labelBar
	Ticks         []tick
	AxisY, AxisTo string
	TickY         string
	Keys          []labelKey
	Names         []string
}

// A labelBar is a run.
type labelBar struct {
	Name, Note     string
	NameY, Y       string
	Parts          []labelPart
	NoneY, NoneMsg string // says why the bar has no parts
}

// A labelPart is the answers with one label. Text is empty if it does not fit.
type labelPart struct {
	Class, Title    string
	X, Width        string
	TextX, TextY    string
	Text            string
	Top, PartHeight string
}

// A labelKey explains a label, and has its number of answers in every run.
type labelKey struct {
	Letter, Class, Name, Explanation string
	Counts                           []string
}

const (
	mostListed     = 64   // labels in the table
	labelRow       = 46.0 // height of a run
	labelBarHeight = 20.0
)

// labelBars returns the failure labels of all runs; no bars if all are exact.
func labelBars(r *report.Report) labelChart {
	c := labelChart{ID: "labels", Names: report.RunNames(r.Runs)}
	ranked := figure.LabelsByShare(r.Runs)
	if len(ranked) == 0 {
		return c
	}
	parts := figure.Failures(r.Runs, ranked)
	x := scale{from: 0, to: greatestFailing(r), low: 0, high: drawingWidth}
	for i := range r.Runs {
		c.Bars = append(c.Bars, newLabelBar(r, i, c.Names[i], x, parts))
	}
	c.axis(x)
	for i, name := range ranked[:min(len(ranked), mostListed)] {
		c.Keys = append(c.Keys, newLabelKey(r, name, i))
	}
	c.Text = "Labels of the answers that are not exactly right. Each bar is a model, as long as the share of its answers that are not exact; the commonest label of all is " + terminal.Truncate(terminal.Visible(ranked[0]), 40) + "."
	return c
}

// greatestFailing returns the length of the longest bar: the largest share of answers of a run
// that have a label.
func greatestFailing(r *report.Report) float64 {
	most := 0.0
	for i := range r.Runs {
		sum := 0.0
		for _, f := range r.Runs[i].Total.Failures {
			sum += float64(f.N) / float64(max(r.Runs[i].Total.Answered, 1))
		}
		most = max(most, sum)
	}
	return most
}

func newLabelBar(r *report.Report, run int, name string, x scale, parts []figure.Bars) labelBar {
	t, top := &r.Runs[run].Total, labelRow*float64(run)
	b := labelBar{
		Name: terminal.Truncate(name, 30), Note: number.Count(t.Exact.N) + " of " + number.Count(t.Exact.Of) + " exact",
		NameY: pixel(top + 13), Y: pixel(top + 18),
	}
	at := 0.0
	for i := range parts {
		n := parts[i].Counts[run]
		if n == 0 {
			continue
		}
		from, to := x.at(at), x.at(at+parts[i].Values[run])
		at += parts[i].Values[run]
		part := labelPart{
			Class: "l" + strconv.Itoa(i), Title: parts[i].Notes[run], X: pixel(from), Width: pixel(max(to-from-1, 0.5)),
			TextX: pixel((from + to) / 2), TextY: pixel(top + 18 + labelBarHeight - 6), Top: pixel(top + 18), PartHeight: pixel(labelBarHeight),
		}
		for _, text := range []string{letterOf(i) + " " + number.Count(n), letterOf(i)} {
			if float64(terminal.Width(text))*6.4+4 < to-from {
				part.Text = text
				break
			}
		}
		b.Parts = append(b.Parts, part)
	}
	switch {
	case t.Answered == 0:
		b.NoneMsg = "no request was answered"
	case len(b.Parts) == 0:
		b.NoneMsg = "every answer is exact"
	}
	b.NoneY = pixel(top + 31)
	return b
}

// axis gives the bars a scale in per cent of the answers.
func (c *labelChart) axis(x scale) {
	bottom := labelRow*float64(len(c.Bars)) + 2
	c.AxisY, c.AxisTo, c.TickY, c.Height = pixel(bottom), pixel(bottom+4), pixel(bottom+17), pixel(bottom+22)
	step := 0.25
	for _, s := range []float64{0.1, 0.05, 0.01, 0.001} {
		if x.to < 3*step {
			step = s
		}
	}
	for i := 0; i <= 20 && float64(i)*step <= x.to; i++ {
		v := float64(i) * step
		c.Ticks = append(c.Ticks, newTick(x.at(v), strconv.FormatFloat(100*v, 'g', 3, 64)+" %"))
	}
}

// letterOf returns the letter of a label in the bars, by its rank; all rare labels share *.
func letterOf(i int) string {
	if i >= figure.MostLabels {
		return "*"
	}
	return string(rune('a' + i))
}

func newLabelKey(r *report.Report, name string, rank int) labelKey {
	k := labelKey{
		Letter: letterOf(rank), Class: "l" + strconv.Itoa(min(rank, figure.MostLabels)),
		Name: terminal.Truncate(terminal.Visible(name), 40), Explanation: recordview.Explain(name),
	}
	for i := range r.Runs {
		text := ""
		for _, f := range r.Runs[i].Total.Failures {
			if f.Name == name {
				text = number.Count(f.N)
			}
		}
		k.Counts = append(k.Counts, text)
	}
	return k
}
