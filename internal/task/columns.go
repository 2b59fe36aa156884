package task

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"verbatim"
	"verbatim/internal/draw"
)

// A record is a row of a table: a word and two numbers.
type record struct {
	name   string
	number int64
	amount float64
}

// columns asks for rows by their first column, ties by the next ones. The fact "ties" is the tenths of
// rows that have the first column of another row, and "columns" the number of columns.
func columns() verbatim.Family {
	return family(verbatim.Family{
		Name: "hard-columns", Version: 2, Doc: "sort rows by the first column, ties by the next columns",
		About: "The fact ties is how many tenths of the rows share their first column with another row. It is 2 to 9, and 10 in lists of two rows. The fact columns is 2, 3 or 4. Ties in another order are tie_broken; numbers as text are other_key.",
		Knobs: []verbatim.Knob{{Fact: "ties", Values: []string{"2", "3", "4", "5", "6", "7", "8", "9", "10"}}, {Fact: "columns", Values: []string{"2", "3", "4"}}},
		Task:  "MultiKey", Max: 2000,
	}, func(r *rand.Rand, k verbatim.Parameters, n int) verbatim.Item {
		columns := 2 + r.IntN(3)
		tied := max(2, n*(2+r.IntN(8))/10)
		given := tiedRows(r, n, tied, columns)
		rows := func(compare func(a, b tiedRow) int) []any {
			var out []any
			for _, x := range sortedBy(given, compare) {
				row := []any{x.name}
				for _, v := range x.numbers {
					row = append(row, v)
				}
				out = append(out, row)
			}
			return out
		}
		byName := func(a, b tiedRow) int { return strings.Compare(a.name, b.name) }
		byNumbers := func(a, b tiedRow) int { return slices.Compare(a.numbers, b.numbers) }
		then := func(first, next func(a, b tiedRow) int) []any {
			return rows(func(a, b tiedRow) int { return cmp.Or(first(a, b), next(a, b)) })
		}
		asGiven := func(_, _ tiedRow) int { return 0 }
		words := "by the first column, ascending, and rows with the same first column by the second, ascending"
		for _, name := range []string{"third", "fourth"}[:columns-2] {
			words += ", and rows that are still equal by the " + name + ", ascending"
		}
		it := ask("hard-columns", k, rule{words: words, given: rows(asGiven), want: then(byName, byNumbers)})
		foresee(&it, "tie_broken", "ties by descending numbers", verbatim.ListAnswer(then(byName, func(a, b tiedRow) int { return byNumbers(b, a) })))
		foresee(&it, "tie_broken", "ties as they stood", verbatim.ListAnswer(rows(byName)))
		for used := 1; used < columns-1; used++ {
			foresee(&it, "tie_broken", fmt.Sprintf("by %d of %d columns", used+1, columns), verbatim.ListAnswer(then(byName, func(a, b tiedRow) int { return slices.Compare(a.numbers[:used], b.numbers[:used]) })))
		}
		foresee(&it, "other_key", "by the second column first", verbatim.ListAnswer(then(byNumbers, byName)))
		foresee(&it, "other_key", "numbers as text", verbatim.ListAnswer(then(byName, func(a, b tiedRow) int {
			return slices.CompareFunc(a.numbers, b.numbers, func(x, y int64) int {
				return strings.Compare(strconv.FormatInt(x, 10), strconv.FormatInt(y, 10))
			})
		})))
		foresee(&it, "wrong_direction", "the first column", verbatim.ListAnswer(then(func(a, b tiedRow) int { return byName(b, a) }, byNumbers)))
		foreseeReverse(&it)
		it.Facts["ties"], it.Facts["columns"] = strconv.Itoa((20*tied+n)/(2*n)), strconv.Itoa(columns)
		return it
	})
}

// A tiedRow is a word and the numbers of the other columns.
type tiedRow struct {
	name    string
	numbers []int64
}

// tiedRows draws n different rows in random order. Tied is the number of rows that share their word
// with another one, in groups of two to six. In a group, all columns except the last have ties too.
func tiedRows(r *rand.Rand, n, tied, columns int) []tiedRow {
	var groups []int
	for tied > 0 {
		size := min(tied, 2+r.IntN(4))
		if tied-size == 1 { // a single row has no tie
			size = tied
		}
		groups, tied = append(groups, size), tied-size
	}
	inGroups := 0
	for _, size := range groups {
		inGroups += size
	}
	groups = append(groups, slices.Repeat([]int{1}, n-inGroups)...)
	words, most := draw.MildWords(), max(100, 4*n)
	var rows []tiedRow
	for i, w := range draw.Sample(r, words.Len(), len(groups)) {
		base := r.IntN(most)
		seen := map[string]bool{}
		for len(seen) < groups[i] {
			numbers := make([]int64, columns-1)
			for c := range numbers {
				numbers[c] = int64(base + r.IntN(max(2, groups[i]/2)))
			}
			numbers[columns-2] = int64(r.IntN(most))
			if key := fmt.Sprint(numbers); !seen[key] {
				seen[key] = true
				rows = append(rows, tiedRow{words.At(w), numbers})
			}
		}
	}
	return shuffled(r, rows)
}

// mixed asks for rows by three columns, each ascending or descending.
func mixed() verbatim.Family {
	return family(verbatim.Family{
		Name: "hard-mixed", Version: 2, Doc: "sort rows by three columns, each ascending or descending",
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
			for _, x := range sortedBy(given, inTurn(compare)) {
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
			foresee(&it, "wrong_direction", "the "+name+" column", verbatim.ListAnswer(by(down^1<<i)))
		}
		foresee(&it, "wrong_direction", "all columns ascending", verbatim.ListAnswer(by(0)))
		foreseeReverse(&it)
		it.Facts["directions"] = word(0)[:1] + word(1)[:1] + word(2)[:1]
		return it
	})
}

// names draws the different values of a first column, so that about the given tenths of n rows share
// theirs.
func names(r *rand.Rand, n, ties int) []string {
	words := draw.MildWords()
	out := make([]string, max(2, n*(10-ties)/10))
	for i, w := range draw.Sample(r, words.Len(), len(out)) {
		out[i] = words.At(w)
	}
	return out
}

// inTurn compares by the first of the keys in which two records differ.
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

// downwards returns the opposite order of a key.
func downwards(key func(a, b record) int) func(a, b record) int {
	return func(a, b record) int { return key(b, a) }
}
