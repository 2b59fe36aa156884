package verification

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

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
	items    []verbatim.Item // of the calls, in their order
	prompts  []int           // of the calls
	count    int             // of prompts
	params   verbatim.Params
	limits   func(*verbatim.Item) (reply, content int)
	logprobs bool
	upto     int // calls that may be sent so far

	mu    sync.Mutex
	calls [2][]repeat
	sides [2]struct{ next, inFlight int }
}

// A repeat is what became of a call.
type repeat struct {
	state state
	text  string
	exact bool
	list  change.LogProbs // nil: none
}

// newRepeats returns a Repeats that sends each prompt so many times.
func newRepeats(name string, seed uint64, prompts []verbatim.Item, times int) *Repeats {
	t := &Repeats{count: len(prompts)}
	r := draw.Rand("verify-strict", 1, name, seed, 0)
	for range times {
		for k := range prompts {
			t.prompts = append(t.prompts, k)
		}
	}
	r.Shuffle(len(t.prompts), func(i, j int) { t.prompts[i], t.prompts[j] = t.prompts[j], t.prompts[i] })
	for i, k := range t.prompts {
		it := prompts[k]
		it.ID = fmt.Sprintf("verify-strict@1/%s/%d/%s", name, i, it.ID)
		t.items = append(t.items, it)
	}
	for side := range t.calls {
		t.calls[side] = make([]repeat, len(t.items))
	}
	t.upto = len(t.items)
	return t
}

// StrictLogprobs sends two words for their log probabilities, with a limit of tokens.
func StrictLogprobs(seed uint64, params verbatim.Params, limit int) *Repeats {
	r := draw.Rand("verify-strict-words", 1, "", seed, 0)
	all := draw.Words()
	var prompts []verbatim.Item
	for _, k := range draw.Sample(r, all.Len(), strictWords) {
		prompts = append(prompts, verbatim.Item{
			ID:     fmt.Sprint(len(prompts)),
			Prompt: verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: strings.ReplaceAll(all.At(k), "_", " ")}}}},
			Want:   verbatim.TextAnswer("-"), // nothing is graded
			Facts:  map[string]string{verbatim.FactFamily: "verify-strict"},
		})
	}
	t := newRepeats("logprobs", seed, prompts, strictRepeats)
	t.params, t.logprobs, t.limits = params, true, func(*verbatim.Item) (int, int) { return limit, 0 }
	t.params.Logprobs = Alternatives
	return t
}

// Items returns the items of the calls in their order. They are the same for both sides.
func (t *Repeats) Items() []verbatim.Item { return t.items }

// Resume adds a saved record of a side. Records without a reply are left out.
func (t *Repeats) Resume(side int, rec *verbatim.Record) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if rec.Reply != nil && rec.Outcome.Answered() {
		t.set(side, rec)
	}
}

func (t *Repeats) set(side int, rec *verbatim.Record) {
	if rec.Seq < 0 || rec.Seq >= int64(len(t.items)) {
		return
	}
	c := repeat{state: missing}
	if r := newReply(rec, nil); r.state == replied {
		c = repeat{state: replied, text: r.text, exact: r.exact, list: firstList(rec.Reply)}
	}
	t.calls[side][rec.Seq] = c
}

// Source returns the Source of a side, 0 or 1.
func (t *Repeats) Source(side int) verbatim.Source { return &repeatSource{t, side} }

type repeatSource struct {
	test *Repeats
	side int
}

// Next implements verbatim.Source.
func (s *repeatSource) Next(done []verbatim.Record) ([]verbatim.Request, error) {
	t := s.test
	t.mu.Lock()
	defer t.mu.Unlock()
	me := &t.sides[s.side]
	for i := range done {
		me.inFlight--
		t.set(s.side, &done[i])
	}
	for me.inFlight == 0 && me.next < t.upto && !t.lost() {
		i := me.next
		me.next++
		if t.calls[s.side][i].state != open {
			continue // saved by an earlier call
		}
		me.inFlight++
		r := verbatim.Request{Seq: int64(i), Attempt: 1, Item: &t.items[i], Prompt: t.items[i].Prompt, Params: t.params}
		r.MaxTokens, r.ContentTokens = t.limits(r.Item)
		return []verbatim.Request{r}, nil
	}
	if me.inFlight == 0 {
		return nil, nil
	}
	return []verbatim.Request{}, nil
}

