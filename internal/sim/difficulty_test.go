package sim

import (
	"strconv"
	"testing"

	"verbatim"
	families "verbatim/internal/task"
)

// Each task of the hard and exact suites becomes harder for a simulated model with
// its length, so that a curve over lengths shows something.
func TestDifficultyGrows(t *testing.T) {
	const items = 20
	sloppy, err := newSettings("sloppy", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, suite := range []string{"exact", "hard"} {
		plan, err := families.Plan(families.Request{Suite: suite, Items: items, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		deck, err := families.Open(plan, nil)
		if err != nil {
			t.Fatal(err)
		}
		rates := map[string]map[int]float64{}
		for place, ok := deck.Next(); ok; place, ok = deck.Next() {
			it, err := deck.Item(place)
			if err != nil {
				t.Fatal(err)
			}
			family := it.Facts[verbatim.FactFamily]
			length, err := strconv.Atoi(it.Facts[verbatim.FactLength])
			if err != nil {
				t.Fatal(err)
			}
			if rates[family] == nil {
				rates[family] = map[int]float64{}
			}
			rates[family][length] += sloppy.errorRate(it) / items
		}
		for _, f := range families.Families() {
			last := 0.0
			for _, length := range f.DefaultLengths {
				rate, asked := rates[f.Name][length]
				if asked && rate <= last {
					t.Errorf("%s: %.4f wrong at length %d, %.4f at the one before", f.Name, rate, length, last)
				}
				last = max(last, rate)
			}
		}
		if len(rates) < 13 {
			t.Errorf("suite %s: %d tasks", suite, len(rates))
		}
	}
}
