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

// An anchor is the part of a text that is at its position.
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
