package stream

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestItemsCount counts answers in random order, in parts that are merged, and compares
// with a map. Totals that share the list of a part do not change while the part goes
// on.
func TestItemsCount(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for _, items := range []uint64{1, 3, 700, 5000} {
		want := map[uint64]ItemCount{}
		parts := make([]Items, 3)
		add := func(c *Items, into map[uint64]ItemCount) {
			one := ItemCount{Key: random.Uint64N(items) + 1, Answers: 1, Exact: random.Int32N(2), Extracted: random.Int32N(2), Scored: 1, Score: float64(random.IntN(3)) / 2}
			c.Add(one)
			n := into[one.Key]
			n.Key = one.Key
			n.plus(&one)
			into[one.Key] = n
		}
		for range 20_000 {
			add(&parts[random.IntN(len(parts))], want)
		}
		var first, all Items
		first.Merge(&parts[0])
		before := slices.Clone(first.All())
		for i := range parts {
			all.Merge(&parts[i])
		}
		sameCounts(t, all.All(), want)
		for range 5000 {
			add(&parts[0], map[uint64]ItemCount{})
			add(&all, want)
		}
		parts[0].All()
		sameCounts(t, all.All(), want)
		if !slices.Equal(first.All(), before) {
			t.Errorf("%d items: what was merged from a part changed with it", items)
		}
		total, one := map[uint64]ItemCount{}, map[uint64]ItemCount{}
		var part, copied Items
		for range 100 {
			add(&part, one)
		}
		copied.Merge(&part)
		maps.Copy(total, one)
		for range 5000 {
			add(&part, one)
			add(&copied, total)
		}
		sameCounts(t, part.All(), one)
		sameCounts(t, copied.All(), total)
	}
}

func sameCounts(t *testing.T, got []ItemCount, want map[uint64]ItemCount) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%d items, want %d", len(got), len(want))
	}
	for i, n := range got {
		if n != want[n.Key] || i > 0 && got[i-1].Key >= n.Key {
			t.Fatalf("item %d: %+v, want %+v", i, n, want[n.Key])
		}
	}
}
