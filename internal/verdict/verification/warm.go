package verification

import (
	"encoding/json"

	"verbatim"
)

// A WarmUp is the requests that bring the prompts of a test into the cache of a server. Each is sent
// before the first request of the test with its prompt, and its reply does not count.
type WarmUp struct {
	first int64 // the position of the first one
	items []verbatim.Item
	index map[string]int // of items, by prompt
}

// NewWarmUp returns the requests for the items of a test, one for each different prompt. Their
// positions follow those of the items.
func NewWarmUp(items []verbatim.Item) *WarmUp {
	w := &WarmUp{first: int64(len(items)), index: map[string]int{}}
	for _, it := range items {
		key := promptKey(it.Prompt)
		if _, ok := w.index[key]; ok {
			continue
		}
		w.index[key] = len(w.items)
		it.ID = "warm-up/" + it.ID
		w.items = append(w.items, it)
	}
	return w
}

// promptKey returns a text that is the same for equal prompts only.
func promptKey(p verbatim.Prompt) string {
	key, err := json.Marshal(p)
	if err != nil {
		panic("verification: a prompt without a JSON form: " + err.Error())
	}
	return string(key)
}

// Items returns the items of the requests in their order.
func (w *WarmUp) Items() []verbatim.Item { return w.items }

// Counts reports whether a record is of the test itself and not of a warm-up.
func (w *WarmUp) Counts(rec *verbatim.Record) bool { return rec.Seq < w.first }

// Source returns a Source of one side that holds each request of the test back until its prompt
// was sent once. Saved holds the saved records of the side; records of the test itself are ignored.
func (w *WarmUp) Source(test verbatim.Source, saved []verbatim.Record) verbatim.Source {
	s := &warmSource{warmUp: w, test: test, prompts: make([]warmPrompt, len(w.items))}
	for i := range saved {
		if rec := &saved[i]; !w.Counts(rec) && rec.Seq-w.first < int64(len(w.items)) && answered(rec) {
			s.prompts[rec.Seq-w.first].sent = true
		}
	}
	return s
}

type warmSource struct {
	warmUp  *WarmUp
	test    verbatim.Source
	prompts []warmPrompt
	held    int // requests that wait
}

// A warmPrompt is what became of the request that brings a prompt into the cache.
type warmPrompt struct {
	inFlight, sent bool
	waiting        []verbatim.Request // requests of the test
}

// Next implements verbatim.Source. A request whose prompt is not in the cache gives its place to
// the one that brings it there, so that no more requests are in flight than the test wants.
func (s *warmSource) Next(done []verbatim.Record) ([]verbatim.Request, error) {
	var counted []verbatim.Record
	out := []verbatim.Request{}
	for i := range done {
		if s.warmUp.Counts(&done[i]) {
			counted = append(counted, done[i])
			continue
		}
		p := &s.prompts[done[i].Seq-s.warmUp.first]
		out = append(out, p.waiting...)
		s.held -= len(p.waiting)
		*p = warmPrompt{sent: true}
	}
	requests, err := s.test.Next(counted)
	if err != nil {
		return nil, err
	}
	for _, r := range requests {
		k, ok := s.warmUp.index[promptKey(r.Prompt)]
		if !ok || s.prompts[k].sent {
			out = append(out, r)
			continue
		}
		p := &s.prompts[k]
		p.waiting = append(p.waiting, r)
		s.held++
		if p.inFlight {
			continue
		}
		p.inFlight = true
		first := r
		first.Seq, first.Item = s.warmUp.first+int64(k), &s.warmUp.items[k]
		out = append(out, first)
	}
	if requests == nil && len(out) == 0 && s.held == 0 {
		return nil, nil
	}
	return out, nil
}
