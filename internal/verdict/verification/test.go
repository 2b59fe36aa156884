package verification

import (
	"fmt"
	"slices"
	"sync"

	"verbatim"
	"verbatim/internal/stats"
	"verbatim/internal/stats/change"
)

// A Config is the settings of a Test.
type Config struct {
	// Positions holds the positions of the plan by trial and prompt. Both trials have the same
	// number of prompts.
	Positions [2][]int64
	// Request makes the request of a position.
	Request func(position int64) (verbatim.Request, error)
	// Alpha is the maximum probability that any test of a command says Differ if the null
	// hypotheses of all probes are true, between 0 and 1. Tests is the number of tests; 0 is 1.
	Alpha float64
	Tests int
	// Share is the share of the prompts in the null hypothesis, between 0 and 1.
	Share float64
	// Logprobs is the result of the log probabilities, which are compared first; nil: they are
	// no probe of this test.
	Logprobs *LogprobResult
	// NoLogprobs says why the log probabilities are no probe; "" if the caller left them out.
	NoLogprobs string
	// Tools says that calls of a tool count among the exact answers, after the texts (AddTools).
	// NoTools says why they do not; "" if the caller left them out.
	Tools   bool
	NoTools string
	// MaxMissing is the share of the requests of a side that may have no reply.
	MaxMissing float64
	// All sends everything to the end, even after a probe has decided.
	All bool
	// Upstream says who served a reply: the replies of each upstream of an endpoint are compared
	// apart. Nil compares all replies together.
	Upstream Upstream
}

// A Test sends the same prompts to two sides until they differ or the prompts are used up.
// Source returns the requests of each side. The sources may be called from two goroutines.
type Test struct {
	Config

	mu      sync.Mutex
	prompts []prompt
	slots   map[int64]slot // by position
	order   []slot         // in which the requests are sent
	sides   [2]sideState
	outcome outcome

	tools *toolResult // nil: not compared yet
}

// A slot names one of the requests of a side.
type slot struct{ prompt, trial int }

// A sideState is what a Test knows of the requests to one endpoint.
type sideState struct {
	next     int // index into order
	inFlight int
	alone    bool // no other request may join the newest one
}

// New returns a Test that has sent nothing. The records of earlier calls are added with
// Resume.
func New(c Config) (*Test, error) {
	n := len(c.Positions[0])
	if n == 0 || len(c.Positions[1]) != n {
		return nil, fmt.Errorf("verification: %d and %d positions: two lists of equal length are needed", n, len(c.Positions[1]))
	}
	if !(c.Alpha > 0 && c.Alpha < 1) {
		return nil, fmt.Errorf("verification: alpha must be above 0 and below 1, got %v", c.Alpha)
	}
	if _, err := change.NewShare(c.Share); err != nil {
		return nil, err
	}
	c.Tests = max(1, c.Tests)
	t := &Test{Config: c, prompts: make([]prompt, n), slots: map[int64]slot{}}
	for first := 0; first < n; first += block {
		for trial := range trials {
			for k := first; k < min(first+block, n); k++ {
				s := slot{k, trial}
				t.order = append(t.order, s)
				t.slots[c.Positions[trial][k]] = s
			}
		}
	}
	t.outcome = t.decide()
	return t, nil
}

// Resume adds a saved record of a side, 0 or 1. Records without a reply are left out: their
// requests are sent again.
func (t *Test) Resume(side int, rec *verbatim.Record) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	r := newReply(rec, t.Upstream)
	if r.state == missing {
		return nil
	}
	if err := t.set(side, rec.Seq, r); err != nil {
		return err
	}
	t.outcome = t.decide()
	return nil
}

// set stores the reply at a position of the plan.
func (t *Test) set(side int, seq int64, r reply) error {
	s, ok := t.slots[seq]
	if !ok {
		return fmt.Errorf("verification: a record at position %d, which is not in the plan", seq)
	}
	t.prompts[s.prompt][side][s.trial] = r
	return nil
}

// Source returns the Source of a side, 0 or 1.
func (t *Test) Source(side int) verbatim.Source { return &source{t, side} }

type source struct {
	test *Test
	side int
}

// Next implements verbatim.Source.
func (s *source) Next(done []verbatim.Record) ([]verbatim.Request, error) {
	t := s.test
	t.mu.Lock()
	defer t.mu.Unlock()
	me := &t.sides[s.side]
	for i := range done {
		me.inFlight--
		if err := t.set(s.side, done[i].Seq, newReply(&done[i], t.Upstream)); err != nil {
			return nil, err
		}
	}
	if len(done) > 0 {
		t.outcome = t.decide()
	}
	requests := []verbatim.Request{}
	for !t.decided() && !t.tooManyMissing() && me.next < len(t.order) {
		at := t.order[me.next]
		replies := &t.prompts[at.prompt][s.side]
		if replies[at.trial].state != open {
			me.next++ // saved by an earlier command
			continue
		}
		if me.inFlight >= t.inFlight(at.trial) || me.alone && me.inFlight > 0 {
			break
		}
		if at.trial > 0 && replies[0].state == open && me.inFlight > 0 {
			break // the first request with this prompt is in flight
		}
		r, err := t.Request(t.Positions[at.trial][at.prompt])
		if err != nil {
			return nil, err
		}
		me.next++
		me.inFlight++
		me.alone = t.inFlight(at.trial) == 1
		requests = append(requests, r)
	}
	if len(requests) == 0 && me.inFlight == 0 {
		return nil, nil
	}
	return requests, nil
}

