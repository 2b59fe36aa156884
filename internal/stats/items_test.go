package stats

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

// TestItemsOfTrials counts answers in the order of runs: the items of one trial after the other.
// Some answers are missing, or come in another order. The list has hardly more counts than items.
func TestItemsOfTrials(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	const items, trials = 20_000, 5
	for name, c := range map[string]struct {
		missing  float64
		shuffled bool
		most     int // counts in the list
	}{
		"in order":         {0, false, items},
		"missing answers":  {0.02, false, items + items/10},
		"in another order": {0, true, growth * items},
		"one by one":       {0, false, items},
	} {
		var got Items
		want := map[uint64]ItemCount{}
		order := make([]uint64, items)
		for i := range order {
			order[i] = random.Uint64() | 1
		}
		passes := trials
		if name == "one by one" {
			passes = 1
			order = slices.Concat(order, order, order) // three answers to an item, one after the other
			slices.Sort(order)
		}
		for range passes {
			for _, key := range order {
				if random.Float64() < c.missing {
					continue
				}
				one := ItemCount{Key: key, Answers: 1, Exact: random.Int32N(2)}
				got.Add(one)
				n := want[key]
				n.Key = key
				n.plus(&one)
				want[key] = n
			}
			if c.shuffled {
				random.Shuffle(len(order), func(i, k int) { order[i], order[k] = order[k], order[i] })
			}
		}
		if len(got.pending) > c.most {
			t.Errorf("%s: %d counts of %d items", name, len(got.pending), items)
		}
		sameCounts(t, got.All(), want)
	}
}
