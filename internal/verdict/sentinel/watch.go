package sentinel

import (
	"fmt"
	"slices"
	"sync"

	"verbatim"
	"verbatim/internal/draw"
	"verbatim/internal/stats/change"
)

// The calls of a day.
const (
	// Usual is how many calls a day has if nothing looks changed.
	Usual = 12
	most  = 180 // while the capital is above burst
	burst = 2.0
	// enough is the number of replies below which a day says too little.
	enough = Usual / 2
)

// A Watch is an enrolled endpoint and the days that were watched so far.
type Watch struct {
	Enrolled *EnrolmentResult
	Alpha    float64
	Seed     uint64

	capital *change.Watch
	days    []Day
	first   int // index of the day of the first alarm; -1: no alarm
}

// A Day is what the calls of a day showed.
type Day struct {
	Date       string  `json:"date"` // in UTC, as 2026-11-23
	Calls      int     `json:"calls"`
	Deviations int     `json:"deviations"`
	Missing    int     `json:"unanswered"`
	Capital    float64 `json:"capital"` // at its end, or when it raised the alarm
	// Alarm says why there was an alarm on this day; "": there was no alarm.
	Alarm string `json:"alarm,omitempty"`
	// Words lists the items that deviated, in the order of the calls.
	Words []string `json:"words,omitempty"`
	// Served lists what replies said about who served, if that was not said at the enrolment.
	Served []string `json:"served,omitempty"`
}

// NewWatch returns a watch without days. The horizon is in days with calls.
func NewWatch(enrolled *EnrolmentResult, alpha float64, horizon int, seed uint64) (*Watch, error) {
	capital, err := change.NewWatch(enrolled.Tolerance, horizon)
	if err != nil {
		return nil, err
	}
	return &Watch{Enrolled: enrolled, Alpha: alpha, Seed: seed, capital: capital, first: -1}, nil
}

// Capital is the value of the test: an alarm is 1/alpha or more. From the first alarm on it is
// the value that raised it.
func (w *Watch) Capital() float64 {
	if w.first >= 0 {
		return w.days[w.first].Capital
	}
	return w.capital.Value()
}

// Days returns the days so far, the oldest first.
func (w *Watch) Days() []Day { return w.days }

// Alarm returns the day of the first alarm; false if there was no alarm.
func (w *Watch) Alarm() (Day, bool) {
	if w.first < 0 {
		return Day{}, false
	}
	return w.days[w.first], true
}

// A Today is the calls of one run of a day. It is a verbatim.Source.
type Today struct {
	watch *Watch
	items []verbatim.Item
	drawn []Item
	param verbatim.Params
	limit int

	mu       sync.Mutex
	calls    []call
	read     int // calls that the capital has seen
	inFlight bool
	tokens   int // replies with another number of prompt tokens than at the enrolment
	compared int // replies whose prompt tokens can be compared
}

// Today begins a run of a date, or adds to the same date. Run is the number of the run, from 0:
// it is a part of what the calls are drawn from. The error is that the horizon is over.
func (w *Watch) Today(date string, run int, params verbatim.Params, limit int) (*Today, error) {
	if n := len(w.days); n == 0 || w.days[n-1].Date != date {
		if err := w.capital.NextDay(); err != nil {
			return nil, err
		}
		w.days = append(w.days, Day{Date: date, Capital: w.capital.Value()})
	}
	t := &Today{watch: w, param: params, limit: limit, calls: make([]call, most)}
	r := draw.Rand("sentinel-day", 1, fmt.Sprintf("%s/%d", date, run), w.Seed, 0)
	for i := range most {
		it := w.Enrolled.Items[r.IntN(len(w.Enrolled.Items))]
		t.drawn = append(t.drawn, it)
		t.items = append(t.items, item(fmt.Sprintf("%s/%d/%d", date, run, i), it.Word))
	}
	return t, nil
}

// Items returns the items of all calls that may be made, in their order.
func (t *Today) Items() []verbatim.Item { return t.items }

// Other returns false and "": every call is sent in the usual way.
func (t *Today) Other(int64) (flipped bool, name string) { return false, "" }

// Resume adds a saved record. Records without a reply are left out: their calls are made again.
func (t *Today) Resume(rec *verbatim.Record) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if c := newCall(rec); c.state == replied {
		t.set(rec.Seq, c)
	}
}

// Add adds a record of an earlier day, with or without a reply.
func (t *Today) Add(rec *verbatim.Record) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.set(rec.Seq, newCall(rec))
}

// set stores a call and settles the bets on all that follow one another from the first.
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
	w := t.watch
	day := &w.days[len(w.days)-1]
	c, it := &t.calls[i], &t.drawn[i]
	if c.state == missing {
		day.Missing++
		return
	}
	day.Calls++
	deviates := c.answer != it.Answer
	w.capital.Add(deviates)
	if day.Alarm == "" {
		day.Capital = w.capital.Value()
	}
	if deviates {
		day.Deviations++
		day.Words = append(day.Words, it.Word)
	}
	if c.served != "" && !slices.Contains(w.Enrolled.Served, c.served) && !slices.Contains(day.Served, c.served) {
		day.Served = append(day.Served, c.served)
	}
	if it.PromptTokens != nil && c.promptTokens != nil {
		t.compared++
		if *c.promptTokens != *it.PromptTokens {
			t.tokens++
		}
	}
	switch {
	case day.Alarm != "":
	case day.Capital >= 1/w.Alpha:
		day.Alarm = "the answers deviate"
	case t.tokens >= 3 && 2*t.tokens > t.compared:
		day.Alarm = "the same prompts have another number of tokens"
	}
	if day.Alarm != "" && w.first < 0 {
		w.first = len(w.days) - 1
	}
}

// Next implements verbatim.Source. One request is in flight at a time. More than the usual calls
// are made while the capital is high, until there is an alarm.
func (t *Today) Next(done []verbatim.Record) ([]verbatim.Request, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i := range done {
		t.inFlight = false
		t.set(done[i].Seq, newCall(&done[i]))
	}
	if t.inFlight {
		return []verbatim.Request{}, nil
	}
	i, ok := t.next()
	if !ok {
		return nil, nil
	}
	t.inFlight = true
	return []verbatim.Request{{Seq: int64(i), Attempt: 1, Item: &t.items[i], Prompt: t.items[i].Prompt, Params: t.param, MaxTokens: t.limit}}, nil
}

// next returns the position of the next call.
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
	answered := 0
	for i := range t.calls {
		if t.calls[i].state == replied {
			answered++
		}
	}
	if _, alarm := t.watch.Alarm(); alarm {
		return Alarm
	}
	if answered < enough {
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
