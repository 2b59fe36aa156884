package figure

// A sheet lists the marks of a figure in the order in which they are drawn. Positions are in points
// (1/72 inch) from the top left corner. All formats write the same sheet.
type sheet struct {
	width, height float64
	title, text   string
	marks         []any // stroke, segments, disc, words, group or groupEnd
}

func (s *sheet) add(marks ...any) { s.marks = append(s.marks, marks...) }

// A point is a position on a sheet; Y grows downwards.
type point struct{ x, y float64 }

// A stroke is a polygon that is filled, a polyline that is drawn, or both.
type stroke struct {
	points []point
	closed bool
	fill   color
	line   color
	width  float64
	dash   []float64 // lengths on, off, on, …; nil: solid
}

// segments are straight lines with the same color and width.
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
	turned float64 // in degrees, counterclockwise
}

// A group holds the marks up to its groupEnd. Screen readers read its name, and pointers show it.
type (
	group    struct{ name string }
	groupEnd struct{}
)

// rectangle returns the corners of a rectangle from its top left corner.
func rectangle(x, y, w, h float64) []point {
	return []point{{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}}
}
