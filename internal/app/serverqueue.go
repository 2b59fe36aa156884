package app

import (
	"context"
	"sync"
	"time"

	"verbatim"
	"verbatim/internal/pace"
	"verbatim/internal/terminal"
)

const (
	queueEvery   = 2 * time.Second // time between two questions to a server for its queue
	queueRepeats = 2               // queues in a row that count: in any server requests may wait for a moment
	// queueTries is the number of questions to a server that has never reported its queue: a busy
	// one may fail to reply.
	queueTries = 3
)

// A serverQueue asks the server how many requests wait in its queue, and passes the number on to the
// Pacer. It asks when requests are sent, so that nothing has to stop it.
type serverQueue struct {
	verbatim.Model
	waiting func(context.Context) (int, bool)
	pacer   *pace.Pacer
	warn    func() // called once; nil: nothing to say
	every   time.Duration

	mu    sync.Mutex
	next  time.Time
	seen  int  // replies in a row with a queue
	asked bool // a question is under way, or the server does not report its queue

	reports bool // the server has reported its queue
	failed  int  // questions without a reply
}

// withServerQueue returns a model that asks m and watches the queue of its server, if the server
// reports it. A concurrency that the user set is not lowered: a note says that requests wait.
func (j *Job) withServerQueue(m verbatim.Model, t target, p *pace.Pacer) verbatim.Model {
	if t.Waiting == nil || j.options.Batch {
		return m
	}
	q := &serverQueue{Model: m, waiting: t.Waiting, pacer: p, every: queueEvery}
	if !p.Adaptive && p.Concurrency > 1 {
		q.warn = func() {
			j.app.note("Requests wait in the queue of %s, and the times of answers include that wait. A smaller --concurrency than %d avoids it.", terminal.Visible(t.Name), p.Concurrency)
		}
	}
	return q
}

// Ask implements verbatim.Model.
func (q *serverQueue) Ask(ctx context.Context, r *verbatim.Request, reply *verbatim.Reply) error {
	q.look()
	return q.Model.Ask(ctx, r, reply)
}

// look asks the server for its queue if the time for that has come.
func (q *serverQueue) look() {
	now := time.Now()
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.asked || now.Before(q.next) {
		return
	}
	q.asked, q.next = true, now.Add(q.every)
	go q.ask()
}

// ask asks the server for its queue. A queue that is seen repeatedly lowers the concurrency.
func (q *serverQueue) ask() {
	n, ok := q.waiting(context.Background()) // it has a time limit of its own
	q.mu.Lock()
	defer q.mu.Unlock()
	if !ok {
		q.failed++
		q.asked = !q.reports && q.failed >= queueTries
		return
	}
	q.asked, q.reports = false, true
	if n == 0 {
		q.seen = 0
		return
	}
	if q.seen++; q.seen < queueRepeats {
		return
	}
	q.pacer.ServerQueue(n)
	if q.warn != nil {
		q.warn()
		q.warn = nil
	}
}
