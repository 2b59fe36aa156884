package simpe

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"verbatim/internal/figure"
	"verbatim/internal/paper"
	"verbatim/internal/stats"
)

// shareFigure draws right answers over length.
func (s *results) shareFigure() paper.Figure {
	f := paper.Figure{
		Number: 1, Name: "figure-01",
		Caption: "The share of right answers over the length of the items, by test, with 95 % intervals: of the answers, in steps of length.",
	}
	f.Figure = s.panels(figure.Axis{Label: "% of the answers right", Max: 100}, func(c count) figure.Point {
		share := shareOf(c.right, c.answered)
		if !share.ok {
			return unknownPoint()
		}
		return figure.Point{Y: 100 * share.value, Low: 100 * share.low, High: 100 * share.high}
	})
	f.Text = f.Caption + " " + ends(&f.Figure, "%.0f %%")
	return f
}

// timeFigure draws how long answers took over length.
func (s *results) timeFigure() paper.Figure {
	f := paper.Figure{
		Number: 2, Name: "figure-02",
		Caption: "Seconds until the whole answer had arrived, over the length of the items, by test: the median, and between the quartiles the middle half of the answers.",
	}
	f.Figure = s.panels(figure.Axis{Label: "seconds"}, func(c count) figure.Point {
		if len(c.seconds) == 0 {
			return unknownPoint()
		}
		return figure.Point{Y: stats.Quantile(c.seconds, 0.5), Low: stats.Quantile(c.seconds, 0.25), High: stats.Quantile(c.seconds, 0.75)}
	})
	f.Text = f.Caption + " " + ends(&f.Figure, "%.3g s")
	if len(f.Figure.Panels) == 0 {
		f.Text = "No answer tells how long it took."
	}
	return f
}

func unknownPoint() figure.Point {
	return figure.Point{Y: math.NaN(), Low: math.NaN(), High: math.NaN()}
}

// panels makes a panel for each test and a line for each model. A step of lengths has a point at
// the mean length of its requests, whose value is that of its count. An unknown value breaks the
// line.
func (s *results) panels(y figure.Axis, value func(count) figure.Point) figure.Figure {
	f := figure.Figure{Legend: true, Columns: 3}
	for _, entrant := range s.entrants { // all of them, so that a model has one colour in all figures
		f.Names = append(f.Names, entrant.name)
	}
	for _, test := range tests() {
		p := figure.Panel{Title: test.title, X: s.axis(test), Y: y}
		for _, entrant := range s.entrants {
			line := figure.Line{Name: entrant.name}
			for _, step := range test.steps {
				c := entrant.within(test, step)
				if c.requests == 0 {
					continue
				}
				point := value(c)
				point.X = float64(c.lengths) / float64(c.requests)
				line.Points = append(line.Points, point)
			}
			if line.Known() {
				p.Lines = append(p.Lines, line)
			}
		}
		if len(p.Lines) > 0 {
			f.Panels = append(f.Panels, p)
		}
	}
	return f
}

// axis spans the bands of a test up to the last one with a request, with a tick at the end of
// each.
func (s *results) axis(test test) figure.Axis {
	axis := figure.Axis{Label: test.unit, Min: float64(test.bands[0].Min)}
	tick := func(n int) {
		axis.Max = float64(n)
		axis.Ticks = append(axis.Ticks, figure.Tick{At: axis.Max, Label: strconv.Itoa(n)})
	}
	tick(test.bands[0].Min)
	for i, band := range test.bands {
		for _, entrant := range s.entrants {
			if entrant.within(test, band).requests > 0 {
				for _, b := range test.bands[len(axis.Ticks)-1 : i+1] {
					tick(b.Max)
				}
			}
		}
	}
	return axis
}

// ends returns an alternative text: the values at both ends of the lines, printed by format.
func ends(f *figure.Figure, format string) string {
	var parts []string
	for _, p := range f.Panels {
		var lines []string
		for _, l := range p.Lines {
			var known []figure.Point
			for _, point := range l.Points {
				if point.Known() {
					known = append(known, point)
				}
			}
			first, last := known[0], known[len(known)-1]
			lines = append(lines, fmt.Sprintf("%s "+format+" at %.0f and "+format+" at %.0f %s", l.Name, first.Y, first.X, last.Y, last.X, p.X.Label))
		}
		parts = append(parts, p.Title+": "+strings.Join(lines, "; ")+".")
	}
	return strings.Join(parts, " ")
}
