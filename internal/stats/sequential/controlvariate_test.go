package sequential

import (
	"math"
	"testing"
)

// A fair game: over all orders of the items of a finite benchmark, bets against its
// true mean come to 1 on average, with and without a control variate.
func TestCovariateIsFair(t *testing.T) {
	a := []float64{1, 0, .75, 1, 0, .25}
	b := []float64{1, .5, 0, 1, .25, .5}
	for _, known := range []bool{false, true} {
		for _, sign := range []float64{1, -1} {
			orders, sum, moved := 0, 0.0, false
			permutations(len(a), func(order []int) {
				f := fed(t, known, 1, order, a, b)
				orders++
				sum += playedValue(f, sign, 4)
				moved = moved || f.adjusted[3] != f.values[3]
			})
			if orders != 720 || moved != known {
				t.Fatalf("%d orders, control variate used: %v", orders, moved)
			}
			if mean := sum / float64(orders); math.Abs(mean-1) > 1e-12 {
				t.Errorf("known %v, sign %v: the capital is expected to be %v", known, sign, mean)
			}
		}
	}
}

// In blocks of one item of each stratum the game is fair or worse than that.
func TestCovariateIsFairInBlocks(t *testing.T) {
	// The first three are one stratum, the others another.
	a := []float64{1, 0, .75, 1, .5, .25}
	b := []float64{1, .5, 0, .25, 0, .5}
	for _, sign := range []float64{1, -1} {
		orders, sum := 0, 0.0
		permutations(3, func(first []int) {
			permutations(3, func(second []int) {
				var order []int
				for i := range first {
					order = append(order, first[i], 3+second[i])
				}
				orders++
				sum += playedValue(fed(t, true, 2, order, a, b), sign, 4)
			})
		})
		if mean := sum / float64(orders); orders != 36 || mean > 1+1e-12 || mean < .9 {
			t.Errorf("sign %v: over %d orders the capital is expected to be %v", sign, orders, mean)
		}
	}
}

// fed is a feed of b - a in an order.
func fed(t *testing.T, known bool, block int, order []int, a, b []float64) *observations {
	t.Helper()
	f := newObservations(len(a))
	if known {
		var scores []float64
		for _, i := range order {
			scores = append(scores, a[i])
		}
		if err := f.setBaseline(scores); err != nil {
			t.Fatal(err)
		}
	}
	for k := 0; k < len(order); k += block {
		var x []float64
		for _, i := range order[k : k+block] {
			x = append(x, b[i]-a[i])
		}
		if err := f.add(x); err != nil {
			t.Fatal(err)
		}
	}
	return &f
}

// playedValue is the capital after some items, of bets against the true mean.
func playedValue(f *observations, sign float64, items int) float64 {
	c := newWealth(sign*f.mean(), f.items)
	for block, played := range f.blocks() {
		if c.seen == items {
			break
		}
		c.bet(block, played, sign)
	}
	return c.value
}

// permutations visits all orders of 0 to n-1.
func permutations(n int, visit func([]int)) {
	order := make([]int, n)
	var place func(k, used int)
	place = func(k, used int) {
		if k == n {
			visit(order)
			return
		}
		for i := range n {
			if used&(1<<i) == 0 {
				order[k] = i
				place(k+1, used|1<<i)
			}
		}
	}
	place(0, 0)
}
