package smoke

import (
	"fmt"
	"math"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"verbatim"
	"verbatim/internal/stats/change"
)

// A Config says how the calls are sent.
type Config struct {
	Seed  uint64 // of the prompts
	Alpha float64
	// MaxMissing is the share of the calls that may have no reply.
	MaxMissing float64
	// Params are sent with every call, and Reasoning tokens are added to its limit.
	Params    verbatim.Params
	Reasoning int
}

// MaxInFlight is the largest number of requests in flight.
const MaxInFlight = maxInFlight

// replyTokens is the token limit of a reply, without reasoning.
const replyTokens = 40

// A Test sends the calls of one phase after the other, until a hard failure is found. It is a
// verbatim.Source.
type Test struct {
	config Config
	calls  []Call

	mu       sync.Mutex
	ends     []ending
	next     int
	inFlight int
	failures []Failure
}

// An ending is what became of a call.
type ending struct {
	state state
	right bool
	empty bool
}

type state int

const (
	open state = iota // not sent, or in flight
	replied
	missing
)

// A Kind is a kind of hard failure. The set is closed.
type Kind string

// The kinds.
const (
	Leak       Kind = "another request's text"
	Characters Kind = "broken characters"
	Cut        Kind = "cut without a finish reason"
	Empty      Kind = "empty under load"
	ServerFail Kind = "server error under load"
)

// A Failure is something that no numerics excuse.
type Failure struct {
	Kind  Kind  `json:"kind"`
	Phase Phase `json:"phase"`
	Call  int   `json:"call"` // its position, from 0
	// Evidence is the part of the reply or the error that shows it.
	Evidence string `json:"evidence"`
}

// New returns a Test that has sent nothing.
func New(c Config) *Test {
	calls := drawCalls(c.Seed)
	return &Test{config: c, calls: calls, ends: make([]ending, len(calls))}
}

// Items returns the items of the calls in their order.
func (t *Test) Items() []verbatim.Item {
	items := make([]verbatim.Item, len(t.calls))
	for i := range t.calls {
		items[i] = t.calls[i].Item
	}
	return items
}

// Other returns false and "": every call is sent in the usual way.
func (t *Test) Other(int64) (flipped bool, name string) { return false, "" }

// Resume adds a saved record. Records without a reply are left out: their calls are made again.
func (t *Test) Resume(rec *verbatim.Record) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if rec.Reply != nil && rec.Outcome.Answered() {
		t.add(rec)
	}
}

// Next implements verbatim.Source.
func (t *Test) Next(done []verbatim.Record) ([]verbatim.Request, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i := range done {
		t.inFlight--
		t.add(&done[i])
	}
	requests := []verbatim.Request{}
	for len(t.failures) == 0 && t.next < len(t.calls) {
		i := t.next
		if t.ends[i].state != open {
			t.next++ // saved by an earlier call
			continue
		}
		c := &t.calls[i]
		if t.inFlight >= inFlight(c.Phase) || t.inFlight > 0 && t.calls[i-1].Phase != c.Phase {
			break
		}
		t.next++
		t.inFlight++
		requests = append(requests, verbatim.Request{Seq: int64(i), Attempt: 1, Item: &c.Item, Prompt: c.Item.Prompt, Params: t.config.Params,
			MaxTokens: replyTokens + t.config.Reasoning, ContentTokens: replyTokens})
	}
	if len(requests) == 0 && t.inFlight == 0 {
		return nil, nil
	}
	return requests, nil
}

// inFlight returns the number of requests of a phase in flight at which no other is sent.
func inFlight(p Phase) int {
	if p == Loaded {
		return maxInFlight
	}
	return 1
}

// add stores what a record says, and looks for hard failures.
func (t *Test) add(rec *verbatim.Record) {
	if rec.Seq < 0 || rec.Seq >= int64(len(t.calls)) {
		return
	}
	i := int(rec.Seq)
	c := &t.calls[i]
	fail := func(k Kind, evidence string) {
		t.failures = append(t.failures, Failure{Kind: k, Phase: c.Phase, Call: i, Evidence: evidence})
	}
	for _, a := range attempts(rec) {
		switch {
		case a.Class == verbatim.Cut:
			fail(Cut, a.Err)
		case c.Phase == Loaded && a.Status >= 500 && a.Status != 503 && a.Status != 529:
			fail(ServerFail, fmt.Sprintf("HTTP %d: %s", a.Status, a.Err))
		}
	}
	if rec.Reply == nil || !rec.Outcome.Answered() {
		t.ends[i] = ending{state: missing}
		return
	}
	text := rec.Reply.Text
	t.ends[i] = ending{state: replied, right: strings.Contains(text, c.Nonce), empty: text == "" && rec.Reply.Finish == verbatim.FinishStop}
	if nonce := t.foreign(c, text); nonce != "" {
		fail(Leak, text)
	}
	if broken(text) {
		fail(Characters, text)
	}
	if c.Pair >= 0 && t.ends[i].empty && !t.ends[c.Pair].empty {
		fail(Empty, "a reply without text, where the same request alone had one")
	}
}

