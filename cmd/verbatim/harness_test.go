package main

import (
	"cmp"
	"context"
	"net"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"verbatim"
	"verbatim/internal/fake"
	"verbatim/internal/grade"
	"verbatim/internal/model"
	"verbatim/internal/pace"
	"verbatim/internal/run"
	"verbatim/internal/store"
	"verbatim/internal/task"
)

// A harness is everything that a run goes through, but for the command line: a
// model that is opened by its name, a pace, the pipeline and a database; and the
// faulty server behind pipes in place of sockets, so that it all lives inside a
// synctest bubble, where waiting takes no time.
type harness struct {
	t       *testing.T
	store   *store.Store
	model   model.Handle
	handler atomic.Pointer[fake.Server]
	runs    uint64
}

// newHarness makes a harness for one wire. The caller must call the function returned.
func newHarness(t *testing.T, wire string, stream bool) (*harness, func()) {
	t.Helper()
	h := &harness{t: t}
	listener := &pipes{conns: make(chan net.Conn), done: make(chan struct{})}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { h.handler.Load().ServeHTTP(w, r) })}
	go server.Serve(listener)
	transport := &http.Transport{DialContext: listener.dial, DisableCompression: true}
	var err error
	if h.store, err = store.Create(t.Context(), filepath.Join(t.TempDir(), "house.db")); err != nil {
		t.Fatal(err)
	}
	h.model, err = model.Open(t.Context(), wire+"+http://127.0.0.1"+basePath(wire)+"#m", model.Options{
		Stream: stream, Transport: transport, Timeout: time.Minute, Idle: 20 * time.Second,
		Getenv: func(string) string { return "" },
	})
	if err != nil {
		t.Fatal(err)
	}
	return h, func() {
		h.model.Close()
		transport.CloseIdleConnections()
		server.Close()
		if err := h.store.Close(); err != nil {
			t.Error(err)
		}
	}
}

// basePath is the path of a wire's base URL.
func basePath(wire string) string {
	switch wire {
	case "gemini", "ollama":
		return ""
	}
	return "/v1"
}

// serve makes a server of that configuration answer from now on.
func (h *harness) serve(c fake.Config) *fake.Server {
	h.t.Helper()
	s, err := fake.New(c)
	if err != nil {
		h.t.Fatal(err)
	}
	h.handler.Store(s)
	return s
}

// A testRun is one plan, continued until every item has an answer.
type testRun struct {
	*harness
	run   verbatim.Run
	items []verbatim.Item // by position
	index *fake.Index
}

// testRun begins a run of n items that no other run has.
func (h *harness) testRun(n int) *testRun {
	h.t.Helper()
	h.runs++
	plan, err := task.Plan(task.Request{Tasks: []string{"reverse"}, Lengths: []verbatim.Lengths{{Min: 40, Max: 40}}, Items: n, Seed: h.runs})
	if err != nil {
		h.t.Fatal(err)
	}
	e := &testRun{harness: h, items: deal(h.t, plan)}
	e.index = fake.NewIndex(e.items...)
	price := verbatim.Price{Input: verbatim.Dollar, Output: 2 * verbatim.Dollar}
	e.run, _, err = h.store.Begin(h.t.Context(), verbatim.Run{Plan: plan, Model: h.model.Name, Price: &price, Tool: "test"}, false)
	if err != nil {
		h.t.Fatal(err)
	}
	return e
}

// deal returns the items of a plan, by position.
func deal(t *testing.T, plan verbatim.Plan) (items []verbatim.Item) {
	t.Helper()
	deck, err := task.Open(plan, nil)
	if err != nil {
		t.Fatal(err)
	}
	for p, ok := deck.Next(); ok; p, ok = deck.Next() {
		it, err := deck.Item(p)
		if err != nil {
			t.Fatal(err)
		}
		items = append(items, *it)
	}
	return items
}

// ask sends the items that have no answer yet, as the command line does.
func (e *testRun) ask(batch *run.Batching) run.LaneResult {
	e.t.Helper()
	p := pace.New(pace.Config{Attempts: 3, Concurrency: 2, Price: e.run.Price, Total: time.Hour})
	lane := run.Lane{Run: e.run, Model: p.Wrap(e.model.Model), Jobs: p.Concurrency, Patience: 8, Batch: batch,
		Source: func(saved *store.Positions) (verbatim.Source, error) {
			next := 0
			return &run.Fixed{Saved: saved, Places: func() (run.Planned, bool) {
				if next == len(e.items) {
					return run.Planned{}, false
				}
				it, seq := &e.items[next], int64(next)
				next++
				return run.Planned{Seq: seq, Request: func() (verbatim.Request, error) {
					return verbatim.Request{Seq: seq, Attempt: 1, Item: it, Prompt: it.Prompt, MaxTokens: task.MaxTokens(it, 0)}, nil
				}}, true
			}}, nil
		}}
	if batch != nil {
		batch.Afford, batch.Hold, batch.Settle, batch.GiveUp = p.Afford, p.Hold, p.Settle, p.GiveUp
		batch.Most = func() int { return run.AnyTokens }
		batch.Limit = func(r *verbatim.Request, _ int) int { return r.MaxTokens }
		batch.Again = func(*verbatim.Request, error) bool { return false }
	}
	result, err := run.Run(e.t.Context(), run.Config{Store: e.store, Lanes: []run.Lane{lane}, Grade: grade.Of})
	if err != nil {
		e.t.Fatal(err)
	}
	return result.Lanes[0]
}

// records returns what is saved, by position.
func (e *testRun) records() map[int64]verbatim.Record {
	e.t.Helper()
	all := map[int64]verbatim.Record{}
	for rec, err := range e.store.Records(e.t.Context(), e.run.N, store.Read{Texts: true, Attempts: true}) {
		if err != nil {
			e.t.Fatal(err)
		}
		all[rec.Seq] = rec
	}
	return all
}

// attemptsOf returns all attempts at the item of a record, in order.
func attemptsOf(rec verbatim.Record) []verbatim.Attempt {
	var all []verbatim.Attempt
	if rec.Reply != nil {
		all = rec.Reply.Attempts
	} else if rec.Failure != nil {
		all = rec.Failure.Attempts
	}
	return slices.SortedStableFunc(slices.Values(all), func(a, b verbatim.Attempt) int { return cmp.Compare(a.N, b.N) })
}

// newAttempts returns the attempts without those that failed because a connection had
// been idle too long.
func newAttempts(attempts []verbatim.Attempt) []verbatim.Attempt {
	return slices.DeleteFunc(slices.Clone(attempts), func(a verbatim.Attempt) bool { return strings.Contains(a.Err, "sent again on another") })
}

// pipes is a listener without sockets.
type pipes struct {
	conns chan net.Conn
	once  sync.Once
	done  chan struct{}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error   { p.once.Do(func() { close(p.done) }); return nil }
func (p *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipes"} }

func (p *pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	here, there := net.Pipe()
	select {
	case p.conns <- there:
		return here, nil
	case <-p.done:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
