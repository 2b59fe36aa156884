package verdicts

import (
	"fmt"
	"io"
	"math"
	"time"

	"verbatim/internal/chart"
	"verbatim/internal/figure"
	"verbatim/internal/number"
	"verbatim/internal/report/result"
	"verbatim/internal/table"
	"verbatim/internal/terminal"
)

// watchPicture draws the history of a watch: the capital by day with the line of the alarm, and the
// calls of each day.
func watchPicture(w *result.Watched) table.Picture {
	return table.Picture{Draw: func(to io.Writer) error { return watchFigure(w).SVG(to) }}
}

func watchFigure(w *result.Watched) *figure.Figure {
	days := dayNumbers(w)
	last := 1.0
	if n := len(days); n > 0 {
		last = max(last, days[n-1])
	}
	x := chart.Axis{Label: "date", Min: 0, Max: last, Ticks: dateTicks(w, days)}
	return &figure.Figure{
		Title: "Watch of " + terminal.Visible(w.Model), Text: WatchLine(w), Columns: 1, Width: 100, Height: 105, Legend: true,
		Panels: []chart.Panel{capitalPanel(w, days, x), callsPanel(w, days, x)},
	}
}

// dayNumbers returns the number of each day, counted from the first. Days without calls are gaps. A
// date that cannot be read counts as the day after the one before it.
func dayNumbers(w *result.Watched) []float64 {
	list := make([]float64, len(w.Days))
	var first time.Time
	for i, d := range w.Days {
		at, err := time.Parse(time.DateOnly, d.Date)
		switch {
		case i == 0 && err == nil:
			first = at
		case err == nil && !first.IsZero():
			list[i] = at.Sub(first).Hours() / 24
		case i > 0:
			list[i] = list[i-1] + 1
		}
	}
	return list
}

// dateTicks labels the first and the last day, and the one in the middle if there is room.
func dateTicks(w *result.Watched, days []float64) (ticks []chart.Tick) {
	for i, d := range w.Days {
		if i == 0 || i == len(days)-1 || i == len(days)/2 && len(days) > 4 {
			ticks = append(ticks, chart.Tick{At: days[i], Label: terminal.Visible(d.Date)})
		}
	}
	return ticks
}

// capitalPanel draws the capital by day on a logarithmic axis, and marks days with an event.
func capitalPanel(w *result.Watched, days []float64, x chart.Axis) chart.Panel {
	alarm := 1 / w.Alpha
	low, high := 0.5, 2*alarm
	capital, events := chart.Line{Name: "capital"}, chart.Line{Name: "day with an event"}
	for i, d := range w.Days {
		p := chart.Point{X: days[i], Y: d.Capital, Low: d.Capital, High: d.Capital}
		capital.Points = append(capital.Points, p)
		if d.Capital > 0 {
			low, high = min(low, d.Capital/2), max(high, 2*d.Capital)
		}
		if d.Alarm != "" || d.Elsewhere > 0 || len(d.Served) > 0 {
			events.Points = append(events.Points, p, chart.Point{X: days[i], Y: math.NaN()})
		}
	}
	y := chart.Axis{Label: "capital", Log2: true, Min: low, Max: high}
	for e := math.Ceil(math.Log10(low)); e <= math.Log10(high); e++ {
		at := math.Pow(10, e)
		y.Ticks = append(y.Ticks, chart.Tick{At: at, Label: number.Plain(at)})
	}
	line := chart.Line{Name: fmt.Sprintf("alarm at %s", number.Plain(round3(alarm))), Points: []chart.Point{{X: 0, Y: alarm, Low: alarm, High: alarm}, {X: x.Max, Y: alarm, Low: alarm, High: alarm}}}
	p := chart.Panel{Title: "Capital of the test", X: x, Y: y, Lines: []chart.Line{capital, line}}
	if len(events.Points) > 0 {
		p.Lines = append(p.Lines, events)
	}
	return p
}

// callsPanel draws the numbers of calls by day.
func callsPanel(w *result.Watched, days []float64, x chart.Axis) chart.Panel {
	series := []struct {
		name string
		of   func(i int) int
	}{
		{"calls", func(i int) int { return w.Days[i].Calls }},
		{"deviate", func(i int) int { return w.Days[i].Deviations }},
		{"no reply, or not counted", func(i int) int { return w.Days[i].Missing + w.Days[i].Elsewhere }},
	}
	p := chart.Panel{Title: "Calls of each day", X: x, Y: chart.Axis{Label: "calls", Max: 12}}
	for _, s := range series {
		line := chart.Line{Name: s.name}
		for i := range w.Days {
			v := float64(s.of(i))
			line.Points = append(line.Points, chart.Point{X: days[i], Y: v, Low: v, High: v})
			p.Y.Max = max(p.Y.Max, v)
		}
		p.Lines = append(p.Lines, line)
	}
	return p
}
