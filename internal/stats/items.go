package stats

import (
	"cmp"
	"slices"
)

// Items counts answers by item. It is made of lists, because a map of as many items takes twice
// the memory, and more while it grows. The zero value is ready.
//
// Runs send the items of one trial after the other, in the same order. So the answer after one to
// the item at a place of the list is mostly one to the item at the next place, and is found without
// a search.
type Items struct {
	// parts are sorted by key, with each key once in a part. A part is never changed, so that
	// several Items can share it.
	parts [][]ItemCount
	// pending are the counts in the order of the first answers. An item has several if its answers
	// come in another order.
	pending []ItemCount
	next    int // the place in pending after that of the last answer
	most    int // the length of pending at which items with several counts are looked for
}

// An ItemCount counts the answers to one item.
type ItemCount struct {
	Key                               uint64 // names the item
	Answers, Exact, Extracted, Scored int32
	Score                             float64 // sum of the scores
}

// ahead is the number of places at which Add looks for an item: some items have no answer in a trial.
const ahead = 8

// Add adds the count of answers to an item.
func (c *Items) Add(n ItemCount) {
	for i := max(c.next-1, 0); i < min(c.next+ahead, len(c.pending)); i++ {
		if c.pending[i].Key == n.Key {
			c.pending[i].plus(&n)
			c.next = i + 1
			return
		}
	}
	if len(c.pending) > 0 && c.pending[0].Key == n.Key { // the next trial begins
		c.pending[0].plus(&n)
		c.next = 1
		return
	}
	if len(c.pending) >= max(c.most, fewCounts) {
		c.dedupe()
	}
	c.pending = append(c.pending, n)
	if c.next == len(c.pending)-1 {
		c.next++
	}
}

const (
	// fewCounts is a length of pending that takes little memory.
	fewCounts = 1 << 14
	// growth is the number of times by which pending grows before it is searched again.
	growth = 4
)

// dedupe joins the pending counts of the same item, at the place of the first one.
func (c *Items) dedupe() {
	type place struct {
		key uint64
		at  int
	}
	places := make([]place, len(c.pending))
	for i := range c.pending {
		places[i] = place{c.pending[i].Key, i}
	}
	slices.SortFunc(places, func(a, b place) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.at, b.at)) })
	first := 0
	for i := 1; i < len(places); i++ {
		if places[i].key != places[first].key {
			first = i
			continue
		}
		again := &c.pending[places[i].at]
		c.pending[places[first].at].plus(again)
		*again = ItemCount{} // an item has an answer
	}
	before := len(c.pending)
	c.pending = slices.DeleteFunc(c.pending, func(n ItemCount) bool { return n.Answers == 0 })
	if len(c.pending) < before {
		c.next = len(c.pending)
	}
	c.most = growth * len(c.pending)
}

func (n *ItemCount) plus(o *ItemCount) {
	n.Answers += o.Answers
	n.Exact += o.Exact
	n.Extracted += o.Extracted
	n.Scored += o.Scored
	n.Score += o.Score
}

// settle makes a part of the pending counts.
func (c *Items) settle() {
	if len(c.pending) == 0 {
		return
	}
	slices.SortFunc(c.pending, func(a, b ItemCount) int { return cmp.Compare(a.Key, b.Key) })
	end := 0
	for i := range c.pending[1:] {
		if n := &c.pending[i+1]; c.pending[end].Key == n.Key {
			c.pending[end].plus(n)
		} else {
			end++
			c.pending[end] = *n
		}
	}
	c.parts, c.pending, c.next = append(c.parts, c.pending[:end+1]), nil, 0
}

// Join merges all parts into one, which takes less memory and makes All fast.
func (c *Items) Join() {
	if all := c.All(); len(all) > 0 {
		c.parts = [][]ItemCount{all}
	}
}

// All returns the counts, one for each item, in the order of their keys.
func (c *Items) All() []ItemCount {
	c.settle()
	lists := c.parts
	for len(lists) > 1 {
		var half [][]ItemCount
		for ; len(lists) > 1; lists = lists[2:] {
			half = append(half, union(lists[0], lists[1]))
		}
		lists = append(half, lists...)
	}
	if len(lists) == 0 {
		return nil
	}
	return lists[0]
}

// union merges two sorted lists into a new one, in which each key is once.
func union(a, b []ItemCount) []ItemCount {
	n := len(a) // of keys in either list, to allocate no more
	for i, k := 0, 0; k < len(b); k++ {
		for i < len(a) && a[i].Key < b[k].Key {
			i++
		}
		if i == len(a) || a[i].Key != b[k].Key {
			n++
		}
	}
	all := make([]ItemCount, 0, n)
	for len(a) > 0 && len(b) > 0 {
		switch cmp.Compare(a[0].Key, b[0].Key) {
		case -1:
			all, a = append(all, a[0]), a[1:]
		case 1:
			all, b = append(all, b[0]), b[1:]
		default:
			all = append(all, a[0])
			all[len(all)-1].plus(&b[0])
			a, b = a[1:], b[1:]
		}
	}
	return append(append(all, a...), b...)
}

// Merge adds the counts of o. Both can count further answers.
func (c *Items) Merge(o *Items) {
	o.settle()
	c.parts = append(c.parts, o.parts...)
}
