package task

import (
	"math/rand/v2"
	"strconv"
	"strings"

	"verbatim"
	"verbatim/internal/draw"
)

// defined asks for items by an order of labels that the prompt states. The fact "labels" is the number
// of labels. The fact "kind" says whether they are made up, or sizes in a wrong order.
func defined() verbatim.Family {
	return family(verbatim.Family{
		Name: "hard-defined", Doc: "sort items by an order of labels that the prompt states, then by number",
		About: "The fact labels is the number of labels, 3 to 26. Where kind is sizes, the labels are real sizes in another order than theirs.",
		Knobs: []verbatim.Knob{{Fact: "labels", Values: []string{"3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16", "17", "18", "19", "20", "21", "22", "23", "24", "25", "26"}}, {Fact: "kind", Values: []string{"made up", "sizes"}}},
		Task:  "DefinedCategories", Max: 2000,
	}, func(r *rand.Rand, k verbatim.Parameters, n int) verbatim.Item {
		kind, sizes := "made up", strings.Fields(categories[0].labels)
		labels := draw.Distinct(3+r.IntN(24), func() string {
			return draw.String(r, "bdfgklmnprstvz", 1) + draw.String(r, "aeiou", 1) + draw.String(r, "bdgklmnprtvz", 1)
		})
		if r.IntN(4) == 0 {
			kind, labels = "sizes", shuffled(r, sizes)
		}
		given := drawLabelled(r, n, labels)
		it := askLabelled("hard-defined", k, "by their labels in this order: "+strings.Join(labels, " < ")+"; equal labels by their number, ascending", given)
		if kind == "sizes" {
			foresee(&it, "other_key", "by the real sizes", listAnswer(printed(sortedBy(placed(given, sizes), compareLabelled))))
		}
		it.Facts["labels"], it.Facts["kind"] = strconv.Itoa(len(labels)), kind
		return it
	})
}
