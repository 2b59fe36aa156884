package task

import (
	"slices"

	"verbatim"
)

// Knobs are the facts that make items harder, by family.
type Knobs map[string][]verbatim.Knob

// AllKnobs returns the knobs that the families declare.
func AllKnobs() Knobs {
	all := Knobs{}
	for _, f := range families() {
		if f.Knobs != nil {
			all[f.Name] = f.Knobs
		}
	}
	return all
}

// Difficulty returns how much harder the knobs make an item. Each knob adds -1/2 at its easiest value
// to 1/2 at its hardest.
func (k Knobs) Difficulty(it *verbatim.Item) float64 {
	sum := 0.0
	for _, knob := range k[it.Facts[verbatim.FactFamily]] {
		if rank := slices.Index(knob.Values, it.Facts[knob.Fact]); rank >= 0 {
			sum += float64(rank)/float64(len(knob.Values)-1) - 0.5
		}
	}
	return sum
}

// First returns the first knob of an item's family with the item's value, as "ties=4"; "" without a
// knob.
func (k Knobs) First(it *verbatim.Item) string {
	knobs := k[it.Facts[verbatim.FactFamily]]
	if len(knobs) == 0 || !slices.Contains(knobs[0].Values, it.Facts[knobs[0].Fact]) {
		return ""
	}
	return knobs[0].Fact + "=" + it.Facts[knobs[0].Fact]
}

// Rank returns the index of a value among those of its knob, for a text of First; -1 for other texts.
func (k Knobs) Rank(first string) int {
	for _, knobs := range k {
		for _, knob := range knobs {
			for rank, value := range knob.Values {
				if knob.Fact+"="+value == first {
					return rank
				}
			}
		}
	}
	return -1
}
