package stats

import (
	"maps"
	"math"
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

// The effective number must be that of the variance of the items' means, and with one trial
// the interval must be Wilson's.
func TestItemCounts(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for round := range 200 {
		items, trials := 2+r.IntN(30), 1+round%6
		var c ItemCounts
		shares, mean := make([]float64, items), 0.0
		for i := range shares {
			right := r.IntN(trials + 1)
			c.Add(int64(right), int64(trials))
			shares[i] = float64(right) / float64(trials)
			mean += shares[i] / float64(items)
		}
		variance := 0.0
		for _, s := range shares {
			variance += (s - mean) * (s - mean) / float64(items-1) / float64(items)
		}
		want := min(max(mean*(1-mean)/variance, float64(items)), float64(items*trials))
		if c.Right == 0 || c.Right == c.Answers {
			want = float64(items)
		}
		if got := c.effective(); math.Abs(got-want) > 1e-9*want {
			t.Errorf("%d items × %d: effectively %v, want %v", items, trials, got, want)
		}
		low, high := c.Interval(float64(c.Right)/float64(c.Answers), .95)
		wide, wideHigh := Wilson(int(c.Right), int(c.Answers), .95)
		if trials == 1 && (low != wide || high != wideHigh) {
			t.Errorf("%d items once: %v to %v, Wilson's is %v to %v", items, low, high, wide, wideHigh)
		}
		if low > wide || high < wideHigh {
			t.Errorf("%d items × %d: %v to %v is narrower than that of independent answers, %v to %v", items, trials, low, high, wide, wideHigh)
		}
	}
	var equal ItemCounts // each item has the same number of right answers
	for range 7 {
		equal.Add(1, 3)
	}
	if got := equal.effective(); got != 21 {
		t.Errorf("7 items with 1 of 3 right each: effectively %v, want 21", got)
	}
}

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

// The last digits of a sum depend on its order. They must not be magnified, so the interval
// is continuous everywhere, and its accuracy is that of its sums.
func TestScoreSumsIsContinuous(t *testing.T) {
	for step := range 4000 {
		effective := 7.3 + 2.5e-7*float64(step) // includes all halves of a millionth
		s := ScoreSums{Items: 7, Scores: 7, Mean: 0.4}
		s.Squares = (0.24*49/effective - 0.26) * 6 / 7
		i, ok := s.Interval(0.95)
		s.Squares *= 1 - 1e-12
		near, nearOK := s.Interval(0.95)
		if low, high := wilsonShare(0.4, effective, 0.95); !ok || !nearOK ||
			math.Abs(i.Low-low) > 1e-10 || math.Abs(i.High-high) > 1e-10 ||
			math.Abs(i.Low-near.Low) > 1e-10 || math.Abs(i.High-near.High) > 1e-10 {
			t.Fatalf("%v independent answers: %v, with the last digits changed %v, want %v to %v", effective, i, near, low, high)
		}
	}
}

// TestItemsWithEqualScores: items that are taken in together give the interval of items one by one,
// whether all scores are 0 or 1 or not.
func TestItemsWithEqualScores(t *testing.T) {
	for _, partial := range []float64{0, 0.25} {
		var together, each ItemScores
		sum, scores := 0.0, 0.0
		for _, c := range []struct {
			items  int64
			sum    float64
			scores int64
		}{{7, 0, 1}, {30, 1, 1}, {5, 2 + partial, 3}, {2, 1, 2}} {
			together.AddTimes(c.items, c.sum, c.scores, partial > 0)
			for range c.items {
				each.Add(c.sum, c.scores, partial > 0)
				sum += c.sum
				scores += float64(c.scores)
			}
		}
		x, okX := together.Interval(sum/scores, 0.95)
		y, okY := each.Interval(sum/scores, 0.95)
		if !okX || !okY || math.Abs(x.Low-y.Low) > 1e-12 || math.Abs(x.High-y.High) > 1e-12 {
			t.Errorf("%v: %v %t, one by one %v %t", partial, x, okX, y, okY)
		}
	}
}