// attempts returns the attempts of a record.
func attempts(rec *verbatim.Record) []verbatim.Attempt {
	switch {
	case rec.Reply != nil:
		return rec.Reply.Attempts
	case rec.Failure != nil:
		return rec.Failure.Attempts
	}
	return nil
}

// foreign returns the nonce of another prompt that a reply holds; "" if there is nothing. Half of
// the digits are enough.
func (t *Test) foreign(c *Call, text string) string {
	for i := range t.calls {
		nonce := t.calls[i].Nonce
		if nonce == c.Nonce {
			continue
		}
		for at := 0; at+half <= len(nonce); at++ {
			part := nonce[at : at+half]
			if strings.Contains(text, part) && !strings.Contains(c.Nonce, part) {
				return nonce
			}
		}
	}
	return ""
}

// half is the number of hexadecimal digits of another nonce that are no chance: among the
// replies of a run they come up by chance in less than one of 10^5 runs.
const half = 10

// broken reports whether a text holds a replacement character, bytes that are not UTF-8, or
// control characters.
func broken(text string) bool {
	return !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool {
		return r == utf8.RuneError || unicode.IsControl(r) && r != '\n' && r != '\t' && r != '\r'
	})
}

// Progress returns the number of calls that have ended, and of all calls.
func (t *Test) Progress() (ended, all int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i := range t.ends {
		if t.ends[i].state != open {
			ended++
		}
	}
	return ended, len(t.calls)
}

// Verdict returns the verdict; "" if there is nothing yet.
func (t *Test) Verdict() string {
	if r := t.Result(); r.Word != Undecided {
		return string(r.Word)
	}
	return ""
}

// Result returns the verdict on the calls so far.
func (t *Test) Result() *Result {
	t.mu.Lock()
	defer t.mu.Unlock()
	r := &Result{Word: Undecided, Alpha: t.config.Alpha, Failures: t.failures, P: 1}
	wrong, aloneWrong := make([]int, aloneCalls), 0
	complete := true
	for _, p := range []Phase{Alone, Loaded, Prefix} {
		count := Count{Phase: p}
		for i := range t.calls {
			if t.calls[i].Phase != p {
				continue
			}
			count.Planned++
			switch e := t.ends[i]; e.state {
			case replied:
				count.Replies++
				if e.right {
					count.Right++
				}
			case missing:
				count.Missing++
			default:
				complete = false
			}
		}
		r.Calls += count.Replies
		r.Missing += count.Missing
		r.Phases = append(r.Phases, count)
	}
	usable := 0
	for i := range aloneCalls {
		n, ok := t.wrongOf(i)
		if !ok {
			wrong[i] = 0
			continue
		}
		usable++
		wrong[i] = n
		if !t.ends[i].right {
			aloneWrong++
		} else {
			r.WrongUnderLoad += n
		}
	}
	if usable > 0 {
		r.P = change.FirstIsBetter(wrong, 1+rounds, aloneWrong)
	}
	r.Finished = complete || len(t.failures) > 0
	if n := r.Phases[1].Replies; n > 0 {
		rate := 1 - math.Pow(0.2, 1/float64(n))
		r.Detectable = &rate
	}
	switch {
	case len(t.failures) > 0:
		r.Word = Fault
	case float64(r.Missing) > t.config.MaxMissing*float64(len(t.calls)) || !complete:
	case r.P <= t.config.Alpha:
		r.Word = Fault
	default:
		r.Word = NoFault
	}
	return r
}

// wrongOf returns how many of the calls of an item are wrong, alone and loaded; false if one has
// no reply.
func (t *Test) wrongOf(item int) (n int, ok bool) {
	for i := range t.calls {
		if i != item && t.calls[i].Pair != item {
			continue
		}
		if t.ends[i].state != replied {
			return 0, false
		}
		if !t.ends[i].right {
			n++
		}
	}
	return n, true
}
