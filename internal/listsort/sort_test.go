package listsort

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestStable compares with slices.SortStableFunc.
func TestStable(t *testing.T) {
	type element struct {
		key, place int
		name       string
	}
	random := rand.New(rand.NewPCG(1, 2))
	for n := range 200 {
		list := make([]element, n)
		for i := range list {
			list[i] = element{key: random.IntN(n), place: i, name: "x"}
		}
		byKey := func(a, b element) int { return cmp.Compare(a.key, b.key) }
		want := slices.Clone(list)
		slices.SortStableFunc(want, byKey)
		if Stable(list, byKey); !slices.Equal(list, want) {
			t.Fatalf("%d elements: %v, want %v", n, list, want)
		}
	}
}
