package page

import (
	"cmp"
	"math"
	"strconv"
	"strings"

	"verbatim/internal/figure"
	"verbatim/internal/number"
	"verbatim/internal/report"
	"verbatim/internal/terminal"
)

// A rankChart shows the leaderboard: mean scores with their intervals, rank intervals, and
// the probability of each rank.
type rankChart struct {
	ID, Text    string
	Metric      string // names the mean
	Height      string
	Left        string // where names and intervals begin, after the ranks
	Axis, TickY string
	FrameX      string // of strips whose cells have no frames of their own; otherwise empty
	FrameW      string
	Ticks       []tick
	Last        string // the last rank
	Rows        []rankRow
	Ranks       []string
}

// A rankRow is a run. Mark and Range are empty if it has no answer.
type rankRow struct {
	Name, Full, Rank  string
	Ink               ink
	Mean, Range       string
	NameY, Y, RuleY   string
	Low, High         string
	CapTop, CapBottom string
	Mark              string
	Strip             []stripCell
	StripY, StripH    string
	Tied              string
}

// A stripCell is the probability of a rank, as one of six shades. It is not Drawn if the run
// has no rank, or if it is nearly 0 in a strip whose cells are too thin for frames.
type stripCell struct {
	X, Width, Class, Text string
	Drawn                 bool
}

const (
	rankHeight = 44.0
	rankTop    = 22.0
	rankLeft   = 40.0  // where names begin if ranks have one digit
	rankFar    = 54.0  // where names begin if ranks have two digits
	rankMiddle = 236.0 // the end of the intervals; the numbers follow
	mostStrip  = 132.0 // the largest width of a strip
	mostFrames = 16    // the largest number of ranks whose cells have frames
)

// rankBars returns the chart of the leaderboard; without one it has no rows.
func rankBars(r *report.Report) rankChart {
	c := rankChart{ID: "ranks"}
	board := r.Leaderboard
	if board == nil || len(board.Places) == 0 {
		return c
	}
	rows := seriesOf(r).Ranks(board)
	x := scale{from: 1, to: 0, low: rankLeft, high: rankMiddle}
	for _, row := range rows {
		if !math.IsNaN(row.Value) {
			x.from, x.to = min(x.from, row.Low), max(x.to, row.High)
		}
		if row.Place.Rank > 0 {
			c.Ranks = append(c.Ranks, strconv.Itoa(len(c.Ranks)+1))
		}
	}
	ranks := len(c.Ranks)
	if ranks > 9 {
		x.low = rankFar
	}
	c.Left = pixel(x.low)
	if ranks > mostFrames {
		c.FrameX, c.FrameW = pixel(drawingWidth-mostStrip), pixel(mostStrip)
	}
	c.Last = strconv.Itoa(ranks)
	for i := range rows {
		c.Rows = append(c.Rows, newRankRow(rows, i, x, rankTop+rankHeight*float64(i), ranks))
	}
	bottom := rankTop + rankHeight*float64(len(rows))
	c.Axis, c.TickY, c.Height = pixel(bottom), pixel(bottom+15), pixel(bottom+20)
	c.ticks(x)
	best := &c.Rows[0]
	c.Metric = "mean " + string(name(cmp.Or(board.Metric, string(report.MetricScore))))
	c.Text = "Means with their intervals and the ranks that they may have. First is " + best.Full + " with " + best.Mean + " (" + best.Range + "), rank " + best.Rank + " of " + c.Last + "."
	return c
}

// ticks puts up to five round numbers on the axis.
func (c *rankChart) ticks(x scale) {
	step := 0.001
	for _, s := range []float64{0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5, 1} {
		if (x.to-x.from)/step <= 4 {
			break
		}
		step = s
	}
	decimals := 3
	for _, at := range []float64{0.01, 0.1} {
		if step >= at && step != 0.25 {
			decimals--
		}
	}
	for i := int(math.Ceil(x.from/step - 1e-9)); float64(i)*step <= x.to+1e-9 && len(c.Ticks) < 20; i++ {
		c.Ticks = append(c.Ticks, newTick(x.at(float64(i)*step), number.Fixed(float64(i)*step, decimals)))
	}
}

func newRankRow(rows []figure.Row, i int, x scale, top float64, ranks int) rankRow {
	p, value := rows[i].Place, rows[i].Value
	k, y := inkOf(rows[i].Run), top+29
	row := rankRow{
		Name: terminal.Truncate(rows[i].Label, 24), Full: terminal.Truncate(rows[i].Label, 60), Rank: figure.RankText(p), Ink: k, Mean: missing,
		NameY: pixel(top + 14), Y: pixel(y), RuleY: pixel(top), CapTop: pixel(y - 3.5), CapBottom: pixel(y + 3.5), StripY: pixel(top + 5), StripH: "11",
		Strip: strip(p.RankProbabilities, ranks),
	}
	if !math.IsNaN(value) {
		row.Mean, row.Range = number.Fixed(value, 3), number.Fixed(p.Low, 3)+"–"+number.Fixed(p.High, 3)
		row.Low, row.High, row.Mark = pixel(x.at(p.Low)), pixel(x.at(p.High)), k.mark(dot{x.at(value), y}, 4)
	}
	var tied []string
	for _, t := range p.Indistinguishable {
		if t >= 0 && t < len(rows) {
			tied = append(tied, terminal.Truncate(rows[t].Label, 60))
		}
	}
	row.Tied = strings.Join(tied, ", ")
	return row
}

// strip returns a cell for each rank. Without probabilities the run is not ranked.
func strip(probabilities []float64, ranks int) []stripCell {
	width := min(mostStrip/float64(ranks), 16)
	first := drawingWidth - width*float64(ranks)
	cells := make([]stripCell, ranks)
	for rank := range cells {
		if rank >= len(probabilities) {
			cells[rank].Text = missing
			continue
		}
		p := probabilities[rank]
		cell := stripCell{pixel(first + width*float64(rank)), pixel(max(width-1, 0.5)), chanceClass(p), number.Probability(p), true}
		if ranks > mostFrames {
			cell.Width, cell.Drawn = pixel(width), cell.Class != chanceClass(0)
		}
		cells[rank] = cell
	}
	return cells
}

// chanceClass returns the class of a probability, from c0 (nearly 0) to c5.
func chanceClass(p float64) string {
	switch {
	case p < 0.01:
		return "c0"
	case p < 0.1:
		return "c1"
	case p < 0.35:
		return "c2"
	case p < 0.65:
		return "c3"
	case p < 0.9:
		return "c4"
	}
	return "c5"
}
