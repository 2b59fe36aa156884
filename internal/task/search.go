package task

import (
	"cmp"
	"math"

	"verbatim"
)

// searchItems is the number of items of each length in the plan of a search. It is more than a search
// sends of all lengths together. So the plan, and the names and positions of its items, do not depend
// on how far a search goes.
const searchItems = 1000

// The greatest lengths of a search. A list of n items is several times as long as a text of n
// characters.
const (
	longestText = 1 << 16
	longestList = 1 << 12
)

// SearchPlan plans the search for the length at which a family's answers are no longer right. It has
// items of every half octave from 2 (2, 3, 4, 6, 8, 11, 16, 23, …) up to the greatest length of the
// family, more of each than a search sends. The search chooses items by the answers so far. Of the
// request it uses Seed, Edition and Variant. The plan has no suite and does not depend on the lengths of
// the search, so that a search with greater lengths uses the answers to smaller ones.
func SearchPlan(family string, q Request) (verbatim.Plan, error) {
	p := verbatim.Plan{Suite: "custom", Seed: q.Seed, Edition: cmp.Or(q.Edition, verbatim.Standard), Trials: 1}
	if err := checkEdition(p.Edition); err != nil {
		return p, err
	}
	f, err := Find(family)
	if err != nil {
		return p, err
	}
	for _, n := range halfOctaves(f, p.Edition) {
		p.Cells = append(p.Cells, cell(f, single(n), searchItems))
	}
	return complete(p, q.Variant)
}

// halfOctaves lists the lengths at half doublings of which the family has items. If it has no items of
// a length, such as an odd one of items in pairs, the next length takes its place.
func halfOctaves(f verbatim.Family, edition verbatim.Edition) []int {
	longest := longestText
	if f.Unit == "items" {
		longest = longestList
	}
	if f.Max > 0 {
		longest = min(longest, f.Max)
	}
	var out []int
	for half := 2; ; half++ {
		n := int(math.Round(math.Pow(2, float64(half)/2)))
		if n > longest {
			return out
		}
		for _, n := range []int{n, n + 1} {
			if len(out) > 0 && n <= out[len(out)-1] || n < f.Min {
				continue
			}
			if _, err := drawItem(f, verbatim.Parameters{Length: single(n), Edition: edition}, 0, 0); err == nil {
				out = append(out, n)
				break
			}
		}
	}
}
