package task

import (
	"cmp"
	"math/rand/v2"

	"verbatim"
	"verbatim/internal/draw"
)

// direction asks for integers in ascending or descending order, which the fact "direction" names. Models
// often sort in ascending order whatever the question.
func direction() verbatim.Family {
	return family(verbatim.Family{
		Name: "hard-direction", Doc: "sort integers in ascending or descending order, as asked",
		About: "The fact direction is ascending or descending. Models sort upwards and stop: that is wrong_direction.",
		Knobs: []verbatim.Knob{{Fact: "direction", Values: []string{"ascending", "descending"}}},
		Task:  "Direction", Max: 10_000, Few: 4,
		DefaultLengths: []int{2, 4, 8, 16, 32, 64, 128, 256},
	}, func(r *rand.Rand, k verbatim.Parameters, n int) verbatim.Item {
		given := make([]int64, n)
		for i, v := range draw.Sample(r, max(2001, 4*n), n) {
			given[i] = int64(v) - 1000
		}
		want, name := sortedBy(given, cmp.Compare[int64]), "ascending"
		if r.IntN(2) == 0 {
			want, name = reversed(want), "descending"
		}
		it := ask("hard-direction", k, rule{words: "in " + name + " order", given: boxed(given), want: boxed(want)})
		foreseeReverse(&it)
		it.Facts["direction"] = name
		return it
	})
}
