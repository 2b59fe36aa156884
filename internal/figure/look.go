package figure

import (
	"slices"
	"strconv"
)

// Sizes in points, except for mm: the points of a millimetre.
const (
	mm         = 72 / 25.4
	tickSize   = 7.0
	labelSize  = 7.5
	titleSize  = 8.0
	leading    = 1.18 // from line to line, as a share of the size
	ascent     = 0.73 // above the baseline, as a share of the size
	frameWidth = 0.5
	gridWidth  = 0.35
	lineWidth  = 1.1
)

// palette has the colours of series on white.
var palette = onPaper(Palette())

func onPaper(palette [Looks]Color) (list [Looks]color) {
	for i, c := range palette {
		v, _ := strconv.ParseUint(c.Light[1:], 16, 32) // the tests of chart parse them all
		list[i] = color{uint8(v >> 16), uint8(v >> 8), uint8(v), 1}
	}
	return list
}

// dashes distinguish lines without colors: lengths on and off, in points.
var dashes = [Looks][]float64{
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
	mark  int // see drawMark
	hatch int // see drawBar
}

func lookOf(series int) look {
	k := LookOf(series)
	return look{color: palette[k.Color], dash: dashes[k.Dash], mark: k.Mark, hatch: series % hatches}
}

// plainLook is the look of data without a series.
var plainLook = look{color: palette[0]}

// looks gives each name of a series a look by its index. Figures with the same Names agree.
type looks struct {
	names []string
	shown []string // the names with data, in the same order
}

func looksOf(f *Figure) *looks {
	l := &looks{}
	for _, n := range f.Names {
		l.of(n)
	}
	shown := namesIn(f.Panels...)
	for _, n := range shown {
		l.of(n)
	}
	for _, n := range l.names {
		if slices.Contains(shown, n) {
			l.shown = append(l.shown, n)
		}
	}
	return l
}

// namesIn lists the names of series in the order of the panels, each once.
func namesIn(panels ...Panel) []string {
	var names []string
	seen := make(map[string]bool)
	add := func(name string) {
		if name != "" && !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	for _, p := range panels {
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

// of returns the look of a name. A new name gets the next look.
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
