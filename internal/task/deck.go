package task

import (
	"iter"
	"math/rand/v2"

	"verbatim"
	"verbatim/internal/draw"
)

// A Deck returns the requests of a plan in planned order, the same for all models: all items once,
// then all of them again for every further trial.
//
// If all cells have the same size, they come in blocks of one item of each cell, every block in its
// own random order. Items of cells of different sizes, and the items of a file, come in simple random
// order. The orders follow from the plan's hash. A Deck of cells needs memory for the indexes of
// cells with distinct items; other memory does not grow with the number of items.
type Deck struct {
	plan     verbatim.Plan
	items    []verbatim.Item   // of a file
	families []verbatim.Family // of the cells
	even     bool              // all cells have the same size
	stock    stock
	wordings map[string][]verbatim.Wording // the plan's wordings, by family; empty: the official ones
	indexes  [][]int                       // the indexes of the items of each cell; nil: 0, 1, 2, …
	order    *rand.Rand                    // of this trial

	seq    int64
	trial  int
	dealt  []int // items of each cell that were returned in this trial
	left   int   // items that are left in this trial
	block  []int // cells of the current block, or items of the file, in their order
	inside int   // elements of the block that were returned
}

// A stock is the source of a deck's examples. Its size grows with the number of cells or of a file's
// items, not with the number of requests.
type stock struct {
	// kinds are the kinds of drawn items, by the series of their ids.
	kinds map[string]kind
	// families are those of published lists, by name.
	families map[string]verbatim.Family
	// pools are the indexes of a file's items that can be examples, by family, and all those of all
	// families. Each question is there once.
	pools map[string][]int
	all   []int
}

// A kind is a family with its parameters.
type kind struct {
	verbatim.Family
	verbatim.Parameters
}

// A Position is a request of a plan: its position in the planned order, and its item.
type Position struct {
	Seq   int64
	Cell  int // index into the plan's cells; 0 for a file
	Index int // of the item in its cell or file
	Trial int
}

// reset starts the current trial, in a new order.
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

// shuffle starts a block of the numbers 0 to n-1 in random order.
func (d *Deck) shuffle(n int) {
	d.block, d.inside = d.block[:0], 0
	for i := range n {
		d.block = append(d.block, i)
	}
	d.order.Shuffle(n, func(i, j int) { d.block[i], d.block[j] = d.block[j], d.block[i] })
}

// Next returns the next position, or false after the last one. It draws no item, so that saved
// positions are cheap to skip.
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
		p.Index = d.dealt[p.Cell]
		if indexes := d.indexes[p.Cell]; indexes != nil {
			p.Index = indexes[p.Index]
		}
		d.dealt[p.Cell]++
	}
	d.left--
	d.seq++
	return p, true
}

// pick draws the cell of the next item. The probability of a cell is its share of the items that are
// left, so that the whole trial has a simple random order.
func (d *Deck) pick() int {
	n := d.order.IntN(d.left)
	for i, c := range d.plan.Cells {
		if n -= c.N - d.dealt[i]; n < 0 {
			return i
		}
	}
	panic("the deck has lost count of its items")
}

// Item returns the item at a position. It may be called from several goroutines, also during calls of
// Next. The caller must not change an item of a file, which is shared.
func (d *Deck) Item(p Position) (*verbatim.Item, error) {
	if d.plan.Items != nil {
		return &d.items[p.Index], nil
	}
	c := d.plan.Cells[p.Cell]
	it, err := drawItem(d.families[p.Cell], verbatim.Parameters{Length: c.Length, Edition: d.plan.Edition}, d.plan.Seed, p.Index)
	if err != nil {
		return nil, err
	}
	if c.Grader != "" {
		it.Grader = c.Grader
	}
	return &it, nil
}

// Items draws the items of the first trial, in planned order. An error ends it.
func (d *Deck) Items() iter.Seq2[*verbatim.Item, error] {
	return func(yield func(*verbatim.Item, error) bool) {
		for p, ok := d.Next(); ok && p.Trial == 0; p, ok = d.Next() {
			if it, err := d.Item(p); !yield(it, err) || err != nil {
				return
			}
		}
	}
}
