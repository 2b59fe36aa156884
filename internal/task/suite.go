package task

import (
	"cmp"
	"slices"
	"strings"

	"verbatim"
	"verbatim/internal/input"
)

// A Suite is a selection of items with a name.
type Suite struct {
	Name, Doc string
	// cells lists the cells of the suite in an edition.
	cells func(verbatim.Edition) []verbatim.Cell
	// published: in the reference edition the suite has the published lists.
	published bool
}

// Suites lists the suites, the default first.
func Suites() []Suite {
	return []Suite{
		{Name: "quick", Doc: "reversal, copying, addition and sorting at four lengths, one item each: a first look in two minutes", cells: quick},
		{Name: "simpe", Doc: "simpE: string reversal, string rehearsal and addition, 100 items each", cells: simpeSuite},
		{Name: "sortbench", Doc: "SortBench: 18 tasks, 8 sizes from 2 to 256, 10 lists each", cells: sortbenchSuite(""), published: true},
		{Name: "sortbench-basic", Doc: "the 3 basic tasks of SortBench", cells: sortbenchSuite("basic"), published: true},
		{Name: "sortbench-advanced", Doc: "the 9 advanced tasks of SortBench", cells: sortbenchSuite("advanced"), published: true},
		{Name: "sortbench-debug", Doc: "the 6 tasks of SortBench with sorted and doubled lists", cells: sortbenchSuite("debug"), published: true},
		{Name: "hard", Doc: "SortBench Hard: the harder kinds of sorting that its paper names", cells: familiesSuite(hardFamilies())},
		{Name: "exact", Doc: "copying, editing, sets, rows, characters and roots", cells: familiesSuite(exactFamilies())},
	}
}

// findSuite returns the suite with a name. The error is a *NameError.
func findSuite(name string) (Suite, error) {
	suites := Suites()
	var names []string
	for _, s := range suites {
		if s.Name == name {
			return s, nil
		}
		names = append(names, s.Name)
	}
	return Suite{}, &NameError{"suite", name, input.Nearest(strings.ToLower(name), names), "'verbatim suites'"}
}

// quick has one item of each of its tasks and lengths. It takes two minutes with a small model that
// writes 85 tokens a second, one answer at a time. Such a model does not stop after a list: it writes
// up to the token limit, which is 64 and one for each byte of the answer, together 9,600 tokens.
// SmolLM2-135M wrote 8,900 of them, in 98 seconds of one core with the reading of the prompts. So lists
// of short items have other lengths than lists of long ones.
func quick(verbatim.Edition) []verbatim.Cell {
	var cells []verbatim.Cell
	for _, part := range quickTasks() {
		i := slices.IndexFunc(families(), func(f verbatim.Family) bool { return f.Name == part.family })
		cells = append(cells, cellsOf(families()[i], part.lengths[:], 1)...)
	}
	return cells
}

// A quickTask is a family of the suite "quick" with its lengths there.
type quickTask struct {
	family  string
	lengths [4]int
}

// quickTasks is a fixed list: a new family does not change the plan.
func quickTasks() []quickTask {
	return []quickTask{
		{"copy", [...]int{8, 16, 32, 64}},
		{"reverse", [...]int{4, 8, 16, 32}},
		{"add", [...]int{2, 4, 8, 16}},
		{"sort-int", [...]int{2, 4, 6, 8}},
		{"sort-float", [...]int{2, 3, 4, 5}},
		{"sort-word", [...]int{2, 3, 4, 5}},
		{"sort-int-large", [...]int{2, 3, 4, 5}},
		{"sort-float-large", [...]int{2, 3, 4, 5}},
		{"sort-float-small", [...]int{2, 3, 4, 5}},
		{"sort-int-negative", [...]int{2, 4, 6, 8}},
		{"sort-float-negative", [...]int{2, 3, 4, 5}},
		{"sort-ascii", [...]int{2, 3, 4, 5}},
		{"sort-ascii-cased", [...]int{2, 3, 4, 5}},
		{"sort-word-prefixed", [...]int{2, 3, 4, 5}},
		{"sort-number-words", [...]int{2, 3, 4, 5}},
		{"sort-int-sorted", [...]int{2, 4, 6, 8}},
		{"sort-float-sorted", [...]int{2, 3, 4, 5}},
		{"sort-word-sorted", [...]int{2, 3, 4, 5}},
		{"sort-int-duplicate", [...]int{2, 4, 6, 8}},
		{"sort-float-duplicate", [...]int{2, 4, 6, 8}},
		{"sort-word-duplicate", [...]int{2, 4, 6, 8}},
	}
}

