package task

import (
	"math/rand/v2"
	"strconv"

	"verbatim"
	"verbatim/internal/draw"
)

// distance asks for strings by their edit distance to another string. The fact "base" is the length of
// that string.
func distance() verbatim.Family {
	return family(verbatim.Family{
		Name: "hard-distance", Version: 2, Doc: "sort strings by their edit distance to a string",
		About: "The fact base is the length of the string, 8 to 32. Every distance is computed, as edits may undo each other.",
		Knobs: []verbatim.Knob{{Fact: "base", Values: []string{"8", "16", "32"}}},
		Task:  "EditDistance", Max: 256, DefaultLengths: []int{2, 4, 8, 16, 32},
	}, func(r *rand.Rand, k verbatim.Parameters, n int) verbatim.Item {
		size := 8 << r.IntN(3)
		base := draw.String(r, draw.Lower, size)
		most := max(3, size/2)
		given := draw.Distinct(n, func() string { return mutated(r, base, 1+r.IntN(most)) })
		far := map[string]int{}
		for _, s := range given {
			far[s] = levenshtein(base, s)
		}
		number := func(s string) int { return far[s] }
		it := ask("hard-distance", k, rule{
			words: "by Levenshtein distance (to insert, delete or replace a character costs 1) to '" + base + "', the smallest distance first, and equal distances by code point, ascending",
			given: boxed(given), want: boxed(sortedBy(given, byNumber(number))),
		})
		foreseeByNumber(&it, given, number, "equal distances as they stood", "the largest distance first")
		it.Facts["base"] = strconv.Itoa(size)
		return it
	})
}

// mutated returns a string after a number of random edits. Edits may undo each other, so that the
// number is not the distance.
func mutated(r *rand.Rand, s string, times int) string {
	b := []byte(s)
	for range times {
		i := r.IntN(len(b))
		c := draw.Lower[r.IntN(26)]
		switch op := r.IntN(3); {
		case op == 0:
			b = append(b[:i], append([]byte{c}, b[i:]...)...)
		case op == 1 && len(b) > 2:
			b = append(b[:i], b[i+1:]...)
		default:
			b[i] = c
		}
	}
	return string(b)
}

// levenshtein returns the edit distance of two ASCII strings.
func levenshtein(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
