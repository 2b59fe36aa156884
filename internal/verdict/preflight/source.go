package preflight

import (
	"slices"

	"verbatim"
)

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
