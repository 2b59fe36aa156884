package task

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"verbatim"
	"verbatim/internal/question"
)

// partOfSuite ends the name of a suite of which a plan asks a part, or more of it than it has.
const partOfSuite = " (part)"

// part returns the cells of the suite that a request names: of its tasks, lengths and number of
// items. The error says what the suite has instead.
func (s Suite) part(edition verbatim.Edition, q Request) ([]verbatim.Cell, error) {
	cells := s.cells(edition)
	if len(q.Tasks) > 0 {
		chosen, err := selectFamilies(q.Tasks)
		if err != nil {
			return nil, err
		}
		cells = slices.DeleteFunc(cells, func(c verbatim.Cell) bool {
			return !slices.ContainsFunc(chosen, func(f verbatim.Family) bool { return f.Name == c.Family })
		})
		if len(cells) == 0 {
			return nil, question.Misuse("it has "+s.tasks(edition), "the suite %s has no task %s", s.Name, strings.Join(q.Tasks, ", "))
		}
	}
	if len(q.Lengths) > 0 {
		there := lengthsOf(cells)
		cells = slices.DeleteFunc(cells, func(c verbatim.Cell) bool { return !slices.Contains(q.Lengths, c.Length) })
		for _, l := range q.Lengths {
			if !slices.Contains(lengthsOf(cells), l) {
				return nil, question.Misuse("it has "+joinLengths(there)+"; without --suite any length can be asked", "the suite %s has no length %v", s.Name, l)
			}
		}
	}
	for i := range cells {
		if q.Items > 0 {
			cells[i].N = q.Items
		}
	}
	return cells, nil
}

// tasks names the tasks of the suite.
func (s Suite) tasks(edition verbatim.Edition) string {
	var names []string
	for _, c := range s.cells(edition) {
		if !slices.Contains(names, c.Family) {
			names = append(names, c.Family)
		}
	}
	return strings.Join(names, ", ")
}

func lengthsOf(cells []verbatim.Cell) []verbatim.Lengths {
	var out []verbatim.Lengths
	for _, c := range cells {
		if !slices.Contains(out, c.Length) {
			out = append(out, c.Length)
		}
	}
	return out
}

// joinLengths names lengths, the shortest first.
func joinLengths(lengths []verbatim.Lengths) string {
	var out []string
	for _, l := range slices.SortedFunc(slices.Values(lengths), func(a, b verbatim.Lengths) int { return cmp.Or(a.Min-b.Min, a.Max-b.Max) }) {
		out = append(out, l.String())
	}
	return strings.Join(out, ", ")
}

func sameCell(a, b verbatim.Cell) bool {
	return a.Family == b.Family && a.Version == b.Version && a.Length == b.Length && a.N == b.N
}

// publishedSuite reports whether published lists belong to the suite of a name.
func publishedSuite(name string) bool {
	s, err := findSuite(name)
	return err == nil && s.published
}

// PartOfLists returns those of published lists that a request names by its suite, tasks, lengths
// and number of items, which are the first ones of each task and length. Where it names nothing,
// these are all. A part has a name and a hash of its own; the items keep their ids.
func PartOfLists(file *verbatim.ItemFile, items []verbatim.Item, q Request) (*verbatim.ItemFile, []verbatim.Item, error) {
	suite, err := findSuite("sortbench")
	if q.Suite != "" {
		suite, err = findSuite(q.Suite)
	}
	if err != nil || !suite.published {
		return file, items, err // which the plan refuses
	}
	cells, err := suite.part(verbatim.Reference, q)
	if err != nil {
		return nil, nil, err
	}
	asked := map[string]int{} // by task and length
	part := slices.DeleteFunc(slices.Clone(items), func(it verbatim.Item) bool {
		name, length := it.Facts[verbatim.FactFamily], it.Facts[verbatim.FactLength]
		i := slices.IndexFunc(cells, func(c verbatim.Cell) bool { return c.Family == name && strconv.Itoa(c.Length.Min) == length })
		if i < 0 || q.Items > 0 && asked[name+" "+length] == q.Items {
			return true
		}
		asked[name+" "+length]++
		return false
	})
	if len(part) == len(items) {
		return file, items, nil
	}
	sum := sha256.New()
	for i := range part {
		if err := WriteItem(sum, &part[i]); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", part[i].ID, err)
		}
	}
	return &verbatim.ItemFile{Name: file.Name + partOfSuite, SHA256: hex.EncodeToString(sum.Sum(nil)), N: len(part)}, part, nil
}
