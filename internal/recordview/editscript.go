package recordview

import "slices"

// An op is a step of an edit script.
type op byte

const (
	same    op = '='
	missed  op = '-' // in the expected sequence only
	extra   op = '+' // in the reply only
	changed op = '~' // one element in place of another
)

// A step takes n elements of both sequences, or of the one that has them.
type step struct {
	op op
	n  int
}

// A cursor is the position of a step in both sequences.
type cursor struct{ i, j int }

// advance moves the cursor behind a step.
func (c *cursor) advance(o op, n int) {
	if o != extra {
		c.i += n
	}
	if o != missed {
		c.j += n
	}
}

// shownEnds returns how many elements are shown of an equal stretch of n: head at its start and
// tail at its end, each next to a difference, or all if at most spare more would be hidden. The
// first and the last stretch have no difference before or behind them.
func shownEnds(n, around, spare int, first, last bool) (head, tail int) {
	head, tail = around, around
	if first {
		head = 0
	}
	if last {
		tail = 0
	}
	if n <= head+tail+spare {
		return 0, n
	}
	return head, tail
}

// maxEdits bounds the work and the memory of editScript, which grow with its square.
const maxEdits = 1000

// editScript returns the shortest edit script from want to got, with a removal and an insertion at
// one position joined to a change; ok is false if it needs more than maxEdits edits. The method is
// the greedy one of Myers 1986 (Algorithmica 1:251–266): O((N+M)·D) time, D² memory.
func editScript[T comparable](want, got []T) (steps []step, ok bool) {
	head := 0
	for head < len(want) && head < len(got) && want[head] == got[head] {
		head++
	}
	tail := 0
	for tail < len(want)-head && tail < len(got)-head && want[len(want)-1-tail] == got[len(got)-1-tail] {
		tail++
	}
	ops, ok := myers(want[head:len(want)-tail], got[head:len(got)-tail])
	if !ok {
		return nil, false
	}
	steps = push(steps, same, head)
	steps = paired(steps, ops)
	return push(steps, same, tail), true
}

// push adds a step, and joins it to the last one if that has the same op.
func push(steps []step, o op, n int) []step {
	switch {
	case n == 0:
		return steps
	case len(steps) > 0 && steps[len(steps)-1].op == o:
		steps[len(steps)-1].n += n
		return steps
	}
	return append(steps, step{o, n})
}

// paired adds single operations as steps. Between two equal stretches, each pair of a missed and an
// extra element is a change; the rest is missed or extra.
func paired(steps []step, ops []op) []step {
	missing, more := 0, 0
	flush := func() {
		both := min(missing, more)
		steps = push(steps, changed, both)
		steps = push(steps, missed, missing-both)
		steps = push(steps, extra, more-both)
		missing, more = 0, 0
	}
	for _, o := range ops {
		switch o {
		case missed:
			missing++
		case extra:
			more++
		default:
			flush()
			steps = push(steps, same, 1)
		}
	}
	flush()
	return steps
}

// myers returns an operation for each element that is the same, missed or extra.
func myers[T comparable](a, b []T) ([]op, bool) {
	most := min(len(a)+len(b), maxEdits)
	if len(a)-len(b) > most || len(b)-len(a) > most {
		return nil, false
	}
	// reach[most+k] is how far into a the furthest path on diagonal k has come;
	// trace keeps a copy of the part in use for every number of edits.
	reach := make([]int32, 2*most+2)
	var trace [][]int32
	for d := 0; d <= most; d++ {
		trace = append(trace, slices.Clone(reach[most-d:most+d+2]))
		for k := -d; k <= d; k += 2 {
			var x int32
			if k == -d || k != d && reach[most+k-1] < reach[most+k+1] {
				x = reach[most+k+1]
			} else {
				x = reach[most+k-1] + 1
			}
			for y := x - int32(k); int(x) < len(a) && int(y) < len(b) && a[x] == b[y]; y++ {
				x++
			}
			reach[most+k] = x
			if int(x) >= len(a) && int(x)-k >= len(b) {
				return walk(trace, len(a), len(b)), true
			}
		}
	}
	return nil, false
}

// walk goes back through the trace of myers from the end of both sequences.
func walk(trace [][]int32, x, y int) []op {
	var back []op
	for d := len(trace) - 1; d > 0; d-- {
		at := func(k int) int { return int(trace[d][k+d]) } // trace[d] starts at diagonal -d
		k := x - y
		down := k == -d || k != d && at(k-1) < at(k+1)
		before := k - 1
		if down {
			before = k + 1
		}
		fromX := at(before)
		fromY := fromX - before
		startX := fromX
		if !down {
			startX++
		}
		for x > startX {
			back = append(back, same)
			x--
		}
		if down {
			back = append(back, extra)
		} else {
			back = append(back, missed)
		}
		x, y = fromX, fromY
	}
	for ; x > 0; x-- {
		back = append(back, same)
	}
	slices.Reverse(back)
	return back
}
