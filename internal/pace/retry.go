package pace

import (
	"math/rand/v2"
	"time"

	"verbatim"
)

const (
	firstWait = 500 * time.Millisecond // before the second try
	longWait  = 30 * time.Second       // what our own waits grow to
	// longAfter is the longest that a server may ask us to wait. A server that
	// asks for more is not asked again earlier, but given up: the run continues
	// without it and can be continued later.
	longAfter = 5 * time.Minute
	// longJitter bounds what chance adds to the wait that a server asks for. More
	// would cost time in every window of a server that counts by windows.
	longJitter = 250 * time.Millisecond
)

// passes reports whether a failure of the class may be gone at the next try.
func passes(c verbatim.Class) bool {
	switch c {
	case verbatim.Transport, verbatim.Rate, verbatim.Overload, verbatim.Cut:
		return true
	}
	return false
}

// ends reports whether a failure of the class ends the asking of its endpoint.
func ends(c verbatim.Class) bool { return c == verbatim.Quota || c == verbatim.Auth }

// backoff returns our own wait after a number of attempts, from 1: half of it is
// certain, half is chance, so that many workers do not come back at once.
func backoff(attempts int) time.Duration {
	d := longWait
	if attempts < 10 {
		d = min(longWait, firstWait<<(attempts-1))
	}
	return d/2 + time.Duration(rand.Float64()*float64(d/2))
}

// jittered returns the wait that a server asks for with chance on top, at most a
// tenth and longJitter.
func jittered(after time.Duration) time.Duration {
	return after + time.Duration(rand.Float64()*float64(min(after/10, longJitter)))
}

// join appends what a model recorded of a try, or the bare attempt where it
// recorded nothing. The wait stands before the first.
func join(past, recorded []verbatim.Attempt, bare verbatim.Attempt, waited time.Duration) []verbatim.Attempt {
	if len(recorded) == 0 {
		bare.Total = time.Since(bare.Start)
		recorded = []verbatim.Attempt{bare}
	}
	n := len(past)
	past = append(past[:n:n], recorded...)
	past[n].Wait += waited
	return past
}

func reason(f *verbatim.Failure) string {
	if f.Err == nil {
		return string(f.Class)
	}
	return f.Err.Error()
}
