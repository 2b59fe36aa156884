package main

import (
	"fmt"
	"math"
)

// A claim is a rate that the program states, next to what the simulation gave.
type claim struct {
	what  string
	got   estimate
	limit float64
	floor bool // the rate is limit at least, not at most
}

// patience is by how many Monte Carlo errors a rate may miss its limit: with some
// hundred claims a run in ten thousand would miss by chance.
const patience = 4

// broken reports whether the rate is beyond its limit by more than chance. The
// error is that of the limit, so that a rate found to be 0 or 1 has one too.
func (c claim) broken() bool {
	se := max(c.got.se, math.Sqrt(c.limit*(1-c.limit)/float64(max(c.got.runs, 1))))
	if c.got.runs == 0 { // summed, not simulated
		se = 0
	}
	if c.floor {
		return !(c.got.mean >= c.limit-patience*se)
	}
	return !(c.got.mean <= c.limit+patience*se)
}

// String names the claim, what it limits and what was found.
func (c claim) String() string {
	word := "at most"
	if c.floor {
		word = "at least"
	}
	return fmt.Sprintf("%s: %s, stated: %s %v", c.what, c.got, word, c.limit)
}

// String writes a share with its Monte Carlo error, and below three in the number of
// runs (the bound of 95 %) where it was never seen: "0.0123 ± 0.0011", "< 0.0003".
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

// percent writes a share in percent, without its error.
func (e estimate) percent() string { return fmt.Sprintf("%.1f %%", 100*e.mean) }

// count writes a mean number.
func (e estimate) count() string { return fmt.Sprintf("%.0f", e.mean) }
