package pace

import (
	"math/rand/v2"
	"time"

	"verbatim"
)

const (
	firstWait = 500 * time.Millisecond // before the second attempt
	longWait  = 30 * time.Second       // the longest wait that no server asked for
	// longAfter is the longest wait that a server may ask for. An endpoint that asks for
	// more is given up: the run ends without it and can be continued later.
	longAfter = 5 * time.Minute
	// longJitter bounds the random addition to the wait that a server asks for. A longer
	// one would cost time in every window of a server that counts by windows.
	longJitter = 250 * time.Millisecond
)

// passes reports whether a failure of the class may not occur at the next attempt.
func passes(c verbatim.Class) bool {
	switch c {
	case verbatim.Transport, verbatim.Rate, verbatim.Overload, verbatim.Cut:
		return true
	}
	return false
}

// ends reports whether the endpoint is given up after a failure of the class.
func ends(c verbatim.Class) bool { return c == verbatim.Quota || c == verbatim.Auth }

// backoff returns the wait after a number of attempts, from 1, where the server asks for none. Half of
// it is random, so that many workers do not continue at once.
func backoff(attempts int) time.Duration {
	d := longWait
	if attempts < 10 {
		d = min(longWait, firstWait<<(attempts-1))
	}
	return d/2 + time.Duration(rand.Float64()*float64(d/2))
}

// jittered returns the wait that a server asks for with a random addition, at most a tenth of it and
// longJitter.
func jittered(after time.Duration) time.Duration {
	return after + time.Duration(rand.Float64()*float64(min(after/10, longJitter)))
}

// join appends the attempts that a model recorded, or bare if it recorded none, to past. The first of
// them gets the wait before it.
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
