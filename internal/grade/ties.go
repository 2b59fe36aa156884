package grade

import "verbatim/internal/pylit"

// breaksTies reports whether items are the expected ones in their order apart from ties. The tie_broken mistakes
// that the item foresees show where ties are.
func (j *listJudge) breaksTies(items []pylit.Value) bool {
	if len(items) != len(j.want) {
		return false
	}
	var bounds []bool // bounds[i]: no tie has items both among the first i and behind them
	for _, m := range j.mistakes {
		if m.label != "tie_broken" || len(m.list) != len(j.want) {
			continue
		}
		broken, err := pylit.FromList(m.list)
		if err != nil {
			return false
		}
		same := sameBeginnings(j.want, broken)
		for i := range bounds {
			bounds[i] = bounds[i] && same[i]
		}
		if bounds == nil {
			bounds = same
		}
	}
	if bounds == nil {
		return false
	}
	for i, same := range sameBeginnings(j.want, items) {
		if bounds[i] && !same {
			return false
		}
	}
	return true
}

// sameBeginnings returns for each i whether the first i items of two lists of the same length are the same, in any
// order.
func sameBeginnings(a, b []pylit.Value) []bool {
	r := newRanks(a, b)
	more, unequal := make([]int, len(r.keys)), 0 // how many more of each item a has so far than b; how many are not 0
	count := func(n int64, by int) {
		was := more[n]
		if more[n] += by; was == 0 {
			unequal++
		} else if more[n] == 0 {
			unequal--
		}
	}
	same := make([]bool, len(a)+1)
	same[0] = true
	for i := range a {
		count(r.want[i], 1)
		count(r.items[i], -1)
		same[i+1] = unequal == 0
	}
	return same
}
