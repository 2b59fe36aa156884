package verification_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"verbatim"
	"verbatim/internal/verdict/verification"
)

// A warmServer answers the requests of a Source in any order, and remembers its prompts.
type warmServer struct {
	t      *rapid.T
	source verbatim.Source
	open   []verbatim.Request
	seen   map[string]bool // prompts with an answer
	sent   map[int64]int
}

// run sends everything, and returns the most requests in flight.
func (s *warmServer) run(lost func(seq int64) bool, counts func(seq int64) bool) (most int) {
	var done []verbatim.Record
	for {
		requests, err := s.source.Next(done)
		if err != nil {
			s.t.Fatal(err)
		}
		if requests == nil {
			if len(s.open) > 0 {
				s.t.Fatal("the end with requests in flight")
			}
			return most
		}
		for _, r := range requests {
			if counts(r.Seq) && !s.seen[fmt.Sprint(r.Prompt)] {
				s.t.Fatalf("position %d is sent before its warm-up has ended", r.Seq)
			}
			s.sent[r.Seq]++
		}
		s.open = append(s.open, requests...)
		most = max(most, len(s.open))
		if done = nil; len(s.open) > 0 {
			i := rapid.IntRange(0, len(s.open)-1).Draw(s.t, "answered")
			r := s.open[i]
			s.open = append(s.open[:i], s.open[i+1:]...)
			rec := verbatim.Record{Seq: r.Seq, Outcome: verbatim.Wrong, Reply: &verbatim.Reply{Text: "x"}, Grade: &verbatim.Grade{}}
			if lost(r.Seq) {
				rec = verbatim.Record{Seq: r.Seq, Outcome: verbatim.Errored, Failure: &verbatim.Failure{}}
			}
			s.seen[fmt.Sprint(r.Prompt)] = true
			done = []verbatim.Record{rec}
		}
	}
}

// Each different prompt is sent once before it counts, whatever the order of the replies is, and
// though some warm-ups have none. No more requests are in flight than without warm-ups.
func TestWarmUp(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		arm := verification.Arm{Concurrency: rapid.IntRange(1, 20).Draw(rt, "concurrency"), Prefix: verification.Warm}
		n := rapid.IntRange(1, 40).Draw(rt, "prompts")
		different := rapid.IntRange(1, n).Draw(rt, "different")
		items := make([]verbatim.Item, 2*n)
		for i := range items {
			items[i] = verbatim.Item{ID: fmt.Sprint(i), Prompt: userText(fmt.Sprint(i % n % different))}
		}
		up := verification.NewWarmUp(items)
		if len(up.Items()) != different {
			rt.Fatalf("%d warm-ups for %d prompts", len(up.Items()), different)
		}
		test, err := verification.New(verification.Config{Positions: positions(n), Alpha: .01, Share: .5, MaxMissing: 1, Arm: arm,
			Request: func(position int64) (verbatim.Request, error) {
				return verbatim.Request{Seq: position, Item: &items[position], Prompt: items[position].Prompt}, nil
			}})
		if err != nil {
			rt.Fatal(err)
		}
		// Some warm-ups were answered in an earlier call.
		var saved []verbatim.Record
		s := warmServer{t: rt, seen: map[string]bool{}, sent: map[int64]int{}}
		for k, it := range up.Items() {
			if rapid.Bool().Draw(rt, "saved") {
				s.seen[fmt.Sprint(it.Prompt)] = true
				saved = append(saved, verbatim.Record{Seq: int64(2*n + k), Outcome: verbatim.Wrong, Reply: &verbatim.Reply{Text: "x"}})
			}
		}
		s.source = up.Source(test.Source(0), saved)
		counts := func(seq int64) bool { return seq < int64(2*n) }
		most := s.run(func(seq int64) bool { return !counts(seq) && seq%3 == 0 }, counts)
		if most > arm.MaxInFlight() {
			rt.Errorf("%d requests in flight, at most %d", most, arm.MaxInFlight())
		}
		if len(s.sent) != 2*n+different-len(saved) {
			rt.Errorf("%d requests, want %d", len(s.sent), 2*n+different-len(saved))
		}
		for seq, times := range s.sent {
			if times != 1 {
				rt.Errorf("position %d is sent %d times", seq, times)
			}
		}
		for k := range n {
			if test.FirstExact(0)[k] == nil {
				rt.Errorf("prompt %d has no reply", k)
			}
		}
	})
}
