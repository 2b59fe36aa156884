package app

import (
	"context"
	"sync"
	"time"

	"verbatim"
	"verbatim/internal/pace"
	"verbatim/internal/terminal"
)

// A server is asked for its queue this often while requests are sent, and a queue
// counts if it is there twice in a row: requests may wait for a moment in any server.
const (
	queueEvery = 2 * time.Second
	queueTwice = 2
	// queueTries is how often a server is asked that has never reported its queue: a
	// busy one may fail to reply.
	queueTries = 3
)

// A serverQueue asks the server how many requests wait in its queue, and tells the Pacer.
// It asks when requests are sent, so that it needs no end.
type serverQueue struct {
	verbatim.Model
	waiting func(context.Context) (int, bool)
	pacer   *pace.Pacer
	warn    func() // called once; nil: nothing to say
	every   time.Duration

	mu    sync.Mutex
	next  time.Time
	seen  int  // times running that there was a queue
	asked bool // the server is being asked, or does not say it

	says   bool // the server has said it once
	failed int  // times that it has not
}

// withServerQueue returns m, and looks at the queue of its server if that can be asked. If
// the user named the concurrency, it is not lowered, and a note says what happens.
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
func (q *serverQueue) Ask(ctx context.Context, r verbatim.Request) (verbatim.Reply, error) {
	q.look()
	return q.Model.Ask(ctx, r)
}

// AskInPlace implements verbatim.InPlace.
func (q *serverQueue) AskInPlace(ctx context.Context, r *verbatim.Request, reply *verbatim.Reply) error {
	q.look()
	return verbatim.AskInPlace(ctx, q.Model, r, reply)
}

// look asks the server for its queue if it is time to.
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

func (q *serverQueue) ask() {
	n, ok := q.waiting(context.Background()) // it has a time limit of its own
	q.mu.Lock()
	defer q.mu.Unlock()
	if !ok {
		if q.failed++; q.says || q.failed < queueTries {
			q.asked = false
		}
		return
	}
	q.asked, q.says = false, true
	if n == 0 {
		q.seen = 0
		return
	}
	if q.seen++; q.seen < queueTwice {
		return
	}
	q.pacer.ServerQueue(n)
	if q.warn != nil {
		q.warn()
		q.warn = nil
	}
}
