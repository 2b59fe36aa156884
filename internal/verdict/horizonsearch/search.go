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

// A Search is the Source that finds the length at which a model's answers stop
// being right. It asks next where it knows least: at the length nearest to a draw
// from the posterior of that length (Thompson 1933, Biometrika 25:285–294; for
// thresholds of psychometric functions Watson and Pelli 1983, Perception &
// Psychophysics 33:113–120, who take the mode instead). The likelihood does not
// care how the lengths were chosen, so that the estimate needs no correction for it.
//
// What it asks is a function of what is kept, of the number of requests before and
// of Seed. With one request at a time a search that was killed and continued
// therefore asks what it would have asked.
type Search struct {
	Config
	posterior  *horizon.Posterior
	cached     *horizon.Estimate // of fit; nil: to be computed
	sent       map[int64]bool    // places that have been asked, in this call or before
	next       map[int]int       // of each length, the index of its first place that may be free
	unanswered []int64           // places that were asked before and have no answer
	inFlight   int
	answered   int

	mu       sync.Mutex
	progress Progress
}

// A SearchStanding is how far a search is.
type Progress struct {
	Sent, Allowed int
	Horizon       horizon.Estimate
	Known         bool // there are answers for the limit to rest on
}

// Standing returns how far the search is. It may be called at any time.
func (s *Search) Progress() Progress {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.progress
}

// found is the limit by what is kept so far.
func (s *Search) estimate() horizon.Estimate {
	if s.cached == nil {
		l := s.posterior.Estimate()
		s.cached = &l
	}
	return *s.cached
}

// note keeps the standing for who watches.
func (s *Search) updateProgress() {
	now := Progress{Sent: len(s.sent), Allowed: s.Items, Known: s.answered >= spreadRequests}
	if now.Known {
		now.Horizon = s.estimate()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.progress = now
}

// A SearchConfig says what is searched, and how far.
type Config struct {
	Lengths []int // that may be asked, rising; two at least
	// Places lists the places of each length in planned order, and Request makes the
	// request of a place.
	Positions map[int][]int64
	Request   func(place int64) (verbatim.Request, error)
	// Right judges an answer.
	Right func(*verbatim.Record) bool
	// Items is how many places are asked at most, those of earlier calls included.
	Items int
	// Width ends the search when the 95 % interval is so narrow, in doublings of
	// length; 0 never does.
	Width float64
	// Ahead is how many places are asked before the first of them is answered.
	MaxInFlight int
	Seed        uint64
}

// laidOut is how many requests are laid out evenly over the lengths before any is
// drawn from the posterior: it would know nothing but its prior.
const spreadRequests = 5

// leastAnswers is how many answers a search wants before it ends early, and surely
// is how probable it must be that the limit lies beyond the lengths that may be
// asked.
const (
	minAnswers        = 20
	beyondProbability = 0.95
)

// NewSearch starts a search from what earlier calls have kept of it.
func New(c Config, kept []verbatim.Record) (*Search, error) {
	if len(c.Lengths) < 2 || !slices.IsSorted(c.Lengths) {
		return nil, fmt.Errorf("a search needs two lengths or more, the shortest first, not %v", c.Lengths)
	}
	fit, err := fitRecords(c.Lengths, kept, c.Right)
	if err != nil {
		return nil, err
	}
	c.MaxInFlight = max(c.MaxInFlight, 1)
	s := &Search{Config: c, posterior: fit, sent: map[int64]bool{}, next: map[int]int{}}
	for i := range kept {
		s.sent[kept[i].Seq] = true
		if kept[i].Outcome.Answered() {
			s.answered++
		} else {
			s.unanswered = append(s.unanswered, kept[i].Seq)
		}
	}
	return s, nil
}

// fitLimit returns the posterior of the limit given records, of which the answered
// ones count: from the shortest to the longest of the lengths, or of the records
// where those reach further.
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

// lengthOf returns the length of a record's item.
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
			s.answered++
		}
	}
	s.updateProgress()
	if s.inFlight >= s.MaxInFlight {
		return []verbatim.Request{}, nil
	}
	place, ok := s.nextPosition()
	switch {
	case !ok && s.inFlight > 0:
		// What is in flight may widen the interval again: the search ends by what is
		// kept in the end, as it is looked at by the next call.
		return []verbatim.Request{}, nil
	case !ok:
		return nil, nil
	}
	r, err := s.Request(place)
	if err != nil {
		return nil, err
	}
	s.inFlight++
	return []verbatim.Request{r}, nil
}

// place chooses the next place; false where the search is at its end.
func (s *Search) nextPosition() (int64, bool) {
	if len(s.unanswered) > 0 {
		place := s.unanswered[0]
		s.unanswered = s.unanswered[1:]
		return place, true
	}
	if s.StopReason() != "" {
		return 0, false
	}
	return s.takePosition(s.targetLength())
}

// wanted is the length that would tell most, as a logarithm.
func (s *Search) targetLength() float64 {
	k := len(s.sent)
	low, high := log2(s.Lengths[0]), log2(s.Lengths[len(s.Lengths)-1])
	if k < spreadRequests {
		// From the middle outwards: the first answers decide how far out to look.
		return low + (high-low)*[spreadRequests]float64{0.5, 0.25, 0.75, 0, 1}[k]
	}
	u := rand.New(rand.NewPCG(s.Seed, uint64(k))).Float64()
	return math.Log2(s.posterior.Draw(u))
}

// free takes the first free place of the length nearest to the wanted one that has
// any.
func (s *Search) takePosition(wanted float64) (int64, bool) {
	lengths := slices.Clone(s.Lengths)
	slices.SortStableFunc(lengths, func(a, b int) int {
		return cmp.Compare(math.Abs(log2(a)-wanted), math.Abs(log2(b)-wanted))
	})
	for _, n := range lengths {
		places := s.Positions[n]
		for s.next[n] < len(places) {
			place := places[s.next[n]]
			s.next[n]++
			if !s.sent[place] {
				s.sent[place] = true
				return place, true
			}
		}
	}
	return 0, false
}

func log2(n int) float64 { return math.Log2(float64(n)) }

// End says why no more is asked than what is kept; it is empty while more is. It
// does not wait for places without an answer, which are asked again first.
func (s *Search) StopReason() StopReason {
	if s.answered >= minAnswers {
		l := s.estimate()
		switch {
		case l.Above > beyondProbability:
			return AboveRange
		case l.Below > beyondProbability:
			return BelowRange
		case s.Width > 0 && math.Log2(l.Interval.High/l.Interval.Low) <= s.Width:
			return Narrow
		}
	}
	if len(s.sent) >= s.Items {
		return ItemsUsed
	}
	return ""
}

// Finished reports whether Next would ask nothing at all.
func (s *Search) Finished() bool { return len(s.unanswered) == 0 && s.StopReason() != "" }
