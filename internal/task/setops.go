package task

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"

	"verbatim"
	"verbatim/internal/draw"
	"verbatim/internal/pylit"
)

// setOps asks for operations on lists: each item once, one list without the items of another, the items
// that two have in common, and the items of both in turns. The fact "operation" is their name.
func setOps() verbatim.Family {
	return verbatim.Family{
		Name: "set-ops", Version: 3, Doc: "remove duplicates, subtract, intersect or interleave lists",
		About: "The fact operation is distinct, difference, intersection or interleave. A list that is given back as it was, or one behind the other, is step_missing. The result of another operation is other_operation, and a sorted result other_key.",
		Unit:  "items", Min: 2, Max: 20_000, Few: 4, DefaultLengths: []int{4, 8, 16, 32, 64},
		Wordings: setOpsWordings(),
		Item: func(r *rand.Rand, k verbatim.Parameters) (verbatim.Item, error) {
			n := drawLength(r, k.Length)
			op := setOperations[r.IntN(len(setOperations))]
			a, b := op.draw(r, n)
			asked := op.words + "\nA = " + pylit.Format(a)
			if b != nil {
				asked += "\nB = " + pylit.Format(b)
			}
			it := newItem("set-ops", k, n, setOpsWordings()[0], verbatim.Inputs{"task": asked}, verbatim.ListAnswer(op.result(a, b)), verbatim.ListAnswer(a))
			foresee(&it, "step_missing", "A as it was", verbatim.ListAnswer(a))
			if b != nil {
				foresee(&it, "step_missing", "B as it was", verbatim.ListAnswer(b))
				foresee(&it, "step_missing", "A and then B", verbatim.ListAnswer(slices.Concat(a, b)))
			}
			for _, o := range op.others(a, b) {
				foresee(&it, "other_operation", o.name, verbatim.ListAnswer(o.result))
			}
			foresee(&it, "other_key", "sorted", verbatim.ListAnswer(sortedBy(it.Want.List, ascendingValues)))
			foresee(&it, "wrong_direction", "the opposite order", verbatim.ListAnswer(reversed(it.Want.List)))
			it.Facts["operation"] = op.name
			return it, nil
		},
	}
}

// A setOperation is an operation on lists. Draw draws lists for which the result is not empty.
type setOperation struct {
	name, words string
	draw        func(r *rand.Rand, n int) (a, b []any)
	result      func(a, b []any) []any
	// others returns the results of operations that are confused with this one.
	others func(a, b []any) []otherResult
}

// An otherResult is the result of another operation.
type otherResult struct {
	name   string
	result []any
}

var setOperations = []setOperation{
	{"distinct", "Keep the first of equal items of A, in the order of A.", func(r *rand.Rand, n int) (a, b []any) {
		some := strangers(r, max(1, n-max(1, n/3)))
		a = slices.Clone(some)
		for len(a) < n {
			a = append(a, some[r.IntN(len(some))])
		}
		shuffle(r, a)
		return a, nil
	}, func(a, _ []any) []any { return distinct(a) }, func(a, _ []any) []otherResult {
		times := map[any]int{}
		for _, v := range a {
			times[v]++
		}
		once := slices.DeleteFunc(slices.Clone(a), func(v any) bool { return times[v] > 1 })
		return []otherResult{{"the last of equal items", reversed(distinct(reversed(a)))}, {"items that occur once", once}}
	}},
	{"difference", "Keep the items of A that are not in B, in the order of A.", overlapping, func(a, b []any) []any {
		return among(a, b, false)
	}, func(a, b []any) []otherResult {
		return []otherResult{{"intersection", among(a, b, true)}, {"B without A", among(b, a, false)}, {"items of one list only", slices.Concat(among(a, b, false), among(b, a, false))}}
	}},
	{"intersection", "Keep the items of A that are in B too, in the order of A.", overlapping, func(a, b []any) []any {
		return among(a, b, true)
	}, func(a, b []any) []otherResult {
		return []otherResult{{"difference", among(a, b, false)}, {"in the order of B", among(b, a, true)}, {"union", distinct(slices.Concat(a, b))}}
	}},
	{"interleave", "Take items from A and B in turns, beginning with A: the first of A, the first of B, the second of A, and so on.", func(r *rand.Rand, n int) (a, b []any) {
		all := strangers(r, n)
		return all[:(n+1)/2], all[(n+1)/2:]
	}, interleaved, func(a, b []any) []otherResult {
		return []otherResult{{"beginning with B", interleaved(b, a)}}
	}},
}

// interleaved returns the items of two lists in turns.
func interleaved(a, b []any) []any {
	var out []any
	for i := range max(len(a), len(b)) {
		if i < len(a) {
			out = append(out, a[i])
		}
		if i < len(b) {
			out = append(out, b[i])
		}
	}
	return out
}

// among returns the items of a list that are in another one, or that are not.
func among(list, other []any, isMember bool) []any {
	in := make(map[any]bool, len(other))
	for _, v := range other {
		in[v] = true
	}
	return slices.DeleteFunc(slices.Clone(list), func(v any) bool { return in[v] != isMember })
}

// overlapping draws two lists. A has n items: at least one is in B, and one is not if n is above 1.
func overlapping(r *rand.Rand, n int) (a, b []any) {
	all := strangers(r, n+max(1, n/2))
	a, b = all[:n:n], slices.Clone(all[n:])
	shared := 1 + r.IntN(max(1, n-1))
	for _, i := range draw.Sample(r, n, shared) {
		b = append(b, a[i])
	}
	shuffle(r, b)
	return a, b
}

// strangers draws n different items, all integers or all words.
func strangers(r *rand.Rand, n int) []any {
	out := make([]any, n)
	if r.IntN(2) == 0 {
		for i, v := range draw.Sample(r, max(1000, 4*n), n) {
			out[i] = int64(v)
		}
		return out
	}
	words := draw.MildWords()
	for i, v := range draw.Sample(r, words.Len(), n) {
		out[i] = words.At(v)
	}
	return out
}

// shuffle brings a list into random order.
func shuffle(r *rand.Rand, list []any) {
	r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
}

// distinct returns the items of a list without those that are equal to an earlier one.
func distinct(list []any) []any {
	var out []any
	seen := map[any]bool{}
	for _, v := range list {
		if !seen[v] {
			seen[v] = true
			out = append(out, v)
		}
	}
	return out
}

// ascendingValues compares two integers, or two texts.
func ascendingValues(a, b any) int {
	if x, ok := a.(int64); ok {
		return cmp.Compare(x, b.(int64))
	}
	return strings.Compare(a.(string), b.(string))
}

func setOpsWordings() []verbatim.Wording {
	const only = " The output must only contain the resulting list and nothing else. Its format is that of the lists given."
	return []verbatim.Wording{
		{System: "You are given one or two lists and what to do with them." + only, Text: "{task}"},
		{System: "Work on lists as the question says. Answer with the resulting Python list alone, without any other text.", Text: "Do the following with the list or lists below.\n\n{task}"},
		{System: "Your answer is one Python list and nothing else: what the described operation gives.", Text: "Here is an operation and what it is about.\n\n{task}\n\nGive the result."},
		{System: "You compute with lists. Write only the list that comes out, in the notation of the lists that go in.", Text: "What is the result?\n\n{task}"},
	}
}
