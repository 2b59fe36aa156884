package verification

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"

	"verbatim"
	"verbatim/internal/stats/change"
)

// samplingBlocks is the number of replies of each side, and questions are what they answer in
// turn. Two questions are few enough to learn their replies, and their many answers show the
// sampling parameters.
const samplingBlocks = 100

func questions() []string {
	return []string{
		"Choose a number from 1 to 10 at random. Reply with the number alone.",
		"Name a color. Reply with one word and nothing else.",
	}
}

// SampledTokens is the token limit of a sampled reply, without reasoning.
const SampledTokens = 16

// A SamplingTest compares the distributions of short replies to two open questions, which are
// drawn at a temperature. It sees what greedy texts and log probabilities do not: sampling
// parameters that one endpoint ignores or changes.
type SamplingTest struct {
	items      []verbatim.Item
	params     verbatim.Params
	reasoning  int
	level      float64
	maxMissing float64
	upstream   Upstream
	arm        Arm

	mu    sync.Mutex
	calls [2][]sampledCall
	sides [2]struct{ next, inFlight int }
}

// A sampledCall is what became of a call.
type sampledCall struct {
	state    state
	refused  bool // by the server, with a status that says that the request is wrong
	category string
	upstream string
}

// NewSampling returns a SamplingTest that has sent nothing. Level is its probability of a false
// alarm. Reasoning tokens are added to the limit of each request. If params have no temperature
// above 0, it is 1. MaxMissing is the share of the requests of a side that may have no reply.
func NewSampling(params verbatim.Params, reasoning int, level, maxMissing float64) *SamplingTest {
	t := &SamplingTest{params: params, reasoning: reasoning, level: level, maxMissing: maxMissing, arm: DefaultArm()}
	if params.Temperature == nil || *params.Temperature <= 0 {
		one := 1.0
		t.params.Temperature = &one
	}
	list := questions()
	for i := range samplingBlocks {
		t.items = append(t.items, verbatim.Item{
			ID:     fmt.Sprintf("verify-sampling@1/%d", i),
			Prompt: verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: list[i%len(list)]}}}},
			Want:   verbatim.TextAnswer("-"), // nothing is graded
			Facts:  map[string]string{verbatim.FactFamily: "verify-sampling"},
		})
	}
	for side := range t.calls {
		t.calls[side] = make([]sampledCall, samplingBlocks)
	}
	return t
}

// Apart compares replies of several upstreams apart. It is called before anything else.
func (t *SamplingTest) Apart(u Upstream) { t.upstream = u }

// In sends the requests in an arm. It is called before anything else. Each pair of requests has a
// nonce of its own: a question that is sent again with the same one would be in the cache.
func (t *SamplingTest) In(arm Arm, seed uint64) {
	t.arm = arm
	for i := range t.items {
		it := &t.items[i]
		it.Prompt = arm.Nonced(seed, it.ID, it.Prompt)
	}
}

// Items returns the items of the calls in their order. They are the same for both sides.
func (t *SamplingTest) Items() []verbatim.Item { return t.items }

// Temperature is the temperature of the requests.
func (t *SamplingTest) Temperature() float64 { return *t.params.Temperature }

// Resume adds a saved record of a side. Records without a reply are left out.
func (t *SamplingTest) Resume(side int, rec *verbatim.Record) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if rec.Reply != nil && rec.Outcome.Answered() {
		t.set(side, rec)
	}
}

func (t *SamplingTest) set(side int, rec *verbatim.Record) {
	if rec.Seq < 0 || rec.Seq >= samplingBlocks {
		return
	}
	c := sampledCall{state: missing}
	if rec.Reply != nil && rec.Outcome.Answered() {
		c = sampledCall{state: replied, category: category(rec.Reply.Text), upstream: t.upstream.of(rec)}
	} else if f := rec.Failure; f != nil {
		c.refused = f.Status == http.StatusBadRequest || f.Status == http.StatusUnprocessableEntity
	}
	t.calls[side][rec.Seq] = c
}

// category returns what counts of a reply: its first line that is not blank, without white space
// around it.
func category(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return strings.TrimSpace(line)
}

// Source returns the Source of a side, 0 or 1.
func (t *SamplingTest) Source(side int) verbatim.Source { return &samplingSource{t, side} }

type samplingSource struct {
	test *SamplingTest
	side int
}

// Next implements verbatim.Source.
func (s *samplingSource) Next(done []verbatim.Record) ([]verbatim.Request, error) {
	t := s.test
	t.mu.Lock()
	defer t.mu.Unlock()
	me := &t.sides[s.side]
	for i := range done {
		me.inFlight--
		t.set(s.side, &done[i])
	}
	requests := []verbatim.Request{}
	for me.next < samplingBlocks && me.inFlight < t.arm.MaxInFlight() && !t.notOffered() && !t.tooManyMissing() && !t.decide().Finished {
		i := me.next
		me.next++
		if t.calls[s.side][i].state != open {
			continue // saved by an earlier call
		}
		me.inFlight++
		requests = append(requests, verbatim.Request{Seq: int64(i), Attempt: 1, Item: &t.items[i], Prompt: t.items[i].Prompt, Params: t.params,
			MaxTokens: SampledTokens + t.reasoning, ContentTokens: SampledTokens})
	}
	if len(requests) == 0 && me.inFlight == 0 {
		return nil, nil
	}
	return requests, nil
}

