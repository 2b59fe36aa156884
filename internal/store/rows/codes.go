package rows

import (
	"fmt"
	"slices"

	"verbatim"
)

// A Phase is how far a batch is. The set is closed.
type Phase string

// The phases. A batch is out until it is abandoned or collected.
const (
	Intended  Phase = "intended"  // kept before it is sent: whether it was is not known
	Submitted Phase = "submitted" // the provider has it
	Abandoned Phase = "abandoned" // its answers are not waited for any more
	Collected Phase = "collected" // all that came of it is kept
)

// PhaseOver is the number of the first phase in which a batch is not out.
const PhaseOver = 2

// The numbers of the closed sets, as they stand in files: a value's position in its
// list. They never change; new values go to the end.
var (
	Outcomes = []verbatim.Outcome{
		verbatim.Pass, verbatim.Wrapped, verbatim.Wrong, verbatim.Refused, verbatim.Truncated,
		verbatim.CutOff, verbatim.Errored, verbatim.Skipped,
	}
	Finishes = []verbatim.Finish{
		verbatim.FinishUnknown, verbatim.FinishStop, verbatim.FinishLength,
		verbatim.FinishFilter, verbatim.FinishRefusal, verbatim.FinishOther,
		verbatim.FinishCall, verbatim.FinishNoCall,
	}
	Classes = []verbatim.Class{
		"", verbatim.Transport, verbatim.Rate, verbatim.Overload, verbatim.Quota, verbatim.Auth,
		verbatim.BadAsk, verbatim.Content, verbatim.Cut, verbatim.Deadline, verbatim.Unsupported,
	}
	Phases = []Phase{Intended, Submitted, Abandoned, Collected}
)

// CodeOf returns the number of v in its list.
func CodeOf[T ~string](list []T, v T) (int64, error) {
	i := slices.Index(list, v)
	if i < 0 {
		return 0, fmt.Errorf("%q is no %T", string(v), v)
	}
	return int64(i), nil
}

// Decode returns the value with number n; an unknown number, which a damaged
// file may hold, is the first value's zero.
func Decode[T ~string](list []T, n int64) T {
	if n < 0 || n >= int64(len(list)) {
		var zero T
		return zero
	}
	return list[n]
}
