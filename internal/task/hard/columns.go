package hard

import (
	"cmp"
	"math/rand/v2"
	"strconv"
	"strings"

	"verbatim"
	"verbatim/internal/draw"
	"verbatim/internal/question"
)

// A record is a row of a table: a word and two numbers.
type record struct {
	name   string
	number int64
	amount float64
}

// columns asks for rows by their first column, ties by the second. The fact "ties" says how
// many tenths of the rows have the first column of another row.
func columns() verbatim.Family {
	return family(verbatim.Family{
		Name: "hard-columns", Doc: "sort rows by the first column, ties by the second",
		About: "The fact ties is how many tenths of the rows share their first column. Ties in another order are tie_broken; numbers as text are other_key.",
		Task:  "MultiKey", Max: 2000,
	}, func(r *rand.Rand, k verbatim.Parameters, n int) verbatim.Item {
		ties := 2 + r.IntN(8)
		names := names(r, n, ties)
		given := draw.Distinct(n, func() record { return record{name: names[r.IntN(len(names))], number: int64(r.IntN(max(100, 4*n)))} })
		byName := func(a, b record) int { return strings.Compare(a.name, b.name) }
		byNumber := func(a, b record) int { return cmp.Compare(a.number, b.number) }
		rows := func(keys ...func(a, b record) int) []any {
			var out []any
			for _, x := range sorted(given, inTurn(keys)) {
				out = append(out, []any{x.name, x.number})
			}
			return out
		}
		it := ask("hard-columns", k, rule{words: "by the first column, ascending, and rows with the same first column by the second, ascending", given: rows(), want: rows(byName, byNumber)})
		question.Foresee(&it, "tie_broken", "ties by descending number", verbatim.ListAnswer(rows(byName, downwards(byNumber))))
		question.Foresee(&it, "tie_broken", "ties as they stood", verbatim.ListAnswer(rows(byName)))
		question.Foresee(&it, "other_key", "by the second column first", verbatim.ListAnswer(rows(byNumber, byName)))
		question.Foresee(&it, "other_key", "numbers as text", verbatim.ListAnswer(rows(byName, func(a, b record) int {
			return strings.Compare(strconv.FormatInt(a.number, 10), strconv.FormatInt(b.number, 10))
		})))
		foreseeReverse(&it, it.Want.List)
		it.Facts["ties"] = strconv.Itoa(ties)
		return it
	})
}

// mixed asks for rows by three columns in directions of their own.
func mixed() verbatim.Family {
	return family(verbatim.Family{
		Name: "hard-mixed", Doc: "sort rows by three columns, each ascending or descending",
		About: "The fact directions has a letter for each column: a or d. A column in the other direction is wrong_direction, with its name. Keys are words, integers of both signs and decimals.",
		Task:  "MixedDirections", Max: 2000,
	}, func(r *rand.Rand, k verbatim.Parameters, n int) verbatim.Item {
		names := names(r, n, 7)
		given := draw.Distinct(n, func() record {
			return record{names[r.IntN(len(names))], int64(r.IntN(max(9, n/4))) - 4, float64(r.IntN(4000)-2000) / 100}
		})
		keys := []func(a, b record) int{
			func(a, b record) int { return strings.Compare(a.name, b.name) },
			func(a, b record) int { return cmp.Compare(a.number, b.number) },
			func(a, b record) int { return cmp.Compare(a.amount, b.amount) },
		}
		down := 1 + r.IntN(6) // a bit for each column; neither none nor all
		by := func(down int) []any {
			var compare []func(a, b record) int
			for i, key := range keys {
				if down>>i&1 == 1 {
					key = downwards(key)
				}
				compare = append(compare, key)
			}
			var out []any
			for _, x := range sorted(given, inTurn(compare)) {
				out = append(out, []any{x.name, x.number, x.amount})
			}
			return out
		}
		var asGiven []any
		for _, x := range given {
			asGiven = append(asGiven, []any{x.name, x.number, x.amount})
		}
		word := func(i int) string { return []string{"ascending", "descending"}[down>>i&1] }
		it := ask("hard-mixed", k, rule{
			words: "by the first column, " + word(0) + ", rows that are equal there by the second, " + word(1) + ", and rows that are still equal by the third, " + word(2),
			given: asGiven, want: by(down),
		})
		for i, name := range []string{"first", "second", "third"} {
			question.Foresee(&it, "wrong_direction", "the "+name+" column", verbatim.ListAnswer(by(down^1<<i)))
		}
		question.Foresee(&it, "wrong_direction", "all columns ascending", verbatim.ListAnswer(by(0)))
		it.Facts["directions"] = word(0)[:1] + word(1)[:1] + word(2)[:1]
		return it
	})
}

// names draws the different values of a first column, so that ties tenths of n rows share theirs.
func names(r *rand.Rand, n, ties int) []string {
	words := draw.MildWords()
	out := make([]string, max(2, n*(10-ties)/10))
	for i, w := range draw.Sample(r, len(words), len(out)) {
		out[i] = words[w]
	}
	return out
}

// inTurn compares by the first of the keys that tells the two apart.
func inTurn(keys []func(a, b record) int) func(a, b record) int {
	return func(a, b record) int {
		for _, key := range keys {
			if c := key(a, b); c != 0 {
				return c
			}
		}
		return 0
	}
}

func downwards(key func(a, b record) int) func(a, b record) int {
	return func(a, b record) int { return key(b, a) }
}
