package figure

// Sizes of the layout, in points unless they say otherwise.
const (
	margin   = 3.0  // of the sheet
	gap      = 9.0  // between panels
	inset    = 4.0  // between the frame and the data
	tickGap  = 3.0  // between the frame and its labels
	maxSheet = 235  // height of a sheet in mm: a page of A4 without the caption
	maxNames = 60   // names in a legend
	minPlot  = 30.0 // heights of a panel
	maxPlot  = 195.0
)

// A layout computes the space for the legend, titles, labels and ticks. The panels have the rest, with
// equal widths.
type layout struct {
	fig     *Figure
	sheet   *sheet
	looks   *looks
	plots   []plot
	columns int
	rows    int
	shareX  bool // all panels have the same X axis: it is labelled once for a column
	shareY  bool
	legend  legend
	left    []float64 // of a column
	right   float64   // of every column
	top     []float64 // of a row
	bottom  []float64
	wide    float64 // of a panel
	high    []float64
	crowded bool // some panel is crowded
}

// A plot is a panel with its position and scales.
type plot struct {
	*Panel
	look     *looks
	column   int
	row      int
	x, y     scale
	yTicks   []Tick
	bottom   bool // labels of the X axis are below it
	yLabels  bool // labels of the Y axis are next to it
	names    bool // names are next to its lines
	area     area
	xLabel   float64 // baseline of the label of the X axis; 0: none
	yLabel   float64 // baseline of the label of the Y axis, which is turned; 0: none
	room     float64 // to the right of the panel, before the next
	rowNames float64 // width of the names of rows, to the left
	reach    float64 // the space to the left for its turned names
	from     float64 // the ends of the space for numbers below it
	to       float64

	crowded bool // a name has no free position
}

func (p *plot) place(x, y float64) point { return point{p.x.at(x), p.y.at(y)} }

// runs returns the parts of a line without gaps.
func (p *plot) runs(l *Line) [][]Point {
	var out [][]Point
	var run []Point
	for _, q := range l.Points {
		if at := p.place(q.X, q.Y); !finite(at.x) || !finite(at.y) {
			if len(run) > 0 {
				out = append(out, run)
			}
			run = nil
			continue
		}
		run = append(run, q)
	}
	if len(run) > 0 {
		out = append(out, run)
	}
	return out
}

// A legend holds the names of series above the panels, or the scale of a heat map.
type legend struct {
	items  []item
	ramp   bool
	height float64
}

// An item is a name with a sample of its look.
type item struct {
	at   point // left end of the sample, on its middle
	text string
	look look
	kind kind
	none bool // it has no sample
}
