package stats_test

import (
	"math"
	"testing"

	"verbatim/internal/exhaustive"
	"verbatim/internal/stats"
)

// TestBoundsHold enumerates every outcome of n differences of -1, 0 and 1 whose mean is exactly
// -margin. For no number of gains does a bound reject that mean more often than stated: in the
// last look of check (2.5 %) and in a comparison (5 %). A perfect baseline has no gains.
func TestBoundsHold(t *testing.T) {
	type size struct{ from, step int }
	sizes, margins := []size{{10, 1}, {40, 5}, {100, 50}}, []float64{.02, .05, .1, .2}
	if exhaustive.All() {
		sizes, margins = []size{{10, 1}}, []float64{.02, .03, .04, .05, .06, .08, .1, .12, .15, .2}
	}
	for _, alpha := range []float64{.025, .05} {
		for _, margin := range margins {
			worst := [2]float64{}
			for i, s := range sizes {
				end := 300
				if i+1 < len(sizes) {
					end = sizes[i+1].from - 1
				}
				for n := s.from; n <= end; n += s.step {
					rates := worstRejections(t, n, margin, alpha)
					for side, rate := range rates {
						worst[side] = max(worst[side], rate)
						if rate > alpha+1e-9 {
							t.Errorf("%d items, margin %v: a mean on it is rejected as %s in %.4f, stated %v", n, margin, []string{"at most", "at least"}[side], rate, alpha)
						}
					}
				}
			}
			if min(worst[0], worst[1]) < 0.6*alpha {
				t.Errorf("margin %v: at most %.4f are rejected, stated %v: the bounds waste items", margin, worst, alpha)
			}
		}
	}
}

// worstRejections returns the largest probabilities, over the share of gains, that the bounds of n
// differences reject a mean of -margin as "at most" and as "at least".
func worstRejections(t *testing.T, n int, margin, alpha float64) (worst [2]float64) {
	// By the number of gains: failures below low reject "at most", from high on they reject "at least".
	low, high := make([]int, n+1), make([]int, n+1)
	at := [2]int{}
	for gains := range n + 1 {
		rest := n - gains
		p := func(failures int) (atMost, atLeast float64) {
			return boundsOf(t, failures, gains, rest-failures).PValues(-margin)
		}
		for at[0] = min(at[0], rest+1); at[0] <= rest; at[0]++ {
			if atMost, _ := p(at[0]); atMost > alpha {
				break
			}
		}
		for at[1] = min(at[1], rest+1); at[1] <= rest; at[1]++ {
			if _, atLeast := p(at[1]); atLeast <= alpha {
				break
			}
		}
		low[gains], high[gains] = at[0], at[1]
	}
	for i := range 13 {
		gain := (1 - margin) / 2 * float64(i*i) / 144
		fail := gain + margin
		var rates [2]float64
		for gains := range n + 1 {
			p := binomial(n, gains, gain)
			if p < 1e-12 {
				continue
			}
			for failures := range n - gains + 1 {
				switch {
				case failures < low[gains]:
					rates[0] += p * binomial(n-gains, failures, fail/(1-gain))
				case failures >= high[gains]:
					rates[1] += p * binomial(n-gains, failures, fail/(1-gain))
				}
			}
		}
		worst[0], worst[1] = max(worst[0], rates[0]), max(worst[1], rates[1])
	}
	return worst
}

// boundsOf returns the bounds of differences of -1, 1 and 0.
func boundsOf(t *testing.T, failures, gains, ties int) stats.Bounds {
	t.Helper()
	var s stats.Strata
	for d, n := range map[float64]int{-1: failures, 1: gains, 0: ties} {
		for range n {
			if err := s.Add(0, d); err != nil {
				t.Fatal(err)
			}
		}
	}
	b, err := s.Bounds(false)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func binomial(n, k int, p float64) float64 {
	if p == 0 || p == 1 {
		if k == int(p)*n {
			return 1
		}
		return 0
	}
	choose := func(n int) float64 { l, _ := math.Lgamma(float64(n + 1)); return l }
	return math.Exp(choose(n) - choose(k) - choose(n-k) + float64(k)*math.Log(p) + float64(n-k)*math.Log1p(-p))
}

// TestBoundsAreExact: with differences of -1 and 0 the lower bound is that of Clopper and Pearson,
// and the number of items without a failure that a margin needs is the least possible.
func TestBoundsAreExact(t *testing.T) {
	for _, c := range []struct{ n, failures int }{{10, 0}, {36, 0}, {45, 2}, {300, 7}} {
		for _, m := range []float64{.02, .05, .1} {
			exact := 0.0
			for k := range c.failures + 1 {
				exact += binomial(c.n, k, m)
			}
			if got, _ := boundsOf(t, c.failures, 0, c.n-c.failures).PValues(-m); math.Abs(got-exact) > 1e-9 {
				t.Errorf("%d of %d failed: the p-value of a mean of at most %v is %v, want %v", c.failures, c.n, -m, got, exact)
			}
		}
	}
	for _, c := range []struct {
		margin float64
		need   int
	}{{.2, 17}, {.1, 36}, {.05, 72}, {.02, 183}} {
		for n, passes := range map[int]bool{c.need - 1: false, c.need: true} {
			if p, _ := boundsOf(t, 0, 0, n).PValues(-c.margin); p <= .025 != passes {
				t.Errorf("%d items without a difference, margin %v: p %.4f", n, c.margin, p)
			}
		}
	}
}
