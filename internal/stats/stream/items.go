package stream

import (
	"cmp"
	"slices"
)

// Items counts answers by item. It is made of lists, because a map of as many items takes twice
// the memory, and more while it grows. The zero value is ready.
type Items struct {
	// parts are sorted by key, with each key once in a part. A part is never changed, so that
	// several Items can share it.
	parts   [][]ItemCount
	pending []ItemCount // not in a part yet, in any order
}

// An ItemCount counts the answers to one item.
type ItemCount struct {
	Key                               uint64 // names the item
	Answers, Exact, Extracted, Scored int32
	Score                             float64 // sum of the scores
}

// Add adds the count of answers to an item.
func (c *Items) Add(n ItemCount) {
	if last := len(c.pending) - 1; last >= 0 && c.pending[last].Key == n.Key {
		c.pending[last].plus(&n)
		return
	}
	if len(c.pending) >= 1024 && len(c.pending) >= c.stored()/4 {
		c.Join()
	}
	c.pending = append(c.pending, n)
}

// stored returns the number of counts in parts. An item may have a count in several.
func (c *Items) stored() (n int) {
	for _, p := range c.parts {
		n += len(p)
	}
	return n
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
	c.parts, c.pending = append(c.parts, c.pending[:end+1]), nil
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
