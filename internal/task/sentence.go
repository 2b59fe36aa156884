package task

import (
	"math/rand/v2"
	"strconv"
	"strings"

	"verbatim"
	"verbatim/internal/draw"
)

// sentence asks for sentences with the same beginning. The fact "prefix" is its number of words.
func sentence() verbatim.Family {
	return family(verbatim.Family{
		Name: "hard-sentences", Doc: "sort sentences that begin with the same words",
		About: "The fact prefix is the number of words that all of them begin with. Capitals, digits and commas are before small letters; without regard to case is other_key.",
		Knobs: []verbatim.Knob{{Fact: "prefix", Values: []string{"1", "2", "3", "4", "5", "6", "7", "8"}}},
		Task:  "Sentences", Max: 256,
	}, func(r *rand.Rand, k verbatim.Parameters, n int) verbatim.Item {
		prefix := 1 + r.IntN(8)
		var first []string
		for range prefix {
			first = append(first, word(r, 2, 8))
		}
		start := strings.ToUpper(first[0][:1]) + strings.Join(first, " ")[1:]
		given := draw.Distinct(n, func() string { return start + ending(r) })
		want := sortedBy(given, strings.Compare)
		it := ask("hard-sentences", k, rule{words: "by the Unicode code points of their characters, ascending", given: boxed(given), want: boxed(want)})
		foresee(&it, "other_key", "without regard to case", listAnswer(sortedBy(given, func(a, b string) int {
			return strings.Compare(strings.ToLower(a), strings.ToLower(b))
		})))
		foreseeReverse(&it)
		it.Facts["prefix"] = strconv.Itoa(prefix)
		return it
	})
}

// ending draws the end of a sentence: words, some with a capital, commas and numbers, and a full stop,
// an exclamation or a question mark.
func ending(r *rand.Rand) string {
	var b strings.Builder
	for range 2 + r.IntN(4) {
		w := word(r, 2, 7)
		switch r.IntN(8) {
		case 0:
			w = strings.ToUpper(w[:1]) + w[1:]
		case 1:
			w = strconv.Itoa(r.IntN(300))
		}
		if r.IntN(8) == 0 {
			b.WriteByte(',')
		}
		b.WriteString(" " + w)
	}
	return b.String() + []string{".", "!", "?"}[r.IntN(3)]
}
