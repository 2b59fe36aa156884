package result

import (
	"cmp"
	"slices"

	"verbatim"
	"verbatim/internal/report"
)

// A Listing is what became of the records of a run that did not pass: by outcome and
// label, with the first few of each. Its memory does not grow with the records.
type Listing struct {
	Run     verbatim.Run
	Ref     string // names the run on a command line
	Note    string // such as: that the model is simulated
	Records int64
	Passed  int64
	// Unrecorded is how many attempts have no record and may have been billed, and
	// MayHave the most that they may have cost.
	Unrecorded int64
	MayHave    verbatim.Money
	kinds      []*Misses
}

// Misses are the records that share an outcome and a label.
type Misses struct {
	Outcome verbatim.Outcome
	Label   string // of the grade, or the class of the failure
	N       int64
	First   []Miss // in planned order
}

// A Miss is one of them.
type Miss struct {
	Item   string
	Trial  int
	Detail string
}

// examples is how many records of a kind are listed.
const examples = 3

// Add takes a record in; the records come in planned order.
func (l *Listing) Add(rec *verbatim.Record) {
	l.Records++
	if rec.Outcome == verbatim.Pass {
		l.Passed++
		return
	}
	miss := Miss{Item: report.ItemID(rec), Trial: rec.Trial}
	label := ""
	switch {
	case rec.Grade != nil:
		label, miss.Detail = rec.Grade.Label, rec.Grade.Detail
	case rec.Failure != nil:
		label = string(rec.Failure.Class)
		if rec.Failure.Err != nil {
			miss.Detail = rec.Failure.Err.Error()
		}
	}
	kind := l.kind(rec.Outcome, label)
	if kind.N++; len(kind.First) < examples {
		kind.First = append(kind.First, miss)
	}
}

func (l *Listing) kind(o verbatim.Outcome, label string) *Misses {
	for _, k := range l.kinds {
		if k.Outcome == o && k.Label == label {
			return k
		}
	}
	if len(l.kinds) >= report.MaxNames && label != report.Others { // labels of imported files may be anything
		return l.kind(o, report.Others)
	}
	k := &Misses{Outcome: o, Label: label}
	l.kinds = append(l.kinds, k)
	return k
}

// Kinds lists the kinds, commonest first.
func (l *Listing) Kinds() []*Misses {
	out := slices.Clone(l.kinds)
	slices.SortStableFunc(out, func(a, b *Misses) int {
		return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Outcome, b.Outcome), cmp.Compare(a.Label, b.Label))
	})
	return out
}