// tooManyMissing reports whether so many requests of a side have no reply that there will be no
// verdict. Then neither side gets more.
func (t *Test) tooManyMissing() bool {
	if l := t.Logprobs; l != nil && !l.Finished && float64(max(l.Unanswered[0], l.Unanswered[1])) > t.MaxMissing*logprobCalls {
		return true
	}
	for side := range t.sides {
		lost, all := countMissing(t.prompts, side), len(t.order)
		if t.tools != nil {
			lost, all = lost+t.tools.Unanswered[side], all+t.tools.Planned
		}
		if float64(lost) > t.MaxMissing*float64(all) {
			return true
		}
	}
	return false
}

// InFlight is the number of requests in flight on each side when prompts are sent again.
const InFlight = 4

// inFlight returns the largest number of requests in flight of a side in a trial.
func (t *Test) inFlight(trial int) int {
	if trial == 0 {
		return 1
	}
	return InFlight
}

// Level returns the level of each probe of the test. The probes are texts, exact answers, and log
// probabilities if they are compared. Each has an equal part of the test's part of alpha for its
// first rejection, so that a probe may stop early.
func (t *Test) Level() float64 {
	probes := 2
	if t.Logprobs != nil {
		probes++
	}
	return t.Alpha / float64(t.Tests*probes)
}

// AddTools adds the result of the calls of a tool. A refusal says which side refuses them; then they
// are no part of the test.
func (t *Test) AddTools(r *toolResult, refusal string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.tools = r
	if refusal != "" {
		t.Tools, t.NoTools, t.tools = false, refusal, nil
	}
	t.outcome = t.decide()
}

// NeedsTools reports whether the verdict now depends on calls of a tool: all requests of the test
// itself have ended without a verdict, and a verdict is still possible.
func (t *Test) NeedsTools() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.awaitsTools() && t.tools == nil && !t.decided() && t.outcome.read == len(t.prompts) && !t.tooManyMissing()
}

// awaitsTools reports whether calls of a tool are part of the test, and have not all ended.
func (t *Test) awaitsTools() bool { return t.Tools && (t.tools == nil || !t.tools.Finished) }

// TextsFinished reports whether none of the test's own requests is left to send.
func (t *Test) TextsFinished() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.decided() || t.outcome.read == len(t.prompts)
}

// decided reports whether a probe has decided, so that nothing more is sent.
func (t *Test) decided() bool { return t.outcome.differ && !t.All }

// An outcome is computed from the prompts before the first one with an open request.
type outcome struct {
	read   int  // number of these prompts
	differ bool // a probe has decided
	strata []*stratum
	late   int // prompts with a reply of an upstream that was not seen in the first block
}

// decide computes the outcome. Prompts after the one that decides have no effect. Texts may
// decide at any prompt from the end of the first block on. Exact answers decide after the last
// prompt and the calls of a tool only.
func (t *Test) decide() (o outcome) {
	o.differ = t.Logprobs != nil && t.Logprobs.Finished && t.Logprobs.P <= t.Level()
	o.strata = strata(t.prompts, t.Share)
	level := t.Level() / float64(len(o.strata))
	for k := range t.prompts {
		p := &t.prompts[k]
		if o.differ && !t.All || !p.complete() {
			return o
		}
		o.read++
		if p.usable() {
			found := false
			for _, s := range o.strata {
				found = s.add(p) || found
			}
			if !found && !p.served(o.strata) {
				o.late++
			}
		}
		if k+1 >= min(block, len(t.prompts)) {
			o.differ = o.differ || slices.ContainsFunc(o.strata, func(s *stratum) bool { return s.highest >= 1/level })
		}
	}
	if o.differ && !t.All || t.awaitsTools() {
		return o
	}
	for _, s := range o.strata {
		if t.tools != nil {
			for _, pair := range t.tools.pairs {
				s.addTool(pair)
			}
		}
		p := stats.SignTest(int64(s.alone[0]), int64(s.alone[1]))
		s.exact = &p
		o.differ = o.differ || p <= level
	}
	return o
}

// Progress returns the number of prompts whose requests have all ended, and of all
// prompts. It may be called at any time.
func (t *Test) Progress() (ended, all int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.outcome.read, len(t.prompts)
}

// countMissing returns the number of requests to a side that were sent and have no reply.
func countMissing(prompts []prompt, side int) (n int) {
	for k := range prompts {
		for _, r := range prompts[k][side] {
			if r.state == missing {
				n++
			}
		}
	}
	return n
}
