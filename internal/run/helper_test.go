package run

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"verbatim"
	"verbatim/internal/store"
)

// newStore makes a database in a directory of the test.
func newStore(tb testing.TB) *store.Store {
	tb.Helper()
	s, err := store.Create(context.Background(), filepath.Join(tb.TempDir(), "verbatim.db"))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := s.Close(); err != nil {
			tb.Error(err)
		}
	})
	return s
}

// begin makes a run of n positions, or finds it.
func begin(tb testing.TB, s *store.Store, model string, n int64) verbatim.Run {
	tb.Helper()
	r, _, err := s.Begin(context.Background(), verbatim.Run{
		Plan: verbatim.Plan{Hash: fmt.Sprintf("%016x", n), Suite: "custom", Count: n, Trials: 1}, Model: model, Tool: "test",
	}, false)
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

// item draws the item of a position: a typical question of a few hundred bytes.
func item(seq int64) *verbatim.Item {
	length := 30 + int(seq*2654435761%400)
	b := make([]byte, length)
	for i := range b {
		b[i] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"[(int(seq)*31+i*i*7)%62]
	}
	text := string(b)
	cell := strconv.Itoa(int(seq % 84))
	source := verbatim.TextAnswer(text)
	return &verbatim.Item{
		ID: "copy@1/len=" + cell + "/seed=1/" + strconv.FormatInt(seq/84, 10),
		Prompt: verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: "Repeat the following string exactly without modifying it. " +
			"Don't output anything else. Only output the string without anything additional, not even quotes: \"" + text + "\""}}}},
		Want: verbatim.TextAnswer(text), Source: &source,
		Facts: map[string]string{verbatim.FactFamily: "copy", verbatim.FactLength: cell, verbatim.FactEdition: "standard"},
	}
}

// fixed is a Source of the positions 0 to n-1.
func fixed(n int64) func(*store.Positions) (verbatim.Source, error) {
	return func(saved *store.Positions) (verbatim.Source, error) {
		var seq int64
		return &Fixed{
			Saved: saved,
			Places: func() (Planned, bool) {
				if seq == n {
					return Planned{}, false
				}
				at := seq
				seq++
				return Planned{Seq: at, Request: func() (verbatim.Request, error) { return requestOf(item(at), at), nil }}, true
			},
		}, nil
	}
}

// requestOf returns the request for an item.
func requestOf(it *verbatim.Item, seq int64) verbatim.Request {
	return verbatim.Request{Seq: seq, Attempt: 1, Item: it, Prompt: it.Prompt, MaxTokens: 64 + len(it.Want.Text)}
}

// given returns a Source that exists already.
func given(s verbatim.Source) func(*store.Positions) (verbatim.Source, error) {
	return func(*store.Positions) (verbatim.Source, error) { return s, nil }
}

// grade is a grader: right or wrong.
func grade(it *verbatim.Item, text string, finish verbatim.Finish) verbatim.Grade {
	g := verbatim.Grade{Outcome: verbatim.Wrong, Label: "unrelated", Score: new(float64), Grader: "text/1",
		Measures: map[string]float64{"length": float64(len(text)), "want_length": float64(len(it.Want.Text)), "similarity": 0.5}}
	if text == it.Want.Text {
		g.Outcome, g.Label, g.Exact, g.Extracted = verbatim.Pass, "pass", true, true
		*g.Score = 1
	}
	return g
}

// A modelFunc is a Model.
type modelFunc func(ctx context.Context, r verbatim.Request) (verbatim.Reply, error)

func (f modelFunc) Ask(ctx context.Context, r *verbatim.Request, reply *verbatim.Reply) error {
	got, err := f(ctx, *r)
	if err == nil {
		*reply = got
	}
	return err
}

// right answers rightly and at once.
func right(_ context.Context, r verbatim.Request) (verbatim.Reply, error) {
	tokens := int64(len(r.Item.Want.Text))
	now := time.Now()
	return verbatim.Reply{
		Text: r.Item.Want.Text, Finish: verbatim.FinishStop, FinishRaw: "stop", ServedModel: "right",
		Usage:    verbatim.Usage{Prompt: &tokens, Completion: &tokens},
		Times:    verbatim.Times{Start: now, Total: time.Microsecond},
		Attempts: []verbatim.Attempt{{N: r.Attempt, Start: now, Total: time.Microsecond, Status: 200, Bytes: tokens}},
	}, nil
}

// A log counts the requests that a model got.
type log struct {
	mu    sync.Mutex
	asked []int64
}

func (l *log) model(answer modelFunc) modelFunc {
	return func(ctx context.Context, r verbatim.Request) (verbatim.Reply, error) {
		l.mu.Lock()
		l.asked = append(l.asked, r.Seq)
		l.mu.Unlock()
		return answer(ctx, r)
	}
}

// records reads a run as a map by position.
func records(tb testing.TB, s *store.Store, run int64) map[int64]verbatim.Record {
	tb.Helper()
	all := map[int64]verbatim.Record{}
	for rec, err := range s.Records(context.Background(), run, store.Read{Texts: true, Measures: true, Attempts: true}) {
		if err != nil {
			tb.Fatal(err)
		}
		all[rec.Seq] = rec
	}
	return all
}
