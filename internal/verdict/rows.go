package verdict

import (
	"cmp"
	"fmt"
	"slices"

	"verbatim"
	"verbatim/internal/stats"
)

// mostLengths and mostFamilies are how many rows make a table. More are those of a
// file whose texts all differ in length, or are families of their own: a row for
// each would hold an item or two.
const (
	maxLengths  = 48
	maxFamilies = 256
)

// rows compares the families one by one, and the lengths. A table of a single row
// would repeat the whole, and is left out.
func (f *comparer) rows() (families, lengths []Row, err error) {
	families, lengths = []Row{}, []Row{}
	n := f.filled(f.families)
	for i, b := range f.families {
		if b.items > 0 && n <= maxFamilies {
			families = append(families, Row{Family: f.grid.families[i]})
			if err := f.row(&families[len(families)-1], b, n); err != nil {
				return nil, nil, err
			}
		}
	}
	n = f.filled(f.lengths)
	for _, i := range f.grid.lengthOrder() {
		if i >= len(f.lengths) || f.lengths[i].items == 0 || n > maxLengths {
			continue
		}
		l := f.grid.lengths[i]
		r := Row{Length: l.name, Lengths: l.span}
		if l.family >= 0 && f.filled(f.families) > 1 {
			r.Family = f.grid.families[l.family]
		}
		lengths = append(lengths, r)
		if err := f.row(&lengths[len(lengths)-1], f.lengths[i], n); err != nil {
			return nil, nil, err
		}
	}
	for _, table := range []*[]Row{&families, &lengths} {
		if len(*table) < 2 {
			*table = []Row{}
		}
		f.adjust(*table)
	}
	return families, lengths, nil
}

// filled is how many bins hold an item.
func (f *comparer) filled(bins []*group) (n int) {
	for _, b := range bins {
		if b.items > 0 {
			n++
		}
	}
	return n
}

// row fills in what a bin says, one of n rows.
func (f *comparer) row(r *Row, b *group, n int) (err error) {
	r.Items, r.Unanswered, r.A, r.B = b.items, b.unansweredShare(), f.sideResult(b, 0), f.sideResult(b, 1)
	r.Verdict, err = f.judge(b, (1-f.o.Threshold)/float64(n))
	return err
}

// table lists the cells, families in their order and the shortest length first.
func (f *comparer) cellTable() []Cell {
	order := make([]int, len(f.cells))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		x, y := f.grid.cells[i], f.grid.cells[j]
		return cmp.Or(cmp.Compare(x.family, y.family), f.grid.compare(x.length, y.length))
	})
	cells := []Cell{}
	for _, i := range order {
		b, s := f.cells[i], f.grid.cells[i]
		if b.items == 0 {
			continue
		}
		m := b.strata.Total()
		c := Cell{Family: f.grid.families[s.family], Items: b.items, Value: m.Mean, OnlyA: b.sides[0].onlyRight, OnlyB: b.sides[1].onlyRight}
		c.P = stats.McNemar(c.OnlyA, c.OnlyB)
		if s.length >= 0 {
			c.Length, c.Lengths = f.grid.lengths[s.length].name, f.grid.lengths[s.length].span
		}
		if m.N > 1 {
			c.SD = &m.SD
		}
		for side, part := range []*CellPart{&c.A, &c.B} {
			arm := b.sides[side]
			*part = CellPart{arm.answers, arm.scoreSum / float64(b.items), arm.right}
		}
		cells = append(cells, c)
	}
	return cells
}

// remark says in words what the numbers rest on where that is not what one would
// expect.
func (f *comparer) addNotes(c *Comparison, a, b *verbatim.Run) {
	note := func(kind, format string, args ...any) {
		c.Notes = append(c.Notes, Note{kind, fmt.Sprintf(format, args...)})
	}
	warn := func(kind, format string, args ...any) {
		c.Warnings = append(c.Warnings, Note{kind, fmt.Sprintf(format, args...)})
	}
	if a.Plan.Hash != b.Plan.Hash {
		warn("plans", "The runs follow different plans: their items are paired by id, %d of A's and %d of B's have no partner.", c.LeftOut.OnlyA, c.LeftOut.OnlyB)
	} else if n := c.LeftOut.OnlyA + c.LeftOut.OnlyB; n > 0 {
		warn("unfinished", "%d items have no record in one of the runs, which is not finished: they are left out.", n)
	}
	if fromUserFile(&a.Plan) != fromUserFile(&b.Plan) {
		warn("items", "One run asked a file of items: an id says there what its author meant by it.")
	}
	if n := c.LeftOut.Unanswered(); n > 0 && c.Word != Withheld {
		note("unanswered", "%d items without an answer on both sides are left out (%.1f %%).", n, 100*c.LeftOut.Share)
	}
	for i, arm := range []*ComparedRun{&c.A, &c.B} {
		if arm.Undefined > 0 {
			note("undefined", "The score of %d of %s's answers is undefined and counts 0.", arm.Undefined, "AB"[i:i+1])
		}
	}
	if published := (f.graders[0]["published"] > 0) != (f.graders[1]["published"] > 0); published {
		warn("published", "One side's scores were published without the answers, and may follow other rules than the grades of the other side.")
	}
	switch c.Difference.Stratified {
	case ByLength:
		note("strata", "Some task at some length has a single item: uncertainty is stratified by length alone.")
	case Unstratified:
		if len(f.cells) > 1 {
			note("strata", "Some length has a single item: uncertainty is not stratified.")
		}
	}
	if !c.Balanced {
		note("weights", "Not every task and length has as many items: each item has the same weight, not each task and length.")
	}
	if f.grid.full || f.filled(f.lengths) > maxLengths {
		note("lengths", "There are too many lengths for a table of them.")
	}
	if f.filled(f.families) > maxFamilies {
		note("families", "There are too many tasks for a table of them.")
	}
}
