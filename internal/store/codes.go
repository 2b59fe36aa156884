package store

import (
	"fmt"
	"slices"

	"verbatim"
)

// A Phase is how far a batch is. The set is closed.
type Phase string

// The phases. A batch is pending until it is abandoned or collected.
const (
	Intended  Phase = "intended"  // saved before it is sent: it may have been sent or not
	Submitted Phase = "submitted" // the provider has it
	abandoned Phase = "abandoned" // its answers are not waited for any more
	collected Phase = "collected" // a record is saved for each of its requests
)

// phaseOver is the number of the first phase in which a batch is not pending.
const phaseOver = 2

// Database files hold the values of these closed sets as indexes into these lists. An index
// never changes: a new value goes to the end.
var (
	outcomes = []verbatim.Outcome{
		verbatim.Pass, verbatim.Wrapped, verbatim.Wrong, verbatim.Refused, verbatim.Truncated,
		verbatim.CutOff, verbatim.Errored, verbatim.Skipped,
	}
	finishes = []verbatim.Finish{
		verbatim.FinishUnknown, verbatim.FinishStop, verbatim.FinishLength,
		verbatim.FinishFilter, verbatim.FinishRefusal, verbatim.FinishOther,
		verbatim.FinishCall, verbatim.FinishNoCall,
	}
	classes = []verbatim.Class{
		"", verbatim.Transport, verbatim.Rate, verbatim.Overload, verbatim.Quota, verbatim.Auth,
		verbatim.BadAsk, verbatim.Content, verbatim.Cut, verbatim.Deadline, verbatim.Unsupported,
	}
	phases = []Phase{Intended, Submitted, abandoned, collected}
)

// codeOf returns the index of v in its list. A value that is not in it is an error.
func codeOf[T ~string](list []T, v T) (int64, error) {
	i := slices.Index(list, v)
	if i < 0 {
		return 0, fmt.Errorf("%q is no %T", string(v), v)
	}
	return int64(i), nil
}

// Decode returns the value with the index n; "" for an unknown one, which a damaged file may
// hold.
func Decode[T ~string](list []T, n int64) T {
	if n < 0 || n >= int64(len(list)) {
		return ""
	}
	return list[n]
}
