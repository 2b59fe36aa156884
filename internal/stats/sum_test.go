package stats

import (
	"math/rand/v2"
	"testing"
)

// TestAddTimes: a number that is added several times at once makes the same sum as one by one.
func TestAddTimes(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 10))
	var at, each ExactSum
	for round := range 500 {
		v, n := random.Float64(), random.Int64N(300)
		if round%5 == 0 {
			v = float64(round % 2)
		}
		at.AddTimes(v, n)
		for range n {
			each.Add(v)
		}
		if at.Value() != each.Value() {
			t.Fatalf("round %d, %v times %v: %v, want %v", round, n, v, at.Value(), each.Value())
		}
	}
}
