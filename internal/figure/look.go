package figure

import "slices"

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

var (
	black     = color{0x1a, 0x1a, 0x1a, 1}
	grey      = color{0x59, 0x59, 0x59, 1}
	frame     = color{0x59, 0x59, 0x59, 1}
	gridColor = color{0xdd, 0xdd, 0xdd, 1}
	zoneColor = color{0x80, 0x80, 0x80, 0.16}
	white     = color{0xff, 0xff, 0xff, 1}
)

// palette are the colors of Okabe and Ito (2008), which people see apart who see
// no red, no green or no blue, without the yellow, which is lost on paper.
var palette = []color{
	{0x00, 0x72, 0xb2, 1}, // blue
	{0xd5, 0x5e, 0x00, 1}, // vermillion
	{0x00, 0x9e, 0x73, 1}, // bluish green
	{0xcc, 0x79, 0xa7, 1}, // reddish purple
	{0xe6, 0x9f, 0x00, 1}, // orange
	{0x56, 0xb4, 0xe9, 1}, // sky blue
	{0x00, 0x00, 0x00, 1}, // black
}

// dashes tell lines apart where there is no color.
var dashes = [][]float64{
	nil,
	{4.5, 1.6},
	{1.3, 1.3},
	{6, 1.5, 1.3, 1.5},
	{7.5, 2},
	{3, 1.2, 1.2, 1.2, 1.2, 1.2},
	{2.4, 2.4},
	{9, 1.5, 3, 1.5},
}

// A look is how a series is drawn. The first 56 differ in color and dash, and without
// color the first 64 in dash and mark.
type look struct {
	color color
	dash  []float64
	mark  int // of marks
	hatch int // of hatches
}

func lookOf(series int) look {
	return look{
		color: palette[series%len(palette)],
		dash:  dashes[series%len(dashes)],
		mark:  (series + series/len(dashes)) % marks,
		hatch: series % hatches,
	}
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
