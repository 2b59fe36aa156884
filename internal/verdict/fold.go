package verdict

import (
	"fmt"

	"verbatim"
	"verbatim/internal/stats"
)

// A fold gathers the pairs of one comparison.
type fold struct {
	o        *Options
	grid     *grid
	all      bin
	families []*bin
	lengths  []*bin
	cells    []*bin
	exact    stats.Strata // differences of success, by cell
	left     Left
	outcomes [2][outcomes]int64
	graders  [2]graders
	flips    Flips
	shots    [2]int64 // records of the items that both were asked
}

func newFold(o *Options, a, b *verbatim.Run) *fold {
	return &fold{o: o, grid: newGrid(&a.Plan, &b.Plan), graders: [2]graders{{}, {}}}
}

// graded notes who graded an answer.
func (f *fold) graded(side int, a *answer) {
	if a.grader != "" {
		f.graders[side][a.grader]++
	}
}

// alone notes an item that only one side has a record of.
func (f *fold) alone(side int) {
	if side == 0 {
		f.left.OnlyA++
	} else {
		f.left.OnlyB++
	}
}

// add takes a pair in. The error names the item whose score is not a number.
func (f *fold) add(p *pair) error {
	cell := f.grid.cell(p.family, p.length)
	spot := f.grid.spots[cell]
	for _, b := range []*bin{&f.all, at(&f.families, spot.family), at(&f.lengths, spot.length), at(&f.cells, cell)} {
		if b == nil {
			continue
		}
		if err := b.add(p, cell); err != nil {
			return fmt.Errorf("item %s: %w", p.item, err)
		}
	}
	for i := range p.halves {
		f.shots[i] += p.halves[i].records
		for o, n := range p.halves[i].outcomes {
			f.outcomes[i][o] += n
		}
	}
	x, y := &p.halves[0], &p.halves[1]
	switch {
	case x.answers == 0 && y.answers == 0:
		f.left.Neither++
	case x.answers == 0:
		f.left.UnansweredA++
	case y.answers == 0:
		f.left.UnansweredB++
	default:
		f.flips.add(p, f.o.Flips)
		return f.exact.Add(cell, y.share(y.right)-x.share(x.right))
	}
	return nil
}

// at returns the bin at an index, new if there is none; nil for index -1.
func at(list *[]*bin, i int) *bin {
	if i < 0 {
		return nil
	}
	for len(*list) <= i {
		*list = append(*list, new(bin))
	}
	return (*list)[i]
}
