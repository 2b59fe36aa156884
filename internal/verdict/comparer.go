package verdict

import (
	"fmt"

	"verbatim"
	"verbatim/internal/stats"
)

// A comparer collects the matched items of one comparison.
type comparer struct {
	o        *Options
	grid     *Grid
	all      group
	families []*group     // by index of the grid's families
	lengths  []*group     // by index of the grid's lengths
	cells    []*group     // by cell of the grid
	exact    stats.Strata // differences of the shares of right answers, by cell
	leftOut  leftOut
	outcomes [2][outcomeCount]int64
	graders  []Graders
	flips    flips
}

func newComparer(o *Options, a, b *verbatim.Run) *comparer {
	return &comparer{o: o, grid: NewGrid(&a.Plan, &b.Plan)}
}

// add counts an item. The error names the item, if its score is not a number.
func (f *comparer) add(item *MatchedItem) error {
	a, b := &item.Runs[0], &item.Runs[1]
	switch {
	case b.Records == 0:
		f.leftOut.OnlyA++
		return nil
	case a.Records == 0:
		f.leftOut.OnlyB++
		return nil
	}
	cell := f.grid.Cell(item.Family, item.Length)
	at := f.grid.cells[cell]
	for _, g := range []*group{&f.all, groupAt(&f.families, at.family), groupAt(&f.lengths, at.length), groupAt(&f.cells, cell)} {
		if g == nil {
			continue
		}
		if err := g.add(item, cell); err != nil {
			return fmt.Errorf("item %s: %w", item.ID, err)
		}
	}
	for i := range item.Runs {
		for o, n := range item.Runs[i].outcomes {
			f.outcomes[i][o] += n
		}
	}
	switch {
	case a.Answers == 0 && b.Answers == 0:
		f.leftOut.Neither++
	case a.Answers == 0:
		f.leftOut.UnansweredA++
	case b.Answers == 0:
		f.leftOut.UnansweredB++
	default:
		f.flips.add(item, f.o.Flips)
		return f.exact.Add(cell, b.rightShare()-a.rightShare())
	}
	return nil
}

// groupAt returns the group at an index, and adds it if it is missing; nil for index -1.
func groupAt(list *[]*group, i int) *group {
	if i < 0 {
		return nil
	}
	for len(*list) <= i {
		*list = append(*list, new(group))
	}
	return (*list)[i]
}

// sideResult sums up run i over the items of a group.
func (f *comparer) sideResult(g *group, i int) SideResult {
	side := &g.sides[i]
	n := float64(g.items)
	r := SideResult{Answers: side.counts.Answers, Mean: side.scoreSum / n, Right: side.counts.Right, Share: side.share()}
	r.Range.Low, r.Range.High = side.counts.Interval(r.Share, f.o.Confidence)
	return r
}
