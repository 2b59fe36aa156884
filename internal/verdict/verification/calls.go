package verification

import (
	"slices"
	"sync"

	"verbatim"
	"verbatim/internal/stats/change"
)

// A callList is the calls of a probe with requests of its own: both sides get the same ones in
// the same order. It is a part of logprobTest and toolTest, whose methods may be
// called from several goroutines.
type callList struct {
	probe    callProbe
	items    []verbatim.Item // of the calls, in their order
	upstream Upstream

	mu    sync.Mutex
	calls [2][]call
	sides [2]struct{ next, inFlight int }
}

// A callProbe is what the probes do in ways of their own. Its methods are called with mu locked.
type callProbe interface {
	read(rec *verbatim.Record) call // without state and upstream
	stopped() bool                  // no further call is sent
	inFlight(i int) int             // number of calls in flight at which call i is not sent
	request(i int) verbatim.Request
}

// A call is what became of one call of a side.
type call struct {
	state    state
	upstream string
	refused  bool            // the server says that it takes no such request
	empty    bool            // the reply has no text
	list     change.LogProbs // of the first token; nil: the reply has no log probabilities
	exact    bool            // the reply is exactly right
	tool     bool            // the reply is the call of a tool
}

// attempts is the number of calls of a side without what a probe needs, from which the probe
// expects none.
const attempts = 3

// plan sets the calls. Nothing is sent yet.
func (l *callList) plan(probe callProbe, items []verbatim.Item) {
	l.probe, l.items = probe, items
	for side := range l.calls {
		l.calls[side] = make([]call, len(items))
	}
}

// ungraded returns an item whose replies are not graded.
func ungraded(id, family, text string) verbatim.Item {
	return verbatim.Item{ID: id, Prompt: userPrompt(text), Want: verbatim.TextAnswer("-"), Facts: map[string]string{verbatim.FactFamily: family}}
}

func userPrompt(text string) verbatim.Prompt {
	return verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: text}}}}
}

// Items returns the items of the calls in their order. They are the same for both sides.
func (l *callList) Items() []verbatim.Item { return l.items }

// Apart compares replies of several upstreams apart. It is called before anything else.
func (l *callList) Apart(u Upstream) { l.upstream = u }

// Resume adds a saved record of a side. Records without a reply are left out: their calls are
// sent again.
func (l *callList) Resume(side int, rec *verbatim.Record) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if answered(rec) {
		l.set(side, rec)
	}
}

// set stores what a record says. A position that is not in the list is left out.
func (l *callList) set(side int, rec *verbatim.Record) {
	if rec.Seq < 0 || rec.Seq >= int64(len(l.items)) {
		return
	}
	c := l.probe.read(rec)
	if c.state = missing; answered(rec) {
		c.state, c.upstream = replied, l.upstream.of(rec)
	}
	l.calls[side][rec.Seq] = c
}

// Source returns the Source of a side, 0 or 1.
func (l *callList) Source(side int) verbatim.Source { return &callSource{l, side} }

type callSource struct {
	list *callList
	side int
}

// Next implements verbatim.Source.
func (s *callSource) Next(done []verbatim.Record) ([]verbatim.Request, error) {
	l := s.list
	l.mu.Lock()
	defer l.mu.Unlock()
	me := &l.sides[s.side]
	for i := range done {
		me.inFlight--
		l.set(s.side, &done[i])
	}
	requests := []verbatim.Request{}
	for ; me.next < len(l.items) && !l.probe.stopped(); me.next++ {
		if l.calls[s.side][me.next].state != open {
			continue // saved by an earlier command
		}
		if me.inFlight >= l.probe.inFlight(me.next) {
			break
		}
		me.inFlight++
		requests = append(requests, l.probe.request(me.next))
	}
	if len(requests) == 0 && me.inFlight == 0 {
		return nil, nil
	}
	return requests, nil
}

// newRequest returns the request of a call, without its token limits.
func (l *callList) newRequest(i int, params verbatim.Params) verbatim.Request {
	return verbatim.Request{Seq: int64(i), Attempt: 1, Item: &l.items[i], Prompt: l.items[i].Prompt, Params: params}
}

// Progress returns the number of calls of both sides that have ended, and of all.
func (l *callList) Progress() (ended, all int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for side := range l.calls {
		ended += len(l.items) - l.count(side, open)
	}
	return ended, 2 * len(l.items)
}

// complete reports whether all calls have ended.
func (l *callList) complete() bool { return l.count(0, open)+l.count(1, open) == 0 }

// count returns the number of calls of a side in a state.
func (l *callList) count(side int, s state) (n int) {
	for _, c := range l.calls[side] {
		if c.state == s {
			n++
		}
	}
	return n
}

// refusing lists the sides that refuse such calls, and have answered none.
func (l *callList) refusing() (sides []int) {
	for side := range l.calls {
		refused := 0
		for _, c := range l.calls[side] {
			if c.refused {
				refused++
			}
		}
		if refused >= attempts && l.count(side, replied) == 0 {
			sides = append(sides, side)
		}
	}
	return sides
}

// withoutLists lists the sides whose calls have ended without log probabilities.
func (l *callList) withoutLists() (sides []int) {
	for side := range l.calls {
		ended := len(l.items) - l.count(side, open)
		if ended >= attempts && !slices.ContainsFunc(l.calls[side], func(c call) bool { return c.list != nil }) {
			sides = append(sides, side)
		}
	}
	return sides
}
