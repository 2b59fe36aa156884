package verdict

import (
	"cmp"
	"fmt"
	"slices"

	"verbatim"
	"verbatim/internal/stats"
)

// A table has at most maxLengths lengths, or maxFamilies families. A file with more of them
// has a length or a family for nearly every text, and each row would have an item or two.
const (
	maxLengths  = 48
	maxFamilies = 256
)

// familyRows computes the table of families.
func (f *comparer) familyRows() ([]Row, error) {
	order := make([]int, len(f.families))
	for i := range order {
		order[i] = i
	}
	return f.table(f.families, order, maxFamilies, func(i int) Row { return Row{Family: f.grid.families[i]} })
}

// lengthRows computes the table of lengths.
func (f *comparer) lengthRows() ([]Row, error) {
	severalFamilies := filled(f.families) > 1
	return f.table(f.lengths, f.grid.lengthOrder(), maxLengths, func(i int) Row {
		l := f.grid.lengths[i]
		r := Row{Length: l.name, Lengths: l.span}
		if l.family >= 0 && severalFamilies {
			r.Family = f.grid.families[l.family]
		}
		return r
	})
}

// table computes a row for each group that has items, in an order of their indexes. A table
// with a single row is left out, because it would repeat the total, and so is one with more
// rows than most.
func (f *comparer) table(groups []*group, order []int, most int, label func(i int) Row) ([]Row, error) {
	rows := []Row{}
	n := filled(groups)
	if n < 2 || n > most {
		return rows, nil
	}
	for _, i := range order {
		if i >= len(groups) || groups[i].items == 0 {
			continue
		}
		r, g := label(i), groups[i]
		r.Items, r.Unanswered, r.A, r.B = g.items, g.unansweredShare(), f.sideResult(g, 0), f.sideResult(g, 1)
		var err error
		if r.Verdict, err = f.judge(g, (1-f.o.Threshold)/float64(n)); err != nil {
			return nil, err
		}
		rows = append(rows, r)
	}
	f.adjust(rows)
	return rows, nil
}

// filled is the number of groups that have items.
func filled(groups []*group) (n int) {
	for _, g := range groups {
		if g.items > 0 {
			n++
		}
	}
	return n
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
		g, at := f.cells[i], f.grid.cells[i]
		if g.items == 0 {
			continue
		}
		m := g.strata.Total()
		c := Cell{Family: f.grid.families[at.family], Items: g.items, Value: m.Mean, OnlyA: g.sides[0].onlyRight, OnlyB: g.sides[1].onlyRight}
		c.P = stats.McNemar(c.OnlyA, c.OnlyB)
		if at.length >= 0 {
			c.Length, c.Lengths = f.grid.lengths[at.length].name, f.grid.lengths[at.length].span
		}
		if m.N > 1 {
			c.SD = &m.SD
		}
		for side, part := range []*cellPart{&c.A, &c.B} {
			s := &g.sides[side]
			*part = cellPart{s.counts.Answers, s.scoreSum / float64(g.items), s.counts.Right}
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
	if n := c.LeftOut.unanswered(); n > 0 && c.Word != Withheld {
		note("unanswered", "%d items without an answer of both runs are left out (%.1f %%).", n, 100*c.LeftOut.Share)
	}
	for i, run := range []*ComparedRun{&c.A, &c.B} {
		if run.Undefined > 0 {
			note("undefined", "The score of %d of %s's answers is undefined and counts 0.", run.Undefined, "AB"[i:i+1])
		}
	}
	if (f.graders[0]["published"] > 0) != (f.graders[1]["published"] > 0) {
		warn("published", "One run has published scores without answers: other grading rules may apply.")
	}
	if d, alpha := &c.Difference, 1-c.Threshold+Rounding; c.Word == Inconclusive && c.P > alpha && 1-maxProbability(d.probabilities()) <= alpha {
		note("few_items", "Too few items differ for a verdict: equal models differ this much in %.1f %% of comparisons (sign-flip test), and at most %.3g %% are allowed.", 100*d.SignFlip, 100*(1-c.Threshold))
	}
	switch c.Difference.Stratified {
	case byLength:
		note("strata", "Some task has a single item at some length: the posterior is stratified by length only.")
	case Unstratified:
		if len(f.cells) > 1 {
			note("strata", "Some length has a single item: the posterior is not stratified.")
		}
	}
	if !c.Balanced {
		note("weights", "Tasks and lengths have different numbers of items: all items have equal weight, not all tasks and lengths.")
	}
	if f.grid.overflow || filled(f.lengths) > maxLengths {
		note("lengths", "Too many lengths for a table.")
	}
	if filled(f.families) > maxFamilies {
		note("families", "Too many tasks for a table.")
	}
}
