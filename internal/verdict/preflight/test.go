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

// A Config is what is known of the endpoint, and how requests are sent.
type Config struct {
	// Only names the contracts that are tested; nil: all. The other calls are not sent.
	Only    []Contract
	Wire    string // the protocol, as package wire names it
	Streams bool   // the endpoint can be asked streamed and in one piece
	Renames bool   // the model name can be chosen freely
	Context int64  // the context that the server states, in tokens; 0: not known
	Seed    uint64 // of the prompts
	// Params are sent with every call. Reasoning tokens are added to the token limit of the first
	// call, and to those of the others once a reply has shown reasoning.
	Params    verbatim.Params
	Reasoning int
	// Upstream names the server behind a router, as a reply says it; nil: it is not looked for.
	Upstream func(*verbatim.Reply) string
}

// Next implements verbatim.Source. One request is in flight at a time.
func (t *Test) Next(done []verbatim.Record) ([]verbatim.Request, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i := range done {
		t.inFlight = false
		t.set(&done[i])
	}
	if t.inFlight {
		return []verbatim.Request{}, nil
	}
	next, ok := t.next()
	if !ok {
		return nil, nil
	}
	t.inFlight = true
	return []verbatim.Request{t.request(next)}, nil
}

// next returns the index of the call that is to be sent next.
func (t *Test) next() (int, bool) {
	for i := range t.calls {
		c := &t.calls[i]
		if c.spare && t.used() >= MaxCalls {
			continue
		}
		if t.replies[i].state == open && (!c.again || slices.ContainsFunc(c.decides(), func(c Contract) bool { return t.judge(c).State == suspected })) {
			return i, true
		}
	}
	return 0, false
}

// Result returns the verdict on the replies so far.
func (t *Test) Result() *Result {
	t.mu.Lock()
	defer t.mu.Unlock()
	_, more := t.next()
	r := &Result{Finished: !more && !t.inFlight}
	for n, c := range contracts() {
		l := t.judge(c)
		l.Number, l.Contract = n+1, c
		if l.State == suspected {
			l.State = Unanswered
			l.Says += "; the second call has no reply"
		}
		for i := range t.calls {
			if t.calls[i].Contract != c {
				continue
			}
			switch s := &t.replies[i]; s.state {
			case replied, refused:
				if s.state == replied || t.calls[i].offered(t.config.Wire) {
					l.Calls++
					r.Calls++
				}
			case lost:
				r.Missing++
			}
		}
		r.Lines = append(r.Lines, l)
	}
	switch {
	case r.Count(Broken) > 0:
		r.Word = SomeBroke
	case r.Count(Unanswered) > 0 || !r.Finished:
		r.Word = Undecided
	default:
		r.Word = AllHeld
	}
	return r
}

// Verdict returns the verdict; "" while it is open.
func (t *Test) Verdict() string {
	if r := t.Result(); r.Word.Settled() && r.Finished {
		return string(r.Word)
	}
	return ""
}

// call returns the call of a name and its reply. Without such a call it returns nil and an open reply.
func (t *Test) call(name string) (*Call, *reply) {
	for i := range t.calls {
		if t.calls[i].Name == name {
			return &t.calls[i], &t.replies[i]
		}
	}
	return nil, &reply{state: open}
}

// replyTo returns the reply to a call, or the line that says why there is no reply.
func (t *Test) replyTo(name string) (*verbatim.Reply, *Line) {
	c, got := t.call(name)
	switch {
	case c == nil:
		return nil, &Line{State: NotTestable, Says: "this endpoint does not take such requests"}
	case got.state == replied:
		return &got.r, nil
	case got.state == refused && !c.offered(t.config.Wire):
		return nil, &Line{State: NotOffered, Says: noParameter}
	case got.state == refused && c.plain():
		return nil, &Line{State: NotTestable, Says: "the server refuses the prompt", Evidence: []string{got.refusal}}
	case got.state == refused:
		return nil, &Line{State: NotOffered, Says: "the request is refused", Evidence: []string{got.refusal}}
	}
	return nil, &Line{State: Unanswered, Says: "a call has no reply"}
}

// repliesTo returns the replies to several calls, or the line that says why one has no reply.
func (t *Test) repliesTo(names ...string) (list []*verbatim.Reply, missing *Line) {
	for _, name := range names {
		r, missing := t.replyTo(name)
		if missing != nil {
			return nil, missing
		}
		list = append(list, r)
	}
	return list, nil
}

// confirm judges a call, and a second one if the first looks broken. The contract is suspected if
// the second one has no reply yet.
func (t *Test) confirm(first, second string, judge func(*Call, *verbatim.Reply) Line) Line {
	r, missing := t.replyTo(first)
	if missing != nil {
		return *missing
	}
	call, _ := t.call(first)
	line := judge(call, r)
	if line.State != Broken {
		return line
	}
	if r, missing = t.replyTo(second); missing != nil {
		if missing.State == Unanswered {
			line.State = suspected
			return line
		}
		return *missing
	}
	call, _ = t.call(second)
	again := judge(call, r)
	if again.State != Broken {
		return Line{State: NotTestable, Says: "one of two calls " + line.Says, Evidence: line.Evidence}
	}
	again.Evidence = append(line.Evidence, again.Evidence...)
	return again
}
