package paper

import (
	"fmt"
	"math"
	"strings"

	"verbatim"
	"verbatim/internal/figure"
	"verbatim/internal/report"
)

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
