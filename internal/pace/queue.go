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
type waitQueue []*waiter

func (q *waitQueue) push(w *waiter) { *q = append(*q, w) }

// pop removes and returns the first waiter whose caller has not gone; nil if the queue is empty.
func (q *waitQueue) pop() *waiter {
	for len(*q) > 0 {
		w := (*q)[0]
		(*q)[0] = nil
		if *q = (*q)[1:]; !w.gone {
			return w
		}
	}
	return nil
}
