package verification

import "verbatim/internal/stats/change"

// A LogprobResult is what the log probabilities show.
type LogprobResult struct {
	// Offered says that both endpoints give lists. Finished says that nothing is left to send.
	Offered  bool `json:"offered"`
	Finished bool `json:"finished"`
	// Prompts is the number of words for which every call of both sides has a list. Beyond is the
	// number of those words at which the sides lie further apart than each from itself, and Shared
	// the number of those whose nearest lists are equal to five digits.
	Prompts int `json:"prompts"`
	Beyond  int `json:"beyond_own_spread"`
	Shared  int `json:"shared"`
	Calls   int `json:"calls"` // replies of both sides
	// Unanswered is the number of calls without a reply, by side.
	Unanswered [2]int `json:"unanswered"`
	// Upstreams names the upstreams that served the compared words, by side, if an endpoint has
	// several: the pair that answered most words alone. Mixed is the number of the other words.
	// Nil: one each.
	Upstreams *[2]string `json:"upstreams,omitempty"`
	Mixed     int        `json:"mixed_upstreams"`
	// Apart is the mean distance of the sides in nats, and Own the mean of the largest
	// distance within a side, 0 if no repeat differed. They are nil without words.
	Apart *float64 `json:"apart_nats"`
	Own   *float64 `json:"own_nats"`
	// SpreadSeen says that repeats differed at half of the words, or at more.
	SpreadSeen bool `json:"own_spread_seen"`
	// P is the p value of Beyond, under the null hypothesis that a word lies beyond with
	// probability one half at most. It is 1 if repeats rarely differed and Apart is at most 0.2:
	// arithmetic alone makes such a distance.
	P float64 `json:"p"`
	// Least is the smallest Beyond that is a difference at the level of the probe. Detectable is
	// the smallest share of words beyond that is found with probability 0.8. They are nil if there
	// are too few words to decide.
	Least      *int     `json:"least_beyond"`
	Detectable *float64 `json:"detectable_share"`

	distances []float64 // by word
}

// Numerics is the largest distance, in nats, by which other arithmetic with the same weights moved
// the log probabilities of a real model.
const Numerics = 0.09

// At returns the result with its Least and Detectable at a level.
func (r LogprobResult) At(level float64) *LogprobResult {
	if least, ok := change.LeastBeyond(r.Prompts, level); ok {
		r.Least = &least
	}
	if q, ok := change.DetectableBeyond(r.Prompts, level, power); ok {
		r.Detectable = &q
	}
	return &r
}

// Result returns what the calls so far show.
func (t *logprobTest) Result() (*LogprobResult, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	r := &LogprobResult{P: 1, Offered: t.withoutLists() == nil, Finished: t.complete()}
	for side := range t.calls {
		r.Unanswered[side] = t.count(side, missing)
		r.Calls += t.count(side, replied)
	}
	if !r.Offered {
		r.Finished = true
		return r, nil
	}
	r.Finished = r.Finished && !t.tooManyMissing()
	var pairs []change.SidePair
	pairs, r.Upstreams, r.Mixed = t.pairs()
	test, err := change.NewSpreadTest(pairs)
	if err != nil {
		return nil, err
	}
	r.Prompts, r.Beyond, r.Shared, r.SpreadSeen = len(pairs), test.Beyond, test.Shared, test.SpreadSeen
	if len(pairs) > 0 {
		own := 0.0
		for _, p := range test.Prompts {
			own += p.Own / float64(len(test.Prompts))
			r.distances = append(r.distances, p.Nearest)
		}
		r.Apart, r.Own = &test.Mean, &own
	}
	if test.Differ(1) {
		r.P = test.P
	}
	return r, nil
}

// pairs returns the lists of the compared words: every call of a word must have one. If an endpoint
// has several upstreams, the words are those that one pair of upstreams answered alone. Which pair
// that is depends on who served, and not on the lists.
func (t *logprobTest) pairs() (pairs []change.SidePair, upstreams *[2]string, mixed int) {
	by := map[[2]string][]change.SidePair{}
	for k := range logprobPrompts {
		switch pair, who, ok := t.pair(k); {
		case !ok:
		case who == nil:
			mixed++
		default:
			by[*who] = append(by[*who], pair)
		}
	}
	var best [2]string
	words := 0
	for who, list := range by {
		words += len(list)
		if n := len(list) - len(pairs); n > 0 || n == 0 && (who[0] < best[0] || who[0] == best[0] && who[1] < best[1]) {
			best, pairs = who, list
		}
	}
	if mixed += words - len(pairs); mixed > 0 {
		upstreams = &best
	}
	return pairs, upstreams, mixed
}

// pair returns the lists of a word, and the upstreams that served it; nil if several of one side
// did. ok is false if a call has no list.
func (t *logprobTest) pair(k int) (p change.SidePair, who *[2]string, ok bool) {
	calls := []int{k, logprobPrompts + 2*k, 3*logprobPrompts + 2*k}
	who = &[2]string{t.calls[0][k].upstream, t.calls[1][k].upstream}
	for side, to := range []*[]change.LogProbs{&p.A, &p.B} {
		for _, i := range calls {
			c := t.calls[side][i]
			if c.list == nil {
				return p, nil, false
			}
			if who != nil && c.upstream != who[side] {
				who = nil
			}
			*to = append(*to, c.list)
		}
	}
	return p, who, true
}
