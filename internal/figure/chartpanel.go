package figure

import (
	"cmp"
	"strconv"

	"verbatim/internal/verdict"
)

// A Panel is a pair of axes with content: one of Lines, Boxes, Bars, Heat and Rows.
type Panel struct {
	Title string
	X, Y  Axis
	Lines []Line
	Boxes []Box
	Bars  []Bars
	Heat  *Heat
	Rows  []Row
	// Zone is a shaded range of the X axis of Rows, such as the equivalence margin; nil:
	// none.
	Zone *Zone
}

// An Axis has a label with its unit, and a range.
type Axis struct {
	Label string
	// Min and Max bound the axis. If they are equal, the data determine the bounds.
	Min, Max float64
	Log2     bool // the axis is logarithmic
	// Ticks are the labelled positions; nil: the drawing chooses them. Boxes, bars and heat
	// maps are at 0, 1, 2 and so on.
	Ticks []Tick
}

// A Tick is a labelled position of an axis.
type Tick struct {
	At    float64
	Label string
	Full  string // the label unabridged, for tables; empty: Label
}

// Category returns the full label of a position, or the position without a label.
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

// A Point is a value with its interval. If Low and High differ, a band is drawn, or a bar
// at a single point. A Y of NaN breaks the line.
type Point struct {
	X, Y, Low, High float64
	N               int64  // number of answers
	Label           string // of its X, as the axis has it
	Text            string // the value as people read it
}

// A Box is the summary of a sample: quartiles, whiskers and outliers.
type Box struct {
	Name           string // of its series, for the colour
	At             float64
	Low, High      float64 // ends of the whiskers
	Q1, Median, Q3 float64
	Outliers       []float64
	N              int // size of the sample
}

// Bars are the values of a series, one for each category. If a Panel has several, they are stacked.
type Bars struct {
	Name   string
	Values []float64
	// Counts and Notes are the number of answers of each value and their description; nil if
	// unknown.
	Counts []int64
	Notes  []string
}

// A Heat is a table of values from 0 to 1, a row for each label; NaN: unknown.
type Heat struct {
	Rows, Columns []string
	Values        [][]float64
	// Notes describe each value; an empty one has no request. Nil: no notes.
	Notes [][]string
}

// A Row is a value with its interval along the X axis, next to its label. The first row is
// on top. A value of NaN leaves the row empty.
type Row struct {
	Name             string // of its series, for the colour; "": no series
	Label            string // to the left
	Note             string // to the right, such as the interval in figures
	Value, Low, High float64
	// For rows of leaderboards and comparisons: the index of the run in the report, -1 if it is
	// not in the report, and the numbers of the row.
	Run     int
	Place   *verdict.RankPlace
	Verdict *verdict.Row
}

// A Zone is a range of an axis.
type Zone struct{ Low, High float64 }
