package verifying

import "verbatim/internal/verdict/verification"

// loadsOf compares the arms of each endpoint: of the first one in each pair, since it gets new
// prompts with each other endpoint.
func loadsOf(pairs []*pair) (loads []*verification.Load) {
	for i := 0; i < len(pairs); {
		arms := pairs[i].options.Arms
		of := pairs[i : i+max(1, len(arms))]
		i += len(of)
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
