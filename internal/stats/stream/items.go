package stream

import (
	"cmp"
	"slices"
)

// Items counts answers by item. It grows with the number of items, and is made of
// lists because a map of as many takes twice the memory and more while it grows.
type Items struct {
	// parts are in the order of keys, with each key once. None is ever written again, so that
	// totals share them.
	parts [][]ItemCount
	fresh []ItemCount // in no order
}

// An ItemCount counts the answers to one item.
type ItemCount struct {
	Key                               uint64
	Answers, Exact, Extracted, Scored int32
	Score                             float64 // sum
}

// Add counts answers to an item.
func (c *Items) Add(n ItemCount) {
	if last := len(c.fresh) - 1; last >= 0 && c.fresh[last].Key == n.Key {
		c.fresh[last].plus(&n)
		return
	}
	if len(c.fresh) >= 1024 && len(c.fresh) >= c.most()/4 {
		c.Join()
	}
	c.fresh = append(c.fresh, n)
}

// most is at least the number of items in parts.
func (c *Items) most() (n int) {
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

// settle makes a part of what is fresh.
func (c *Items) settle() {
	if len(c.fresh) == 0 {
		return
	}
	slices.SortFunc(c.fresh, func(a, b ItemCount) int { return cmp.Compare(a.Key, b.Key) })
	end := 0
	for i := range c.fresh[1:] {
		if n := &c.fresh[i+1]; c.fresh[end].Key == n.Key {
			c.fresh[end].plus(n)
		} else {
			end++
			c.fresh[end] = *n
		}
	}
	c.parts, c.fresh = append(c.parts, c.fresh[:end+1]), nil
}

// Join makes one part of all.
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

// union returns two sorted lists as one.
func union(a, b []ItemCount) []ItemCount {
	if len(a) == 0 {
		return b
	}
	n := len(a)
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

// Merge adds what o counts. Both may go on.
func (c *Items) Merge(o *Items) {
	o.settle()
	c.parts = append(c.parts, o.parts...)
}
