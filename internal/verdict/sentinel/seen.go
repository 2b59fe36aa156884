package sentinel

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"verbatim/internal/draw"
	"verbatim/internal/stats/change"
)

// A Seen says how fast a watch sees a change: after Median days half of the watches have an alarm,
// and after Most days four of five. 0 is the day of the change; nil: not within the horizon.
type Seen struct {
	Rate   float64 `json:"rate"` // of deviations after the change
	Median *int    `json:"median_days"`
	Most   *int    `json:"most_days"`
	Share  float64 `json:"share"` // of the watches that have an alarm at all
}

// A Model is what the speed of a watch depends on.
type Model struct {
	Alpha, Tolerance float64
	Horizon          int     // days
	Before           float64 // rate of deviations before the change
	Day              int     // days before the change
}

// SeenRates are the rates of deviations for which the speed of a watch is stated.
func SeenRates() []float64 { return []float64{.10, .15, .25, .36, .60, 1} }

// Seen simulates watches with the recursion of Watch and the calls of Today. The random numbers
// follow from the arguments.
func (m Model) Seen(rate float64, watches int) Seen {
	r := draw.Rand("sentinel-seen", 1, fmt.Sprintf("%v/%v", m, rate), 0, 0)
	var days []int
	for range watches {
		if day, ok := m.alarm(rate, r); ok {
			days = append(days, day)
		}
	}
	slices.Sort(days)
	at := func(share float64) *int {
		if k := int(share * float64(watches)); k < len(days) {
			return &days[k]
		}
		return nil
	}
	return Seen{rate, at(.5), at(.8), float64(len(days)) / float64(watches)}
}

// Alarm simulates a watch, and returns the number of days from the change to the alarm; false if there
// is no alarm, or one before the change.
func (m Model) alarm(rate float64, r *rand.Rand) (days int, ok bool) {
	w, err := change.NewWatch(m.Tolerance, m.Horizon)
	if err != nil {
		return 0, false
	}
	for day := range m.Horizon {
		if w.NextDay() != nil {
			return 0, false
		}
		p := rate
		if day < m.Day {
			p = m.Before
		}
		for n := 0; n < Usual || n < most && w.Value() > burst; n++ {
			w.Add(r.Float64() < p)
			if w.Value() >= 1/m.Alpha {
				return day - m.Day, day >= m.Day
			}
		}
	}
	return 0, false
}
