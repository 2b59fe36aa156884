package sentinel

import (
	"fmt"
	"strings"
	"sync"

	"verbatim"
	"verbatim/internal/draw"
	"verbatim/internal/stats/change"
)

// The calls of an enrolment.
const (
	candidates = 120
	wanted     = 24 // items
	fewest     = 6  // items that a watch needs
	rounds     = 16 // of which the first half chooses items, and the second half measures them
	// The band of the distance between the first two tokens, in nats.
	leastGap, mostGap = 0.2, 0.6
	// confidence of the bound on the rate of deviations
	confidence = 0.99
	// MaxTolerance is the largest rate of deviations of an endpoint that can be watched.
	MaxTolerance = 0.2
)

// MaxEnrolmentCalls is the largest number of calls of an enrolment.
const MaxEnrolmentCalls = candidates + rounds*wanted

// An EnrolmentConfig says how the calls are sent.
type EnrolmentConfig struct {
	Seed      uint64
	Params    verbatim.Params
	Limit     int // tokens of a reply
	Tolerance float64
}

// An Enrolment finds the items of a watch. It is a verbatim.Source.
type Enrolment struct {
	config EnrolmentConfig
	words  []string
	items  []verbatim.Item

	mu       sync.Mutex
	calls    []call // by position: round × candidates + word
	inFlight bool
}

// A call is what became of one.
type call struct {
	state        callState
	answer       string
	gap          float64 // nats; negative: the reply has no log probabilities
	promptTokens *int64
	served       string
}

type callState int

const (
	open callState = iota
	replied
	missing
)

// NewEnrolment returns an Enrolment that has sent nothing.
func NewEnrolment(c EnrolmentConfig) *Enrolment {
	e := &Enrolment{config: c, calls: make([]call, (1+rounds)*candidates)}
	r := draw.Rand("sentinel", 1, "", c.Seed, 0)
	all := draw.Words()
	for _, k := range draw.Sample(r, len(all), candidates) {
		e.words = append(e.words, strings.ReplaceAll(all[k], "_", " "))
	}
	for round := range 1 + rounds {
		for i, word := range e.words {
			e.items = append(e.items, item(fmt.Sprintf("enrolment/%d/%d", round, i), word))
		}
	}
	return e
}

// item returns an item of a word. Nothing of it is graded.
func item(name, word string) verbatim.Item {
	return verbatim.Item{
		ID:     "sentinel@1/" + name,
		Prompt: verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: word}}}},
		Want:   verbatim.TextAnswer("-"),
		Facts:  map[string]string{verbatim.FactFamily: "sentinel"},
	}
}

// newCall returns what a record says.
func newCall(rec *verbatim.Record) call {
	if rec.Reply == nil || !rec.Outcome.Answered() {
		return call{state: missing}
	}
	r := rec.Reply
	c := call{state: replied, answer: strings.TrimSpace(r.Text), gap: -1, promptTokens: r.Usage.Prompt, served: strings.TrimSpace(r.ServedModel + " " + r.Fingerprint)}
	if len(r.Tokens) > 0 && len(r.Tokens[0].Top) > 1 {
		c.gap = r.Tokens[0].Top[0].Logprob - r.Tokens[0].Top[1].Logprob
	}
	return c
}

// Items returns the items of all calls that may be made, in their order.
func (e *Enrolment) Items() []verbatim.Item { return e.items }

// Other returns false and "": every call is sent in the usual way.
func (e *Enrolment) Other(int64) (flipped bool, name string) { return false, "" }

// Resume adds a saved record.
func (e *Enrolment) Resume(rec *verbatim.Record) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if c := newCall(rec); c.state == replied && rec.Seq >= 0 && rec.Seq < int64(len(e.calls)) {
		e.calls[rec.Seq] = c
	}
}

// Next implements verbatim.Source. One request is in flight at a time.
func (e *Enrolment) Next(done []verbatim.Record) ([]verbatim.Request, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for i := range done {
		e.inFlight = false
		if f := done[i].Failure; f != nil && f.Class == verbatim.BadAsk && e.config.Params.Logprobs > 0 {
			e.config.Params.Logprobs = 0 // they are not offered: the call is made again without
			continue
		}
		e.calls[done[i].Seq] = newCall(&done[i])
	}
	if e.inFlight {
		return []verbatim.Request{}, nil
	}
	next, ok := e.next()
	if !ok {
		return nil, nil
	}
	e.inFlight = true
	it := &e.items[next]
	return []verbatim.Request{{Seq: int64(next), Attempt: 1, Item: it, Prompt: it.Prompt, Params: e.config.Params, MaxTokens: e.config.Limit}}, nil
}

// next returns the position of the next call: a candidate, as long as items are wanting, then
// round after round.
func (e *Enrolment) next() (int, bool) {
	chosen, complete := e.chosen()
	if !complete {
		for i := range candidates {
			if e.calls[i].state == open {
				return i, true
			}
		}
	}
	for round := 1; round <= rounds; round++ {
		for _, i := range chosen {
			if at := round*candidates + i; e.calls[at].state == open {
				return at, true
			}
		}
	}
	return 0, false
}

