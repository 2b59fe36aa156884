package pace

import "time"

// A ticket is the permission to send one request now.
type ticket struct {
	at       time.Duration
	met      int     // how many requests were in flight, this one included
	tokens   float64 // that count towards tokens per minute
	again    bool    // it is a retry
	reported bool    // its outcome was reported
}

// A waiter is a request at the gate.
type waiter struct {
	ready  chan struct{} // closed when ticket or err is set
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

// pop removes and returns the first waiter whose caller has not gone; nil if the queue is empty.
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
