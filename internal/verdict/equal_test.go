package verdict_test

import (
	"math"
	"os"
	"testing"

	"verbatim/internal/stats"
	"verbatim/internal/verdict"
)

// TestEqualModels sums the probability of a false verdict on two equal models over all
// outcomes of n right or wrong answers. It must be at most 6 % for every n from 8 and every
// share of items that differ. The posterior alone gave 6.6 to 14.6 %.
func TestEqualModels(t *testing.T) {
	sizes, step := []int{8, 9, 10, 12, 15, 20, 30}, 0.05
	if os.Getenv("VERBATIM_EXHAUSTIVE") != "" {
		sizes, step = nil, 0.01
		for n := 8; n <= 120; n++ {
			sizes = append(sizes, n)
		}
	}
	for _, n := range sizes {
		for _, rope := range []float64{0, 0.02, 0.05} {
			decided := directions(t, n, rope)
			for differ := step; differ < 1+step/2; differ += step {
				if rate := falseVerdicts(decided, min(differ, 1)); rate > 0.06 {
					t.Errorf("%d items, ROPE %v, %.2f of them differ: %.4f false verdicts", n, rope, differ, rate)
				}
			}
		}
	}
}

// directions gives the verdict, worse or better, by the number of differing items and
// by how many of them only A has right.
func directions(t *testing.T, n int, rope float64) [][]bool {
	o := verdict.Defaults("", nil)
	o.Rope = rope
	decided := make([][]bool, n+1)
	for differ := range decided {
		decided[differ] = make([]bool, differ+1)
		for onlyA := range decided[differ] {
			if onlyB := differ - onlyA; onlyB < onlyA {
				decided[differ][onlyA] = decided[differ][onlyB]
				continue
			}
			var s stats.Strata
			for i := range n {
				d := 0.0
				switch {
				case i < onlyA:
					d = -1
				case i < differ:
					d = 1
				}
				if err := s.Add(0, d); err != nil {
					t.Fatal(err)
				}
			}
			p, err := s.Posterior()
			if err != nil {
				t.Fatal(err)
			}
			word := o.Word(p.Probabilities(rope), s.SignFlip())
			decided[differ][onlyA] = word == verdict.Worse || word == verdict.Better
		}
	}
	return decided
}

// falseVerdicts is the probability of a direction if each item differs with a probability,
// as likely in one direction as in the other.
func falseVerdicts(decided [][]bool, share float64) (rate float64) {
	n := len(decided) - 1
	for differ, row := range decided {
		for onlyA, is := range row {
			if is {
				rate += binomial(n, differ, share) * binomial(differ, onlyA, 0.5)
			}
		}
	}
	return rate
}

func binomial(n, k int, p float64) float64 {
	if p >= 1 {
		if k == n {
			return 1
		}
		return 0
	}
	all, _ := math.Lgamma(float64(n + 1))
	some, _ := math.Lgamma(float64(k + 1))
	rest, _ := math.Lgamma(float64(n - k + 1))
	return math.Exp(all - some - rest + float64(k)*math.Log(p) + float64(n-k)*math.Log1p(-p))
}

// TestAdjust corrects the verdicts on several runs by Holm, and leaves a withheld one.
func TestAdjust(t *testing.T) {
	var list []*verdict.Comparison
	for _, c := range []struct {
		worse float64
		word  verdict.Word
	}{{0.999, verdict.Worse}, {0.97, verdict.Worse}, {0.98, verdict.Withheld}} {
		one := &verdict.Comparison{Threshold: 0.95, P: 1 - c.worse}
		one.Word = c.word
		one.Difference = verdict.Difference{Worse: c.worse, Equivalent: 1 - c.worse}
		list = append(list, one)
	}
	verdict.Adjust(list)
	for i, want := range []verdict.Word{verdict.Worse, verdict.Inconclusive, verdict.Withheld} {
		if c := list[i]; c.Word != want || c.Together != 3 {
			t.Errorf("comparison %d: %s of %d, want %s (p %v, adjusted %v)", i, c.Word, c.Together, want, c.P, c.Adjusted)
		}
	}
}
