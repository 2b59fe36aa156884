package page

import (
	"math"
	"strconv"
	"strings"

	"verbatim/internal/figure"
	"verbatim/internal/report"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict"
)

// drawingWidth is the width of drawings in units. Text of twelve units is readable on the
// screen of a small phone.
const drawingWidth = 360

// A scale maps values to positions in a drawing.
type scale struct {
	from, to  float64 // values
	low, high float64 // their positions
	log       bool    // logarithmic
}

// at returns the position of a value; a value beyond an end is drawn at the end.
func (s scale) at(v float64) float64 {
	from, to := s.from, s.to
	if s.log {
		v, from, to = math.Log2(v), math.Log2(from), math.Log2(to)
	}
	if !(to > from) {
		return (s.low + s.high) / 2
	}
	share := min(max((v-from)/(to-from), 0), 1)
	return s.low + share*(s.high-s.low)
}

// pixel prints a position to a tenth of a unit.
func pixel(v float64) string {
	s := strings.TrimSuffix(strconv.FormatFloat(v, 'f', 1, 64), ".0")
	if s == "-0" {
		return "0"
	}
	return s
}

// A dot is a point of a drawing.
type dot struct{ x, y float64 }

// pathOf draws a line through points.
func pathOf(list []dot) string {
	var b strings.Builder
	for i, p := range list {
		b.WriteByte("ML"[min(i, 1)])
		b.WriteString(pixel(p.x) + " " + pixel(p.y))
	}
	return b.String()
}

// A tick is a labelled position of an axis. Anchor is the text-anchor that keeps its label
// inside the drawing.
type tick struct{ At, Text, Anchor string }

func newTick(at float64, text string) tick {
	t := tick{pixel(at), text, "middle"}
	switch half := letterWidth * float64(terminal.Width(text)) / 2; {
	case at < half:
		t.Anchor = "start"
	case at > drawingWidth-half:
		t.Anchor = "end"
	}
	return t
}

// letterWidth is the approximate width of a letter in drawings.
const letterWidth = 6.6

// An ink is the look of a run in every drawing: a colour, a dash and a mark. The inks of the
// first 64 runs differ even without colour.
type ink struct {
	Class string // of the colour: m0 to m7
	Dash  string // of lines, as SVG's stroke-dasharray
	shape int    // of the mark
}

// dashes returns the dashes of lines that are two units wide.
func dashes() [figure.Looks]string {
	return [figure.Looks]string{"", "7 2", "2 2", "10 2 2 2", "5 4", "1 3", "7 2 2 2 2 2", "12 3"}
}

// inkOf returns the ink of a run by its index in the report; below 0 it is not in the report.
func inkOf(run int) ink {
	if run < 0 {
		return ink{Class: "m-none"}
	}
	k := figure.LookOf(run)
	return ink{Class: "m" + strconv.Itoa(k.Color), Dash: dashes()[k.Dash], shape: k.Mark}
}

// mark returns the path of the mark around a point. r is the radius of the circle; the other
// shapes have about its area.
func (k ink) mark(p dot, r float64) string {
	corners := func(xy ...float64) string {
		var b strings.Builder
		b.WriteString("M" + pixel(p.x+r*xy[0]) + " " + pixel(p.y+r*xy[1]) + "l")
		for i := 2; i < len(xy); i += 2 { // relative positions are shorter
			for j, v := range []float64{r * (xy[i] - xy[i-2]), r * (xy[i+1] - xy[i-1])} {
				if text := pixel(v); text[0] != '-' && i+j > 2 {
					b.WriteByte(' ')
				}
				b.WriteString(pixel(v))
			}
		}
		return b.String() + "z"
	}
	switch k.shape {
	case 1: // square
		return corners(-0.9, -0.9, 0.9, -0.9, 0.9, 0.9, -0.9, 0.9)
	case 2: // triangle
		return corners(0, -1.2, 1.1, 0.8, -1.1, 0.8)
	case 3: // diamond
		return corners(0, -1.3, 1.3, 0, 0, 1.3, -1.3, 0)
	case 4: // triangle, tip down
		return corners(0, 1.2, 1.1, -0.8, -1.1, -0.8)
	case 5: // plus
		return corners(-0.4, -1.2, 0.4, -1.2, 0.4, -0.4, 1.2, -0.4, 1.2, 0.4, 0.4, 0.4, 0.4, 1.2, -0.4, 1.2, -0.4, 0.4, -1.2, 0.4, -1.2, -0.4, -0.4, -0.4)
	case 6: // cross
		return corners(-1.1, -0.6, -0.6, -1.1, 0, -0.5, 0.6, -1.1, 1.1, -0.6, 0.5, 0, 1.1, 0.6, 0.6, 1.1, 0, 0.5, -0.6, 1.1, -1.1, 0.6, -0.5, 0)
	case 7: // hourglass on its side
		return corners(-1.2, -1, 0, -0.3, 1.2, -1, 1.2, 1, 0, 0.3, -1.2, 1)
	}
	d := pixel(r)
	return "M" + pixel(p.x-r) + " " + pixel(p.y) + "a" + d + " " + d + " 0 1 0 " + pixel(2*r) + " 0a" + d + " " + d + " 0 1 0 " + pixel(-2*r) + " 0z"
}

// seriesOf returns the set of runs that the charts of a report show.
func seriesOf(r *report.Report) *figure.Set {
	return &figure.Set{Runs: r.Runs, Names: report.RunNames(r.Runs), Other: func(h *verdict.RunInfo) string { return terminal.Visible(h.Model) }}
}

// A legendKey is a run of the legend with its line and its mark.
type legendKey struct {
	Name string
	Ink  ink
	Mark string
}

// legend returns the legend, which all drawings share.
func legend(r *report.Report) (keys []legendKey) {
	for i, name := range report.RunNames(r.Runs) {
		k := inkOf(i)
		keys = append(keys, legendKey{name, k, k.mark(dot{18, 8}, 4)})
	}
	return keys
}

// A run is the name and the look of a run, the same everywhere on the page.
type run struct {
	Name safeText
	// Class is the class of its colour; Mark is the path of its mark around the origin.
	Class, Mark string
}

// runs returns the runs of a report, in its order.
func runs(r *report.Report) []run {
	list := make([]run, len(r.Runs))
	for i, called := range report.RunNames(r.Runs) {
		k := inkOf(i)
		list[i] = run{safeText(called), k.Class, k.mark(dot{}, 4.4)}
	}
	return list
}
