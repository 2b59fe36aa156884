package input

// Nearest returns the known word that is the fewest edits away; "" if that is more than half of the
// letters.
func Nearest(word string, known []string) string {
	if len(word) > 40 {
		return "" // no name is as long
	}
	best, distance := "", len(word)/2+1
	for _, k := range known {
		if d := edits(word, k); d < distance {
			best, distance = k, d
		}
	}
	return best
}

// edits returns the optimal string alignment distance, which counts insertions, deletions,
// substitutions and swaps of neighbours.
func edits(a, b string) int {
	before, row := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		next := make([]int, len(b)+1)
		next[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			next[j] = min(next[j-1]+1, row[j]+1, row[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				next[j] = min(next[j], before[j-2]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}

// DidYouMean suggests the nearest of the known words, for the end of a message; "" if it is not near.
func DidYouMean(word string, known []string) string {
	if near := Nearest(word, known); near != "" {
		return " (did you mean " + near + "?)"
	}
	return ""
}
