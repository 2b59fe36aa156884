package pace

import "time"

// A ticket is the right to ask one request now.
type ticket struct {
	at       time.Duration
	met      int     // how many were in flight, this one included
	tokens   float64 // what counts against tokens per minute
	again    bool    // it was tried before
	reported bool    // the endpoint has heard how it went
}

// A waiter is a request at the gate.
type waiter struct {
	ready  chan struct{} // closed when ticket or err is there
	tokens float64
	ticket ticket
	err    error
	done   bool // ready is closed
	gone   bool // its caller has stopped waiting
}

// A waitQueue holds waiters in the order in which they came.
type waitQueue struct {
	list []*waiter
	head int
}

func (l *waitQueue) push(w *waiter) { l.list = append(l.list, w) }

// pop takes the first out; nil: it is empty. Waiters whose callers have gone are dropped.
func (l *waitQueue) pop() *waiter {
	for l.head < len(l.list) {
		w := l.list[l.head]
		l.list[l.head] = nil
		if l.head++; l.head >= 64 && 2*l.head >= len(l.list) {
			l.list, l.head = append(l.list[:0], l.list[l.head:]...), 0
		}
		if !w.gone {
			return w
		}
	}
	l.list, l.head = l.list[:0], 0
	return nil
}
