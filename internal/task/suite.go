package task

import (
	"cmp"
	"slices"
	"strconv"
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

// ParseLengths reads lengths as they are typed: "16"; "8..256", which is the ladder 8, 16, 32, …, 256
// and always has both ends; or several of these with commas. They are returned in this order, each
// once.
//
// The ".." of a command line is not that of an id: "len=2..30" in an id means that the item drew its
// length. Only suites have such ranges: a curve over length needs many items at few lengths, and
// simpE's documents demand few items at many lengths. Ranges are those of the suite (SuiteRanges): a
// text that is equal to one of them is that range.
func ParseLengths(s string, ranges ...verbatim.Lengths) ([]verbatim.Lengths, error) {
	var out []verbatim.Lengths
	addRange := func(l verbatim.Lengths) {
		if !slices.Contains(out, l) {
			out = append(out, l)
		}
	}
	add := func(n int) { addRange(single(n)) }
	for part := range strings.SplitSeq(s, ",") {
		part = strings.TrimSpace(part)
		if i := slices.IndexFunc(ranges, func(l verbatim.Lengths) bool { return l.String() == part }); i >= 0 {
			addRange(ranges[i])
			continue
		}
		low, high, ladder := strings.Cut(part, "..")
		from, err := parseLength(low)
		if err != nil {
			return nil, err
		}
		if !ladder {
			add(from)
			continue
		}
		to, err := parseLength(high)
		if err != nil {
			return nil, err
		}
		if from > to || from == 0 {
			return nil, misuse("a ladder goes up from at least 1, as in 8..256", "%q is no ladder of lengths", part)
		}
		for n := from; n < to; n *= 2 {
			add(n)
		}
		add(to)
	}
	return out, nil
}

// parseLength reads one length.
func parseLength(s string) (int, error) {
	n, err := strconv.Atoi(strings.TrimSpace(s))
	if err != nil || n < 0 || n > 1_000_000_000 {
		return 0, misuse("write 16, or 8,12,16, or 8..256 for 8, 16, 32 … 256", "%q is not a length", s)
	}
	return n, nil
}

// SuiteRanges returns the ranges of lengths of a suite, without its single lengths; nil for an
// unknown suite.
func SuiteRanges(suite string, e verbatim.Edition) []verbatim.Lengths {
	s, err := findSuite(suite)
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(lengthsOf(s.cells(e)), func(l verbatim.Lengths) bool { return l.Min == l.Max })
}

// Knobs are the facts that make items harder, by family.
type Knobs map[string][]verbatim.Knob

// AllKnobs returns the knobs that the families declare.
func AllKnobs() Knobs {
	all := Knobs{}
	for _, f := range families() {
		if f.Knobs != nil {
			all[f.Name] = f.Knobs
		}
	}
	return all
}

// Difficulty returns how much harder the knobs make an item. Each knob adds -1/2 at its easiest value
// to 1/2 at its hardest.
func (k Knobs) Difficulty(it *verbatim.Item) float64 {
	sum := 0.0
	for _, knob := range k[it.Facts[verbatim.FactFamily]] {
		if rank := slices.Index(knob.Values, it.Facts[knob.Fact]); rank >= 0 {
			sum += float64(rank)/float64(len(knob.Values)-1) - 0.5
		}
	}
	return sum
}

// First returns the first knob of an item's family with the item's value, as "ties=4"; "" without a
// knob.
func (k Knobs) First(it *verbatim.Item) string {
	knobs := k[it.Facts[verbatim.FactFamily]]
	if len(knobs) == 0 || !slices.Contains(knobs[0].Values, it.Facts[knobs[0].Fact]) {
		return ""
	}
	return knobs[0].Fact + "=" + it.Facts[knobs[0].Fact]
}

// Rank returns the index of a value among those of its knob, for a text of First; -1 for other texts.
func (k Knobs) Rank(first string) int {
	for _, knobs := range k {
		for _, knob := range knobs {
			for rank, value := range knob.Values {
				if knob.Fact+"="+value == first {
					return rank
				}
			}
		}
	}
	return -1
}
