package task

import (
	"math/rand/v2"

	"verbatim"
	"verbatim/internal/draw"
)

// A Deck deals the requests of a plan in planned order, the same for all models:
// all items once, then all of them again for every further trial.
//
// Cells of one size are dealt in blocks of one item each, every block in an order
// of its own. Cells of different sizes are dealt in simple random order, and so
// are the items of a file. The orders come from the plan's hash. A Deck over
// cells holds nothing that grows with the number of items, but the indexes of cells whose items
// are distinct.
type Deck struct {
	plan  verbatim.Plan
	items []verbatim.Item        // of a file
	kinds []verbatim.Family      // of the cells
	even  bool                   // all cells are of one size
	stock stock                  // of the plan's examples
	words map[string][]rewording // of the plan's paraphrase, by family
	drawn [][]int                // of each cell: the indexes of its items; nil where they are 0, 1, 2, …
	order *rand.Rand             // of this trial

	seq    int64
	trial  int
	dealt  []int // of each cell, in this trial
	left   int   // of all cells, in this trial
	block  []int // positions of the current block, or of the whole file
	inside int   // how many of the block are dealt
}

// A stock is where a deck's examples come from. What it holds grows with the
// number of cells, or of a file's items, and never with what is asked.
type stock struct {
	// kinds are what drawn items are drawn from, by what their ids begin with.
	kinds map[string]kind
	// families are those of published lists, by name.
	families map[string]verbatim.Family
	// pools are the positions of a file's items that can be examples, by family, each
	// question once; all is of all families.
	pools map[string][]int
	all   []int
}

// A kind is a family with its parameters.
type kind struct {
	verbatim.Family
	verbatim.Parameters
}

// A Position is one request of a plan: its position in the planned order and the item
// that is asked there.
type Position struct {
	Seq   int64
	Cell  int // index into the plan's cells; 0 for a file
	Index int // of the item in its cell or file
	Trial int
}

// reset shuffles for the current trial.
func (d *Deck) reset() {
	d.order = draw.Rand("order", 1, d.plan.Hash, uint64(d.trial), 0)
	d.inside, d.block = 0, d.block[:0]
	d.dealt = make([]int, len(d.plan.Cells))
	d.left = 0
	for _, c := range d.plan.Cells {
		d.left += c.N
	}
	if d.plan.Items != nil {
		d.left = len(d.items)
		d.shuffle(d.left)
	}
}

// shuffle starts a block of the positions 0 to n-1 in random order.
func (d *Deck) shuffle(n int) {
	d.block, d.inside = d.block[:0], 0
	for i := range n {
		d.block = append(d.block, i)
	}
	d.order.Shuffle(n, func(i, j int) { d.block[i], d.block[j] = d.block[j], d.block[i] })
}

// Next returns the next position, or false after the last one. It draws no item, so
// that positions that are kept already are cheap to skip.
func (d *Deck) Next() (Position, bool) {
	for d.left == 0 {
		if d.trial+1 >= d.plan.Trials || d.plan.Count == 0 {
			return Position{}, false
		}
		d.trial++
		d.reset()
	}
	p := Position{Seq: d.seq, Trial: d.trial}
	switch {
	case d.plan.Items != nil:
		p.Index = d.block[d.inside]
		d.inside++
	case d.even:
		if d.inside == len(d.block) {
			d.shuffle(len(d.plan.Cells))
		}
		p.Cell = d.block[d.inside]
		d.inside++
	default:
		p.Cell = d.pick()
	}
	if d.plan.Items == nil {
		if p.Index = d.dealt[p.Cell]; d.drawn[p.Cell] != nil {
			p.Index = d.drawn[p.Cell][p.Index]
		}
		d.dealt[p.Cell]++
	}
	d.left--
	d.seq++
	return p, true
}

// pick draws the cell of the next item with the chance that its share of what is
// left gives it: over a whole trial that is a simple random order.
func (d *Deck) pick() int {
	n := d.order.IntN(d.left)
	for i, c := range d.plan.Cells {
		if n -= c.N - d.dealt[i]; n < 0 {
			return i
		}
	}
	panic("a deck that lost count of its items")
}

// Item returns the item at a position. It may be called from several goroutines, also
// while Next is. The caller must not change an item of a file: it is shared.
func (d *Deck) Item(p Position) (*verbatim.Item, error) {
	if d.plan.Items != nil {
		return &d.items[p.Index], nil
	}
	c := d.plan.Cells[p.Cell]
	it, err := drawItem(d.kinds[p.Cell], verbatim.Parameters{Length: c.Length, Edition: d.plan.Edition}, d.plan.Seed, p.Index)
	if err != nil {
		return nil, err
	}
	if c.Grader != "" {
		it.Grader = c.Grader
	}
	return &it, nil
}
