package horizonsearch

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"

	"verbatim"
	"verbatim/internal/stats/horizon"
)

// A Search is the verbatim.Source that finds the horizon of a model. It sends items at the
// length nearest to a draw from the posterior of the horizon, see horizon.Posterior.Target
// (Thompson 1933, Biometrika 25:285–294). For psychometric functions, Watson and Pelli 1983
// (Perception & Psychophysics 33:113–120) take the mode of the posterior. The likelihood does
// not depend on how the lengths were chosen, so the estimate needs no correction.
//
// The items depend only on the saved records, the number of requests so far and Seed. With
// one request at a time, an interrupted search that is continued sends the same items.
type Search struct {
	Config
	posterior  *horizon.Posterior
	cached     *horizon.Estimate // of posterior; nil if it must be computed
	sent       map[int64]bool    // positions sent by this command or an earlier one
	next       map[int]int       // by length, the index of the first position that may be free
	counts     map[int]*count    // by length
	unanswered []int64           // positions that an earlier command sent without an answer
	inFlight   int
	answered   int

	mu       sync.Mutex
	progress Progress
}

// A count is the number of requests sent at a length, and of right and wrong answers.
type count struct{ sent, right, wrong int }

// A Progress is the state of a running search.
type Progress struct {
	Sent, Allowed int
	Horizon       horizon.Estimate
	Known         bool // Horizon is based on answers
}

// Progress returns the state of the search. It may be called at any time.
func (s *Search) Progress() Progress {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.progress
}

// estimate is the horizon from the records so far.
func (s *Search) estimate() horizon.Estimate {
	if s.cached == nil {
		s.cached = new(s.posterior.Estimate())
	}
	return *s.cached
}

