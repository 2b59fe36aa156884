package report

import (
	"cmp"
	"slices"

	"verbatim"
	"verbatim/internal/number"
	"verbatim/internal/terminal"
)

// A Listing lists the records of a run that did not pass, by outcome and label, with the first few
// of each. Its memory does not grow with the records.
type Listing struct {
	Run     verbatim.Run
	Ref     string // names the run on a command line
	Note    string // a remark, such as that the model is simulated
	Records int64
	Passed  int64
	// Unrecorded is the number of attempts without a record, which may have been billed.
	// MayHave is their maximum cost.
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

// A Miss is one such record.
type Miss struct {
	Item   string
	Trial  int
	Detail string
}

// examples is the number of records of a kind that are listed.
const examples = 3

// Add counts a record. The records must come in planned order.
func (l *Listing) Add(rec *verbatim.Record) {
	l.Records++
	if rec.Outcome == verbatim.Pass {
		l.Passed++
		return
	}
	miss := Miss{Item: itemID(rec), Trial: rec.Trial}
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

// kind returns the kind of an outcome and a label. If there are too many kinds, new labels of an
// outcome share one.
func (l *Listing) kind(o verbatim.Outcome, label string) *Misses {
	for _, k := range l.kinds {
		if k.Outcome == o && k.Label == label {
			return k
		}
	}
	if len(l.kinds) >= maxNames && label != Others { // labels of imported files may be anything
		return l.kind(o, Others)
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

// RunNames returns a name for each run: its model. If several runs are of one model, the number of
// the run is added, or the name of a run that is not saved yet. The names are Visible and at most
// 60 columns wide.
func RunNames(runs []Block) []string {
	const limit = 60
	seen := make(map[string]int)
	for i := range runs {
		seen[runs[i].Head.Model]++
	}
	names := make([]string, len(runs))
	for i := range runs {
		h := &runs[i].Head
		tail := ""
		if seen[h.Model] > 1 || h.Model == "" {
			if tail = terminal.Truncate(terminal.Visible(h.Name), limit/2); h.N > 0 {
				tail = "run " + number.Count(h.N)
			}
		}
		switch model := terminal.Visible(h.Model); {
		case tail == "":
			names[i] = terminal.Truncate(model, limit)
		case model == "":
			names[i] = tail
		default:
			names[i] = terminal.Truncate(model, limit-terminal.Width(tail)-3) + " (" + tail + ")"
		}
	}
	return names
}
