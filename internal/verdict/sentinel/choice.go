package sentinel

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"verbatim"
	"verbatim/internal/stats/change"
	"verbatim/internal/upstream"
)

// choose returns the numbers of the prompts that are chosen so far: words, and then texts. next is
// the name of the call that the choice needs; "": it needs no more.
func (e *Enrolment) choose() (list []int, next string) {
	if e.saved {
		return e.sent(), ""
	}
	offered, answered := e.offered()
	inBand := func(c call) bool { return c.gap >= leastGap && c.gap <= mostGap }
	anyAnswer := func(call) bool { return true }
	switch {
	case offered || answered < 3:
		list, next = e.firstWords(inBand)
	case e.config.mayDraw():
		if list, next = e.byDraws(); next == "" && len(list) < fewest {
			list, next = e.firstWords(anyAnswer)
		}
	default:
		list, next = e.firstWords(anyAnswer)
	}
	if next == "" && len(list) >= fewest && e.config.Texts {
		for i := range texts {
			list = append(list, firstText+i)
		}
	}
	return list, next
}

// sent returns the prompts that a finished enrolment sent in rounds, however they were chosen.
func (e *Enrolment) sent() (list []int) {
	for _, i := range slices.Sorted(maps.Keys(e.prompts)) {
		for round := 1; round <= rounds; round++ {
			if _, ok := e.calls[roundName(round, i)]; ok {
				list = append(list, i)
				break
			}
		}
	}
	return list
}

// offered reports whether any candidate has log probabilities, and how many have an answer. An
// empty answer says nothing: servers leave log probabilities out where no token is written.
func (e *Enrolment) offered() (offered bool, answered int) {
	for i := range e.prompts {
		if c := e.calls[roundName(0, i)]; c.state == replied {
			if c.answer != "" {
				answered++
			}
			offered = offered || c.gap >= 0
		}
	}
	return offered, answered
}

// firstWords chooses the first candidates that have an answer and fit.
func (e *Enrolment) firstWords(fits func(call) bool) (list []int, next string) {
	for i := 0; i < candidates && len(list) < enrolled; i++ {
		c := e.calls[roundName(0, i)]
		if c.state == open {
			return list, roundName(0, i)
		}
		if c.state == replied && c.answer != "" && fits(c) {
			list = append(list, i)
		}
	}
	return list, ""
}

// byDraws chooses words whose greedy answer is that of most draws at a temperature, and not of all.
func (e *Enrolment) byDraws() (list []int, next string) {
	for i := 0; i < candidates && len(list) < enrolled; i++ {
		first := e.calls[roundName(0, i)]
		if first.state == open {
			return list, roundName(0, i)
		}
		if first.state != replied || first.answer == "" {
			continue
		}
		same, n, nextDraw := e.countDraws(i, first.answer)
		switch {
		case nextDraw != "" && e.drawn < mostDraws:
			return list, nextDraw
		case isUnsure(same, n):
			list = append(list, i)
		case e.drawn >= mostDraws && n == 0:
			return list, ""
		}
	}
	return list, ""
}

// isUnsure reports whether a word has all its draws, and qualifies by those that are its greedy answer.
func isUnsure(same, n int) bool { return n == draws && same >= leastSame && same <= mostSame }

// countDraws counts the draws of a word, and those that are its greedy answer. next is the name of the
// next draw; "" if the word is decided.
func (e *Enrolment) countDraws(word int, answer string) (same, n int, next string) {
	for k := range draws {
		name := drawName(word, k)
		c := e.calls[name]
		switch {
		case c.state == open:
			return same, n, name
		case c.refused: // the endpoint takes no temperature
			return 0, 0, ""
		case c.state == replied:
			if n++; c.answer == answer {
				same++
			}
		}
		if k == draws/2-1 && same == n || n-same > draws-leastSame {
			return same, n, ""
		}
	}
	return same, n, ""
}

