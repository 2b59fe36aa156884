package chart

import (
	"cmp"
	"strconv"

	"verbatim/internal/verdict"
	"verbatim/internal/verdict/leaderboard"
)

// A Panel is one pair of axes with what is drawn on it. Of Lines, Boxes, Bars, Heat
// and Rows it has one.
type Panel struct {
	Title string
	X, Y  Axis
	Lines []Line
	Boxes []Box
	Bars  []Bars
	Heat  *Heat
	Rows  []Row
	// Zone is a range of the axis along which Rows and their intervals lie that is
	// shaded, such as that of practical equivalence; nil: none.
	Zone *Zone
}

// An Axis has a label with its unit, and a range.
type Axis struct {
	Label string
	// Min and Max bound the axis; equal ones: as the data need.
	Min, Max float64
	Log2     bool // the logarithm of the value is what is drawn
	// Ticks are the places that are labelled; nil: chosen. Boxes, bars and heat maps
	// stand at 0, 1, 2 and so on.
	Ticks []Tick
}

// A Tick is a labelled place of an axis.
type Tick struct {
	At    float64
	Label string
	Full  string // the label unabridged, for tables; empty: Label
}

// Category returns the label of a place in full, or the place where it has none.
func (a *Axis) Category(at float64) string {
	for _, t := range a.Ticks {
		if t.At == at {
			return cmp.Or(t.Full, t.Label)
		}
	}
	return strconv.FormatFloat(at, 'g', -1, 64)
}

// A Line is a series with a name.
type Line struct {
	Name   string
	Points []Point
}

// A Point is a value with its interval: a band is drawn where Low and High differ,
// and a bar at a point that stands alone. A Y that is NaN breaks the line.
type Point struct {
	X, Y, Low, High float64
	N               int64  // answers that the value is of
	Label           string // of its place, as the axis has it
	Text            string // the value in print
}

// A Box is the summary of a sample: quartiles, whiskers and what lies beyond them.
type Box struct {
	Name           string // of its series, for the colour
	At             float64
	Low, High      float64 // ends of the whiskers
	Q1, Median, Q3 float64
	Outliers       []float64
	N              int // size of the sample
}

// Bars are the values of a series, one for each category; stacked upon those of
// the series before it where Panel has several.
type Bars struct {
	Name   string
	Values []float64
	// Counts and Notes say of how many answers each value is, and of which; nil where that
	// is not known.
	Counts []int64
	Notes  []string
}

// A Heat is a table of values from 0 to 1, a row for each label; NaN: nothing is known.
type Heat struct {
	Rows, Columns []string
	Values        [][]float64
	// Notes say what each value is of; an empty one: it was not asked. Nil: there are none.
	Notes [][]string
}

// A Row is a value with its interval that lies along the X axis, next to its label;
// rows stand one below the other, the first on top. Values that are NaN leave the
// row empty.
type Row struct {
	Name             string // of its series, for the colour; "": none of them
	Label            string // to the left
	Note             string // to the right, such as the interval in figures
	Value, Low, High float64
	// Of the rows of a leaderboard and of comparisons: the place of the run in the report,
	// -1 where it is not among its runs, and the numbers behind the row.
	Run     int
	Place   *leaderboard.Place
	Verdict *verdict.Row
}

// A Zone is a range of an axis.
type Zone struct{ Low, High float64 }