// simpeSuite has the lengths of simpE's documents, and in the reference edition those of its code. The
// bands are those of the documents.
func simpeSuite(edition verbatim.Edition) []verbatim.Cell {
	copies, reversals := verbatim.Lengths{Min: 10, Max: 500}, verbatim.Lengths{Min: 2, Max: 30}
	if edition == verbatim.Reference {
		copies, reversals = verbatim.Lengths{Min: 10, Max: 600}, verbatim.Lengths{Min: 3, Max: 30}
	}
	cells := []verbatim.Cell{
		cell(reversal(), reversals, 100),
		cell(copying(), copies, 100),
		cell(addition(), verbatim.Lengths{Min: 3, Max: 30}, 100),
	}
	cells[0].Bands = []verbatim.Lengths{{Min: reversals.Min, Max: 8}, {Min: 9, Max: 16}, {Min: 17, Max: 30}}
	cells[1].Bands = []verbatim.Lengths{{Min: 10, Max: 50}, {Min: 51, Max: 200}, {Min: 201, Max: copies.Max}}
	cells[2].Bands = []verbatim.Lengths{{Min: 3, Max: 10}, {Min: 11, Max: 20}, {Min: 21, Max: 30}}
	return cells
}

// sortbenchSuite has the tasks of a mode of SortBench; "": of all modes.
func sortbenchSuite(mode string) func(verbatim.Edition) []verbatim.Cell {
	return func(verbatim.Edition) []verbatim.Cell {
		var cells []verbatim.Cell
		for _, f := range families() {
			if ofSortBench(f) && (mode == "" || f.Mode == mode) {
				cells = append(cells, cellsOf(f, sortbenchSizes(), 10)...)
			}
		}
		for i := range cells {
			cells[i].Grader = "sortbench"
		}
		return cells
	}
}

// familiesSuite has ten items of each family and default length.
func familiesSuite(families []verbatim.Family) func(verbatim.Edition) []verbatim.Cell {
	return func(verbatim.Edition) []verbatim.Cell {
		var cells []verbatim.Cell
		for _, f := range families {
			cells = append(cells, cellsOf(f, f.DefaultLengths, 10)...)
		}
		return cells
	}
}

// cellsOf returns a cell of n items for each length.
func cellsOf(f verbatim.Family, lengths []int, n int) []verbatim.Cell {
	var cells []verbatim.Cell
	for _, l := range lengths {
		cells = append(cells, cell(f, single(l), n))
	}
	return cells
}

func cell(f verbatim.Family, l verbatim.Lengths, n int) verbatim.Cell {
	return verbatim.Cell{Family: f.Name, Version: f.Version, Length: l, N: n}
}

// partOfSuite ends the name of a suite in a plan that has only a part of its items, or more items.
const partOfSuite = " (part)"

// publishedSuite reports whether published lists belong to the suite with this name.
func publishedSuite(name string) bool {
	s, err := findSuite(name)
	return err == nil && s.published
}

// tasks lists the names of the suite's tasks.
func (s Suite) tasks(edition verbatim.Edition) string {
	var names []string
	for _, c := range s.cells(edition) {
		if !slices.Contains(names, c.Family) {
			names = append(names, c.Family)
		}
	}
	return strings.Join(names, ", ")
}

// lengthsOf lists the lengths of cells, each once.
func lengthsOf(cells []verbatim.Cell) []verbatim.Lengths {
	var out []verbatim.Lengths
	for _, c := range cells {
		if !slices.Contains(out, c.Length) {
			out = append(out, c.Length)
		}
	}
	return out
}

// joinLengths lists lengths as text, the shortest first.
func joinLengths(lengths []verbatim.Lengths) string {
	var out []string
	for _, l := range slices.SortedFunc(slices.Values(lengths), func(a, b verbatim.Lengths) int { return cmp.Or(a.Min-b.Min, a.Max-b.Max) }) {
		out = append(out, l.String())
	}
	return strings.Join(out, ", ")
}

// sameCell reports whether two cells have the same items.
func sameCell(a, b verbatim.Cell) bool {
	return a.Family == b.Family && a.Version == b.Version && a.Length == b.Length && a.N == b.N
}
