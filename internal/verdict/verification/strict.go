package verification

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"verbatim"
	"verbatim/internal/draw"
	"verbatim/internal/stats/change"
)

// The calls of a strict test, for each side.
const (
	strictWords   = 2  // single words whose log probabilities are compared
	strictRepeats = 5  // calls of each of them
	screened      = 20 // prompts that are compared at most, each sent once
	screenedGroup = 4  // prompts that are compared before a difference is confirmed
	twoChosen     = 4  // fresh calls of each of two prompts that differ, in the first confirmation
	oneChosen     = 7  // fresh calls, if one prompt differs
)

// A Repeats sends some prompts, each several times, in the same random order to both sides. One
// request is in flight on each side.
type Repeats struct {
	callList
	prompts     []int // index of the prompt of each call
	promptCount int
	params      verbatim.Params
	limits      func(*verbatim.Item) (reply, content int)
	logprobs    bool
}

// newRepeats returns a Repeats that sends each prompt times times. The order follows from the name
// and the seed.
func newRepeats(name string, seed uint64, prompts []verbatim.Item, times int) *Repeats {
	t := &Repeats{promptCount: len(prompts)}
	r := draw.Rand("verify-strict", 1, name, seed, 0)
	for range times {
		for k := range prompts {
			t.prompts = append(t.prompts, k)
		}
	}
	r.Shuffle(len(t.prompts), func(i, j int) { t.prompts[i], t.prompts[j] = t.prompts[j], t.prompts[i] })
	var items []verbatim.Item
	for i, k := range t.prompts {
		it := prompts[k]
		it.ID = fmt.Sprintf("verify-strict@1/%s/%d/%s", name, i, it.ID)
		items = append(items, it)
	}
	t.plan(t, items)
	return t
}

// StrictLogprobs returns the part of a strict test that compares the log probabilities of single
// words. limit is the token limit of a reply.
func StrictLogprobs(seed uint64, params verbatim.Params, limit int) *Repeats {
	r := draw.Rand("verify-strict-words", 1, "", seed, 0)
	all := draw.Words()
	var prompts []verbatim.Item
	for _, k := range draw.Sample(r, all.Len(), strictWords) {
		prompts = append(prompts, ungraded(fmt.Sprint(len(prompts)), "verify-strict", strings.ReplaceAll(all.At(k), "_", " ")))
	}
	t := newRepeats("logprobs", seed, prompts, strictRepeats)
	t.params, t.logprobs, t.limits = params, true, func(*verbatim.Item) (int, int) { return limit, 0 }
	t.params.Logprobs = Alternatives
	return t
}

func (t *Repeats) read(rec *verbatim.Record) call {
	if !answered(rec) {
		return call{}
	}
	r := newReply(rec, nil)
	return call{text: r.text, exact: r.exact, list: firstList(rec.Reply)}
}

// stopped reports whether there will be no result: attempts calls of a side have no reply, or none
// of them has the log probabilities that are needed.
func (t *Repeats) stopped() bool {
	return max(t.count(0, missing), t.count(1, missing)) >= attempts || t.without() != nil
}

func (t *Repeats) inFlight(int) int { return 1 }

func (t *Repeats) request(i int) verbatim.Request {
	r := t.newRequest(i, t.params)
	r.MaxTokens, r.ContentTokens = t.limits(r.Item)
	return r
}

// without lists the sides that give no log probabilities; nil if these are not compared.
func (t *Repeats) without() []int {
	if !t.logprobs {
		return nil
	}
	return t.withoutLists()
}

// Absence says which of the named sides give no log probabilities; "" if both do.
func (t *Repeats) Absence(names [2]string) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var parts []string
	for _, side := range t.without() {
		parts = append(parts, names[side]+" gives none")
	}
	return strings.Join(parts, "; ")
}

// Ended reports whether nothing is left to send.
func (t *Repeats) Ended() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.complete() || t.stopped()
}

// differing lists those of the first n calls that differ between the sides, the ones whose texts
// differ earliest first. compared is the number of calls with a reply of both sides.
func (t *Repeats) differing(by compareBy, n int) (calls []int, compared int) {
	at := map[int]int{} // the first byte that differs, by call
	for i := range n {
		a, b := &t.calls[0][i], &t.calls[1][i]
		if a.state != replied || b.state != replied {
			continue
		}
		compared++
		if by.of(a) != by.of(b) {
			p := prompt{{{text: a.text}}, {{text: b.text}}}
			at[i], _ = p.firstDifference()
			calls = append(calls, i)
		}
	}
	slices.SortStableFunc(calls, func(a, b int) int { return cmp.Compare(at[a], at[b]) })
	return calls, compared
}

// compareBy says what is compared of two replies.
type compareBy bool

const (
	byText  compareBy = false
	byGrade compareBy = true // whether the reply is exactly right
)

func (by compareBy) of(r *call) string {
	switch {
	case by == byText:
		return r.text
	case r.exact:
		return "right"
	}
	return "wrong"
}

// whole reports, for each prompt, whether every call has what is compared of its reply.
func (t *Repeats) whole() []bool {
	whole := make([]bool, t.promptCount)
	for k := range whole {
		whole[k] = true
	}
	for i, k := range t.prompts {
		for side := range t.calls {
			c := &t.calls[side][i]
			whole[k] = whole[k] && c.state == replied && (!t.logprobs || c.list != nil)
		}
	}
	return whole
}

// texts returns what is compared of the replies to each prompt; an empty pair if a reply is missing.
func (t *Repeats) texts(by compareBy) []change.TextPair {
	texts, whole := make([]change.TextPair, t.promptCount), t.whole()
	for i, k := range t.prompts {
		if whole[k] {
			texts[k].A, texts[k].B = append(texts[k].A, by.of(&t.calls[0][i])), append(texts[k].B, by.of(&t.calls[1][i]))
		}
	}
	return texts
}

// labels tests whether the replies of both sides are exchangeable within each prompt: by their log
// probabilities if these are compared, otherwise by what the caller says. Prompts with a missing
// reply are left out. ok is false if no prompt is left.
func (t *Repeats) labels(by compareBy) (test change.LabelTest, ok bool, err error) {
	whole := t.whole()
	if !slices.Contains(whole, true) {
		return test, false, nil
	}
	if !t.logprobs {
		test, err = change.TextLabels(slices.DeleteFunc(t.texts(by), func(p change.TextPair) bool { return p.A == nil }))
		return test, err == nil, err
	}
	lists := make([]change.SidePair, t.promptCount)
	for i, k := range t.prompts {
		if whole[k] {
			lists[k].A, lists[k].B = append(lists[k].A, t.calls[0][i].list), append(lists[k].B, t.calls[1][i].list)
		}
	}
	test, err = change.LogProbLabels(slices.DeleteFunc(lists, func(p change.SidePair) bool { return p.A == nil }))
	return test, err == nil, err
}

// p returns the p value of a part and its statistic; 1 and nil before its end, and if it shows
// nothing.
func (t *Repeats) p(by compareBy) (p float64, statistic *float64, err error) {
	if t == nil || !t.Ended() {
		return 1, nil, nil
	}
	test, ok, err := t.labels(by)
	if err != nil || !ok {
		return 1, nil, err
	}
	return test.P, &test.Statistic, nil
}
