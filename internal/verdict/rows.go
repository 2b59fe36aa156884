package verdict

import (
	"cmp"
	"fmt"
	"slices"

	"verbatim"
	"verbatim/internal/stats"
)

// A table has at most maxLengths lengths and maxFamilies families. More of them come from
// a file in which every text has its own length or family; a row would have an item or
// two.
const (
	maxLengths  = 48
	maxFamilies = 256
)

// rows computes the tables of families and lengths. A table with a single row is left out,
// because it would repeat the total.
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

// filled is the number of groups that have items.
func (f *comparer) filled(bins []*group) (n int) {
	for _, b := range bins {
		if b.items > 0 {
			n++
		}
	}
	return n
}

// row computes one of n rows.
func (f *comparer) row(r *Row, b *group, n int) (err error) {
	r.Items, r.Unanswered, r.A, r.B = b.items, b.unansweredShare(), f.sideResult(b, 0), f.sideResult(b, 1)
	r.Verdict, err = f.judge(b, (1-f.o.Threshold)/float64(n))
	return err
}

// cellTable lists the cells by family and then by length.
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
			*part = CellPart{arm.counts.Answers, arm.scoreSum / float64(b.items), arm.counts.Right}
		}
		cells = append(cells, c)
	}
	return cells
}

// addNotes adds the notes and warnings that depend on the items.
func (f *comparer) addNotes(c *Comparison, a, b *verbatim.Run) {
	note := func(kind, format string, args ...any) {
		c.Notes = append(c.Notes, Note{kind, fmt.Sprintf(format, args...)})
	}
	warn := func(kind, format string, args ...any) {
		c.Warnings = append(c.Warnings, Note{kind, fmt.Sprintf(format, args...)})
	}
	if a.Plan.Hash != b.Plan.Hash {
		warn("plans", "The runs have different plans: items are matched by id; %d of A and %d of B have no match.", c.LeftOut.OnlyA, c.LeftOut.OnlyB)
	} else if n := c.LeftOut.OnlyA + c.LeftOut.OnlyB; n > 0 {
		warn("unfinished", "A run is not finished: %d items without a record are left out.", n)
	}
	if fromUserFile(&a.Plan) != fromUserFile(&b.Plan) {
		warn("items", "One run uses a file of items: equal ids may name different items.")
	}
	if n := c.LeftOut.Unanswered(); n > 0 && c.Word != Withheld {
		note("unanswered", "%d items without an answer of both runs are left out (%.1f %%).", n, 100*c.LeftOut.Share)
	}
	for i, arm := range []*ComparedRun{&c.A, &c.B} {
		if arm.Undefined > 0 {
			note("undefined", "The score of %d of %s's answers is undefined and counts 0.", arm.Undefined, "AB"[i:i+1])
		}
	}
	if published := (f.graders[0]["published"] > 0) != (f.graders[1]["published"] > 0); published {
		warn("published", "One run has published scores without answers: other grading rules may apply.")
	}
	if d, alpha := &c.Difference, 1-c.Threshold+Rounding; c.Word == Inconclusive && c.P > alpha && 1-maxProbability(d.probabilities()) <= alpha {
		note("few_items", "Too few items differ for a verdict: equal models differ this much in %.1f %% of comparisons (sign-flip test), and at most %.3g %% are allowed.", 100*d.SignFlip, 100*(1-c.Threshold))
	}
	switch c.Difference.Stratified {
	case ByLength:
		note("strata", "Some task has a single item at some length: the posterior is stratified by length only.")
	case Unstratified:
		if len(f.cells) > 1 {
			note("strata", "Some length has a single item: the posterior is not stratified.")
		}
	}
	if !c.Balanced {
		note("weights", "Tasks and lengths have different numbers of items: all items have equal weight, not all tasks and lengths.")
	}
	if f.grid.overflow || f.filled(f.lengths) > maxLengths {
		note("lengths", "Too many lengths for a table.")
	}
	if f.filled(f.families) > maxFamilies {
		note("families", "Too many tasks for a table.")
	}
}
