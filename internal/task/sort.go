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
	// list draws n items, all int64, all float64 or all string. It is an error if there are no
	// such lists.
	list(r *rand.Rand, n int, edition verbatim.Edition) ([]any, error)
}

// sortbenchSizes are the sizes of SortBench's lists.
func sortbenchSizes() []int { return []int{2, 4, 8, 16, 32, 64, 128, 256} }

// sortSystem is the paper's system prompt.
const sortSystem = "Your task is to sort a list according to the common sorting of the used data type in Python. The output must only contain the sorted list and nothing else. The format of the list must stay the same."

// A sortTask is a task of SortBench. Task and mode are spelled as in SortBench's published files.
type sortTask struct {
	name, task, mode, doc string
	lists                 lister
	aliases               []string
}

// ofSortBench reports whether a family is one of the published benchmark.
func ofSortBench(f verbatim.Family) bool { return f.Task != "" && f.Mode != hardMode }

// family returns the family of the task.
func (t sortTask) family() verbatim.Family {
	return verbatim.Family{
		Name: t.name, Version: 1, Doc: "sort " + t.doc, Aliases: t.aliases,
		Unit: "items", Min: 0, Max: 100_000, DefaultLengths: sortbenchSizes(),
		Wordings: sortWordings(), Task: t.task, Mode: t.mode,
		Item: func(r *rand.Rand, k verbatim.Parameters) (verbatim.Item, error) {
			n := drawLength(r, k.Length)
			list, err := t.lists.list(r, n, k.Edition)
			if err != nil {
				return verbatim.Item{}, err
			}
			it := sortItem(list, listText(list, k.Edition))
			it.Facts = map[string]string{
				verbatim.FactFamily:  t.name,
				verbatim.FactLength:  strconv.Itoa(n),
				verbatim.FactEdition: string(k.Edition),
				verbatim.FactTask:    t.task,
				verbatim.FactMode:    t.mode,
			}
			return it, nil
		},
	}
}

// sortItem returns the item that asks for a list in Python's order. Text is the list in the prompt.
func sortItem(list []any, text string) verbatim.Item {
	want := slices.Clone(list)
	slices.SortStableFunc(want, compare)
	source := verbatim.ListAnswer(list)
	in := verbatim.Inputs{"list": text}
	return verbatim.Item{
		Prompt: sortWordings()[0].Prompt(in),
		Inputs: in,
		Want:   verbatim.ListAnswer(want),
		Source: &source,
	}
}

// compare orders two items of one list as Python does: numbers by value, strings by code point, which
// is the byte order of UTF-8.
func compare(a, b any) int {
	switch a := a.(type) {
	case int64:
		return cmp.Compare(a, b.(int64))
	case float64:
		return cmp.Compare(a, b.(float64))
	}
	return strings.Compare(a.(string), b.(string))
}

// listText prints a list as Python's str does. In the paper's edition floats have plain decimal
// notation.
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

// boxed returns a list as the list of an Answer.
func boxed[T any](list []T) []any {
	out := make([]any, len(list))
	for i, v := range list {
		out[i] = v
	}
	return out
}

func sortWordings() []verbatim.Wording {
	return []verbatim.Wording{
		{System: sortSystem, Text: `Sort the following list: {list}`},
		{
			System: `You put lists into order, as Python's sorted() does for the type of their items. Answer with the sorted list alone, and with nothing else. Write the list in the format in which it is given.`,
			Text:   `Put the items of this list into ascending order: {list}`,
		},
		{
			System: `You are given a list. Order its items in the way that is usual in Python for their data type. Give only the ordered list, without any other text, and do not change how the list is written.`,
			Text:   `Here is a list: {list} Sort it.`,
		},
		{
			System: `Bring the items of a list into the order that Python's built-in sorting gives them. Your output is the sorted list and nothing beside it, and its notation is that of the list you were given.`,
			Text:   "What does the list below look like once it is sorted?\n\n{list}",
		},
	}
}