// lost reports whether there will be no result: attempts calls of a side have no reply, or none of
// them has the log probabilities that are needed.
func (t *Repeats) lost() bool {
	for side := range t.calls {
		if t.unanswered(side) >= attempts {
			return true
		}
	}
	return t.without() != nil
}

// without lists the sides that give no log probabilities.
func (t *Repeats) without() (sides []int) {
	for side := range t.calls {
		none, some := 0, 0
		for _, c := range t.calls[side] {
			switch {
			case c.list != nil:
				some++
			case c.state != open:
				none++
			}
		}
		if t.logprobs && some == 0 && none >= attempts {
			sides = append(sides, side)
		}
	}
	return sides
}

// Absence says which sides, by their names, give no log probabilities; "" if both do.
func (t *Repeats) Absence(names [2]string) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var parts []string
	for _, side := range t.without() {
		parts = append(parts, names[side]+" gives none")
	}
	return strings.Join(parts, "; ")
}

func (t *Repeats) unanswered(side int) (n int) {
	for _, c := range t.calls[side] {
		if c.state == missing {
			n++
		}
	}
	return n
}

// Progress returns the number of calls of both sides that have ended, and of all that may be sent
// so far.
func (t *Repeats) Progress() (ended, all int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for side := range t.calls {
		for _, c := range t.calls[side][:t.upto] {
			if c.state != open {
				ended++
			}
			all++
		}
	}
	return ended, all
}

// Ended reports whether nothing is left to send.
func (t *Repeats) Ended() bool {
	ended, all := t.Progress()
	t.mu.Lock()
	defer t.mu.Unlock()
	return ended == all || t.lost()
}

// differing lists the calls that differ between the sides, of those from one call to another, those
// whose texts differ earliest first. Compared is the number of calls with a reply of both sides.
func (t *Repeats) differing(by compareBy, from, to int) (calls []int, compared int) {
	at := map[int]int{} // call to the first byte that differs
	for i := from; i < to; i++ {
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

// compareBy says what of two replies is compared.
type compareBy bool

const (
	byText  compareBy = false
	byGrade compareBy = true // whether the reply is exactly right
)

func (by compareBy) of(r *repeat) string {
	switch {
	case by == byText:
		return r.text
	case r.exact:
		return "right"
	}
	return "wrong"
}

// whole says of each prompt whether all of its replies are there.
func (t *Repeats) whole() []bool {
	whole := make([]bool, t.count)
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

// texts returns what is compared of the replies to each prompt; nothing if one is missing.
func (t *Repeats) texts(by compareBy) []change.TextPair {
	texts, whole := make([]change.TextPair, t.count), t.whole()
	for i, k := range t.prompts {
		if whole[k] {
			texts[k].A, texts[k].B = append(texts[k].A, by.of(&t.calls[0][i])), append(texts[k].B, by.of(&t.calls[1][i]))
		}
	}
	return texts
}

// labels tests whether the replies of both sides are exchangeable within each prompt, by their log
// probabilities or by what the caller says. Prompts with a missing reply are left out. ok is false
// if none is left.
func (t *Repeats) labels(by compareBy) (test change.LabelTest, ok bool, err error) {
	whole := t.whole()
	if !slices.Contains(whole, true) {
		return test, false, nil
	}
	if !t.logprobs {
		test, err = change.TextLabels(slices.DeleteFunc(t.texts(by), func(p change.TextPair) bool { return p.A == nil }))
		return test, err == nil, err
	}
	lists := make([]change.SidePair, t.count)
	for i, k := range t.prompts {
		lists[k].A, lists[k].B = append(lists[k].A, t.calls[0][i].list), append(lists[k].B, t.calls[1][i].list)
	}
	for k := t.count - 1; k >= 0; k-- {
		if !whole[k] {
			lists = slices.Delete(lists, k, k+1)
		}
	}
	test, err = change.LogProbLabels(lists)
	return test, err == nil, err
}

// p returns the p value of a part and its statistic; 1 and nil before its end.
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
