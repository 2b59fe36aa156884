package report

import "verbatim/internal/stats"

// A Rate is the share of answers with a property, such as exact, with its interval. OfPlanned is
// the share of the planned requests.
type Rate struct {
	N         int64    `json:"n"`          // answers with the property
	Of        int64    `json:"of"`         // answers
	Items     int64    `json:"items"`      // items with an answer; fewer than Of if items have several trials
	Share     *float64 `json:"share"`      // N / Of; nil without answers
	Low       *float64 `json:"low"`        // lower end of the 95 % interval, by item
	High      *float64 `json:"high"`       // upper end
	OfPlanned *float64 `json:"of_planned"` // nil if Line.Planned is nil or 0
}

// Repeated reports whether items have several answers.
func (r *Rate) Repeated() bool { return r.Items > 0 && r.Items < r.Of }

// confidence is that of all intervals.
const confidence = 0.95

// NewRate returns the rate of n of so many independent answers, with Wilson's interval. planned may
// be nil.
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
