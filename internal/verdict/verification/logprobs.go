package verification

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"verbatim"
	"verbatim/internal/draw"
	"verbatim/internal/stats/change"
)

// The calls of the probe of log probabilities, for each side.
const (
	logprobPrompts = 16 // single words, each sent once alone, and twice among traffic
	again          = 2
	wave           = 4 // words and longer prompts that are in flight together
	shortTraffic   = 30
	longTraffic    = 90 // words of the longer prompts
)

// logprobCalls is the number of calls of each side.
const logprobCalls = logprobPrompts + 2*again*logprobPrompts

// MaxLogprobsInFlight is the largest number of requests in flight of one side in the probe of log
// probabilities.
func (a Arm) MaxLogprobsInFlight() int { return max(2*wave, a.Concurrency) }

// Alternatives is the number of log probabilities that is requested for a token.
const Alternatives = verbatim.MaxLogprobs

// A LogprobTest compares the log probabilities of the first token after single words. Each word
// is sent once alone, and twice more among longer prompts: the difference between the endpoints
// is compared with the one between the replies of the same endpoint.
type LogprobTest struct {
	items      []verbatim.Item
	params     verbatim.Params
	limit      int
	maxMissing float64
	upstream   Upstream
	arm        Arm

	mu    sync.Mutex
	calls [2][]logprobCall
	sides [2]struct{ next, inFlight int }
}

// A logprobCall is what became of a call.
type logprobCall struct {
	state state
	empty bool            // the reply has no text
	list  change.LogProbs // nil: the reply has no log probabilities

	upstream string
}

// NewLogprobs returns a LogprobTest that has sent nothing. Limit is the smallest token limit of
// the protocols. MaxMissing is the share of the calls of a side that may have no reply.
func NewLogprobs(seed uint64, params verbatim.Params, limit int, maxMissing float64) *LogprobTest {
	t := &LogprobTest{params: params, limit: limit, maxMissing: maxMissing, arm: DefaultArm()}
	t.params.Logprobs = Alternatives
	r := draw.Rand("verify-logprobs", 1, "", seed, 0)
	all := draw.Words()
	some := func(n int) []string {
		list := make([]string, n)
		for i, k := range draw.Sample(r, all.Len(), n) {
			list[i] = strings.ReplaceAll(all.At(k), "_", " ")
		}
		return list
	}
	words := some(logprobPrompts)
	add := func(name, text string) {
		t.items = append(t.items, verbatim.Item{
			ID:     "verify-logprobs@1/" + name,
			Prompt: verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: text}}}},
			Want:   verbatim.TextAnswer("-"), // nothing is graded
			Facts:  map[string]string{verbatim.FactFamily: "verify-logprobs"},
		})
	}
	for i, word := range words {
		add(fmt.Sprintf("%d/0", i), word)
	}
	for round := 1; round <= again; round++ {
		for i, word := range words {
			add(fmt.Sprintf("%d/%d", i, round), word)
			add(fmt.Sprintf("traffic/%d/%d", i, round), strings.Join(some(shortTraffic+r.IntN(longTraffic-shortTraffic)), " "))
		}
	}
	for side := range t.calls {
		t.calls[side] = make([]logprobCall, len(t.items))
	}
	return t
}

// Apart compares replies of several upstreams apart. It is called before anything else.
func (t *LogprobTest) Apart(u Upstream) { t.upstream = u }

// In sends the calls in an arm. It is called before anything else. The repeats of a word have its
// nonce.
func (t *LogprobTest) In(arm Arm, seed uint64) {
	t.arm = arm
	for i := range t.items {
		it := &t.items[i]
		it.Prompt = arm.Nonced(seed, promptKey(it.Prompt), it.Prompt)
	}
}

// Items returns the items of the calls in their order. They are the same for both sides.
func (t *LogprobTest) Items() []verbatim.Item { return t.items }

// Resume adds a saved record of a side. Records without a reply are left out.
func (t *LogprobTest) Resume(side int, rec *verbatim.Record) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if rec.Reply != nil && rec.Outcome.Answered() {
		t.set(side, rec)
	}
}

