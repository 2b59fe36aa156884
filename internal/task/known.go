package task

import (
	"math/rand/v2"
	"slices"
	"strings"

	"verbatim"
)

// known asks for items by a well-known order: of sizes, months, weekdays or planets. The fact
// "category" names it.
func known() verbatim.Family {
	return family(verbatim.Family{
		Name: "hard-known", Version: 2, Doc: "sort items by size, month, weekday or planet, then by number",
		About: "The fact category is sizes, months, weekdays or planets. Equal ones go by number: other orders of them are tie_broken. A week from Sunday on, and planets by size, are other_key.",
		Knobs: []verbatim.Knob{{Fact: "category", Values: []string{"weekdays", "months", "planets", "sizes"}}},
		Task:  "KnownCategories", Max: 2000,
	}, func(r *rand.Rand, k verbatim.Parameters, n int) verbatim.Item {
		c := categories[r.IntN(len(categories))]
		given := drawLabelled(r, n, strings.Fields(c.labels))
		it := askLabelled("hard-known", k, c.words+"; equal ones by their number, ascending", given)
		if c.other != "" {
			foresee(&it, "other_key", c.otherName, listAnswer(printed(sortedBy(placed(given, strings.Fields(c.other)), compareLabelled))))
		}
		it.Facts["category"] = c.name
		return it
	})
}

// placed returns labelled items with the places of their labels in another order.
func placed(items []labelled, order []string) []labelled {
	out := slices.Clone(items)
	for i := range out {
		out[i].place = slices.Index(order, out[i].label)
	}
	return out
}

// categories have the right order, and another one that is confused with it.
var categories = []struct{ name, words, labels, otherName, other string }{
	{"sizes", "by clothing size, the smallest size first", "XXS XS S M L XL XXL 3XL 4XL 5XL", "", ""},
	{"months", "by month, January first", "January February March April May June July August September October November December", "", ""},
	{"weekdays", "by weekday, Monday first", "Monday Tuesday Wednesday Thursday Friday Saturday Sunday", "Sunday first", "Sunday Monday Tuesday Wednesday Thursday Friday Saturday"},
	{"planets", "by planet, the one nearest to the Sun first", "Mercury Venus Earth Mars Jupiter Saturn Uranus Neptune", "the smallest planet first", "Mercury Mars Venus Earth Neptune Uranus Saturn Jupiter"},
}
