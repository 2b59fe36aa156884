package earlystop

// limitItems sets the numbers of items that can be sent and that this test may send: whole blocks
// with at most Items items. It returns the index after the last of these blocks.
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

// sendable reports whether an item is sent: it has an answer in the baseline and, in the
// scope of the benchmark, so has its whole block.
func (t *Test) sendable(i int) bool {
	if t.Scope == Benchmark {
		return t.complete(i / t.baseline.block)
	}
	return t.baseline.items[i].answered()
}

// complete reports whether all items of a block have an answer in the baseline.
func (t *Test) complete(block int) bool {
	for i := block * t.baseline.block; i < (block+1)*t.baseline.block; i++ {
		if !t.baseline.items[i].answered() {
			return false
		}
	}
	return true
}

// completeBlocks counts the complete blocks from the block with an index on.
func (t *Test) completeBlocks(from int) (n int) {
	for i := from; i < len(t.baseline.items)/t.baseline.block; i++ {
		if t.complete(i) {
			n++
		}
	}
	return n
}
