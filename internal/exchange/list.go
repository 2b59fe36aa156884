package exchange

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"os"
	"slices"
	"strconv"
	"strings"

	"verbatim"

	"verbatim/internal/pylit"
)

// A Namer returns the family of a SortBench task, from the published spellings of its mode and its
// name ("basic", "Int-0:1000"). If a Namer is nil or returns "", the family is the task.
type sortBenchNamer func(mode, task string) string

func (n sortBenchNamer) family(mode, task string) string {
	if n != nil {
		if name := n(mode, task); name != "" {
			return name
		}
	}
	return task
}

// system and user are the published prompts; the list follows user.
const (
	system = "Your task is to sort a list according to the common sorting of the used data type in Python. The output must only contain the sorted list and nothing else. The format of the list must stay the same."
	user   = "Sort the following list: "
)

// item returns the item of a list. rules has the rules of hard lists by the list's name.
func (f listFile) item(name string, list []any, rules map[string]rule, namer sortBenchNamer) (*verbatim.Item, error) {
	it := f.bareItem(name, namer)
	if r, ok := rules[name]; ok || f.mode == hardMode {
		return it, r.apply(it, list)
	}
	sorted, err := sortedAsPython(list)
	if err != nil {
		return nil, err
	}
	it.Prompt = verbatim.Prompt{
		{Role: "system", Content: []verbatim.Part{{Text: system}}},
		{Role: "user", Content: []verbatim.Part{{Text: user + pylit.Format(list)}}},
	}
	it.Want, it.Source = verbatim.ListAnswer(sorted), new(verbatim.ListAnswer(list))
	return it, nil
}

// items returns the items of lists that a file at path has. After an error it returns the items
// before it.
func (f listFile) items(path string, lists []namedList, namer sortBenchNamer) (items []*verbatim.Item, err error) {
	rules, err := f.rules()
	if err != nil {
		return nil, err
	}
	for _, l := range lists {
		it, err := f.item(l.name, l.list, rules, namer)
		if err != nil {
			return items, fmt.Errorf("%s: %s: %w", path, l.name, err)
		}
		items = append(items, it)
	}
	return items, nil
}

// bareItem returns an item without its texts, by the name of its list.
func (f listFile) bareItem(name string, namer sortBenchNamer) *verbatim.Item {
	return &verbatim.Item{
		ID: "sortbench:" + f.key() + "/" + name,
		Facts: map[string]string{
			verbatim.FactFamily:  namer.family(f.mode, f.task),
			verbatim.FactLength:  strconv.Itoa(f.length),
			verbatim.FactEdition: string(verbatim.Reference),
			verbatim.FactTask:    f.task,
			verbatim.FactMode:    f.mode,
			verbatim.FactList:    name,
		},
		Grader: "sortbench-reference",
	}
}

// lists returns the lists of {"list_1": [...], ...} in the order of their numbers.
func (f listFile) lists(data map[string]json.RawMessage) ([]namedList, error) {
	out := make([]namedList, 0, len(data))
	for name, raw := range data {
		var a verbatim.Answer
		if err := a.UnmarshalJSON(raw); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", f.path, name, err)
		}
		if !a.IsList() {
			return nil, fmt.Errorf("%s: %s: want a list, found text", f.path, name)
		}
		out = append(out, namedList{name, a.List})
	}
	slices.SortStableFunc(out, func(a, b namedList) int {
		return compareLists(a.name, b.name)
	})
	return out, nil
}

// compareLists orders lists by the numbers in their names.
func compareLists(a, b string) int {
	return cmp.Or(cmp.Compare(number(a), number(b)), strings.Compare(a, b))
}

type namedList struct {
	name string
	list []any
}

// number returns the number at the end of a list's name; a high one without any, so that such lists
// come last.
func number(name string) int {
	n, err := strconv.Atoi(name[strings.LastIndexByte(name, '_')+1:])
	if err != nil {
		return 1 << 30
	}
	return n
}

// sortedAsPython returns the list in the order of Python's sorted: texts by code points, numbers by
// their values. A list with both is an error, as in Python.
func sortedAsPython(list []any) ([]any, error) {
	out := slices.Clone(list)
	for i, x := range out {
		if rank(x) == 0 {
			return nil, fmt.Errorf("element %d: want a number or text, found %s", i, pylit.Format(x))
		}
		if rank(x) != rank(out[0]) {
			return nil, fmt.Errorf("element %d: numbers and texts in one list have no order", i)
		}
	}
	slices.SortStableFunc(out, compare)
	return out, nil
}

// rank returns 1 for a text, 2 for a number and 0 for other values.
func rank(x any) int {
	switch x.(type) {
	case string:
		return 1
	case int64, float64, *big.Int:
		return 2
	}
	return 0
}

// compare compares two texts or two numbers. No basic type holds all int64 and all float64 values
// exactly, so it compares these as big.Float.
func compare(a, b any) int {
	switch x := a.(type) {
	case string:
		return strings.Compare(x, b.(string)) // UTF-8 keeps the order of code points
	case int64:
		if y, ok := b.(int64); ok {
			return cmp.Compare(x, y)
		}
	case float64:
		if y, ok := b.(float64); ok {
			return cmp.Compare(x, y)
		}
	}
	return exact(a).Cmp(exact(b))
}

func exact(x any) *big.Float {
	switch x := x.(type) {
	case int64:
		return new(big.Float).SetInt64(x)
	case float64:
		return big.NewFloat(x)
	case *big.Int:
		return new(big.Float).SetInt(x)
	}
	return new(big.Float)
}

// read returns the lists of a file of lists in the order of their numbers.
func (f listFile) read() ([]namedList, error) {
	var data map[string]json.RawMessage
	if err := readJSON(f.path, &data); err != nil {
		return nil, err
	}
	return f.lists(data)
}

// rules reads the rules of a file of lists, by the list's name; nil without a file of rules. Hard
// lists must have one.
func (f listFile) rules() (map[string]rule, error) {
	stem := strings.TrimSuffix(strings.TrimSuffix(f.path, ".gz"), ".json") + "_rules.json"
	for _, path := range []string{stem + ".gz", stem} {
		switch _, err := os.Stat(path); {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return nil, err
		}
		var rules map[string]rule
		if err := readJSON(path, &rules); err != nil {
			return nil, err
		}
		return rules, nil
	}
	if f.mode == hardMode {
		return nil, fmt.Errorf("%s: the file %s.gz with the rules for sorting is missing: export the run again", f.path, stem)
	}
	return nil, nil
}
