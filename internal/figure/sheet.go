package figure

// A sheet is what is to be drawn, in order: strokes, segments, discs and words at places in
// points (1/72 inch) from the top left corner. It is laid out once, and written as
// SVG, PDF and PNG, so that these cannot differ but in their bytes.
type sheet struct {
	width, height float64
	title, text   string
	marks         []any // stroke, segments, disc, words, group or groupEnd
}

func (s *sheet) add(marks ...any) { s.marks = append(s.marks, marks...) }

// A point is a place on a sheet; Y grows downwards.
type point struct{ x, y float64 }

// A color is one of sRGB with an opacity; without any, nothing is drawn.
type color struct {
	r, g, b uint8
	a       float64
}

func (c color) fade(a float64) color { return color{c.r, c.g, c.b, a} }

// mix returns the color at a share of the way to another.
func (c color) mix(to color, share float64) color {
	part := func(a, b uint8) uint8 { return uint8(float64(a) + (float64(b)-float64(a))*share + 0.5) }
	return color{part(c.r, to.r), part(c.g, to.g), part(c.b, to.b), c.a}
}

// luminance is that of sRGB with its transfer taken for a square: enough to choose
// between dark and light words.
func (c color) luminance() float64 {
	part := func(v uint8) float64 { f := float64(v) / 255; return f * f }
	return 0.2126*part(c.r) + 0.7152*part(c.g) + 0.0722*part(c.b)
}

// ink returns the color, darker where words in it would be hard to read on white.
func (c color) ink() color {
	for c.luminance() > 0.2 {
		c = c.mix(black, 0.15)
	}
	return c
}

// A stroke is a polygon that is filled, a polyline that is drawn, or both.
type stroke struct {
	points []point
	closed bool
	fill   color
	line   color
	width  float64
	dash   []float64 // lengths on, off, on, …; nil: all of it
}

// segments are straight lines of one look.
type segments struct {
	list  [][2]point
	line  color
	width float64
}

// A disc is a circle.
type disc struct {
	at    point
	r     float64
	fill  color
	line  color
	width float64
}

// An anchor says which part of words stands at their place.
type anchor int

const (
	start anchor = iota
	middle
	end
)

// words are one line of text on a baseline.
type words struct {
	at     point
	text   string
	size   float64
	bold   bool
	color  color
	anchor anchor
	turned float64 // in degrees, against the clock
}

// A group holds the marks up to its groupEnd, under a name that readers of the
// screen and pointers find.
type (
	group    struct{ name string }
	groupEnd struct{}
)

func rectangle(x, y, w, h float64) []point {
	return []point{{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}}
}
