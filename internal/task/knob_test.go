package task

import (
	"slices"
	"testing"

	"verbatim"
)

// TestKnobs: the items of a family have the values that its knobs declare, and no others.
func TestKnobs(t *testing.T) {
	for _, f := range Families() {
		if len(f.Knobs) == 0 {
			continue
		}
		found := map[string]map[string]bool{}
		for _, n := range f.DefaultLengths[:min(4, len(f.DefaultLengths))] {
			count := 100
			if n > 8 || f.Unit == "shapes" { // long ones, and pictures
				count = 20
			}
			for index := range count {
				it := mustDraw(t, f, parameters(n, verbatim.Standard), 1, index)
				for _, knob := range f.Knobs {
					value := it.Facts[knob.Fact]
					if !slices.Contains(knob.Values, value) {
						t.Fatalf("%s: the knob %s does not declare %q", it.ID, knob.Fact, value)
					}
					if found[knob.Fact] == nil {
						found[knob.Fact] = map[string]bool{}
					}
					found[knob.Fact][value] = true
				}
			}
		}
		for _, knob := range f.Knobs {
			if got := len(found[knob.Fact]); got < len(knob.Values)*3/4 {
				t.Errorf("%s: %d of %d values of %s were drawn", f.Name, got, len(knob.Values), knob.Fact)
			}
		}
	}
}

// TestDifficulty adds up the places of an item's values.
func TestDifficulty(t *testing.T) {
	k := Knobs{"a": {{Fact: "x", Values: []string{"1", "2", "3"}}, {Fact: "y", Values: []string{"low", "high"}}}}
	for want, facts := range map[float64]map[string]string{
		-1: {"family": "a", "x": "1", "y": "low"}, 0.5: {"family": "a", "x": "2", "y": "high"}, 1: {"family": "a", "x": "3", "y": "high"}, 0: {"family": "b", "x": "3"},
	} {
		if got := k.Difficulty(&verbatim.Item{Facts: facts}); got != want {
			t.Errorf("%v: %v, want %v", facts, got, want)
		}
	}
	if first := k.First(&verbatim.Item{Facts: map[string]string{"family": "a", "x": "2"}}); first != "x=2" || k.Rank(first) != 1 || k.Rank("x=9") != -1 {
		t.Errorf("%q at %d", first, k.Rank(first))
	}
}
