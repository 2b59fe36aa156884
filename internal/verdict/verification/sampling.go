package verification

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"verbatim"
	"verbatim/internal/stats/change"
)

// samplingBlocks is the number of calls of each side. They send the questions in turn. Two
// questions are few enough to learn their replies, and their many answers show the sampling
// parameters.
const samplingBlocks = 100

func questions() []string {
	return []string{
		"Choose a number from 1 to 10 at random. Reply with the number alone.",
		"Name a color. Reply with one word and nothing else.",
	}
}

// SampledTokens is the token limit of a sampled reply, without reasoning.
const SampledTokens = 16

// A samplingTest compares the distributions of short replies to two open questions, which are
// drawn at a temperature. It sees what greedy texts and log probabilities do not: sampling
// parameters that one endpoint ignores or changes.
type samplingTest struct {
	callList
	params     verbatim.Params
	reasoning  int
	level      float64
	maxMissing float64
}

// NewSampling returns a samplingTest that has sent nothing. level is its probability of a false
// alarm. reasoning tokens are added to the token limit of each request. If params have no
// temperature above 0, it is 1. maxMissing is the share of the requests of a side that may have no
// reply.
func NewSampling(params verbatim.Params, reasoning int, level, maxMissing float64) *samplingTest {
	t := &samplingTest{params: params, reasoning: reasoning, level: level, maxMissing: maxMissing}
	if params.Temperature == nil || *params.Temperature <= 0 {
		t.params.Temperature = new(1.0)
	}
	list := questions()
	var items []verbatim.Item
	for i := range samplingBlocks {
		items = append(items, ungraded(fmt.Sprintf("verify-sampling@1/%d", i), "verify-sampling", list[i%len(list)]))
	}
	t.plan(t, items)
	return t
}

// Temperature is the temperature of the requests.
func (t *samplingTest) Temperature() float64 { return *t.params.Temperature }

func (t *samplingTest) read(rec *verbatim.Record) call {
	f := rec.Failure
	switch {
	case answered(rec):
		return call{text: category(rec.Reply.Text)}
	case f != nil:
		return call{refused: f.Status == http.StatusBadRequest || f.Status == http.StatusUnprocessableEntity}
	}
	return call{}
}

// category returns what is compared of a reply: its first line that is not blank, without white
// space around it.
func category(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return strings.TrimSpace(line)
}

func (t *samplingTest) stopped() bool {
	return t.notOffered() || t.tooManyMissing() || t.decide().Finished
}

func (t *samplingTest) inFlight(int) int { return InFlight }

func (t *samplingTest) request(i int) verbatim.Request {
	r := t.newRequest(i, t.params)
	r.MaxTokens, r.ContentTokens = SampledTokens+t.reasoning, SampledTokens
	return r
}

// notOffered reports whether a server refuses such requests.
func (t *samplingTest) notOffered() bool { return len(t.refusing()) > 0 }

// tooManyMissing reports whether so many requests of a side have no reply that there will be no
// verdict. Then neither side gets more. Requests that a server refuses do not count.
func (t *samplingTest) tooManyMissing() bool {
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
	// Calls is the number of replies of both sides. Unanswered is the number of requests without
	// a reply, by side.
	Pairs      int    `json:"pairs"`
	Calls      int    `json:"calls"`
	Unanswered [2]int `json:"unanswered"`
	// Upstreams names the upstreams that served the compared replies, by side, if an endpoint has
	// several: those that gave most of its first replies. Mixed is the number of pairs with a reply
	// of another one. Nil: one each.
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
func (t *samplingTest) Result() *SamplingResult {
	t.mu.Lock()
	defer t.mu.Unlock()
	r := t.decide()
	r.Offered = !t.notOffered()
	r.Finished = r.Finished || !r.Offered
	for side := range t.calls {
		r.Calls += t.count(side, replied)
		r.Unanswered[side] = t.count(side, missing)
	}
	return r
}

// decide computes the result of the pairs before the first open one, or up to the one that decides.
// Pairs without both replies are left out.
func (t *samplingTest) decide() *SamplingResult {
	r := &SamplingResult{P: 1, Temperature: t.Temperature()}
	bets := change.NewBlocks()
	n := len(questions())
	seen := [2]map[string]bool{{}, {}}
	who := t.commonest()
	for i := range samplingBlocks {
		pair := [2]call{t.calls[0][i], t.calls[1][i]}
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
			seen[side][fmt.Sprint(i%n, c.text)] = true
			r.Different[side] = len(seen[side])
		}
		bets.Add(i%n, pair[0].text, pair[1].text)
		if r.P = min(r.P, 1/bets.Value()); r.P <= t.level && i+1 >= block {
			break
		}
	}
	r.Finished = true
	return r
}

// commonest returns, by side, the upstream that gave most replies to the first block of calls. So the
// choice does not depend on what replies say. Nothing is decided before the end of that block.
func (t *samplingTest) commonest() (who [2]string) {
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

// Ended reports whether nothing is left to send.
func (t *samplingTest) Ended() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.decide().Finished || t.notOffered()
}
