package report

import "verbatim/internal/stats"

// A Rate is a share of the answered items with its Wilson interval, and next to
// it the share of all that were planned.
type Rate struct {
	N         int64    `json:"n"`          // that have it
	Of        int64    `json:"of"`         // answered
	Items     int64    `json:"items"`      // answered at least once; fewer than Of where items are asked several times
	Share     *float64 `json:"share"`      // nil when nothing was answered
	Low       *float64 `json:"low"`        // lower end of the interval, by item
	High      *float64 `json:"high"`       // upper end
	OfPlanned *float64 `json:"of_planned"` // nil where Line.Planned is
}

// Repeated reports whether items were asked several times.
func (r *Rate) Repeated() bool { return r.Items > 0 && r.Items < r.Of }

const confidence = 0.95

// NewRate returns the share of n among so many independent answers.
func NewRate(n, of int64, planned *int64) Rate {
	r := Rate{N: n, Of: of, Items: of}
	if of > 0 {
		share := float64(n) / float64(of)
		low, high := stats.Wilson(int(n), int(of), confidence)
		r.Share, r.Low, r.High = &share, &low, &high
	}
	if planned != nil && *planned > 0 {
		share := float64(n) / float64(*planned)
		r.OfPlanned = &share
	}
	return r
}
