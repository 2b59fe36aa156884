package main

import (
	"fmt"
	"math"
)

// A statedRate is a rate that the program states, with the measured one.
type statedRate struct {
	name     string
	measured estimate
	limit    float64
	minimum  bool // limit is the minimum, not the maximum
}

// shortErrors is the number of Monte Carlo errors by which a measured rate of the short form
// may miss its limit: it has few runs. The full form has no such tolerance. Its random
// numbers are fixed, so that no rate misses by chance from one time to the next.
const shortErrors = 4

// tolerance is the number of Monte Carlo errors by which a rate may miss its limit.
func (l *simulator) tolerance() float64 {
	if l.short {
		return shortErrors
	}
	return 0
}

// broken reports whether the rate misses its limit by more than a number of Monte Carlo
// errors. The error is that of the limit, so that a measured rate of 0 or 1 has one too.
func (c statedRate) broken(errors float64) bool {
	se := max(c.measured.se, math.Sqrt(c.limit*(1-c.limit)/float64(max(c.measured.runs, 1))))
	if c.measured.runs == 0 { // summed, not simulated
		se = 0
	}
	if c.minimum {
		return !(c.measured.mean >= c.limit-errors*se)
	}
	return !(c.measured.mean <= c.limit+errors*se)
}

// String names the rate, its measurement and its limit.
func (c statedRate) String() string {
	word := "at most"
	if c.minimum {
		word = "at least"
	}
	return fmt.Sprintf("%s: %s, stated: %s %v", c.name, c.measured, word, c.limit)
}

// String prints a mean with its Monte Carlo error: "0.0123 ± 0.0011". For a share of 0 or 1 it prints
// the 95 % bound, which is 3 divided by the number of runs: "< 0.0003".
func (e estimate) String() string {
	switch {
	case e.runs == 0:
		return fmt.Sprintf("%.4f", e.mean)
	case e.share && e.mean == 0:
		return fmt.Sprintf("< %.4f", 3/float64(e.runs))
	case e.share && e.mean == 1:
		return fmt.Sprintf("> %.4f", 1-3/float64(e.runs))
	}
	return fmt.Sprintf("%.4f ± %.4f", e.mean, e.se)
}

// percent prints a share in percent, without its error.
func (e estimate) percent() string { return fmt.Sprintf("%.1f %%", 100*e.mean) }

// count prints a mean number, without its error.
func (e estimate) count() string { return fmt.Sprintf("%.0f", e.mean) }

// The rates of the commands that test endpoints, as they state them.
const (
	endpointAlpha = 0.01
	probeAlpha    = endpointAlpha / 4 // of each of four probes of verify
	endpointRuns  = 10_000
)
