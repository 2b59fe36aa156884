package page

import (
	"cmp"
	"slices"
	"strconv"

	"verbatim/internal/report"
)

// A labelChart shows how answers fail: a bar for each run, made of the labels of the
// answers that are not exact, as long as their share of all answers.
type labelChart struct {
	ID, Text      string
	Height        string
	Bars          []labelBar
	Ticks         []tick
	AxisY, AxisTo string
	TickY         string
	Keys          []labelKey
	Names         []string
	Inks          []ink
}

// A labelBar is a run.
type labelBar struct {
	Name, Note     string
	NameY, Y       string
	Parts          []labelPart
	NoneY, NoneMsg string // where every answer is exact
}

// A labelPart is the answers with one label. Text is empty where it has no room.
type labelPart struct {
	Class, Title    string
	X, Width        string
	TextX, TextY    string
	Text            string
	Top, PartHeight string
}

// A labelKey explains a label, and counts it in every run.
type labelKey struct {
	Letter, Class, Name, Explanation string
	Counts                           []string
}

const (
	// mostLabels is how many labels have a colour of their own; the others are
	// drawn together at the end of the bar.
	mostLabels = 9
	// mostListed is how many labels the table lists.
	mostListed = 64

	labelRow, labelBarHeight = 46.0, 20.0
)

// labelBars returns the failure labels of all runs; no bars where nothing failed.
func labelBars(r *report.Report) labelChart {
	c := labelChart{ID: "labels", Names: report.RunNames(r.Runs)}
	ranked := rankLabels(r)
	if len(ranked) == 0 {
		return c
	}
	letters := make(map[string]int)
	for i, name := range ranked {
		letters[name] = min(i, mostLabels)
	}
	x := scale{from: 0, to: greatestFailing(r), low: 0, high: drawingWidth}
	for i := range r.Runs {
		c.Inks = append(c.Inks, inkOf(i))
		c.Bars = append(c.Bars, newLabelBar(&r.Runs[i].Total, c.Names[i], labelRow*float64(i), x, letters))
	}
	c.axis(x)
	for i, name := range ranked[:min(len(ranked), mostListed)] {
		c.Keys = append(c.Keys, newLabelKey(r, name, i))
	}
	c.Text = "Labels of the answers that are not exactly right. Each bar is a model, as long as the share of its answers that are not exact; the commonest label of all is " + report.CutText(report.Visible(ranked[0]), 40) + "."
	return c
}

// rankLabels lists the labels of all runs, the commonest first: by the share of the
// answers of a run that they are of, so that a long run does not decide it alone.
func rankLabels(r *report.Report) []string {
	shares := make(map[string]float64)
	for i := range r.Runs {
		t := &r.Runs[i].Total
		for _, f := range t.Failures {
			shares[f.Name] += float64(f.N) / float64(max(t.Answered, 1))
		}
	}
	names := make([]string, 0, len(shares))
	for name := range shares {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(shares[b], shares[a]), cmp.Compare(a, b)) })
	return names
}

// greatestFailing is the end of the scale: the longest bar is as wide as the drawing.
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

func newLabelBar(t *report.Line, name string, top float64, x scale, letters map[string]int) labelBar {
	b := labelBar{
		Name: report.CutText(name, 30), Note: report.CountText(t.Exact.N) + " of " + report.CountText(t.Exact.Of) + " exact",
		NameY: pixel(top + 13), Y: pixel(top + 18),
	}
	counts := make([]int64, mostLabels+1)
	titles := make([]string, mostLabels+1)
	for _, f := range t.Failures {
		i := letters[f.Name]
		counts[i] += f.N
		if titles[i] != "" {
			titles[i] += "\n"
		}
		titles[i] += report.Visible(f.Name) + " " + report.CountText(f.N)
	}
	at := 0.0
	for i, n := range counts {
		if n == 0 {
			continue
		}
		share := float64(n) / float64(max(t.Answered, 1))
		from, to := x.at(at), x.at(at+share)
		at += share
		part := labelPart{
			Class: "l" + strconv.Itoa(i), Title: titles[i], X: pixel(from), Width: pixel(max(to-from-1, 0.5)),
			TextX: pixel((from + to) / 2), TextY: pixel(top + 18 + labelBarHeight - 6), Top: pixel(top + 18), PartHeight: pixel(labelBarHeight),
		}
		for _, text := range []string{letterOf(i) + " " + report.CountText(n), letterOf(i)} {
			if float64(report.Columns(text))*6.4+4 < to-from {
				part.Text = text
				break
			}
		}
		b.Parts = append(b.Parts, part)
	}
	switch {
	case t.Answered == 0:
		b.NoneMsg = "nothing was answered"
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

// letterOf is the letter that stands for a label on its bars.
func letterOf(i int) string {
	if i >= mostLabels {
		return "*"
	}
	return string(rune('a' + i))
}

func newLabelKey(r *report.Report, name string, rank int) labelKey {
	k := labelKey{
		Letter: letterOf(rank), Class: "l" + strconv.Itoa(min(rank, mostLabels)),
		Name: report.CutText(report.Visible(name), 40), Explanation: report.Explain(name),
	}
	for i := range r.Runs {
		text := ""
		for _, f := range r.Runs[i].Total.Failures {
			if f.Name == name {
				text = report.CountText(f.N)
			}
		}
		k.Counts = append(k.Counts, text)
	}
	return k
}
