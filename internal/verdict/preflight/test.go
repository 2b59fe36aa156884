package preflight

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"verbatim"
	"verbatim/internal/upstream"
)

// A Test sends the calls one after the other. It is a verbatim.Source.
type Test struct {
	config Config
	calls  []Call

	mu       sync.Mutex
	replies  []reply
	inFlight bool
}

// A reply is what a Test knows of one call.
type reply struct {
	state   replyState
	r       verbatim.Reply
	refusal string            // what the server says, if it refused the request
	failed  upstream.Failures // attempts that failed at upstreams
}

// A replyState is how far a call is.
type replyState int

const (
	open    replyState = iota // not sent, or in flight
	replied                   // there is a reply
	refused                   // the server does not accept the request, or the protocol has no such parameter
	lost                      // sent, and neither; or never to be sent
)

const noParameter = "the protocol has no such parameter"

// New returns a Test that has sent nothing.
func New(c Config) *Test {
	calls := Calls(c)
	t := &Test{config: c, calls: calls, replies: make([]reply, len(calls))}
	for i := range calls {
		switch {
		case !t.tests(calls[i].Contract):
			t.replies[i] = reply{state: lost}
		case !calls[i].offered(c.Wire):
			t.replies[i] = reply{state: refused, refusal: noParameter}
		}
	}
	return t
}

// tests reports whether a contract is tested.
func (t *Test) tests(c Contract) bool {
	return t.config.Only == nil || slices.Contains(t.config.Only, c)
}

// Resume adds a saved record. Records without a reply are left out: their calls are made again.
func (t *Test) Resume(rec *verbatim.Record) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if rec.Reply != nil && rec.Outcome.Answered() {
		t.set(rec)
	}
}

// set stores what a record says.
func (t *Test) set(rec *verbatim.Record) {
	if rec.Seq < 0 || rec.Seq >= int64(len(t.calls)) {
		return
	}
	to := &t.replies[rec.Seq]
	switch f := rec.Failure; {
	case rec.Reply != nil && rec.Outcome.Answered():
		*to = reply{state: replied, r: *rec.Reply}
	case f != nil && f.Class == verbatim.BadAsk:
		*to = reply{state: refused, refusal: fmt.Sprintf("HTTP %d", f.Status)}
		if f.Err != nil {
			to.refusal = f.Err.Error()
		}
		return // a refusal is no failure of an upstream
	default:
		*to = reply{state: lost}
	}
	to.failed = upstream.FailedOf(rec)
}

// used returns the number of calls that were sent.
func (t *Test) used() (n int) {
	for i := range t.calls {
		if t.replies[i].state != open && t.calls[i].offered(t.config.Wire) {
			n++
		}
	}
	return n
}

// request makes the request of a call.
func (t *Test) request(i int) verbatim.Request {
	c := &t.calls[i]
	r := verbatim.Request{Seq: int64(i), Attempt: 1, Item: &c.Item, Prompt: c.Item.Prompt, Params: t.config.Params, MaxTokens: c.limit}
	if t.takesTemperature() {
		greedy := 0.0
		r.Params.Temperature = &greedy
	}
	if c.set != nil {
		c.set(&r.Params, t.config.Wire)
	}
	if !c.whole && (i == 0 || t.reasons()) {
		r.MaxTokens += t.config.Reasoning
		r.ContentTokens = c.limit
	}
	return r
}

// takesTemperature reports whether calls have a temperature of 0. They have none if the first call
// was refused for its temperature: some models do not let the client choose it.
func (t *Test) takesTemperature() bool {
	first := t.replies[0]
	return first.state != refused || !strings.Contains(strings.ToLower(first.refusal), "temperature")
}

// reasons reports whether a reply so far shows reasoning.
func (t *Test) reasons() bool {
	for i := range t.replies {
		if t.replies[i].state == replied && hasReasoning(&t.replies[i].r) {
			return true
		}
	}
	return false
}

// hasReasoning reports whether a reply shows reasoning, or counts tokens of it.
func hasReasoning(r *verbatim.Reply) bool {
	return r.Reasoning != "" || r.Usage.Reasoning != nil && *r.Usage.Reasoning > 0
}

// Items returns the items of the calls in their order.
func (t *Test) Items() []verbatim.Item {
	items := make([]verbatim.Item, len(t.calls))
	for i := range t.calls {
		items[i] = t.calls[i].Item
	}
	return items
}

// Other says how the request at a position of the plan is sent. flipped: streamed if the others
// are not, and not streamed if they are. name is the model name; "": the endpoint's own.
func (t *Test) Other(position int64) (flipped bool, name string) {
	switch t.calls[position].Way {
	case Flipped:
		return true, ""
	case renamed:
		return false, impossibleName
	}
	return false, ""
}

// Progress returns the number of calls of the tested contracts that have ended, and the largest
// number that may be sent.
func (t *Test) Progress() (ended, all int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i := range t.calls {
		if !t.tests(t.calls[i].Contract) {
			continue
		}
		if all++; t.replies[i].state != open {
			ended++
		}
	}
	return ended, min(all, MaxCalls)
}
