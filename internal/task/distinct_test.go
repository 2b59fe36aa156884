package task

import (
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/exhaustive"
)

// planned returns the number of items of a family at a length in a plan, and how many
// of them are different.
func planned(t *testing.T, family string, length, items int) (asked, different int, err error) {
	t.Helper()
	p, err := Plan(Request{Tasks: []string{family}, Lengths: []verbatim.Lengths{fixedLength(length)}, Items: items, Seed: 1})
	if err != nil {
		return 0, 0, err
	}
	d, err := Open(p, nil)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[any]bool{}
	for position, ok := d.Next(); ok; position, ok = d.Next() {
		it, err := d.Item(position)
		if err != nil {
			t.Fatal(err)
		}
		asked++
		seen[questionKey(it)] = true
	}
	return asked, len(seen), nil
}

// TestDistinct: no plan has an item twice, except plans of the published benchmarks. At
// its shortest length and at the first default one, a family has 150 different items
// (2,000 in the long form; of pictures 10 and 100), or the plan is refused with their
// number.
func TestDistinct(t *testing.T) {
	few := map[string]int{}
	for _, f := range Families() {
		if ofStudy(f) {
			continue // they are drawn as published, repeated items too
		}
		items := exhaustive.Of(150, 2000)
		if f.Unit == "shapes" {
			items = exhaustive.Of(10, 100)
		}
		for _, n := range []int{f.Min, f.DefaultLengths[0]} {
			asked, different, err := planned(t, f.Name, n, items)
			if err != nil && f.Few >= n && strings.Contains(err.Error(), "different items") {
				few[f.Name]++
				continue
			}
			if err != nil || asked != items || different != asked {
				t.Errorf("%s at length %d: %d of %d items are different, %v; Few is %d: it must be the greatest length at which items repeat", f.Name, n, different, asked, err, f.Few)
			}
		}
	}
	for name := range few {
		if name != "root" {
			t.Errorf("%s has too few items at its shortest length: raise Min", name)
		}
	}
}

// TestDistinctIDs: an item keeps its name and its content where an earlier one is left out, and
// the items of a plan are the first of a greater one.
func TestDistinctIDs(t *testing.T) {
	small, great := Request{Tasks: []string{"root"}, Lengths: []verbatim.Lengths{fixedLength(2)}, Items: 40, Seed: 1}, Request{}
	great = small
	great.Items = 90
	ids := map[string]bool{}
	for _, q := range []Request{great, small} {
		p := must(Plan(q))
		d := must(Open(p, nil))
		gaps := 0
		for position, ok := d.Next(); ok; position, ok = d.Next() {
			it := must(d.Item(position))
			if drawn := mustDraw(t, must(Find("root")), parameters(2, ""), 1, position.Index); drawn.ID != it.ID || asked(drawn) != asked(*it) {
				t.Errorf("%s is another item than %s", it.ID, drawn.ID)
			}
			if q.Items == small.Items && !ids[it.ID] {
				t.Errorf("%s is not in the greater plan", it.ID)
			}
			if position.Index >= q.Items {
				gaps++
			}
			ids[it.ID] = true
		}
		if gaps == 0 {
			t.Error("no item was left out")
		}
	}
}
