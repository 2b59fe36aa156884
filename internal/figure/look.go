package figure

import (
	"math"
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

// A color is a color of sRGB with an opacity. The zero color is not drawn.
type color struct {
	r, g, b uint8
	a       float64
}

// fade returns the color with another opacity.
func (c color) fade(a float64) color { return color{c.r, c.g, c.b, a} }

// mix returns the color at a share of the way to another color.
func (c color) mix(to color, share float64) color {
	part := func(a, b uint8) uint8 { return uint8(float64(a) + (float64(b)-float64(a))*share + 0.5) }
	return color{part(c.r, to.r), part(c.g, to.g), part(c.b, to.b), c.a}
}

// luminance returns an approximate luminance: it takes squares for the transfer function of sRGB.
// That is enough to choose between dark and light letters.
func (c color) luminance() float64 {
	part := func(v uint8) float64 { f := float64(v) / 255; return f * f }
	return 0.2126*part(c.r) + 0.7152*part(c.g) + 0.0722*part(c.b)
}

// ink returns the color for letters on white: darker if it is too light to be read.
func (c color) ink() color {
	for c.luminance() > 0.2 {
		c = c.mix(black, 0.15)
	}
	return c
}

var (
	black     = color{0x1a, 0x1a, 0x1a, 1}
	grey      = color{0x59, 0x59, 0x59, 1}
	frame     = color{0x59, 0x59, 0x59, 1}
	gridColor = color{0xdd, 0xdd, 0xdd, 1}
	zoneColor = color{0x80, 0x80, 0x80, 0.16}
	white     = color{0xff, 0xff, 0xff, 1}
)

// shade returns the color of a value from 0 to 1.
func shade(v float64) color {
	v = min(max(v, 0), 1) * float64(len(shades)-1)
	i := min(int(v), len(shades)-2)
	return shades[i].mix(shades[i+1], v-float64(i))
}

// shades run from light to dark in even steps of lightness, so that a heat map can be read in grey
// too.
var shades = []color{
	{0xf3, 0xf7, 0xfb, 1}, {0xcf, 0xe1, 0xf0, 1}, {0x93, 0xc0, 0xdf, 1}, {0x4a, 0x90, 0xc4, 1}, {0x1f, 0x5f, 0xa3, 1}, {0x0a, 0x2f, 0x66, 1},
}

// drawMark draws the mark of a look at a point. Filled marks have a thin white edge, so that they
// differ from what is below them.
func drawMark(s *sheet, k look, at point, r float64) {
	edge := 0.4
	filled := func(points []point) {
		s.add(stroke{points: points, closed: true, fill: k.color, line: white, width: edge})
	}
	switch k.mark {
	case 0:
		s.add(disc{at: at, r: r, fill: k.color, line: white, width: edge})
	case 1:
		filled(rectangle(at.x-r*0.9, at.y-r*0.9, 1.8*r, 1.8*r))
	case 2:
		filled(corners(at, 1.3*r, 3, -90))
	case 3:
		filled(corners(at, 1.3*r, 4, 0))
	case 4:
		filled(corners(at, 1.3*r, 3, 90))
	case 5:
		s.add(disc{at: at, r: r * 0.9, fill: white, line: k.color, width: 0.9})
	case 6:
		s.add(stroke{points: rectangle(at.x-r*0.85, at.y-r*0.85, 1.7*r, 1.7*r), closed: true, fill: white, line: k.color, width: 0.9})
	case 7:
		s.add(stroke{points: corners(at, 1.25*r, 4, 0), closed: true, fill: white, line: k.color, width: 0.9})
	}
}

// corners returns a regular polygon with n corners. angle is the direction of the first one, in
// degrees clockwise from the right.
func corners(at point, r float64, n int, angle float64) []point {
	out := make([]point, n)
	for i := range out {
		sin, cos := math.Sincos((angle + 360*float64(i)/float64(n)) * math.Pi / 180)
		out[i] = point{at.x + r*cos, at.y + r*sin}
	}
	return out
}

// drawBar fills a rectangle in the look of a series: its color, with white lines over it that
// distinguish series with the same color.
func drawBar(s *sheet, k look, x, y, w, h float64) {
	if w <= 0 || h <= 0 {
		return
	}
	fill := k.color
	if fill.luminance() < 0.02 { // black, on which no hatch would be seen
		fill = fill.mix(white, 0.25)
	}
	s.add(stroke{points: rectangle(x, y, w, h), closed: true, fill: fill})
	lines := func(dx, dy, step float64) {
		if list := hatched(x, y, w, h, dx, dy, step); len(list) > 0 {
			s.add(segments{list: list, line: white, width: 0.6})
		}
	}
	switch k.hatch {
	case 1:
		lines(1, -1, 4)
	case 2:
		lines(1, 0, 3)
	case 3:
		lines(1, 1, 4)
	case 4:
		lines(0, 1, 3)
	case 5:
		lines(1, 1, 4.5)
		lines(1, -1, 4.5)
	}
	s.add(stroke{points: rectangle(x, y, w, h), closed: true, line: white, width: 0.5})
}

// hatched returns lines of one direction through a rectangle, a step apart. Their positions are those
// of the sheet, so that lines of adjacent rectangles join.
func hatched(x, y, w, h, dx, dy, step float64) [][2]point {
	norm := math.Hypot(dx, dy)
	nx, ny := -dy/norm, dx/norm // across the lines
	low, high := math.Inf(1), math.Inf(-1)
	for _, p := range rectangle(x, y, w, h) {
		d := p.x*nx + p.y*ny
		low, high = min(low, d), max(high, d)
	}
	var out [][2]point
	long := w + h
	for d := math.Ceil(low/step) * step; d < high && len(out) < 500; d += step {
		along := (x+w/2)*dx/norm + (y+h/2)*dy/norm // of the middle of the rectangle
		c := point{nx*d + dx/norm*along, ny*d + dy/norm*along}
		a, b := point{c.x - dx/norm*long, c.y - dy/norm*long}, point{c.x + dx/norm*long, c.y + dy/norm*long}
		if a, b, ok := clipped(a, b, area{x, y, w, h}); ok {
			out = append(out, [2]point{a, b})
		}
	}
	return out
}

const (
	sampleWide = 17.0
	sampleGap  = 4.0
	legendLine = labelSize * 1.35
)

// wide returns the width of an item, with the space after it.
func (it *item) wide() float64 {
	w := widthOf(it.text, labelSize) + 11
	if !it.none {
		w += sampleWide + sampleGap
	}
	return w
}

// balanced returns the number of items on each line, for as few lines as possible, of about the same
// width.
func balanced(widths []float64, room float64) []int {
	fewest := fill(widths, room)
	for share := room * 0.5; share < room; share += room * 0.05 {
		if rows := fill(widths, share); len(rows) == len(fewest) {
			return rows
		}
	}
	return fewest
}

// fill returns the number of items on each line of a width. Each line has at least one.
func fill(widths []float64, room float64) []int {
	var rows []int
	x := 0.0
	for i, w := range widths {
		if i == 0 || x+w-11 > room {
			rows, x = append(rows, 0), 0
		}
		rows[len(rows)-1]++
		x += w
	}
	return rows
}

func (g *legend) draw(s *sheet) {
	for _, it := range g.items {
		x := it.at.x
		if !it.none {
			it.sample(s)
			x += sampleWide + sampleGap
		}
		s.add(words{at: point{x, it.at.y + labelSize*0.35}, text: it.text, size: labelSize, color: black})
	}
	if g.ramp {
		drawRamp(s)
	}
}

// sample draws the look of a series in a panel of its kind.
func (it *item) sample(s *sheet) {
	switch it.kind {
	case bars:
		drawBar(s, it.look, it.at.x, it.at.y-3.2, sampleWide, 6.4)
	case boxes:
		s.add(stroke{points: rectangle(it.at.x, it.at.y-3, sampleWide, 6), closed: true, fill: it.look.color.fade(0.25), line: it.look.color, width: 0.8})
	default:
		s.add(stroke{points: []point{{it.at.x, it.at.y}, {it.at.x + sampleWide, it.at.y}}, line: it.look.color, width: lineWidth, dash: it.look.dash})
		drawMark(s, it.look, point{it.at.x + sampleWide/2, it.at.y}, 2)
	}
}
