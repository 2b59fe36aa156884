package verification

import (
	"fmt"
	"slices"
	"strings"

	"verbatim"
	"verbatim/internal/draw"
	"verbatim/internal/stats/change"
)

// The calls of the probe of log probabilities, for each side.
const (
	logprobPrompts = 16 // single words, each sent once alone, and twice among traffic
	again          = 2
	wave           = 4  // words that are in flight together, with as many longer prompts
	shortTraffic   = 30 // words of the shortest longer prompt
	longTraffic    = 90 // words of the longest one
)

// logprobCalls is the number of calls of each side.
const logprobCalls = logprobPrompts + 2*again*logprobPrompts

// LogprobsInFlight is the largest number of requests in flight of one side in the probe of log
// probabilities.
const LogprobsInFlight = 2 * wave

// Alternatives is the number of log probabilities that is requested for a token.
const Alternatives = verbatim.MaxLogprobs

// A logprobTest compares the log probabilities of the first token after single words. Each word
// is sent once alone, and twice more among longer prompts. The difference between the endpoints
// is compared with the difference between the replies of the same endpoint.
type logprobTest struct {
	callList
	params     verbatim.Params
	limit      int
	maxMissing float64
}

// NewLogprobs returns a logprobTest that has sent nothing. limit is the token limit of a reply.
// maxMissing is the share of the calls of a side that may have no reply.
func NewLogprobs(seed uint64, params verbatim.Params, limit int, maxMissing float64) *logprobTest {
	t := &logprobTest{params: params, limit: limit, maxMissing: maxMissing}
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
	var items []verbatim.Item
	add := func(name, text string) {
		items = append(items, ungraded("verify-logprobs@1/"+name, "verify-logprobs", text))
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
	t.plan(t, items)
	return t
}

func (t *logprobTest) read(rec *verbatim.Record) call {
	if !answered(rec) {
		return call{}
	}
	return call{empty: rec.Reply.Text == "", list: firstList(rec.Reply)}
}

// fewest is the smallest number of alternatives of a list that is compared.
const fewest = 5

// firstList returns the alternatives of the first token; nil if there are fewer than fewest.
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

func (t *logprobTest) stopped() bool { return t.withoutLists() != nil || t.tooManyMissing() }

// inFlight implements callProbe: one in the first pass, and after it waves of words and longer
// prompts.
func (t *logprobTest) inFlight(i int) int {
	if i <= logprobPrompts { // the first pass must have ended before the first wave
		return 1
	}
	return LogprobsInFlight
}

func (t *logprobTest) request(i int) verbatim.Request {
	r := t.newRequest(i, t.params)
	r.MaxTokens = t.limit
	return r
}

// tooManyMissing reports whether a side that has given lists lacks so many replies that there will be
// no verdict. Then neither side gets more calls.
func (t *logprobTest) tooManyMissing() bool {
	for side := range t.calls {
		lists := slices.ContainsFunc(t.calls[side], func(c call) bool { return c.list != nil })
		if lists && float64(t.count(side, missing)) > t.maxMissing*float64(len(t.items)) {
			return true
		}
	}
	return false
}

// Absence says which of the named sides give no log probabilities, and why; "" if both do.
func (t *logprobTest) Absence(names [2]string) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var parts []string
	for _, side := range t.withoutLists() {
		why := "its replies have none"
		switch {
		case t.count(side, replied) == 0:
			why = "it answers no such request"
		case !slices.ContainsFunc(t.calls[side], func(c call) bool { return c.state == replied && !c.empty }):
			why = "its replies to single words are empty"
		}
		parts = append(parts, fmt.Sprintf("%s gives none: %s", names[side], why))
	}
	return strings.Join(parts, "; ")
}

// Ended reports whether nothing is left to send.
func (t *logprobTest) Ended() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.complete() || t.withoutLists() != nil
}
