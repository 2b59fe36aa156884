package task

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"verbatim"
	"verbatim/internal/draw"
)

// Families lists every family, in the order in which they are shown.
func Families() []verbatim.Family {
	return []verbatim.Family{
		copying(),
		reversal(),
		addition(),
		sorting(ints{0, 1000, 0, 999}, "sort-int", "Int-0:1000", "basic", "integers of 0 to 1,000"),
		sorting(floats{0, 1000, 0, 1000}, "sort-float", "Float-0:1000", "basic", "floats of 0 to 1,000"),
		sorting(words{}, "sort-word", "English", "basic", "English words"),
		sorting(ints{10_000_000, 10_001_000, 10_000_000, 10_000_999}, "sort-int-large", "Integers-10000000:10001000", "advanced", "integers that differ in their last digits"),
		sorting(floats{10_000_000, 10_001_000, 10_000_000, 10_001_000}, "sort-float-large", "Float-10000000:10001000", "advanced", "large floats that lie close together"),
		sorting(floats{0, 0.0001, 0, 0.0001}, "sort-float-small", "Float-0:0.0001", "advanced", "floats below 0.0001, with exponents"),
		sorting(ints{-1000, 1000, -10000, 999}, "sort-int-negative", "Int-n1000:1000", "advanced", "integers of both signs"),
		sorting(floats{-1000, 1000, -10000, 1000}, "sort-float-negative", "Float-n1000-1000", "advanced", "floats of both signs"),
		sorting(letters(draw.Lower), "sort-ascii", "ASCII-Lower", "advanced", "strings of five lower-case letters"),
		sorting(letters(draw.Letters), "sort-ascii-cased", "ASCII-Cased", "advanced", "strings of five letters of both cases"),
		sorting(prefixed{}, "sort-word-prefixed", "PrfxEnglish", "advanced", "words that begin with the same three letters"),
		sorting(numberWords{}, "sort-number-words", "NumberWords", "advanced", "numbers written as words, alphabetically"),
		sorting(sorted{ints{0, 1000, 0, 999}}, "sort-int-sorted", "Int-Sorted", "debug", "integers that are sorted already"),
		sorting(sorted{floats{0, 1000, 0, 1000}}, "sort-float-sorted", "Float-Sorted", "debug", "floats that are sorted already"),
		sorting(sorted{words{}}, "sort-word-sorted", "English-Sorted", "debug", "words that are sorted already"),
		sorting(doubled{ints{0, 1000, 0, 999}}, "sort-int-duplicate", "Int-Duplicate", "debug", "integers, each of them twice"),
		sorting(doubled{floats{0, 1000, 0, 1000}}, "sort-float-duplicate", "Float-Duplicate", "debug", "floats, each of them twice"),
		sorting(doubled{words{}}, "sort-word-duplicate", "English-Duplicate", "debug", "words, each of them twice"),
	}
}

// aliases are other names that families are known by: the paper's, where they
// differ from the published files', and simpE's.
var aliases = map[string]string{
	"rehearsal": "copy", "string-rehearsal": "copy", "string_rehearsal": "copy",
	"reversal": "reverse", "string-reversal": "reverse", "string_reversal": "reverse",
	"addition": "add", "sum": "add", "add_two_ints": "add",
	"Int-10000000:10001000": "sort-int-large", "Integers-10000000-10001000": "sort-int-large",
	"Float-n1000:1000": "sort-float-negative",
	"ascii":            "sort-ascii", "AsCiI": "sort-ascii-cased",
}

// A NameError says that there is no family or suite of a name.
type NameError struct{ What, Name, Nearest, List string }

func (e *NameError) Error() string { return fmt.Sprintf("there is no %s %q", e.What, e.Name) }

// Hint names the nearest name and where the names are listed.
func (e *NameError) Hint() string {
	if e.Nearest == "" {
		return e.List + " lists them"
	}
	return fmt.Sprintf("did you mean %q? %s lists them all", e.Nearest, e.List)
}

// Misuse marks the error as the caller's.
func (e *NameError) Misuse() bool { return true }

// Find returns the family with the name, which may also be SortBench's or simpE's
// name for it. The error is a *NameError.
func Find(name string) (verbatim.Family, error) {
	families := Families()
	for _, f := range families {
		if f.Name == name || f.Task == name || aliases[name] == f.Name || f.Task != "" && strings.ReplaceAll(f.Task, ":", "-") == name {
			return f, nil
		}
	}
	var names []string
	for _, f := range families {
		names = append(names, f.Name)
		if f.Task != "" {
			names = append(names, f.Task)
		}
	}
	return verbatim.Family{}, &NameError{"task", name, nearest(name, names), "'verbatim tasks'"}
}

// selectFamilies returns the families that the names and patterns ("sort-*")
// select, in the order of Families, each once.
func selectFamilies(names []string) ([]verbatim.Family, error) {
	families := Families()
	chosen := map[string]bool{}
	for _, name := range names {
		if strings.ContainsAny(name, "*?[") {
			found := false
			for _, f := range families {
				ok, err := path.Match(name, f.Name)
				if err != nil {
					return nil, misuse("a pattern is like 'sort-*'", "%q is not a pattern", name)
				}
				if ok {
					chosen[f.Name], found = true, true
				}
			}
			if !found {
				return nil, &NameError{"task that matches", name, "", "'verbatim tasks'"}
			}
			continue
		}
		f, err := Find(name)
		if err != nil {
			return nil, err
		}
		chosen[f.Name] = true
	}
	return slices.DeleteFunc(families, func(f verbatim.Family) bool { return !chosen[f.Name] }), nil
}

// nearest returns the name that takes the fewest edits to reach, or "" when even
// that one is far.
func nearest(name string, names []string) string {
	best, fewest := "", max(2, len(name)/3)+1
	for _, n := range names {
		if d := edits(strings.ToLower(name), strings.ToLower(n)); d < fewest {
			best, fewest = n, d
		}
	}
	return best
}

// edits returns the optimal string alignment distance: insertions, deletions,
// substitutions and swaps of neighbours.
func edits(a, b string) int {
	before, row := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		next := make([]int, len(b)+1)
		next[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			next[j] = min(next[j-1]+1, row[j]+1, row[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				next[j] = min(next[j], before[j-2]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}
