package figure

import (
	"slices"
	"strconv"

	"verbatim/internal/chart"
)

// Measures of print, in points but for mm, the points of a millimetre.
const (
	mm         = 72 / 25.4
	tickSize   = 7.0
	labelSize  = 7.5
	titleSize  = 8.0
	leading    = 1.18 // of the size, from line to line
	ascent     = 0.73 // of the size, above the baseline
	frameWidth = 0.5
	gridWidth  = 0.35
	lineWidth  = 1.1
)

// palette is the colours of series on paper.
var palette = onPaper(chart.Palette())

func onPaper(palette [chart.Looks]chart.Color) (list [chart.Looks]color) {
	for i, c := range palette {
		v, _ := strconv.ParseUint(c.Light[1:], 16, 32) // the tests of chart read them all
		list[i] = color{uint8(v >> 16), uint8(v >> 8), uint8(v), 1}
	}
	return list
}

// dashes tell lines apart where there is no color.
var dashes = [chart.Looks][]float64{
	nil,
	{4.5, 1.6},
	{1.3, 1.3},
	{6, 1.5, 1.3, 1.5},
	{7.5, 2},
	{3, 1.2, 1.2, 1.2, 1.2, 1.2},
	{2.4, 2.4},
	{9, 1.5, 3, 1.5},
}

// A look is how a series is drawn.
type look struct {
	color color
	dash  []float64
	mark  int // of marks
	hatch int // of hatches
}

func lookOf(series int) look {
	k := chart.LookOf(series)
	return look{color: palette[k.Color], dash: dashes[k.Dash], mark: k.Mark, hatch: series % hatches}
}

// plainLook is the look of what belongs to no series.
var plainLook = look{color: palette[0]}

// looks finds the look of a name: all figures that hold the same Names agree.
type looks struct {
	names []string // as they are drawn
	shown []string // those that have something drawn, in the same order
}

func looksOf(f *Figure) *looks {
	l := &looks{}
	for _, n := range f.Names {
		l.of(n)
	}
	shown := &looks{}
	for _, n := range namesIn(f) {
		l.of(n)
		shown.of(n)
	}
	for _, n := range l.names {
		if slices.Contains(shown.names, n) {
			l.shown = append(l.shown, n)
		}
	}
	return l
}

// namesIn lists the names of series in the order of the panels.
func namesIn(f *Figure) []string {
	var names []string
	seen := make(map[string]bool)
	add := func(name string) {
		if name != "" && !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	for _, p := range f.Panels {
		for _, l := range p.Lines {
			add(l.Name)
		}
		for _, b := range p.Boxes {
			add(b.Name)
		}
		for _, b := range p.Bars {
			add(b.Name)
		}
		for _, r := range p.Rows {
			add(r.Name)
		}
	}
	return names
}

func (l *looks) of(name string) look {
	if name == "" {
		return plainLook
	}
	i := slices.Index(l.names, name)
	if i < 0 {
		i = len(l.names)
		l.names = append(l.names, name)
	}
	return lookOf(i)
}

// hatches is the number of ways in which bars are filled.
const hatches = 6