// An Item is one of the items of a watch.
type Item struct {
	Word         string `json:"word"` // or the whole prompt of a text
	Answer       string `json:"answer"`
	PromptTokens *int64 `json:"prompt_tokens"`
	// Radius is how far, in nats, the log probabilities of the enrolled calls lie from their
	// medoid, at least 0.2; nil: only answers are compared.
	Radius *float64 `json:"radius,omitempty"`
	Text   bool     `json:"text,omitempty"` // a whole text is compared, not the first token

	medoid change.LogProbs
}

// deviates reports whether a call differs from the enrolled ones.
func (it *Item) deviates(c *call) bool {
	if c.answer != it.Answer {
		return true
	}
	if it.Radius == nil || len(c.list) == 0 {
		return false
	}
	d, err := change.Distance(it.medoid, c.list)
	return err == nil && d > *it.Radius
}

// An EnrolmentResult is what an enrolment found.
type EnrolmentResult struct {
	Items    []Item `json:"items"`
	Calls    int    `json:"calls"` // replies
	Missing  int    `json:"unanswered"`
	Empty    int    `json:"empty"` // replies without text
	Finished bool   `json:"finished"`
	// Logprobs says that the words were chosen by log probabilities, and Drawn that they were
	// chosen by draws at a temperature. Neither: they are the first words with an answer.
	Logprobs bool `json:"logprobs"`
	Drawn    bool `json:"drawn"`
	Unstable int  `json:"unstable"` // items that were left out, since they got different answers
	// Deviations is the number of the Measured calls, in the second half of the rounds, that
	// deviated. UpperBound is the 99 % upper bound on their rate (Clopper and Pearson). Tolerance
	// is the larger one of UpperBound and the tolerance of the configuration.
	Deviations int      `json:"deviations"`
	Measured   int      `json:"measured"`
	UpperBound float64  `json:"upper_bound"`
	Tolerance  float64  `json:"tolerance"`
	Served     []string `json:"served,omitempty"`
	Upstreams  []string `json:"upstreams,omitempty"` // servers behind a router
	// Failed are the attempts that failed, by the upstream that the responses name.
	Failed  upstream.Failures `json:"failed_upstreams,omitempty"`
	Refusal string            `json:"refusal,omitempty"` // why the endpoint cannot be watched
	Advice  string            `json:"advice,omitempty"`  // what to do about it
}

// Result returns what the calls so far show.
func (e *Enrolment) Result() *EnrolmentResult {
	e.mu.Lock()
	defer e.mu.Unlock()
	_, more := e.next()
	r := &EnrolmentResult{Finished: !more && !e.inFlight, Tolerance: e.config.Tolerance, Served: e.served, Upstreams: e.upstreams, Failed: e.failed}
	for _, c := range e.calls {
		switch {
		case c.state == missing:
			r.Missing++
		case c.answer == "":
			r.Empty++
			fallthrough
		default:
			r.Calls++
		}
	}
	r.Logprobs, _ = e.offered()
	chosen, _ := e.choose()
	for _, i := range chosen {
		if i < firstText && !r.Logprobs {
			same, n, _ := e.countDraws(i, e.calls[roundName(0, i)].answer)
			r.Drawn = r.Drawn || isUnsure(same, n)
		}
		e.measure(r, i)
	}
	if !r.Finished {
		return r
	}
	r.UpperBound = change.UpperBound(r.Deviations, r.Measured, confidence)
	r.Tolerance = max(r.Tolerance, r.UpperBound)
	e.refuse(r, len(chosen))
	return r
}

