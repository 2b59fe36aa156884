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
	"verbatim/internal/pylit"
)

// stableSort asks for rows by one column with ties in their order, for the rows with the largest
// numbers, and for two sorted lists as one. The fact "operation" is sort, top or merge.
func stableSort() verbatim.Family {
	return verbatim.Family{
		Name: "stable-sort", Version: 2, Doc: "sort rows by a key and keep the order of ties; top k; merge",
		About: "The fact operation is sort, top or merge. Ties in another order are tie_broken; a row too many or too few is off_by_one; two lists one behind the other are step_missing.",
		Unit:  "items", Min: 3, Max: 20_000, DefaultLengths: []int{4, 8, 16, 32, 64},
		Wordings: stableSortWordings(),
		Item: func(r *rand.Rand, k verbatim.Parameters) (verbatim.Item, error) {
			n := drawLength(r, k.Length)
			op := []func(*rand.Rand, verbatim.Parameters, int) verbatim.Item{sortRows, topRows, mergeLists}[r.IntN(3)]
			return op(r, k, n), nil
		},
	}
}

// A row is a name with a number.
type row struct {
	name string
	key  int
}

// String returns the row as in the question: "kiwi:12".
func (r row) String() string { return r.name + ":" + strconv.Itoa(r.key) }

// drawRows draws rows with different names. Keys is the number of values of their keys.
func drawRows(r *rand.Rand, n, keys int) []row {
	words := draw.MildWords()
	rows := make([]row, n)
	for i, w := range draw.Sample(r, words.Len(), n) {
		rows[i] = row{words.At(w), 10 + r.IntN(max(keys, 2))}
	}
	return rows
}

// printedRows returns rows as the list of an answer.
func printedRows(rows []row) []any {
	out := make([]any, len(rows))
	for i, r := range rows {
		out[i] = r.String()
	}
	return out
}

// sortRows asks for rows in the order of their numbers. There are a third as many numbers as rows, so
// that most rows have ties.
func sortRows(r *rand.Rand, k verbatim.Parameters, n int) verbatim.Item {
	rows := drawRows(r, n, (n+2)/3)
	by := func(tie func(a, b row) int) []any {
		out := slices.Clone(rows)
		slices.SortStableFunc(out, func(a, b row) int { return cmp.Or(cmp.Compare(a.key, b.key), tie(a, b)) })
		return printedRows(out)
	}
	given := printedRows(rows)
	asked := "Sort the rows by their numbers, ascending. Rows with equal numbers keep the order in which they stand.\n" + pylit.Format(given)
	it := rowItem(k, n, "sort", asked, by(func(_, _ row) int { return 0 }), given)
	foresee(&it, "tie_broken", "ties by name", verbatim.ListAnswer(by(func(a, b row) int { return strings.Compare(a.name, b.name) })))
	descending := slices.Clone(rows)
	slices.SortStableFunc(descending, func(a, b row) int { return cmp.Compare(b.key, a.key) })
	foresee(&it, "wrong_direction", "descending, ties as they stood", verbatim.ListAnswer(printedRows(descending)))
	slices.Reverse(rows)
	foresee(&it, "tie_broken", "ties reversed", verbatim.ListAnswer(by(func(_, _ row) int { return 0 })))
	foresee(&it, "other_key", "by name", verbatim.ListAnswer(sortedBy(given, ascendingValues)))
	foresee(&it, "wrong_direction", "descending, ties reversed", verbatim.ListAnswer(reversed(it.Want.List)))
	return it
}

// topRows asks for the rows with the largest numbers. All numbers are different.
func topRows(r *rand.Rand, k verbatim.Parameters, n int) verbatim.Item {
	rows := drawRows(r, n, 2)
	for i, key := range draw.Sample(r, max(100, 4*n), n) {
		rows[i].key = 10 + key
	}
	most := max(2, n/2)
	given := printedRows(rows)
	down := slices.Clone(rows)
	slices.SortStableFunc(down, func(a, b row) int { return cmp.Compare(b.key, a.key) })
	top := func(n int) verbatim.Answer { return verbatim.ListAnswer(printedRows(down[:n])) }
	asked := fmt.Sprintf("Give the %d rows with the largest numbers, the largest first.\n%s", most, pylit.Format(given))
	it := rowItem(k, n, "top", asked, top(most).List, given)
	foresee(&it, "off_by_one", "one more", top(min(n, most+1)))
	foresee(&it, "off_by_one", "one less", top(most-1))
	foresee(&it, "wrong_direction", "smallest of them first", verbatim.ListAnswer(reversed(it.Want.List)))
	slices.SortStableFunc(down, func(a, b row) int { return cmp.Compare(a.key, b.key) })
	foresee(&it, "wrong_direction", "the smallest rows", top(most))
	return it
}

// mergeLists merges two ascending lists of different integers.
func mergeLists(r *rand.Rand, k verbatim.Parameters, n int) verbatim.Item {
	var a, b []int
	for i, v := range draw.Sample(r, max(1000, 4*n), n) {
		if i < n/2 {
			a = append(a, v)
		} else {
			b = append(b, v)
		}
	}
	slices.Sort(a)
	slices.Sort(b)
	apart := slices.Concat(a, b)
	asked := "Merge the two ascending lists into one ascending list.\nA = " + pylit.Format(integers(a)) + "\nB = " + pylit.Format(integers(b))
	it := rowItem(k, n, "merge", asked, integers(slices.Sorted(slices.Values(apart))), integers(apart))
	foresee(&it, "step_missing", "one list behind the other", verbatim.ListAnswer(integers(apart)))
	foresee(&it, "step_missing", "A as it was", verbatim.ListAnswer(integers(a)))
	foresee(&it, "step_missing", "B as it was", verbatim.ListAnswer(integers(b)))
	foresee(&it, "wrong_direction", "descending", verbatim.ListAnswer(reversed(it.Want.List)))
	return it
}

// integers returns integers as the list of an answer.
func integers(list []int) []any {
	out := make([]any, len(list))
	for i, v := range list {
		out[i] = int64(v)
	}
	return out
}

// rowItem returns the item of an operation.
func rowItem(k verbatim.Parameters, n int, operation, asked string, want, given []any) verbatim.Item {
	it := newItem("stable-sort", k, n, stableSortWordings()[0], verbatim.Inputs{"task": asked}, verbatim.ListAnswer(want), verbatim.ListAnswer(given))
	it.Facts["operation"] = operation
	return it
}

func stableSortWordings() []verbatim.Wording {
	return []verbatim.Wording{
		{System: "You put rows into order as the question says. The output must only contain the resulting list and nothing else. Each item stays as it is written.", Text: "{task}"},
		{System: "Order rows by the given rule. Answer with one Python list alone, its items as they are given, without any other text.", Text: "Do this with the list or lists below.\n\n{task}"},
		{System: "Your answer is one Python list and nothing else. Do not change its items.", Text: "Here is a rule and what it is about.\n\n{task}\n\nGive the resulting list."},
		{System: "You work on lists of rows. Write only the list that comes out, in the notation of the list that goes in.", Text: "What is the result?\n\n{task}"},
	}
}
