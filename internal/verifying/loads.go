package verifying

import (
	"slices"

	"verbatim/internal/verdict/verification"
)

// loadsOf compares the arms of each endpoint. The first endpoint is compared in each of its pairs,
// since the prompts of each pair are new.
func loadsOf(pairs []*pair) (loads []*verification.Load) {
	arms := pairs[0].options.arms()
	for of := range slices.Chunk(pairs, len(arms)) {
		for side := range of[0].sides() {
			replies := make([][]*bool, len(of))
			for k, p := range of {
				if p.test != nil {
					replies[k] = p.test.FirstExact(side)
				}
			}
			if l := verification.CompareLoads(of[0].name(side), arms, replies); l != nil {
				loads = append(loads, l)
			}
		}
	}
	verification.AdjustLoads(loads)
	return loads
}
