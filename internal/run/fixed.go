package run

import (
	"verbatim"
	"verbatim/internal/store"
)

// Planned is a position of a plan. Item draws its item.
type Planned struct {
	Seq   int64
	Trial int
	Item  func() (*verbatim.Item, error)
}

// A Fixed is the Source of a plan: it sends the positions in their order, except for those that have an
// answer or are pending in a batch.
type Fixed struct {
	// Places returns the next position in planned order, and false at the end.
	Places func() (Planned, bool)
	Saved  *store.Positions // nil: nothing is saved yet
	// Prompt returns the prompt for an item; nil: the item's own prompt.
	Prompt func(*verbatim.Item) verbatim.Prompt
	// Structure returns the form of an item's answer; nil: all are texts.
	Structure func(*verbatim.Item) *verbatim.Structure
	// Limits returns the token limits for an item: of the reply, and of its content. nil: none.
	Limits func(*verbatim.Item) (reply, content int)
	Params verbatim.Params
}

// ahead is how many requests Next draws at a time: enough for calls of Next to be rare, few enough for
// their items to take little memory.
const ahead = 16

// Next draws the next requests. It does not depend on the records that were saved.
func (f *Fixed) Next([]verbatim.Record) ([]verbatim.Request, error) {
	var requests []verbatim.Request
	for len(requests) < ahead {
		p, ok := f.Places()
		if !ok {
			break
		}
		if f.Saved != nil && (f.Saved.Answered(p.Seq) || f.Saved.Pending(p.Seq)) {
			continue
		}
		it, err := p.Item()
		if err != nil {
			return nil, err
		}
		r := verbatim.Request{Seq: p.Seq, Trial: p.Trial, Attempt: 1, Item: it, Prompt: it.Prompt, Params: f.Params}
		if f.Prompt != nil {
			r.Prompt = f.Prompt(it)
		}
		if f.Structure != nil {
			r.Params.Structure = f.Structure(it)
		}
		if f.Limits != nil {
			r.MaxTokens, r.ContentTokens = f.Limits(it)
		}
		requests = append(requests, r)
	}
	return requests, nil
}