func (t *LogprobTest) set(side int, rec *verbatim.Record) {
	if rec.Seq < 0 || rec.Seq >= int64(len(t.items)) {
		return
	}
	c := logprobCall{state: missing}
	if rec.Reply != nil && rec.Outcome.Answered() {
		c = logprobCall{state: replied, empty: rec.Reply.Text == "", list: firstList(rec.Reply), upstream: t.upstream.of(rec)}
	}
	t.calls[side][rec.Seq] = c
}

// fewest is the number of alternatives from which a list counts.
const fewest = 5

// firstList returns the alternatives of the first token; nil if there are too few.
func firstList(r *verbatim.Reply) change.LogProbs {
	if len(r.Tokens) == 0 || len(r.Tokens[0].Top) < fewest {
		return nil
	}
	list := change.LogProbs{}
	for _, t := range r.Tokens[0].Top {
		list[t.Text] = min(t.Logprob, 0)
	}
	return list
}

// Source returns the Source of a side, 0 or 1.
func (t *LogprobTest) Source(side int) verbatim.Source { return &logprobSource{t, side} }

type logprobSource struct {
	test *LogprobTest
	side int
}

// Next implements verbatim.Source. As many requests as the arm says are in flight in the first pass.
// In the others waves of words and longer prompts are.
func (s *logprobSource) Next(done []verbatim.Record) ([]verbatim.Request, error) {
	t := s.test
	t.mu.Lock()
	defer t.mu.Unlock()
	me := &t.sides[s.side]
	for i := range done {
		me.inFlight--
		t.set(s.side, &done[i])
	}
	requests := []verbatim.Request{}
	for me.next < len(t.items) && t.without() == nil && !t.tooManyMissing() {
		i := me.next
		if t.calls[s.side][i].state != open {
			me.next++ // saved by an earlier call
			continue
		}
		most := t.arm.Concurrency
		if i >= logprobPrompts {
			most = t.arm.MaxLogprobsInFlight()
		}
		if me.inFlight >= most || i == logprobPrompts && me.inFlight > 0 {
			break
		}
		me.next++
		me.inFlight++
		requests = append(requests, verbatim.Request{Seq: int64(i), Attempt: 1, Item: &t.items[i], Prompt: t.items[i].Prompt, Params: t.params, MaxTokens: t.limit})
	}
	if len(requests) == 0 && me.inFlight == 0 {
		return nil, nil
	}
	return requests, nil
}

// attempts is the number of calls of a side without any list from which there will be none.
const attempts = 3

// without lists the sides that have no log probabilities.
func (t *LogprobTest) without() (sides []int) {
	for side := range t.calls {
		without, with := 0, 0
		for _, c := range t.calls[side] {
			switch {
			case c.list != nil:
				with++
			case c.state != open:
				without++
			}
		}
		if with == 0 && without >= attempts {
			sides = append(sides, side)
		}
	}
	return sides
}

// unanswered returns the number of calls of a side that have no reply.
func (t *LogprobTest) unanswered(side int) (n int) {
	for _, c := range t.calls[side] {
		if c.state == missing {
			n++
		}
	}
	return n
}

// tooManyMissing reports whether a side that has given lists has lost so many calls that there
// will be no verdict. Then neither side gets more.
func (t *LogprobTest) tooManyMissing() bool {
	for side := range t.calls {
		lists := slices.ContainsFunc(t.calls[side], func(c logprobCall) bool { return c.list != nil })
		if lists && float64(t.unanswered(side)) > t.maxMissing*float64(len(t.items)) {
			return true
		}
	}
	return false
}

// Absence says which sides, by their names, give no log probabilities; "" if both do.
func (t *LogprobTest) Absence(names [2]string) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var parts []string
	for _, side := range t.without() {
		why := "its replies have none"
		replies, empty := 0, 0
		for _, c := range t.calls[side] {
			if c.state == replied {
				replies++
				if c.empty {
					empty++
				}
			}
		}
		switch {
		case replies == 0:
			why = "it answers no such request"
		case empty == replies:
			why = "its replies to single words are empty"
		}
		parts = append(parts, fmt.Sprintf("%s gives none: %s", names[side], why))
	}
	return strings.Join(parts, "; ")
}

// Progress returns the number of calls of both sides that have ended, and of all.
func (t *LogprobTest) Progress() (ended, all int) {
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
func (t *LogprobTest) Ended() bool {
	ended, all := t.Progress()
	t.mu.Lock()
	defer t.mu.Unlock()
	return ended == all || t.without() != nil
}
