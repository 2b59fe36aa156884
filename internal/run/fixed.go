package run

import (
	"verbatim"
	"verbatim/internal/store"
)

// Planned is a position of a plan. Request draws its item and returns the first request for it.
type Planned struct {
	Seq     int64
	Request func() (verbatim.Request, error)
}

// A Fixed is the Source of a plan: it sends the positions in their order, except for those that have an
// answer or are pending in a batch.
type Fixed struct {
	// Places returns the next position in planned order, and false at the end.
	Places func() (Planned, bool)
	Saved  *store.Positions
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
		if f.Saved.Answered(p.Seq) || f.Saved.Pending(p.Seq) {
			continue
		}
		r, err := p.Request()
		if err != nil {
			return nil, err
		}
		requests = append(requests, r)
	}
	return requests, nil
}
