package task

import (
	"math/rand/v2"
	"strconv"
	"strings"

	"verbatim"
	"verbatim/internal/draw"
)

// textLength asks for strings by their number of characters. Up to 64 strings have different lengths.
// The fact "step" is the largest difference of neighbouring lengths, in characters.
func textLength() verbatim.Family {
	return family(verbatim.Family{
		Name: "hard-length", Version: 2, Doc: "sort strings by their number of characters",
		About: "The fact step is by how many characters neighbours differ at most. Digits and marks are among the words. Up to 64 items there are no ties.",
		Knobs: []verbatim.Knob{{Fact: "step", Values: []string{"3", "2", "1"}}},
		Task:  "Length", Max: 1000,
	}, func(r *rand.Rand, k verbatim.Parameters, n int) verbatim.Item {
		step := 1 + r.IntN(3)
		size := 2 + r.IntN(4)
		want := make([]string, n)
		used := map[string]bool{}
		for i := range want {
			if i > 0 && (n <= 64 || r.IntN(3) == 0) {
				size += 1 + r.IntN(step)
			}
			for want[i] == "" || used[want[i]] {
				want[i] = ofLength(r, size)
			}
			used[want[i]] = true
		}
		number := func(s string) int { return len(s) }
		want = sortedBy(want, byNumber(number))
		given := shuffled(r, want)
		it := ask("hard-length", k, rule{words: "by number of characters, the shortest first, and equal lengths by code point, ascending", given: boxed(given), want: boxed(want)})
		foreseeByNumber(&it, given, number, "equal lengths as they stood", "the longest first")
		it.Facts["step"] = strconv.Itoa(step)
		return it
	})
}

// ofLength draws a string of n characters: words and numbers joined by "-" and "_". Its parts show
// little of its length.
func ofLength(r *rand.Rand, n int) string {
	var b strings.Builder
	for b.Len() < n {
		if b.Len() > 0 {
			b.WriteByte("-_"[r.IntN(2)])
		}
		if r.IntN(3) == 0 {
			b.WriteString(draw.String(r, draw.Digits, 1+r.IntN(5)))
		} else {
			b.WriteString(word(r, 2, 9))
		}
	}
	return b.String()[:n-1] + draw.String(r, draw.Alphanumeric, 1)
}
