package earlystop

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"slices"
)

// widestBlock bounds the blocks of an order: a test looks only at their ends.
const maxBlock = 16

// arrange puts the items into the order in which tests ask them. It is random,
// and follows from the plan's hash and the items' ids alone: the same for every
// model, whatever order the records came in (those of imported files often come
// task by task, and a test that stopped early would then speak of the first tasks
// only).
//
// Where every length has as many items as every other, the order is in blocks of
// one item of each length, so that a test that stops early has asked the lengths
// alike; what is asked of a length is drawn at random from all its tasks. Else
// every item is a block.
func (b *Baseline) arrange() {
	type keyed struct {
		baselineItem
		key  uint64
		rank int // among the items of its length
	}
	list := make([]keyed, len(b.items))
	for i, it := range b.items {
		sum := sha256.Sum256([]byte("verbatim order of tests 1\n" + b.Run.Plan.Hash + "\n" + it.id))
		list[i] = keyed{baselineItem: it, key: binary.BigEndian.Uint64(sum[:])}
	}
	slices.SortFunc(list, func(x, y keyed) int {
		return cmp.Or(cmp.Compare(x.key, y.key), cmp.Compare(x.id, y.id), cmp.Compare(x.seq, y.seq))
	})
	count := map[string]int{}
	for i := range list {
		list[i].rank = count[list[i].length]
		count[list[i].length]++
	}
	b.block = evenBlock(count, len(list))
	if b.block > 1 {
		slices.SortStableFunc(list, func(x, y keyed) int { return cmp.Compare(x.rank, y.rank) })
	}
	for i := range list {
		b.items[i] = list[i].baselineItem
	}
}

// evenBlock returns the number of lengths where all have as many items, and 1
// where they do not, or are so many that looks would be rare.
func evenBlock(count map[string]int, items int) int {
	if len(count) > maxBlock {
		return 1
	}
	for _, n := range count {
		if n*len(count) != items {
			return 1
		}
	}
	return max(len(count), 1)
}
