package smoke

import (
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"verbatim"
	"verbatim/internal/stats/change"
)

// A Config says how the calls are sent.
type Config struct {
	Seed   uint64 // of the prompts
	Length int    // words of the longest text before a line to copy
	Alpha  float64
	// MaxMissing is the share of the calls that may have no reply.
	MaxMissing float64
	// Params are sent with every call, and Reasoning tokens are added to its limit.
	Params    verbatim.Params
	Reasoning int
	// Tools adds calls whose answer is the arguments of a tool. If the first two, which are sent
	// alone, call no tool, no other is sent.
	Tools bool
}

// MaxInFlight is the largest number of requests in flight.
const MaxInFlight = maxInFlight

// replyTokens is the token limit of a reply, without reasoning. The line to copy has at most 18
// tokens. The others are for a few words or a fence before it.
const replyTokens = 28

// echoTokens is the token limit of a reply with the arguments of a tool.
const echoTokens = 160

// MeanReply is the mean token limit of the calls, without reasoning.
const MeanReply = ((1+rounds)*(copies*replyTokens+echoes*echoTokens) + (others+4)*replyTokens) / ((1+rounds)*(copies+echoes) + others + 4)

// A Test sends the calls of one part after the other, until a hard failure is found. It is a
// verbatim.Source.
type Test struct {
	config Config
	calls  []Call

	mu       sync.Mutex
	ends     []ending // by call
	next     int
	inFlight int
	failures []Failure
}

// An ending is what became of a call.
type ending struct {
	state state
	right bool // the reply holds all digits; of tools: the exact arguments
	empty bool
	call  bool // the reply is the call of a tool
	// refused says that the server refused the request itself (HTTP 4xx).
	refused bool
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

// A Failure is a hard failure: numerics are no excuse for it.
type Failure struct {
	Kind  Kind  `json:"kind"`
	Phase Phase `json:"phase"`
	Call  int   `json:"call"` // its position, from 0
	// Evidence is the part of the reply or the error that shows it.
	Evidence string `json:"evidence"`
}

// New returns a Test that has sent nothing.
func New(c Config) *Test {
	calls := drawCalls(c.Seed, c.Length, c.Tools)
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
		if t.ends[i].state != open || t.skips(i) { // saved by an earlier command, or not needed
			t.next++
			continue
		}
		c := &t.calls[i]
		if t.inFlight >= c.part.inFlight() || t.inFlight > 0 && t.calls[i-1].part != c.part {
			break
		}
		t.next++
		t.inFlight++
		r := verbatim.Request{Seq: int64(i), Attempt: 1, Item: &c.Item, Prompt: c.Item.Prompt, Params: t.config.Params,
			MaxTokens: replyTokens + t.config.Reasoning, ContentTokens: replyTokens}
		if r.Params.Structure = c.Structure; c.Structure != nil {
			r.MaxTokens, r.ContentTokens = echoTokens+t.config.Reasoning, echoTokens
		}
		requests = append(requests, r)
	}
	if len(requests) == 0 && t.inFlight == 0 {
		return nil, nil
	}
	return requests, nil
}

// skips reports whether a call is not sent: a call for a tool, if two of those sent alone have ended
// and none called a tool.
func (t *Test) skips(i int) bool {
	if t.calls[i].Structure == nil || t.ends[i].state != open {
		return false
	}
	ended := 0
	for k := range t.calls {
		if t.calls[k].Structure == nil || t.calls[k].Phase != Alone {
			continue
		}
		if t.ends[k].call {
			return false
		}
		if t.ends[k].state != open {
			ended++
		}
	}
	return ended >= 2
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
	for _, a := range rec.Attempts() {
		switch {
		case a.Class == verbatim.Cut, a.Class == verbatim.Content && a.Partial != "":
			fail(Cut, a.Err)
		case c.Phase == Loaded && a.Status >= 500 && a.Status != 503 && a.Status != 529:
			fail(ServerFail, fmt.Sprintf("HTTP %d: %s", a.Status, a.Err))
		}
	}
	if rec.Reply == nil || !rec.Outcome.Answered() {
		f := rec.Failure
		t.ends[i] = ending{state: missing, refused: f != nil && f.Status >= 400 && f.Status < 500 && f.Status != http.StatusRequestTimeout && f.Status != http.StatusTooManyRequests}
		return
	}
	text := rec.Reply.Text
	t.ends[i] = ending{state: replied, right: strings.Contains(text, c.Nonce), empty: text == "" && rec.Reply.Finish == verbatim.FinishStop}
	if c.Structure != nil {
		t.ends[i].right = rec.Grade != nil && rec.Grade.Exact
		t.ends[i].call = rec.Reply.Finish == verbatim.FinishCall
	}
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

// foreign returns the nonce of another prompt of which a reply holds enough digits in a row; "" if
// there is no such prompt.
func (t *Test) foreign(c *Call, text string) string {
	for i := range t.calls {
		nonce := t.calls[i].Nonce
		if nonce == c.Nonce {
			continue
		}
		for at := 0; at+enough <= len(nonce); at++ {
			part := nonce[at : at+enough]
			if strings.Contains(text, part) && !strings.Contains(c.Nonce, part) {
				return nonce
			}
		}
	}
	return ""
}

// enough is the number of hexadecimal digits of another nonce that show a leak. By chance the replies
// of a run hold so many in less than one of 10^5 runs.
const enough = 10

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
		if t.ends[i].state != open || t.skips(i) {
			ended++
		}
	}
	return ended, len(t.calls)
}

// Verdict returns the verdict; "" while it is open.
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
	complete := t.count(r)
	var wrong []int
	aloneWrong, loaded := 0, 0
	for i := range t.calls {
		if t.calls[i].Phase == Loaded && t.ends[i].state == replied {
			loaded++
		}
		if t.calls[i].Phase != Alone {
			continue
		}
		n, ok := t.wrongOf(i)
		switch {
		case !ok:
			continue
		case t.ends[i].right:
			r.WrongUnderLoad += n
		default:
			aloneWrong++
		}
		wrong = append(wrong, n)
	}
	if len(wrong) > 0 {
		r.P = change.FirstIsBetter(wrong, 1+rounds, aloneWrong)
	}
	r.Finished = complete || len(t.failures) > 0
	if loaded > 0 {
		r.Detectable = new(1 - math.Pow(0.2, 1/float64(loaded)))
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

// count counts the calls, and reports whether all have ended.
func (t *Test) count(r *Result) (complete bool) {
	complete = true
	r.Phases = []Count{{Phase: Alone}, {Phase: Loaded}, {Phase: Prefix}}
	tools := Tools{Count: Count{Phase: "tools"}}
	for i := range t.calls {
		e := t.ends[i]
		if t.skips(i) {
			continue
		}
		complete = complete && e.state != open
		count := &tools.Count
		if t.calls[i].Structure == nil {
			count = &r.Phases[slices.IndexFunc(r.Phases, func(c Count) bool { return c.Phase == t.calls[i].Phase })]
		}
		count.Planned++
		switch {
		case e.state == replied:
			count.Replies++
			r.Calls++
			if e.right {
				count.Right++
			}
			if e.call {
				tools.Called++
			}
		case e.state == missing:
			count.Missing++
			if t.calls[i].Structure == nil || !e.refused { // an endpoint without tools may refuse them
				r.Missing++
			}
		}
	}
	if tools.Planned > 0 {
		r.Tools = &tools
	}
	return complete
}

// wrongOf returns the number of wrong calls of an item, alone and loaded; false if one of its calls
// has no reply.
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
