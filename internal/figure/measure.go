package figure

import (
	"math"
	"strconv"

	"verbatim/internal/number"
	"verbatim/internal/report"
)

// A Measure is a value of a line of the tables, with its interval if it has one.
type Measure struct {
	Name    string // the heading of a panel
	What    string // the values in a sentence
	Percent bool   // it is a share and printed in per cent
	Axis    Axis
	rate    func(l *report.Line) report.Rate
	text    func(l *report.Line) string
}

// Exact is the share of exact answers.
func Exact() Measure {
	return chartShare("exact", "exactly right answers", "exact share", func(l *report.Line) report.Rate { return l.Exact })
}

// Extracted is the share of answers whose extracted answer is right.
func Extracted() Measure {
	return chartShare("extracted", "answers whose extracted answer is right", "extracted share", func(l *report.Line) report.Rate { return l.Extracted })
}

func chartShare(name, what, label string, rate func(l *report.Line) report.Rate) Measure {
	return Measure{Name: name, What: what, Percent: true, Axis: Axis{Label: label, Max: 1}, rate: rate,
		text: func(l *report.Line) string {
			v := rate(l)
			if v.Share == nil {
				return number.Percent(nil)
			}
			return number.Percent(v.Share) + " (" + number.PercentRange(v.Low, v.High, 0) + ")"
		}}
}

// Score is the mean score, under a name.
func Score(name string) Measure {
	return Measure{Name: name, What: "mean score", Axis: Axis{Label: "mean score", Max: 1},
		rate: func(l *report.Line) report.Rate { return report.Rate{Of: l.Score.N, Share: l.Score.Value} },
		text: func(l *report.Line) string { return number.Score(l.Score.Value) }}
}

// Time is the median time of a complete reply.
func Time() Measure {
	return seconds("seconds", func(l *report.Line) *float64 { return l.Seconds.Median })
}

// FirstToken is the median time to the first token.
func FirstToken() Measure {
	return seconds("seconds to the first token", func(l *report.Line) *float64 { return l.FirstToken.Median })
}

func seconds(label string, median func(l *report.Line) *float64) Measure {
	return Measure{Name: label, What: label, Axis: Axis{Label: label, Log2: true, Ticks: Decades()},
		rate: func(l *report.Line) report.Rate { return report.Rate{Share: median(l)} },
		text: func(l *report.Line) string { return number.Seconds(median(l)) }}
}

// Decades returns ticks at the powers of ten from 0.0001 to 100,000, and at twice and five times each.
func Decades() []Tick {
	var ticks []Tick
	for power := -4; power <= 5; power++ {
		for _, m := range []float64{1, 2, 5} {
			v := m * math.Pow(10, float64(power))
			ticks = append(ticks, Tick{At: v, Label: strconv.FormatFloat(v, 'f', max(0, -power), 64)})
		}
	}
	return ticks
}

// Point returns the value of a line, at the middle of its lengths.
func (m Measure) Point(l *report.Line) Point {
	r := m.rate(l)
	p := Point{X: Length{Span: l.Lengths}.Middle(), Y: math.NaN(), N: r.Of, Label: l.Length, Text: m.text(l)}
	if r.Share != nil {
		p.Y = *r.Share
	}
	p.Low, p.High = p.Y, p.Y
	if r.Low != nil && r.High != nil {
		p.Low, p.High = *r.Low, *r.High
	}
	return p
}

// Known reports whether the point has a value.
func (p Point) Known() bool { return !math.IsNaN(p.Y) }