// updateProgress stores the state for Progress.
func (s *Search) updateProgress() {
	now := Progress{Sent: len(s.sent), Allowed: s.Items, Known: s.answered >= spreadRequests}
	if now.Known {
		now.Horizon = s.estimate()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.progress = now
}

// A Config is the settings of a search.
type Config struct {
	Lengths []int // lengths of the items that may be sent, in rising order; at least two
	// Positions lists the positions of each length in planned order. Request makes the
	// request of a position.
	Positions map[int][]int64
	Request   func(position int64) (verbatim.Request, error)
	// Right judges an answer.
	Right func(*verbatim.Record) bool
	// Items is the maximum number of positions, those of earlier commands included.
	Items int
	// Width is the width of the 95 % interval at which the search ends, in doublings of
	// length; 0 never ends it.
	Width float64
	// MaxInFlight is the maximum number of requests in flight.
	MaxInFlight int
	Seed        uint64
}

// spreadRequests is the number of first requests. They are spread evenly over the lengths,
// since the posterior is hardly more than its prior then.
const spreadRequests = 5

// minAnswers is the number of answers that a search needs to end early. It ends if the
// probability of a horizon outside the range of lengths is above beyondProbability.
const (
	minAnswers        = 20
	beyondProbability = 0.95
)

// New starts a search from the records that earlier commands saved.
func New(c Config, saved []verbatim.Record) (*Search, error) {
	if len(c.Lengths) < 2 || !slices.IsSorted(c.Lengths) {
		return nil, fmt.Errorf("a search needs at least two lengths in rising order, got %v", c.Lengths)
	}
	fit, err := fitRecords(c.Lengths, saved, c.Right)
	if err != nil {
		return nil, err
	}
	c.MaxInFlight = max(c.MaxInFlight, 1)
	s := &Search{Config: c, posterior: fit, sent: map[int64]bool{}, next: map[int]int{}, counts: map[int]*count{}}
	for i := range saved {
		s.sent[saved[i].Seq] = true
		if n, err := lengthOf(&saved[i]); err == nil {
			s.at(n).sent++
		}
		if saved[i].Outcome.Answered() {
			s.count(&saved[i])
		} else {
			s.unanswered = append(s.unanswered, saved[i].Seq)
		}
	}
	return s, nil
}

// at returns the count of a length.
func (s *Search) at(length int) *count {
	if s.counts[length] == nil {
		s.counts[length] = new(count)
	}
	return s.counts[length]
}

// count counts an answer.
func (s *Search) count(rec *verbatim.Record) {
	s.answered++
	if n, err := lengthOf(rec); err == nil && s.Right(rec) {
		s.at(n).right++
	} else if err == nil {
		s.at(n).wrong++
	}
}

// fitRecords returns the posterior of the horizon from the answered records. Its range is
// that of the lengths, extended to the lengths of the records.
func fitRecords(lengths []int, records []verbatim.Record, right func(*verbatim.Record) bool) (*horizon.Posterior, error) {
	shortest, longest := lengths[0], lengths[len(lengths)-1]
	for i := range records {
		if records[i].Outcome.Answered() {
			n, err := lengthOf(&records[i])
			if err != nil {
				return nil, err
			}
			shortest, longest = min(shortest, n), max(longest, n)
		}
	}
	fit, err := horizon.NewPosterior(shortest, longest)
	if err != nil {
		return nil, err
	}
	for i := range records {
		if err := addTo(fit, &records[i], right); err != nil {
			return nil, err
		}
	}
	return fit, nil
}

// addTo adds a record to a posterior, if it is answered.
func addTo(fit *horizon.Posterior, rec *verbatim.Record, right func(*verbatim.Record) bool) error {
	if !rec.Outcome.Answered() {
		return nil
	}
	length, err := lengthOf(rec)
	if err != nil {
		return err
	}
	return fit.Add(length, right(rec))
}

// lengthOf returns the length of the item of a record.
func lengthOf(rec *verbatim.Record) (int, error) {
	n, err := strconv.Atoi(rec.Item.Facts[verbatim.FactLength])
	if err != nil || n < 1 {
		return 0, fmt.Errorf("item %q has no length", rec.Item.ID)
	}
	return n, nil
}

// Next implements verbatim.Source.
func (s *Search) Next(done []verbatim.Record) ([]verbatim.Request, error) {
	for i := range done {
		s.inFlight--
		s.cached = nil
		if err := addTo(s.posterior, &done[i], s.Right); err != nil {
			return nil, err
		}
		if done[i].Outcome.Answered() {
			s.count(&done[i])
		}
	}
	s.updateProgress()
	if s.inFlight >= s.MaxInFlight {
		return []verbatim.Request{}, nil
	}
	position, ok := s.nextPosition()
	switch {
	case !ok && s.inFlight > 0:
		// Answers in flight may widen the interval again. The next call decides.
		return []verbatim.Request{}, nil
	case !ok:
		return nil, nil
	}
	r, err := s.Request(position)
	if err != nil {
		return nil, err
	}
	s.inFlight++
	return []verbatim.Request{r}, nil
}

// nextPosition chooses the next position; false at the end of the search.
func (s *Search) nextPosition() (int64, bool) {
	if len(s.unanswered) > 0 {
		position := s.unanswered[0]
		s.unanswered = s.unanswered[1:]
		return position, true
	}
	if s.StopReason() != "" {
		return 0, false
	}
	if open := s.unprobed(); len(open) > 0 && (s.settled() != "" || s.Items-len(s.sent) <= probeAtLeast*len(open)) {
		return s.takePosition(log2(open[0]))
	}
	return s.takePosition(s.targetLength())
}

// Before a search ends, it probes every length below the horizon, because the fitted curve cannot show
// a hole in which no item was sent. A length is probed with a lead of probeAtLeast right answers, or
// after probeAtMost items.
const (
	probeAtLeast = 2
	probeAtMost  = 6
)

// unprobed lists the lengths below the horizon that are not probed yet, if their answers in flight
// are right.
func (s *Search) unprobed() (lengths []int) {
	if s.answered < spreadRequests {
		return nil
	}
	below := s.estimate().L50
	for _, n := range s.Lengths {
		if c := s.at(n); float64(n) < below && c.sent < probeAtMost && c.sent-2*c.wrong < probeAtLeast {
			lengths = append(lengths, n)
		}
	}
	return lengths
}

// targetLength is the most informative length, as a logarithm.
func (s *Search) targetLength() float64 {
	k := len(s.sent)
	low, high := log2(s.Lengths[0]), log2(s.Lengths[len(s.Lengths)-1])
	if k < spreadRequests {
		// From the middle outwards.
		return low + (high-low)*[spreadRequests]float64{0.5, 0.25, 0.75, 0, 1}[k]
	}
	r := rand.New(rand.NewPCG(s.Seed, uint64(k)))
	return math.Log2(s.posterior.Target(r.Float64(), r.Float64()))
}

// takePosition takes the first free position at the length whose logarithm is nearest to the
// target; false if no position is free.
func (s *Search) takePosition(target float64) (int64, bool) {
	lengths := slices.Clone(s.Lengths)
	slices.SortStableFunc(lengths, func(a, b int) int {
		return cmp.Compare(math.Abs(log2(a)-target), math.Abs(log2(b)-target))
	})
	for _, n := range lengths {
		positions := s.Positions[n]
		for s.next[n] < len(positions) {
			position := positions[s.next[n]]
			s.next[n]++
			if !s.sent[position] {
				s.sent[position] = true
				s.at(n).sent++
				return position, true
			}
		}
	}
	return 0, false
}

func log2(n int) float64 { return math.Log2(float64(n)) }

// StopReason says why no more items are sent; it is empty while the search goes on. Positions
// that have no answer from an earlier command are sent again in spite of a reason.
func (s *Search) StopReason() StopReason {
	reason, used := s.settled(), len(s.sent) >= s.Items
	switch {
	case reason == "" && used:
		return ItemsUsed
	case !used && len(s.unprobed()) > 0:
		return ""
	}
	return reason
}

// settled says why the posterior needs no more answers; it is empty if it does.
func (s *Search) settled() StopReason {
	if s.answered < minAnswers {
		return ""
	}
	l := s.estimate()
	switch {
	case l.Above > beyondProbability:
		return AboveRange
	case l.Never > beyondProbability, l.Below > beyondProbability && l.IsNever():
		return NeverHalf
	case l.Below > beyondProbability:
		return BelowRange
	case s.Width > 0 && l.Interval.Low > 0 && math.Log2(l.Interval.High/l.Interval.Low) <= s.Width:
		return Narrow
	}
	return ""
}

// Finished reports whether the search has ended.
func (s *Search) Finished() bool { return len(s.unanswered) == 0 && s.StopReason() != "" }
