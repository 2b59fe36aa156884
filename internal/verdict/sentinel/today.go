package sentinel

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	"verbatim"
	"verbatim/internal/draw"
	"verbatim/internal/upstream"
)

// A Today is the calls of one run of a day. It is a verbatim.Source.
type Today struct {
	watch  *Watch
	items  []verbatim.Item
	drawn  []int // index of the item of each call
	params verbatim.Params
	limit  int // tokens of a reply to a word

	mu         sync.Mutex
	calls      []call
	read       int // number of calls that the capital has seen
	inFlight   bool
	counted    int   // replies that are evidence
	tokens     tally // numbers of prompt tokens
	names      tally // model names and fingerprints
	deviations []Deviation
}

// Today begins a run on a date, which may be that of the newest day. run is its number on that date,
// from 0: the calls are drawn from the seed, the date and this number. The error is that the horizon
// is over.
func (w *Watch) Today(date string, run int, params verbatim.Params, limit int) (*Today, error) {
	if _, err := w.next(date); err != nil {
		return nil, err
	}
	t := &Today{watch: w, params: params, limit: limit, calls: make([]call, most)}
	r := draw.Rand("sentinel-day", 1, fmt.Sprintf("%s/%d", date, run), w.Seed, 0)
	for i := range most {
		k := r.IntN(len(w.Enrolled.Items))
		t.drawn = append(t.drawn, k)
		t.items = append(t.items, item(fmt.Sprintf("%s/%d/%d", date, run, i), w.Enrolled.Items[k].Word))
	}
	return t, nil
}

// A Deviation is an answer that is not the enrolled one.
type Deviation struct {
	Word     string `json:"word"`
	Enrolled string `json:"enrolled"`
	Answer   string `json:"answer"`
}

// Deviations lists the deviations of this run in the order of its calls.
func (t *Today) Deviations() []Deviation {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.deviations
}

// Items returns the items of all calls that may be made, in their order.
func (t *Today) Items() []verbatim.Item { return t.items }

// Other returns false and "": every call is sent in the usual way.
func (t *Today) Other(int64) (flipped bool, name string) { return false, "" }

// Resume adds a saved record. Records without a reply are left out: their calls are made again.
func (t *Today) Resume(rec *verbatim.Record) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if c := newCall(rec, t.watch.Upstream); c.state == replied {
		t.set(rec.Seq, c)
	}
}

// Add adds a record of an earlier day, with or without a reply. The prompt in the record says which
// item was sent.
func (t *Today) Add(rec *verbatim.Record) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if rec.Seq < 0 || rec.Seq >= int64(len(t.calls)) {
		return
	}
	c := newCall(rec, t.watch.Upstream)
	k, ok := t.watch.byWord[promptOf(rec)]
	if !ok {
		c, k = call{state: missing}, 0
	}
	t.drawn[rec.Seq] = k
	t.set(rec.Seq, c)
}

// set stores a call, and settles the bets on all calls before the first open one.
func (t *Today) set(seq int64, c call) {
	if seq < 0 || seq >= int64(len(t.calls)) {
		return
	}
	t.calls[seq] = c
	for t.read < len(t.calls) && t.calls[t.read].state != open {
		t.settle(t.read)
		t.read++
	}
}

// settle counts a call of the day.
func (t *Today) settle(i int) {
	w, k := t.watch, t.drawn[i]
	day := &w.days[len(w.days)-1]
	c, it := &t.calls[i], &w.Enrolled.Items[k]
	if len(c.failed) > 0 && day.Failed == nil {
		day.Failed = upstream.Failures{}
	}
	day.Failed.Merge(c.failed)
	switch {
	case c.state == missing:
		day.Missing++
		return
	case c.elsewhere(w.Enrolled.Upstreams):
		day.Elsewhere++
		day.Upstreams = withName(day.Upstreams, c.upstream)
		return
	}
	day.Calls++
	t.counted++
	deviates := it.deviates(c)
	w.capital.Add(deviates)
	if day.Alarm == "" {
		day.Capital = w.capital.Value()
	}
	if deviates {
		w.streaks[k]++
		day.Deviations++
		day.Words = append(day.Words, it.Word)
		t.deviations = append(t.deviations, Deviation{it.Word, it.Answer, c.answer})
	} else {
		w.streaks[k] = 0
	}
	t.compare(c, it, day)
	switch {
	case day.Alarm != "":
		w.raise(day.Alarm)
	case day.Capital >= 1/w.Alpha:
		w.raise("the answers deviate")
	case t.tokens.most():
		w.raise("the same prompts have another number of tokens")
	case w.StrictName && t.names.most():
		w.raise("another model name or fingerprint is reported")
	case w.allTwice():
		w.raise("every item deviates twice in a row")
	}
}

