package sim

import (
	"strconv"
	"testing"

	"verbatim"
	"verbatim/internal/exhaustive"
	families "verbatim/internal/task"
)

// Each task of the hard and exact suites becomes harder for a simulated model with
// its length, so that a curve over lengths shows something.
func TestDifficultyGrows(t *testing.T) {
	items := exhaustive.Of(8, 20)
	sloppy := mustSim(t, "sloppy", "facts=0").(*model) // few items have all values of the facts
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
		for position, ok := deck.Next(); ok; position, ok = deck.Next() {
			it, err := deck.Item(position)
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
			rates[family][length] += sloppy.errorRate(it) / float64(items)
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
		for _, c := range plan.Cells {
			if rates[c.Family] == nil {
				t.Errorf("suite %s: nothing of %s", suite, c.Family)
			}
		}
	}
}

// Exact answers become rarer with each fact that a family declares to make items harder, at
// one length: from each of its values to the next.
func TestDifficultyByKnobs(t *testing.T) {
	m := mustSim(t, "sloppy", "down=0&wrap=0&refuse=0").(*model)
	for _, f := range families.Families() {
		if len(f.Knobs) == 0 {
			continue
		}
		n := f.DefaultLengths[len(f.DefaultLengths)/2]
		plan, err := families.Plan(families.Request{Tasks: []string{f.Name}, Lengths: []verbatim.Lengths{{Min: n, Max: n}}, Items: 1, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		deck, err := families.Open(plan, nil)
		if err != nil {
			t.Fatal(err)
		}
		position, _ := deck.Next()
		it, err := deck.Item(position)
		if err != nil {
			t.Fatal(err)
		}
		for _, knob := range f.Knobs {
			last := 0.0
			drawn := it.Facts[knob.Fact]
			for _, value := range knob.Values {
				it.Facts[knob.Fact] = value
				rate := m.errorRate(it)
				if rate <= last {
					t.Errorf("%s: %.4f wrong with %s %s, %.4f with the value before it", f.Name, rate, knob.Fact, value, last)
				}
				last = rate
			}
			it.Facts[knob.Fact] = drawn
		}
	}
}
