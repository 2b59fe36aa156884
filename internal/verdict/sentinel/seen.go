package sentinel

import (
	"fmt"
	"slices"

	"verbatim/internal/draw"
	"verbatim/internal/stats/change"
)

// A Seen says how fast a watch sees a change: after Median days half of the watches have an alarm,
// and after Most days four of five. 0 is the day of the change; nil: not within its days.
type Seen struct {
	Rate   float64 `json:"rate"` // of deviations after the change
	Median *int    `json:"median_days"`
	Most   *int    `json:"most_days"`
	Year   float64 `json:"share"` // of the watches that have an alarm at all
}

// A Model of a watch is what its speed depends on.
type Model struct {
	Alpha, Tolerance float64
	Horizon          int     // days
	Before           float64 // rate of deviations before the change
	Day              int     // days before the change
}

// SeenRates are the rates of deviations that a table of speed has.
func SeenRates() []float64 { return []float64{.10, .15, .25, .36, .60, 1} }

// Seen simulates watches with the recursion of Watch and the calls of Today. The random numbers
// follow from the arguments.
func (m Model) Seen(rate float64, watches int) Seen {
	r := draw.Rand("sentinel-seen", 1, fmt.Sprintf("%v/%v", m, rate), 0, 0)
	never := m.Horizon + 1
	var days []int
	alarms := 0
	for range watches {
		day := m.one(rate, r.Float64)
		if day < 0 {
			day = never
		} else {
			alarms++
		}
		days = append(days, day)
	}
	slices.Sort(days)
	at := func(share float64) *int {
		if d := days[int(share*float64(len(days)))]; d != never {
			return &d
		}
		return nil
	}
	return Seen{rate, at(.5), at(.8), float64(alarms) / float64(watches)}
}

// one simulates a watch, and returns the days from the change to the alarm; negative without an
// alarm, or with one before the change.
func (m Model) one(rate float64, uniform func() float64) int {
	w, err := change.NewWatch(m.Tolerance, m.Horizon)
	if err != nil {
		return -1
	}
	for day := range m.Horizon {
		if w.NextDay() != nil {
			return -1
		}
		p := rate
		if day < m.Day {
			p = m.Before
		}
		for n := 0; n < Usual || n < most && w.Value() > burst; n++ {
			w.Add(uniform() < p)
			if w.Value() >= 1/m.Alpha {
				return day - m.Day
			}
		}
	}
	return -1
}
