package report

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestClustersCount counts answers in random order, in parts that are merged, and compares with
// a map. Totals that share the list of a part stay as they are while the part goes on.
func TestClustersCount(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for _, items := range []uint64{1, 3, 700, 5000} {
		want := map[uint64]itemCount{}
		parts := make([]clusters, 3)
		add := func(c *clusters, into map[uint64]itemCount) {
			m := entry{item: random.Uint64N(items) + 1, exact: random.Float64() < .5, extracted: random.Float64() < .7, scored: random.Float64() < .9, score: float64(random.IntN(3)) / 2}
			c.add(&m)
			one := itemCount{key: m.item, answers: 1}
			one.exact, one.extracted, one.scored = bit(m.exact), bit(m.extracted), bit(m.scored)
			if m.scored {
				one.score = m.score
			}
			n := into[m.item]
			n.key = m.item
			n.plus(&one)
			into[m.item] = n
		}
		for range 20_000 {
			add(&parts[random.IntN(len(parts))], want)
		}
		var first, all clusters
		first.merge(&parts[0])
		before := slices.Clone(first.all())
		for i := range parts {
			all.merge(&parts[i])
		}
		sameCounts(t, all.all(), want)
		for range 5000 {
			add(&parts[0], map[uint64]itemCount{})
			add(&all, want)
		}
		parts[0].all()
		sameCounts(t, all.all(), want)
		if !slices.Equal(first.all(), before) {
			t.Errorf("%d items: what was merged from a part changed with it", items)
		}
		total, one := map[uint64]itemCount{}, map[uint64]itemCount{}
		var part, copied clusters
		for range 100 {
			add(&part, one)
		}
		copied.merge(&part)
		maps.Copy(total, one)
		for range 5000 {
			add(&part, one)
			add(&copied, total)
		}
		sameCounts(t, part.all(), one)
		sameCounts(t, copied.all(), total)
	}
}

func bit(b bool) int32 {
	if b {
		return 1
	}
	return 0
}

func sameCounts(t *testing.T, got []itemCount, want map[uint64]itemCount) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%d items, want %d", len(got), len(want))
	}
	for i, n := range got {
		if n != want[n.key] || i > 0 && got[i-1].key >= n.key {
			t.Fatalf("item %d: %+v, want %+v", i, n, want[n.key])
		}
	}
}
