package task

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"verbatim"
	"verbatim/internal/pylit"
)

// A lister draws the unsorted lists of one SortBench task.
type lister interface {
	// list draws n items, all int64, all float64 or all string. The error says
	// why there are no such lists.
	list(r *rand.Rand, n int, edition verbatim.Edition) ([]any, error)
}

// sortbenchSizes are the sizes of SortBench's lists.
func sortbenchSizes() []int { return []int{2, 4, 8, 16, 32, 64, 128, 256} }

// sortSystem is the paper's system prompt.
const sortSystem = "Your task is to sort a list according to the common sorting of the used data type in Python. The output must only contain the sorted list and nothing else. The format of the list must stay the same."

// sorting returns the family that asks to sort the lists of l. Task and mode are
// the spellings of SortBench's published files.
func sorting(l lister, name, task, mode, doc string) verbatim.Family {
	return verbatim.Family{
		Name: name, Version: 1, Doc: "sort " + doc, Unit: "items", Min: 0, Max: 100_000, Ladder: sortbenchSizes(),
		Task: task, Mode: mode,
		Item: func(r *rand.Rand, k verbatim.Knobs) (verbatim.Item, error) {
			n := drawLength(r, k.Length)
			list, err := l.list(r, n, k.Edition)
			if err != nil {
				return verbatim.Item{}, err
			}
			it := sortItem(list, listText(list, k.Edition))
			it.Facts = map[string]string{
				verbatim.FactFamily:  name,
				verbatim.FactLength:  strconv.Itoa(n),
				verbatim.FactEdition: string(k.Edition),
				verbatim.FactTask:    task,
				verbatim.FactMode:    mode,
			}
			return it, nil
		},
	}
}

// sortItem asks for the list, which is printed as text, to be sorted as Python
// sorts it.
func sortItem(list []any, text string) verbatim.Item {
	want := slices.Clone(list)
	slices.SortStableFunc(want, compare)
	source := verbatim.ListAnswer(list)
	return verbatim.Item{
		Prompt: sortWordings()[0].prompt(text),
		Want:   verbatim.ListAnswer(want),
		Source: &source,
	}
}

// compare orders two items of one list as Python does: numbers by value, strings
// by code point, which is the byte order of UTF-8.
func compare(a, b any) int {
	switch a := a.(type) {
	case int64:
		return cmp.Compare(a, b.(int64))
	case float64:
		return cmp.Compare(a, b.(float64))
	}
	return strings.Compare(a.(string), b.(string))
}

// listText prints a list as Python's str does. The paper writes floats in plain
// decimal notation.
func listText(list []any, edition verbatim.Edition) string {
	if len(list) == 0 || edition != verbatim.Paper {
		return pylit.Format(list)
	}
	b := []byte("[")
	for i, v := range list {
		x, ok := v.(float64)
		if !ok {
			return pylit.Format(list)
		}
		if i > 0 {
			b = append(b, ", "...)
		}
		b = append(b, plainDecimal(x, 64)...)
	}
	return string(append(b, ']'))
}

// plainDecimal writes x without an exponent and with a point.
func plainDecimal(x float64, bits int) string {
	s := strconv.FormatFloat(x, 'f', -1, bits)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

func boxed[T any](list []T) []any {
	out := make([]any, len(list))
	for i, v := range list {
		out[i] = v
	}
	return out
}
