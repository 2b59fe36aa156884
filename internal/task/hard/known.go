package hard

import (
	"math/rand/v2"
	"strings"

	"verbatim"
)

// known asks for items by an order that everybody knows: sizes, months, weekdays, planets. The
// fact "category" says which.
func known() verbatim.Family {
	return family(verbatim.Family{
		Name: "hard-known", Doc: "sort items by size, month, weekday or planet, then by number",
		About: "The fact category is sizes, months, weekdays or planets. Equal ones go by number: other orders of them are tie_broken.",
		Task:  "KnownCategories", Max: 2000,
	}, func(r *rand.Rand, k verbatim.Parameters, n int) verbatim.Item {
		c := categories[r.IntN(len(categories))]
		it := askLabelled("hard-known", k, c.words+"; equal ones by their number, ascending", drawLabelled(r, n, strings.Fields(c.labels)))
		it.Facts["category"] = c.name
		return it
	})
}

var categories = []struct{ name, words, labels string }{
	{"sizes", "by clothing size, the smallest size first", "XXS XS S M L XL XXL 3XL 4XL 5XL"},
	{"months", "by month, January first", "January February March April May June July August September October November December"},
	{"weekdays", "by weekday, Monday first", "Monday Tuesday Wednesday Thursday Friday Saturday Sunday"},
	{"planets", "by planet, the one nearest to the Sun first", "Mercury Venus Earth Mars Jupiter Saturn Uranus Neptune"},
}