// elsewhere reports whether a call was served by an upstream that was not enrolled.
func (c *call) elsewhere(enrolled []string) bool {
	return c.upstream != "" && len(enrolled) > 0 && !slices.Contains(enrolled, c.upstream)
}

// compare compares what a reply says about who served it, and about the tokens of its prompt.
func (t *Today) compare(c *call, it *Item, day *Day) {
	served := t.watch.Enrolled.Served
	isNew := !slices.Contains(served, c.served)
	if len(served) > 0 {
		t.names.add(isNew)
	}
	if isNew && (len(served) > 0 || c.served != "") {
		day.Served = withName(day.Served, cmp.Or(c.served, "(no name)"))
	}
	if it.PromptTokens != nil && c.promptTokens != nil {
		t.tokens.add(*c.promptTokens != *it.PromptTokens)
	}
}

// A tally counts replies that differ in something that an endpoint does not change by itself.
type tally struct{ different, compared int }

func (t *tally) add(different bool) {
	t.compared++
	if different {
		t.different++
	}
}

// most reports whether at least three replies differ, and more than half of them.
func (t *tally) most() bool { return t.different >= 3 && 2*t.different > t.compared }

// Next implements verbatim.Source. One request is in flight at a time. More than the usual calls
// are made while the capital is high, until there is an alarm.
func (t *Today) Next(done []verbatim.Record) ([]verbatim.Request, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i := range done {
		t.inFlight = false
		t.set(done[i].Seq, newCall(&done[i], t.watch.Upstream))
	}
	if t.inFlight {
		return []verbatim.Request{}, nil
	}
	i, ok := t.next()
	if !ok {
		return nil, nil
	}
	t.inFlight = true
	r := verbatim.Request{Seq: int64(i), Attempt: 1, Item: &t.items[i], Prompt: t.items[i].Prompt, Params: t.params, MaxTokens: t.limit}
	switch it := &t.watch.Enrolled.Items[t.drawn[i]]; {
	case it.Text:
		r.MaxTokens = max(r.MaxTokens, textTokens)
	case it.Radius != nil:
		r.Params.Logprobs = verbatim.MaxLogprobs
	}
	return []verbatim.Request{r}, nil
}

// next returns the position of the next call; false if no call is left.
func (t *Today) next() (int, bool) {
	for i := range t.calls {
		if t.calls[i].state != open {
			continue
		}
		if i < Usual {
			return i, true
		}
		_, alarm := t.watch.Alarm()
		return i, !alarm && t.watch.Capital() > burst
	}
	return 0, false
}

// Progress returns the number of calls that have ended, and the most that may be made.
func (t *Today) Progress() (ended, all int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i := range t.calls {
		if t.calls[i].state != open {
			ended++
		}
	}
	return ended, most
}

// The verdicts of a day.
const (
	Quiet  = "quiet"
	Alarm  = "alarm"
	TooFew = "too few answers"
)

// Word returns the verdict of the watch after this run.
func (t *Today) Word() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, alarm := t.watch.Alarm(); alarm {
		return Alarm
	}
	if t.counted < enough {
		return TooFew
	}
	return Quiet
}

// Verdict returns the verdict of the run; "" while calls are left.
func (t *Today) Verdict() string {
	t.mu.Lock()
	_, more := t.next()
	busy := t.inFlight
	t.mu.Unlock()
	if more || busy {
		return ""
	}
	return t.Word()
}
