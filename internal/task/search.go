package task

import (
	"math"

	"verbatim"
)

// searchItems is how many items of each length a search may ask: more than it
// takes of all lengths together, so that the plan, and with it the names and
// places of its items, is the same however far a search is taken.
const searchItems = 1000

// The greatest lengths of a search. A list is several times as long as a text of
// as many characters.
const (
	longestText = 1 << 16
	longestList = 1 << 12
)

// SearchPlan plans the search for the length at which a family's answers stop
// being right: items of every half octave from 2 (2, 3, 4, 6, 8, 11, 16, 23 …) up
// to the greatest length that the family has items of, each length more often than
// a search asks it. Which of them are asked, and in what order, is decided while
// they are answered. Of the request, Seed, Edition and Variant count; it names no
// suite, and no lengths, so that a search that is taken to greater lengths has the
// answers to the lesser ones.
func SearchPlan(family string, q Request) (verbatim.Plan, error) {
	p := verbatim.Plan{Suite: "custom", Seed: q.Seed, Edition: q.Edition, Trials: 1}
	if p.Edition == "" {
		p.Edition = verbatim.Standard
	}
	if err := known(p.Edition); err != nil {
		return p, err
	}
	f, err := Find(family)
	if err != nil {
		return p, err
	}
	for _, n := range halfOctaves(f, p.Edition) {
		p.Cells = append(p.Cells, cell(f, verbatim.Lengths{Min: n, Max: n}, searchItems))
	}
	return complete(p, q.Variant)
}

// halfOctaves lists the lengths at half doublings that the family has items of.
// Where there are none of a length, as of an odd number of items that come in
// pairs, the next one stands for it.
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
			k := verbatim.Parameters{Length: verbatim.Lengths{Min: n, Max: n}, Edition: edition}
			if _, err := drawItem(f, k, 0, 0); err == nil {
				out = append(out, n)
				break
			}
		}
	}
}

// Select returns the families that names and patterns such as "sort-*" select, in
// the order of Families, each once. The error is a *NameError, or says what is
// wrong with a pattern.
func Select(names []string) ([]verbatim.Family, error) { return selectFamilies(names) }
