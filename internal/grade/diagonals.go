package grade

// diagonals aligns two texts that are nearly alike. Time and memory grow
// with the square of their distance and not with their length (Ukkonen 1985,
// Myers 1986): for 0, 1, 2 … edits it notes how far each diagonal of the table of
// distances can be followed. d is the number of edits. ok is false when maxEdits or maxSlides
// is met; then at least d edits are needed.
func diagonals(e, g []rune) (s script, d int, ok bool) {
	goal := len(g) - len(e)
	if max(goal, -goal) > maxEdits {
		return nil, max(goal, -goal), false
	}
	var reach [][]int32 // reach[d][d+k]: code points of e passed on diagonal k
	slides := 0
	for d := 0; d <= maxEdits; d++ {
		row := make([]int32, 2*d+1)
		for k := -d; k <= d; k++ {
			i := furthest(reach, d, k, len(e), len(g))
			if i >= 0 {
				from := i
				for i < len(e) && i+k < len(g) && e[i] == g[i+k] {
					i++
				}
				slides += i - from
			}
			row[d+k] = int32(i)
		}
		reach = append(reach, row)
		if goal >= -d && goal <= d && int(row[d+goal]) == len(e) {
			return retrace(reach, e, g), d, true
		}
		if slides > maxSlides {
			return nil, d + 1, false
		}
	}
	return nil, maxEdits + 1, false
}

// reached returns how far d edits lead on diagonal k, or a number that is below 0 even after one more
// step if they do not reach it.
func reached(reach [][]int32, d, k int) int {
	if d < 0 || k < -d || k > d {
		return -2
	}
	return int(reach[d][d+k])
}

// furthest returns how far d edits lead on diagonal k before equal code points
// are followed; below -1 when the diagonal cannot be reached.
func furthest(reach [][]int32, d, k, m, n int) int {
	if d == 0 {
		return 0
	}
	i := max(
		reached(reach, d-1, k)+1,   // a substitution
		reached(reach, d-1, k-1),   // an insertion
		reached(reach, d-1, k+1)+1, // a deletion
	)
	i = min(i, m, n-k)
	if i < 0 || i+k < 0 {
		return -2
	}
	return i
}

// retrace walks back from the end of both texts.
func retrace(reach [][]int32, e, g []rune) script {
	var s script
	i, k := len(e), len(g)-len(e)
	for d := len(reach) - 1; d > 0; d-- {
		from := furthest(reach[:d], d, k, len(e), len(g))
		s = s.stay(from, i, k)
		i = from
		switch {
		case i > 0 && reached(reach, d-1, k+1)+1 >= i:
			i, k = i-1, k+1
			s = s.add(deleted, i, i+k)
		case i+k > 0 && reached(reach, d-1, k-1) >= i:
			k--
			s = s.add(inserted, i, i+k)
		default:
			i--
			s = s.add(substituted, i, i+k)
		}
	}
	return s.stay(0, i, k)
}

// stay adds the two ends of the stretch that stays: on diagonal k, from position from to position to
// of the expected text.
func (s script) stay(from, to, k int) script {
	if to > from {
		s = s.add(substituted, to-1, to-1+k)
	}
	if to > from+1 {
		s = s.add(substituted, from, from+k)
	}
	return s
}
