package horizonsearch

import (
	"errors"
	"maps"
	"math"
	"slices"

	"verbatim"
	"verbatim/internal/stats/horizon"
)

// A StopReason says why a search sends no more items. The set is closed.
type StopReason string

// The reasons. The reason of a search that goes on is empty.
const (
	Narrow     StopReason = "narrow"  // the interval is narrow enough
	ItemsUsed  StopReason = "items"   // the maximum number of items is sent
	AboveRange StopReason = "longer"  // the horizon is above the longest length
	BelowRange StopReason = "shorter" // the horizon is below the shortest length
	NeverHalf  StopReason = "never"   // the share is above one half at no length
)

// A Horizon is the 50 % horizon that a search found.
type Horizon struct {
	// Text is the horizon for a reader: "23", "> 256", "< 2"; NeverText if the share of right
	// answers is probably above one half at no length.
	Text string `json:"text"`
	// L50 is the posterior median; nil if the horizon is probably outside the range of
	// lengths. Low and High are the ends of the 95 % interval. An end outside the range
	// depends on the form of the curve and not on answers. An end of 0 means that the share is
	// above one half at no length.
	L50  *float64 `json:"l50"`
	Low  float64  `json:"low"`
	High float64  `json:"high"`
	// Above and Below are the probabilities of a horizon above the longest and below the
	// shortest length. Never, a part of Below, is the probability that the share is above one
	// half at no length.
	Above    float64 `json:"p_above"`
	Below    float64 `json:"p_below"`
	Never    float64 `json:"p_never"`
	Shortest int     `json:"shortest"`
	Longest  int     `json:"longest"`
	// Answered and Unanswered are the numbers of items with and without an answer.
	Answered   int64 `json:"answered"`
	Unanswered int64 `json:"unanswered"`
	// Hole is nil if the answers agree with shares that do not rise with the length. With a hole
	// there is no single horizon: L50 is nil, Text is HoleText, and the curve does not fit.
	Hole    *Hole         `json:"hole"`
	Lengths []LengthShare `json:"lengths"` // in rising order
}

// NeverText is the text of a horizon that does not exist.
const NeverText = horizon.NeverText

// A LengthShare is the number of right answers at one length, with the fitted curve.
type LengthShare struct {
	Length int     `json:"length"`
	Right  int64   `json:"right"`
	Of     int64   `json:"of"`
	Share  float64 `json:"share"` // expected share, by the curve
	Low    float64 `json:"low"`   // pointwise 95 % band of Share
	High   float64 `json:"high"`
}

// HoleText is the text of a horizon whose shares have a hole.
const HoleText = "not monotone"

// A Hole is a range of lengths with at most half of the answers right, below longer lengths with more
// than half of them right.
type Hole struct {
	From    int   `json:"from"` // the lengths in the hole
	To      int   `json:"to"`
	Right   int64 `json:"right"`
	Of      int64 `json:"of"`
	Longest int   `json:"longest"` // right again from the next length up to this one
	// RightAgain of OfAgain answers are right from the next length up to Longest.
	RightAgain int64 `json:"right_again"`
	OfAgain    int64 `json:"of_again"`
}

// holeLevel is the largest p-value of a hole. The least of many p-values counts, and the lengths of
// items depend on answers; so the rate of false holes is measured: of searches of models whose share
// does not rise with the length, at most 1 % find one (TestHoles).
const holeLevel = 0.0003

// findHole returns the range of lengths and the longer one whose numbers of right answers differ most
// by Fisher's exact test (1935); nil if none is at holeLevel.
func findHole(lengths []LengthShare) (found *Hole) {
	least := holeLevel
	for i := range lengths {
		in := Hole{From: lengths[i].Length}
		for j := i; j < len(lengths); j++ {
			in.To, in.Right, in.Of = lengths[j].Length, in.Right+lengths[j].Right, in.Of+lengths[j].Of
			again := in
			for _, n := range lengths[j+1:] {
				again.Longest, again.RightAgain, again.OfAgain = n.Length, again.RightAgain+n.Right, again.OfAgain+n.Of
				if lengths[i].Of == 0 || lengths[j].Of == 0 || n.Of == 0 || 2*again.Right > again.Of || 2*again.RightAgain <= again.OfAgain {
					continue
				}
				if p := again.pValue(); p < least {
					least, found = p, new(again)
				}
			}
		}
	}
	return found
}

// pValue is the probability of at most as many right answers in the hole, given those in both ranges, if
// they are equally likely in both.
func (h *Hole) pValue() (p float64) {
	right, all := h.Right+h.RightAgain, h.Of+h.OfAgain
	for k := max(0, right-h.OfAgain); k <= h.Right; k++ {
		p += math.Exp(logChoose(h.Of, k) + logChoose(h.OfAgain, right-k) - logChoose(all, right))
	}
	return p
}

func logChoose(n, k int64) float64 {
	a, _ := math.Lgamma(float64(n + 1))
	b, _ := math.Lgamma(float64(k + 1))
	c, _ := math.Lgamma(float64(n - k + 1))
	return a - b - c
}

// HorizonOf estimates the horizon of a run from its records; right says whether an answer
// is right. The curve has a point at each of lengths, those of the search, and at each length
// of the records. Records without any answer give an error.
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
		return nil, errors.New("no answers: the horizon cannot be estimated")
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
	if l.Hole = findHole(l.Lengths); l.Hole != nil {
		l.Text, l.L50 = HoleText, nil
	}
	return &l, nil
}

// estimate sets the figures of an estimate.
func (l *Horizon) estimate(e horizon.Estimate) {
	l.Text, l.Low, l.High = e.String(), e.Interval.Low, e.Interval.High
	l.Above, l.Below, l.Never, l.Shortest, l.Longest = e.Above, e.Below, e.Never, e.Shortest, e.Longest
	if e.Above <= 0.5 && e.Below <= 0.5 {
		l.L50 = &e.L50
	}
}
