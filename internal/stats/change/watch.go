package change

import (
	"fmt"
	"math"
	"slices"
)

// A Watch is the e-process of an endpoint that is watched for a fixed number of days, the
// horizon. The null hypothesis is that on every day each trial differs with probability u
// at most, whatever the trials before it were. The watch is a mixture over the day on
// which the endpoint may have changed. So the probability of any alarm within the horizon
// is at most alpha, if an alarm is a value of 1/alpha or more.
//
// Without the division by the horizon this is the Shiryaev–Roberts e-detector, which
// bounds only the mean time to an alarm (Shin, Ramdas, Rinaldo 2024, E-detectors).
type Watch struct {
	u       float64
	horizon int // in days
	day     int // days begun
	stakes  [len(stakeShares)]float64
}

// NewWatch returns a watch of value 1 for a share u between 0 and 1, both excluded, and a
// horizon of at least one day.
func NewWatch(u float64, days int) (*Watch, error) {
	if _, err := NewShare(u); err != nil {
		return nil, err
	}
	if days < 1 {
		return nil, fmt.Errorf("change: a watch takes at least one day, got %d", days)
	}
	return &Watch{u: u, horizon: days}, nil
}

// NextDay begins a day: one part of the value is bet on a change from this day on. It is
// called before the first trial of each day. After the last day of the horizon it is an
// error: no bound holds for a longer watch.
func (w *Watch) NextDay() error {
	if w.day == w.horizon {
		return fmt.Errorf("change: the watch of %d days has ended", w.horizon)
	}
	w.day++
	for k := range w.stakes {
		w.stakes[k]++
	}
	return nil
}

// Day returns the number of days begun.
func (w *Watch) Day() int { return w.day }

// Add settles the bets on one trial of the current day.
func (w *Watch) Add(differs bool) { settle(&w.stakes, w.u, differs) }

// Value returns the e-process after the last trial, 1 before the first day.
func (w *Watch) Value() float64 {
	h := float64(w.horizon)
	return mean(w.stakes)/h + (h-float64(w.day))/h
}

// A WatchState is a Watch without its share and horizon, for saving it.
type WatchState struct {
	Day    int       `json:"day"`    // days begun
	Stakes []float64 `json:"stakes"` // the wealth of each bet
}

// State returns a copy of the state, with which Restore continues.
func (w *Watch) State() WatchState { return WatchState{w.day, slices.Clone(w.stakes[:])} }

// Restore continues a watch with the same share and horizon from its state. A state that no watch
// can have is an error, and changes nothing.
func (w *Watch) Restore(s WatchState) error {
	if len(s.Stakes) != len(w.stakes) || s.Day < 0 || s.Day > w.horizon {
		return fmt.Errorf("change: no watch of %d days has %d stakes on day %d", w.horizon, len(s.Stakes), s.Day)
	}
	for _, x := range s.Stakes {
		if !(x >= 0) || math.IsInf(x, 1) {
			return fmt.Errorf("change: no watch has a stake of %v", x)
		}
	}
	w.day = s.Day
	copy(w.stakes[:], s.Stakes)
	return nil
}