// notOffered reports whether a server refuses such requests.
func (t *SamplingTest) notOffered() bool {
	for side := range t.calls {
		refused := 0
		for _, c := range t.calls[side] {
			if c.state == replied {
				refused = -samplingBlocks
			}
			if c.refused {
				refused++
			}
		}
		if refused >= attempts {
			return true
		}
	}
	return false
}

// tooManyMissing reports whether a side has lost so many requests that there will be no verdict.
// Then neither side gets more. Requests that a server refuses are not lost.
func (t *SamplingTest) tooManyMissing() bool {
	for side := range t.calls {
		lost := 0
		for _, c := range t.calls[side] {
			if c.state == missing && !c.refused {
				lost++
			}
		}
		if float64(lost) > t.maxMissing*samplingBlocks {
			return true
		}
	}
	return false
}

// A SamplingResult is what replies at a temperature show.
type SamplingResult struct {
	// Offered says that both servers take such requests. Finished says that nothing is left to
	// send.
	Offered     bool    `json:"offered"`
	Finished    bool    `json:"finished"`
	Temperature float64 `json:"temperature"`
	// Pairs is the number of pairs of replies, one of each side, that the result is based on.
	// Calls is the number of replies of both sides, and Unanswered that of requests without
	// one, by side.
	Pairs      int    `json:"pairs"`
	Calls      int    `json:"calls"`
	Unanswered [2]int `json:"unanswered"`
	// Upstreams are who served the compared replies, by side, if an endpoint has several: those
	// that gave most of its first replies. Mixed is the number of the other pairs. Nil: one each.
	Upstreams *[2]string `json:"upstreams,omitempty"`
	Mixed     int        `json:"mixed_upstreams"`
	// Different is the number of different replies in these pairs, by side: the sum over the
	// questions.
	Different [2]int `json:"different_replies"`
	// P is min(1, 1/E), where E is the highest value of the e-process (change.Blocks). It holds
	// at any number of looks.
	P float64 `json:"p"`
}

// Result returns what the calls so far show.
func (t *SamplingTest) Result() *SamplingResult {
	t.mu.Lock()
	defer t.mu.Unlock()
	r := t.decide()
	r.Offered = !t.notOffered()
	r.Finished = r.Finished || !r.Offered
	for side := range t.calls {
		for _, c := range t.calls[side] {
			switch c.state {
			case replied:
				r.Calls++
			case missing:
				r.Unanswered[side]++
			}
		}
	}
	return r
}

// decide computes what follows from the pairs up to the first that is open, or the one that
// decides. Pairs without both replies are left out.
func (t *SamplingTest) decide() *SamplingResult {
	r := &SamplingResult{P: 1, Temperature: t.Temperature()}
	bets := change.NewBlocks()
	n := len(questions())
	seen := [2]map[string]bool{{}, {}}
	who := t.commonest()
	for i := range samplingBlocks {
		pair := [2]sampledCall{t.calls[0][i], t.calls[1][i]}
		if pair[0].state == open || pair[1].state == open {
			return r
		}
		if pair[0].state == missing || pair[1].state == missing {
			continue
		}
		if pair[0].upstream != who[0] || pair[1].upstream != who[1] {
			r.Mixed, r.Upstreams = r.Mixed+1, &who
			continue
		}
		r.Pairs++
		for side, c := range pair {
			seen[side][fmt.Sprint(i%n, c.category)] = true
			r.Different[side] = len(seen[side])
		}
		bets.Add(i%n, pair[0].category, pair[1].category)
		if r.P = min(r.P, 1/bets.Value()); r.P <= t.level && i+1 >= block {
			break
		}
	}
	r.Finished = true
	return r
}

// commonest returns, by side, the upstream that gave most of the first replies. So it does not
// depend on what the replies say. Nothing is decided before they are there.
func (t *SamplingTest) commonest() (who [2]string) {
	for side := range t.calls {
		counts := map[string]int{}
		for _, c := range t.calls[side][:block] {
			if c.state == replied {
				counts[c.upstream]++
			}
		}
		names := slices.Sorted(maps.Keys(counts))
		for i, name := range names {
			if i == 0 || counts[name] > counts[who[side]] {
				who[side] = name
			}
		}
	}
	return who
}

// Progress returns the number of calls of both sides that have ended, and of all.
func (t *SamplingTest) Progress() (ended, all int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for side := range t.calls {
		for _, c := range t.calls[side] {
			if c.state != open {
				ended++
			}
			all++
		}
	}
	return ended, all
}

// Ended reports whether nothing is left to send.
func (t *SamplingTest) Ended() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.decide().Finished || t.notOffered()
}
