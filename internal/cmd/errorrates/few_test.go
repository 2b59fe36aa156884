package main

import (
	"testing"

	"verbatim/internal/stats"
	"verbatim/internal/verdict"
)

// The table of few items must have the verdicts of compare: a posterior alone is wrong too
// often, the sign-flip test mends it, and large differences are found.
func TestVerdictTable(t *testing.T) {
	alone, tested := newVerdictTable(12, false), newVerdictTable(12, true)
	if worst := alone.worstEqual(); worst < .14 || worst > .15 {
		t.Errorf("12 items, posterior alone: wrong in %.4f of comparisons at worst, want .14 to .15", worst)
	}
	if worst := tested.worstEqual(); worst <= .01 || worst > alpha {
		t.Errorf("12 items, with the test: wrong in %.4f of comparisons at worst, want .01 to %g", worst, alpha)
	}
	for onlyA := range alone {
		for onlyB := range alone[onlyA] {
			c := comparisonOf(12, onlyA, onlyB)
			three := verdictProbabilities(&c)
			if got, want := alone[onlyA][onlyB], three.Worse >= threshold || three.Better >= threshold; got != want {
				t.Errorf("%d only A, %d only B, posterior alone: %v, want %v", onlyA, onlyB, got, want)
			}
			word := (&verdict.Options{Threshold: threshold}).Word(three, c.Difference.SignFlip)
			if got, want := tested[onlyA][onlyB], word == verdict.Worse || word == verdict.Better; got != want {
				t.Errorf("%d only A, %d only B, with the test: %v, but compare says %q", onlyA, onlyB, got, word)
			}
		}
	}
	if found := newVerdictTable(100, true).directed(.9*.5, .1*.5); found < .99 {
		t.Errorf("100 items: finds 50 %% vs 90 %% in %.4f of comparisons, want more than .99", found)
	}
}

// verdictProbabilities are the probabilities of a comparison.
func verdictProbabilities(c *verdict.Comparison) stats.Probabilities {
	return stats.Probabilities{Worse: c.Difference.Worse, Equivalent: c.Difference.Equivalent, Better: c.Difference.Better}
}
