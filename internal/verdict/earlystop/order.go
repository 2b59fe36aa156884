package earlystop

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"slices"
)

// maxBlock bounds the size of a block, because a test decides only at the end of one.
const maxBlock = 16

// arrange puts the items into the order in which tests send them. The order is random and
// depends only on the hash of the plan and the ids of the items. So it is the same for
// every model and for any order of the records. Imported files are often sorted by task,
// and a test that stops early would see the first tasks only.
//
// If all lengths have the same number of items, a block has one item of each length. A
// test that stops early has then sent all lengths equally often; the task of an item is
// random. Otherwise every item is a block.
func (b *Baseline) arrange() {
	type keyed struct {
		baselineItem
		key  uint64
		rank int // index among the items of its length
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
		it := &list[i]
		it.rank = count[it.length]
		count[it.length]++
	}
	b.block = evenBlock(count, len(list))
	if b.block > 1 {
		slices.SortStableFunc(list, func(x, y keyed) int { return cmp.Compare(x.rank, y.rank) })
	}
	for i := range list {
		b.items[i] = list[i].baselineItem
	}
}

// evenBlock returns the number of lengths if all have the same number of items. It returns
// 1 if they do not, or if there are more than maxBlock.
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