// measure adds an item to the result, if it gets one answer in the first half of the rounds.
func (e *Enrolment) measure(r *EnrolmentResult, i int) {
	first := e.calls[roundName(1, i)]
	it := Item{Word: e.prompts[i], Answer: first.answer, PromptTokens: first.promptTokens, Text: i >= firstText}
	if first.state != replied || !e.alike(i, first.answer, 1, rounds/2) {
		r.Unstable++
		return
	}
	if e.config.Distances && !it.Text {
		it.medoid, it.Radius = e.around(i)
	}
	r.Items = append(r.Items, it)
	for round := rounds/2 + 1; round <= rounds; round++ {
		if c := e.calls[roundName(round, i)]; c.state == replied {
			r.Measured++
			if it.deviates(&c) {
				r.Deviations++
			}
		}
	}
}

// around returns the medoid of the log probabilities of a word in its first call and the first half of
// the rounds, and how far these lie from it; nil if there are none.
func (e *Enrolment) around(word int) (change.LogProbs, *float64) {
	var lists []change.LogProbs
	for round := range rounds/2 + 1 {
		if c := e.calls[roundName(round, word)]; len(c.list) > 0 {
			lists = append(lists, c.list)
		}
	}
	medoid, radius := nearest(lists)
	if medoid == nil {
		return nil, nil
	}
	return medoid, &radius
}

// alike reports whether the replies to a word in some rounds are all the same answer.
func (e *Enrolment) alike(word int, answer string, from, to int) bool {
	for round := from; round <= to; round++ {
		if c := e.calls[roundName(round, word)]; c.state == replied && c.answer != answer {
			return false
		}
	}
	return true
}

// refuse sets why an endpoint cannot be watched, if it cannot, and what to do.
func (e *Enrolment) refuse(r *EnrolmentResult, chosen int) {
	switch {
	case r.Calls == 0:
		r.Refusal = "no call has a reply"
	case len(r.Upstreams) > 1 && !e.config.MixUpstreams && !e.saved:
		r.Refusal = fmt.Sprintf("%d upstreams answer: %s", len(r.Upstreams), strings.Join(r.Upstreams, ", "))
		r.Advice = `pin one with --extra '{"provider":{"only":["NAME"],"allow_fallbacks":false}}' or in the form of your router, or add --mix-upstreams`
	case chosen < fewest && 2*r.Empty > r.Calls:
		r.Refusal = fmt.Sprintf("%d of %d replies are empty, and an empty answer can show no change", r.Empty, r.Calls)
		r.Advice = "if the model reasons first, switch that off (--reasoning-effort none, where it is offered); `verbatim check` watches whole answers"
	case chosen < fewest:
		r.Refusal = fmt.Sprintf("only %d words qualify, and %d are needed", chosen, fewest)
		r.Advice = "--seed draws other words; `verbatim check` watches whole answers"
	case len(r.Items) < fewest:
		r.Refusal = fmt.Sprintf("only %d of %d items get the same answer each time, and %d are needed", len(r.Items), chosen, fewest)
		r.Advice = "`verbatim verify` compares endpoints that vary with each other"
	case r.Tolerance > MaxTolerance:
		r.Refusal = fmt.Sprintf("%d of %d repeats deviate without any change: the bound on their rate is %.3f, above %.1f", r.Deviations, r.Measured, r.UpperBound, MaxTolerance)
		r.Advice = "`verbatim verify` compares endpoints that vary with each other"
	}
}

// A Saved is a finished enrolment that is read from its records.
type Saved struct{ e *Enrolment }

// NewSaved returns a Saved without records. The configuration says how replies are compared and what
// is refused.
func NewSaved(c EnrolmentConfig) Saved {
	return Saved{&Enrolment{config: c, saved: true, prompts: map[int]string{}, calls: map[string]call{}}}
}

// Add adds a record.
func (s Saved) Add(rec *verbatim.Record) {
	name := nameOf(rec)
	if _, prompt, ok := readName(name); ok {
		s.e.prompts[prompt] = promptOf(rec)
	}
	s.e.set(name, newCall(rec, s.e.config.Upstream))
}

// Result returns what the enrolment found.
func (s Saved) Result() *EnrolmentResult { return s.e.Result() }
