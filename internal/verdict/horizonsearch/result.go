package horizonsearch

import (
	"errors"
	"maps"
	"slices"

	"verbatim"
	"verbatim/internal/stats/horizon"
)

// An End is why a search for a limit asks no more. The set is closed.
type StopReason string

// The ends. An empty End is that of a search that would go on.
const (
	Narrow     StopReason = "narrow"  // the interval is as narrow as was wanted
	ItemsUsed  StopReason = "items"   // as many items as were allowed have been asked
	AboveRange StopReason = "longer"  // the limit lies beyond the longest length that may be asked
	BelowRange StopReason = "shorter" // it lies before the shortest one
)

// A FoundLimit is up to which length a run's answers are right, as a search found.
type Horizon struct {
	// Text is the limit as a reader should see it: "23", "> 256", "< 2".
	Text string `json:"text"`
	// L50 is the length at which half of the answers are right: the median of its
	// posterior, nil where it is more likely than not beyond the lengths asked. Low
	// and High are the ends of the 95 % interval; one that is beyond the lengths
	// asked rests on the form of the curve and not on answers.
	L50  *float64 `json:"l50"`
	Low  float64  `json:"low"`
	High float64  `json:"high"`
	// Above and Below are how probable it is that the limit is beyond the longest,
	// or before the shortest, of the lengths that were searched.
	Above    float64 `json:"p_above"`
	Below    float64 `json:"p_below"`
	Shortest int     `json:"shortest"`
	Longest  int     `json:"longest"`
	// Answered and Unanswered count the items that were asked.
	Answered   int64         `json:"answered"`
	Unanswered int64         `json:"unanswered"`
	Lengths    []LengthShare `json:"lengths"` // rising
}

// A LengthShare is how often the answers of one length were right, and how often
// the curve that was fitted to all of them says they are.
type LengthShare struct {
	Length int     `json:"length"`
	Right  int64   `json:"right"`
	Of     int64   `json:"of"`
	Share  float64 `json:"share"` // of the curve
	Low    float64 `json:"low"`   // its pointwise 95 % band
	High   float64 `json:"high"`
}

// LimitOf finds the limit of a run from its records; right judges an answer.
// Lengths are those that were searched: the curve has a point at each, and at those
// of the records. It is an error if nothing was answered.
func HorizonOf(lengths []int, records []verbatim.Record, right func(*verbatim.Record) bool) (*Horizon, error) {
	fit, err := fitRecords(lengths, records, right)
	if err != nil {
		return nil, err
	}
	counts := map[int]*LengthShare{}
	for _, n := range lengths {
		counts[n] = &LengthShare{Length: n}
	}
	var l Horizon
	for i := range records {
		if !records[i].Outcome.Answered() {
			l.Unanswered++
			continue
		}
		n, err := lengthOf(&records[i])
		if err != nil {
			return nil, err
		}
		if counts[n] == nil {
			counts[n] = &LengthShare{Length: n}
		}
		l.Answered++
		counts[n].Of++
		if right(&records[i]) {
			counts[n].Right++
		}
	}
	if l.Answered == 0 {
		return nil, errors.New("there is no limit to find: nothing was answered")
	}
	for _, n := range slices.Sorted(maps.Keys(counts)) {
		c := counts[n]
		share, band, err := fit.Curve(n)
		if err != nil {
			return nil, err
		}
		c.Share, c.Low, c.High = share, band.Low, band.High
		l.Lengths = append(l.Lengths, *c)
	}
	l.estimate(fit.Estimate())
	return &l, nil
}

// estimate takes over what the posterior says.
func (l *Horizon) estimate(e horizon.Estimate) {
	l.Text, l.Low, l.High = e.String(), e.Interval.Low, e.Interval.High
	l.Above, l.Below, l.Shortest, l.Longest = e.Above, e.Below, e.Shortest, e.Longest
	if e.Above <= 0.5 && e.Below <= 0.5 {
		l.L50 = &e.L50
	}
}
