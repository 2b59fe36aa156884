package grade

import (
	"math"
	"math/rand/v2"
	"testing"

	"verbatim/internal/exhaustive"
	"verbatim/internal/pylit"
)

// TestListCounts compares the counts with those of the definitions, on lists of
// every type and of types mixed, long enough for every way of counting.
func TestListCounts(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it computes for seconds, and nothing in it runs concurrently")
	}
	r := rand.New(rand.NewPCG(1, 2))
	draws := map[string]func(n int) pylit.Value{
		"ints":   func(n int) pylit.Value { return pylit.MakeInt(int64(n - 5)) },
		"floats": func(n int) pylit.Value { return pylit.MakeFloat(float64(n) / 8) },
		"nans": func(n int) pylit.Value {
			return pylit.MakeFloat([]float64{math.NaN(), math.Inf(1), math.Copysign(0, -1), 0, 1, math.Inf(-1)}[n%6])
		},
		"texts": func(n int) pylit.Value {
			return pylit.MakeStr(string([]rune{rune('a' + n%26), rune('é' + n/26), '\U0001f600'}[:1+n%3]))
		},
		"lists": func(n int) pylit.Value {
			return pylit.MakeList([]pylit.Value{pylit.MakeInt(int64(n % 3)), pylit.MakeStr(string(rune('a' + n)))}[:n%3])
		},
		"bools": func(n int) pylit.Value { return pylit.MakeBool(n%2 == 0) },
		"large": func(n int) pylit.Value {
			v, _ := pylit.Cast(pylit.MakeFloat(math.Ldexp(float64(n-20), 60)), pylit.Int)
			return v
		},
	}
	tally := new(tally)
	for name, draw := range draws {
		for round := range exhaustive.Of(100, 400) {
			n, most := r.IntN(12), 1+r.IntN(40)
			if name == "nans" { // which only a cast to the type of what was given can make
				n++
			}
			if round == 0 {
				n, most = 50, 5
			}
			list := func(n int) []pylit.Value {
				items := make([]pylit.Value, n)
				for i := range items {
					items[i] = draw(r.IntN(most))
				}
				return items
			}
			want, items := list(n), list(max(0, n+r.IntN(5)-2))
			if r.IntN(2) == 0 { // nearly right
				items = sorted(want)
				if len(items) > 1 {
					i, j := r.IntN(len(items)), r.IntN(len(items))
					items[i], items[j] = items[j], items[i]
				}
			}
			scale := newScale(want)
			got, _ := tally.count(&scale, items)
			if expected := countSlowly(want, items); got != expected {
				t.Fatalf("%s: %v against %v: %+v, want %+v", name, items, want, got, expected)
			}
		}
	}
	many := make([]pylit.Value, manyTexts+10)
	for i := range many {
		many[i] = pylit.MakeStr(string(rune('a'+i%26)) + string(rune('a'+i/26%26)))
	}
	scale := newScale(many[:100])
	got, ranks := tally.count(&scale, many)
	if expected := countSlowly(many[:100], many[:3000]); ranks == nil || got.missing != 0 || got.added != len(many)-100 || got.pairs <= expected.pairs {
		t.Errorf("many texts: %+v", got)
	}
	if direct := countSlowly(many[:100], many[:manyTexts/8]); direct != must(tally.count(&scale, many[:manyTexts/8])) {
		t.Errorf("some texts: %+v", direct)
	}
	byRank := newRanks(many[:100], many[:2000])
	byRank.sort()
	tally.ints.out = append(tally.ints.out[:0], byRank.items...)
	if c := tally.ints.count(byRank.want); c.pairs != countSlowly(nil, many[:2000]).pairs {
		t.Errorf("by rank: %+v", c)
	}
}

func must(c counts, _ *ranks) counts { return c }

// countSlowly counts by the definitions, in quadratic time.
func countSlowly(want, items []pylit.Value) (c counts) {
	for i, a := range items {
		for j, b := range items[i+1:] {
			if greater(a, b) {
				c.pairs++
				if j == 0 {
					c.neighbors++
				}
			}
		}
	}
	used := make([]bool, len(items))
	for _, w := range want {
		found := false
		for i, item := range items {
			if !used[i] && pylit.Equal(w, item) {
				used[i], found = true, true
				break
			}
		}
		if !found {
			c.missing++
		}
	}
	c.added = len(items) - (len(want) - c.missing)
	return c
}

func greater(a, b pylit.Value) bool {
	if a.Kind() == pylit.Float {
		return a.Float64() > b.Float64()
	}
	return !pylit.Equal(a, b) && descend(a, b)
}

// TestIsAscending: what is compared directly is ordered as keys are.
func TestIsAscending(t *testing.T) {
	ints := []int64{math.MinInt64, -1 << 40, -300, -1, 0, 0, 1, 255, 256, 1 << 33, math.MaxInt64}
	texts := []string{"", "A", "a", "a", "a\x00", "ab", "b", "é", "\U0001f600"}
	r := rand.New(rand.NewPCG(3, 4))
	for range 5000 {
		var items []pylit.Value
		for range r.IntN(4) {
			if r.IntN(9) == 0 { // now and then a list of both
				items = append(items, pylit.MakeInt(ints[r.IntN(len(ints))]))
			} else {
				items = append(items, pylit.MakeStr(texts[r.IntN(len(texts))]))
			}
		}
		if got, want := isAscending(items), ranksAscend(items); got != want {
			t.Errorf("%s: %v, want %v", pylit.MakeList(items), got, want)
		}
		items = items[:0]
		for range r.IntN(4) {
			items = append(items, pylit.MakeInt(ints[r.IntN(len(ints))]))
		}
		if got, want := isAscending(items), ranksAscend(items); got != want {
			t.Errorf("%s: %v, want %v", pylit.MakeList(items), got, want)
		}
	}
}
