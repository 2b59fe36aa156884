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

// MaxLogprobsInFlight is the largest number of requests in flight of one side.
const MaxLogprobsInFlight = 2 * wave

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
	t := &LogprobTest{params: params, limit: limit, maxMissing: maxMissing}
	t.params.Logprobs = Alternatives
	r := draw.Rand("verify-logprobs", 1, "", seed, 0)
	all := draw.Words()
	some := func(n int) []string {
		list := make([]string, n)
		for i, k := range draw.Sample(r, len(all), n) {
			list[i] = strings.ReplaceAll(all[k], "_", " ")
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

// Next implements verbatim.Source. One request is in flight in the first pass. In the others
// waves of words and longer prompts are.
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
		most := 1
		if i >= logprobPrompts {
			most = MaxLogprobsInFlight
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

// A LogprobResult is what the log probabilities show.
type LogprobResult struct {
	// Offered says that both endpoints give lists. Finished says that nothing is left to send.
	Offered  bool `json:"offered"`
	Finished bool `json:"finished"`
	// Prompts is the number of words with a list of each call of both sides, Beyond of them
	// those at which the sides lie further apart than each from itself, and Shared those
	// whose nearest lists are equal to five digits.
	Prompts int `json:"prompts"`
	Beyond  int `json:"beyond_own_spread"`
	Shared  int `json:"shared"`
	Calls   int `json:"calls"` // replies of both sides
	// Unanswered is the number of calls without a reply, by side.
	Unanswered [2]int `json:"unanswered"`
	// Upstreams are who served the compared words, by side, if an endpoint has several: those that
	// answered most words alone. Mixed is the number of the other words. Nil: one each.
	Upstreams *[2]string `json:"upstreams,omitempty"`
	Mixed     int        `json:"mixed_upstreams"`
	// Apart is the mean distance of the sides in nats, and Own the mean of the largest
	// distance within a side, 0 if no repeat differed. They are nil without words.
	Apart *float64 `json:"apart_nats"`
	Own   *float64 `json:"own_nats"`
	// SpreadSeen says that repeats differed at half of the words or more.
	SpreadSeen bool `json:"own_spread_seen"`
	// P is that of Beyond, if a word lies beyond with probability one half at most. It is 1
	// if repeats rarely differed and Apart is at most 0.2: such a distance comes from arithmetic.
	P float64 `json:"p"`
	// Least is the smallest number of words beyond that is a difference at the level of the
	// probe, and Detectable the smallest share of words that is found with probability 0.8.
	// They are nil if there are too few words to decide.
	Least      *int     `json:"least_beyond"`
	Detectable *float64 `json:"detectable_share"`
}

// Numerics is the distance in nats up to which other arithmetic with the same weights moved the
// log probabilities of a real model.
const Numerics = 0.09

// At returns the result with what it decides at a level.
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
func (t *LogprobTest) Result() (*LogprobResult, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	r := &LogprobResult{P: 1, Offered: t.without() == nil, Finished: true}
	for side := range t.calls {
		r.Unanswered[side] = t.unanswered(side)
		for _, c := range t.calls[side] {
			if c.state == open {
				r.Finished = false
			}
			if c.state == replied {
				r.Calls++
			}
		}
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
		}
		r.Apart, r.Own = &test.Mean, &own
	}
	if test.Differ(1) {
		r.P = test.P
	}
	return r, nil
}

// pairs returns the lists of the words each of whose calls has one. If an endpoint has several
// upstreams, the words are those that one of each side answered alone. The choice depends on who
// served, and on no list.
func (t *LogprobTest) pairs() (pairs []change.SidePair, upstreams *[2]string, mixed int) {
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

// pair returns the lists of a word, if each of its calls has one, and who served it; nil if
// several upstreams of one side did.
func (t *LogprobTest) pair(k int) (p change.SidePair, who *[2]string, ok bool) {
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
