package earlystop

// budget returns the index up to which whole blocks hold at most Items items to
// ask, and notes how many they are, and how many all blocks hold.
func (t *Test) limitItems() (end int) {
	for start := 0; start < len(t.baseline.items); start += t.baseline.block {
		for i := start; i < start+t.baseline.block; i++ {
			if t.sendable(i) {
				t.available++
			}
		}
		if t.Items == 0 || t.available <= t.Items {
			end, t.allowed = start+t.baseline.block, t.available
		}
	}
	return end
}

// askable reports whether the item is asked: it has an answer in the baseline
// and, in the scope of the benchmark, so has its whole block.
func (t *Test) sendable(i int) bool {
	if t.Scope == Benchmark {
		return t.complete(i / t.baseline.block)
	}
	return t.baseline.items[i].answered()
}

// whole reports whether all of a block have an answer in the baseline.
func (t *Test) complete(block int) bool {
	for _, it := range t.baseline.items[block*t.baseline.block : (block+1)*t.baseline.block] {
		if !it.answered() {
			return false
		}
	}
	return true
}

// wholeBlocks counts the blocks from one on that are answered whole in the baseline.
func (t *Test) completeBlocks(from int) (n int) {
	for i := from; i < len(t.baseline.items)/t.baseline.block; i++ {
		if t.complete(i) {
			n++
		}
	}
	return n
}