// chosen returns the words whose first answer qualifies. Complete says that no further candidate
// is needed. Without log probabilities the first words qualify.
func (e *Enrolment) chosen() (list []int, complete bool) {
	offered, answered := e.offered()
	if answered >= 3 && !offered {
		for i := 0; i < candidates && len(list) < wanted; i++ {
			if e.calls[i].state == replied {
				list = append(list, i)
			}
		}
		return list, len(list) == wanted
	}
	for i := range candidates {
		c := &e.calls[i]
		if c.state == open {
			return list, false
		}
		if c.state == replied && c.gap >= leastGap && c.gap <= mostGap && c.answer != "" {
			if list = append(list, i); len(list) == wanted {
				return list, true
			}
		}
	}
	return list, true
}

// offered reports whether any candidate has log probabilities, and how many are answered.
func (e *Enrolment) offered() (offered bool, answered int) {
	for i := range candidates {
		if e.calls[i].state == replied {
			answered++
			offered = offered || e.calls[i].gap >= 0
		}
	}
	return offered, answered
}

// Progress returns the number of calls that have ended, and the most that may be made.
func (e *Enrolment) Progress() (ended, all int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for i := range e.calls {
		if e.calls[i].state != open {
			ended++
		}
	}
	return ended, MaxEnrolmentCalls
}

// The verdicts of an enrolment.
const (
	Enrolled = "enrolled"
	Refused  = "refused"
)

// Verdict returns the verdict; "" if there is no verdict yet.
func (e *Enrolment) Verdict() string {
	switch r := e.Result(); {
	case !r.Finished:
		return ""
	case r.Refusal != "":
		return Refused
	}
	return Enrolled
}

// An Item is one of the items of a watch.
type Item struct {
	Word         string `json:"word"`
	Answer       string `json:"answer"`
	PromptTokens *int64 `json:"prompt_tokens"`
}

// An EnrolmentResult is what an enrolment found.
type EnrolmentResult struct {
	Items    []Item `json:"items"`
	Calls    int    `json:"calls"` // replies
	Missing  int    `json:"unanswered"`
	Finished bool   `json:"finished"`
	// Logprobs says that the items were chosen by log probabilities.
	Logprobs bool `json:"logprobs"`
	Unstable int  `json:"unstable"` // items that were left out, since they answered in two ways
	// Deviations of Measured calls in the second half of the rounds deviated. UpperBound is
	// the 99 % upper bound on their rate (Clopper and Pearson), and Tolerance the larger one of
	// it and the tolerance that was given.
	Deviations int      `json:"deviations"`
	Measured   int      `json:"measured"`
	UpperBound float64  `json:"upper_bound"`
	Tolerance  float64  `json:"tolerance"`
	Served     []string `json:"served,omitempty"`
	Refusal    string   `json:"refusal,omitempty"` // why the endpoint cannot be watched
}

// Result returns what the calls so far show.
func (e *Enrolment) Result() *EnrolmentResult {
	e.mu.Lock()
	defer e.mu.Unlock()
	_, more := e.next()
	r := &EnrolmentResult{Finished: !more && !e.inFlight, Tolerance: e.config.Tolerance}
	r.Logprobs, _ = e.offered()
	served := map[string]bool{}
	for i := range e.calls {
		switch e.calls[i].state {
		case replied:
			r.Calls++
			if name := e.calls[i].served; name != "" && !served[name] {
				served[name] = true
				r.Served = append(r.Served, name)
			}
		case missing:
			r.Missing++
		}
	}
	chosen, _ := e.chosen()
	for _, i := range chosen {
		first := &e.calls[candidates+i]
		if first.state != replied || !e.alike(i, first.answer, 1, rounds/2) {
			r.Unstable++
			continue
		}
		r.Items = append(r.Items, Item{e.words[i], first.answer, first.promptTokens})
		for round := rounds/2 + 1; round <= rounds; round++ {
			if c := &e.calls[round*candidates+i]; c.state == replied {
				r.Measured++
				if c.answer != first.answer {
					r.Deviations++
				}
			}
		}
	}
	if !r.Finished {
		return r
	}
	r.UpperBound = change.UpperBound(r.Deviations, r.Measured, confidence)
	r.Tolerance = max(r.Tolerance, r.UpperBound)
	switch {
	case r.Calls == 0:
		r.Refusal = "no call has a reply"
	case len(r.Items) < fewest:
		r.Refusal = fmt.Sprintf("only %d of %d words get the same answer each time, and %d are needed", len(r.Items), len(chosen), fewest)
	case r.Tolerance > MaxTolerance:
		r.Refusal = fmt.Sprintf("%d of %d repeats deviate without any change: the bound on their rate is %.3f, above %.1f", r.Deviations, r.Measured, r.UpperBound, MaxTolerance)
	}
	return r
}

// alike reports whether the replies to a word in some rounds are all the same answer.
func (e *Enrolment) alike(word int, answer string, from, to int) bool {
	for round := from; round <= to; round++ {
		if c := &e.calls[round*candidates+word]; c.state == replied && c.answer != answer {
			return false
		}
	}
	return true
}
