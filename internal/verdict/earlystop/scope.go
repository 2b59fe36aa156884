package earlystop

// budget returns the index up to which whole blocks hold at most Items items to
// ask, and notes how many they are, and how many all blocks hold.
func (t *Test) limitItems() (end int) {
	for start := 0; start < len(t.base.items); start += t.base.block {
		for i := start; i < start+t.base.block; i++ {
			if t.sendable(i) {
				t.available++
			}
		}
		if t.Items == 0 || t.available <= t.Items {
			end, t.allowed = start+t.base.block, t.available
		}
	}
	return end
}

// askable reports whether the item is asked: it has an answer in the baseline
// and, in the scope of the benchmark, so has its whole block.
func (t *Test) sendable(i int) bool {
	if t.Scope == Benchmark {
		return t.whole(i / t.base.block)
	}
	return t.base.items[i].answered()
}

// whole reports whether all of a block have an answer in the baseline.
func (t *Test) whole(block int) bool {
	for _, it := range t.base.items[block*t.base.block : (block+1)*t.base.block] {
		if !it.answered() {
			return false
		}
	}
	return true
}

// wholeBlocks counts the blocks from one on that are answered whole in the baseline.
func (t *Test) wholeBlocks(from int) (n int) {
	for i := from; i < len(t.base.items)/t.base.block; i++ {
		if t.whole(i) {
			n++
		}
	}
	return n
}
