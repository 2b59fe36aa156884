package verdict

// CompareSeveral compares every run with the first, or with allPairs every run with every
// other. With o.AcrossPrompt, every run is compared with the first of its model. The error
// rates hold for all verdicts together: by Bonferroni's correction for all pairs, otherwise
// by Holm's.
func CompareSeveral(sides []Side, o Options, allPairs bool) ([]*Comparison, error) {
	var pairs [][2]int
	for i := range sides {
		for j := range sides[i+1:] {
			if i == 0 || allPairs {
				pairs = append(pairs, [2]int{i, i + 1 + j})
			}
		}
	}
	if o.AcrossPrompt {
		var err error
		if pairs, err = PromptPairs(sides); err != nil {
			return nil, err
		}
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
