package page

import (
	"math"
	"strconv"

	"verbatim/internal/chart"
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
	Left        string // where names and intervals begin, behind the ranks
	Axis, TickY string
	FrameX      string // of strips whose cells have no frames of their own; otherwise empty
	FrameW      string
	Ticks       []tick
	Last        string // rank
	Rows        []rankRow
	Ranks       []string
}

// A rankRow is a run.
type rankRow struct {
	Name, Full, Rank  string
	Ink               ink
	Mean, Range       string
	NameY, Y, RuleY   string
	Low, High, At     string
	CapTop, CapBottom string
	Mark              string
	Strip             []stripCell
	StripY, StripH    string
	Tied              string
}

// A stripCell is the probability of a rank, as one of six shades. One that is not Drawn is
// nearly 0, in a strip whose cells are too thin for frames.
type stripCell struct {
	X, Width, Class, Text string
	Drawn                 bool
}

const (
	rankHeight = 44.0
	rankTop    = 22.0
	rankLeft   = 40.0 // where names begin, and with ranks of two digits:
	rankFar    = 54.0
	rankMiddle = 236.0 // the end of the intervals; the numbers follow
	mostStrip  = 132.0 // width of the strips
	mostFrames = 16    // ranks whose cells have frames
)

// rankBars returns the leaderboard; no rows without one.
func rankBars(r *report.Report) rankChart {
	c := rankChart{ID: "ranks"}
	board := r.Leaderboard
	if board == nil || len(board.Places) == 0 {
		return c
	}
	rows := seriesOf(r).Ranks(board)
	x := scale{from: rows[0].Low, to: rows[0].High, low: rankLeft, high: rankMiddle}
	for _, row := range rows {
		x.from, x.to = min(x.from, row.Low), max(x.to, row.High)
	}
	n := len(rows)
	if n > 9 {
		x.low = rankFar
	}
	c.Left = pixel(x.low)
	if n > mostFrames {
		c.FrameX, c.FrameW = pixel(drawingWidth-mostStrip), pixel(mostStrip)
	}
	width := min(mostStrip/float64(n), 16)
	c.Last = strconv.Itoa(n)
	for i := range rows {
		c.Rows = append(c.Rows, newRankRow(rows, i, x, rankTop+rankHeight*float64(i), width))
		c.Ranks = append(c.Ranks, strconv.Itoa(i+1))
	}
	bottom := rankTop + rankHeight*float64(n)
	c.Axis, c.TickY, c.Height = pixel(bottom), pixel(bottom+15), pixel(bottom+20)
	c.ticks(x)
	best := &c.Rows[0]
	c.Metric = "mean " + metricName(board)
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

func newRankRow(rows []chart.Row, i int, x scale, top, width float64) rankRow {
	p := rows[i].Place
	k, y := inkOf(rows[i].Run), top+29
	row := rankRow{
		Name: terminal.Truncate(rows[i].Label, 24), Full: terminal.Truncate(rows[i].Label, 60), Rank: chart.RankText(p), Ink: k,
		Mean: number.Fixed(p.Mean, 3), Range: number.Fixed(p.Low, 3) + "–" + number.Fixed(p.High, 3),
		NameY: pixel(top + 14), Y: pixel(y), RuleY: pixel(top),
		Low: pixel(x.at(p.Low)), High: pixel(x.at(p.High)), At: pixel(x.at(p.Mean)), CapTop: pixel(y - 3.5), CapBottom: pixel(y + 3.5),
		Mark: k.mark(dot{x.at(p.Mean), y}, 4), StripY: pixel(top + 5), StripH: "11",
	}
	first := drawingWidth - width*float64(len(rows))
	for rank, chance := range p.RankProbabilities {
		cell := stripCell{pixel(first + width*float64(rank)), pixel(max(width-1, 0.5)), chanceClass(chance), number.Probability(chance), true}
		if len(p.RankProbabilities) > mostFrames {
			cell.Width, cell.Drawn = pixel(width), cell.Class != chanceClass(0)
		}
		row.Strip = append(row.Strip, cell)
	}
	for _, t := range p.Indistinguishable {
		if t < 0 || t >= len(rows) {
			continue
		}
		if row.Tied != "" {
			row.Tied += ", "
		}
		row.Tied += terminal.Truncate(rows[t].Label, 60)
	}
	return row
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
