package verdict

// CompareSeveral compares every run with the first, or with allPairs every run with every
// other. With o.AcrossPrompt, every run is compared with the first of its model. The error
// rates hold for all verdicts together: by Bonferroni's correction for all pairs, otherwise
// by Holm's.
func CompareSeveral(sides []Side, o Options, allPairs bool) ([]*Comparison, error) {
	pairs, err := pairsToCompare(sides, o.AcrossPrompt, allPairs)
	if err != nil {
		return nil, err
	}
	if allPairs {
		o.Threshold = 1 - (1-o.Threshold)/float64(len(pairs))
	} else {
		o.Together = len(pairs)
	}
	var list []*Comparison
	for _, p := range pairs {
		one, err := Compare(sides[p[0]], sides[p[1]], o)
		if err != nil {
			return nil, err
		}
		list = append(list, one)
	}
	if !allPairs {
		Adjust(list)
	}
	return list, nil
}

// pairsToCompare returns the indexes of the runs of each comparison.
func pairsToCompare(sides []Side, acrossPrompt, allPairs bool) (pairs [][2]int, err error) {
	if acrossPrompt {
		return PromptPairs(sides)
	}
	for i := range sides {
		for j := i + 1; j < len(sides) && (i == 0 || allPairs); j++ {
			pairs = append(pairs, [2]int{i, j})
		}
	}
	return pairs, nil
}
