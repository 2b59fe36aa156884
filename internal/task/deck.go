package task

import (
	"fmt"
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

// Open returns the deck of a plan, at its start. Items are those of the plan's file; a plan of cells
// has none. It is an error if there are too few questions for the examples of the plan's variant.
func Open(p verbatim.Plan, items []verbatim.Item) (*Deck, error) {
	d := &Deck{plan: p, items: items, even: true}
	if p.Items != nil && len(items) != p.Items.N {
		return nil, fmt.Errorf("the plan has %d items of %s, and %d are given", p.Items.N, p.Items.Name, len(items))
	}
	for _, c := range p.Cells {
		f, err := Find(c.Family)
		if err != nil {
			return nil, err
		}
		if f.Version != c.Version {
			return nil, misuse("ask it with the version of the program that started it, or start another run with --new",
				"the plan asks version %d of %s, this program draws version %d", c.Version, c.Family, f.Version)
		}
		var indexes []int
		if c.Distinct {
			if indexes, err = distinctIndexes(f, c, p.Edition, p.Seed); err != nil {
				return nil, err
			}
		}
		d.families, d.indexes = append(d.families, f), append(d.indexes, indexes)
		d.even = d.even && c.N == p.Cells[0].N
	}
	if err := d.openVariant(); err != nil {
		return nil, err
	}
	d.reset()
	return d, nil
}

// Draw draws the items of a request without a file, in planned order. An error ends it.
func Draw(q Request) iter.Seq2[*verbatim.Item, error] {
	return func(yield func(*verbatim.Item, error) bool) {
		plan, err := Plan(q)
		var deck *Deck
		if err == nil {
			deck, err = Open(plan, nil)
		}
		if err != nil {
			yield(nil, err)
			return
		}
		deck.Items()(yield)
	}
}

// openVariant prepares the wordings and examples for Prompt.
func (d *Deck) openVariant() error {
	v := d.plan.Variant
	if v == nil {
		return nil
	}
	for i := range d.items {
		if it := &d.items[i]; v.As != "" && structure(v.As, it) == nil {
			return misuse("ask it without --as", "the item %s does not want a JSON object (with the grader json)", it.ID)
		}
	}
	d.wordings = map[string][]verbatim.Wording{}
	for _, f := range familiesOf(d.plan) {
		switch {
		case v.As == verbatim.AsTool:
			d.wordings[f.Name] = []verbatim.Wording{f.Call}
		case v.Paraphrase != "":
			list, err := wordings(f, v)
			if err != nil {
				return err
			}
			d.wordings[f.Name] = list
		}
	}
	if v.Shots == 0 {
		return nil
	}
	return d.stockUp()
}

// wordings lists the wordings of a family that a variant uses.
func wordings(f verbatim.Family, v *verbatim.Variant) ([]verbatim.Wording, error) {
	n := v.Wordings()
	if n == 1 {
		w, err := wording(f, v.Paraphrase)
		return []verbatim.Wording{w}, err
	}
	if n > len(f.Wordings) {
		return nil, misuse("ask it with the version of the program that started it, or start another run with --new",
			"the plan has %d wordings of %s, this program has %d", n, f.Name, len(f.Wordings))
	}
	return f.Wordings[:n], nil
}
