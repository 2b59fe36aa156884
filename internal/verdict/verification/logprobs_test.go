package verification

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"reflect"
	"testing"

	"verbatim"
	"verbatim/internal/exhaustive"
)

// An endpoint gives each prompt its list: moved by sigma as other weights do, and by jitter at
// every call.
type endpoint struct {
	build         uint64
	sigma, jitter float64
	lists         int // alternatives of a token
	down          func(call int) bool
	calls         int
}

func (e *endpoint) reply(text string) verbatim.Record {
	e.calls++
	if e.down != nil && e.down(e.calls) {
		return verbatim.Record{Outcome: verbatim.Errored, Failure: &verbatim.Failure{Class: verbatim.Overload}}
	}
	h := fnv.New64a()
	h.Write([]byte(text))
	base, build, own := rand.New(rand.NewPCG(h.Sum64(), 0)), rand.New(rand.NewPCG(h.Sum64(), 1+e.build)), rand.New(rand.NewPCG(h.Sum64(), uint64(1000+e.calls)+e.build<<32))
	t := verbatim.Token{Text: "a", Logprob: -1}
	for i := range e.lists {
		t.Top = append(t.Top, verbatim.Token{Text: fmt.Sprint(i), Logprob: -2 + 0.3*base.NormFloat64() + e.sigma*build.NormFloat64() + e.jitter*own.NormFloat64()})
	}
	return verbatim.Record{Outcome: verbatim.Wrong, Reply: &verbatim.Reply{Text: "a", Tokens: []verbatim.Token{t}}}
}

// play runs a test against two endpoints.
func play(t *testing.T, test *logprobTest, a, b *endpoint) *LogprobResult {
	t.Helper()
	for side, e := range []*endpoint{a, b} {
		source := test.Source(side)
		var done []verbatim.Record
		inFlight := 0
		for {
			requests, err := source.Next(done)
			if err != nil {
				t.Fatal(err)
			}
			if requests == nil {
				break
			}
			if inFlight += len(requests) - len(done); inFlight > LogprobsInFlight {
				t.Fatalf("%d in flight", inFlight)
			}
			done = nil
			for _, r := range requests {
				if r.Params.Logprobs != Alternatives || r.MaxTokens != 1 {
					t.Fatalf("%+v", r)
				}
				rec := e.reply(r.Prompt[0].Content[0].Text)
				rec.Seq = r.Seq
				done = append(done, rec)
			}
		}
	}
	result, err := test.Result()
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// TestLogprobs compares endpoints of known distances.
func TestLogprobs(t *testing.T) {
	outage := func(call int) bool { return call%10 == 0 }
	for _, c := range []struct {
		name   string
		a, b   endpoint
		differ bool
		want   LogprobResult // numbers that must be so; others are not looked at
	}{
		{"the same", endpoint{lists: 20}, endpoint{lists: 20}, false, LogprobResult{Offered: true, Finished: true, Prompts: 16, Shared: 16}},
		{"its own spread", endpoint{lists: 20, jitter: 0.1}, endpoint{lists: 20, jitter: 0.1, build: 7}, false, LogprobResult{Offered: true, Finished: true, Prompts: 16}},
		{"numerics", endpoint{lists: 20}, endpoint{lists: 20, sigma: 0.07, build: 1}, false, LogprobResult{Offered: true, Finished: true, Prompts: 16, Beyond: 16}},
		{"weights", endpoint{lists: 20}, endpoint{lists: 20, sigma: 0.4, build: 1}, true, LogprobResult{Offered: true, Finished: true, Prompts: 16, Beyond: 16}},
		{"weights beyond the spread", endpoint{lists: 20, jitter: 0.05}, endpoint{lists: 20, sigma: 0.4, jitter: 0.05, build: 1}, true, LogprobResult{Offered: true, Finished: true, Prompts: 16, Beyond: 16}},
		{"few alternatives", endpoint{lists: 5}, endpoint{lists: 5}, false, LogprobResult{Offered: true, Finished: true, Prompts: 16, Shared: 16}},
		{"too few", endpoint{lists: 4}, endpoint{lists: 20}, false, LogprobResult{Finished: true}},
		{"one side offers none", endpoint{lists: 20}, endpoint{}, false, LogprobResult{Finished: true}},
		{"an outage is missing", endpoint{lists: 20, down: outage}, endpoint{lists: 20}, false, LogprobResult{Offered: true, Finished: true, Prompts: 15, Shared: 15}},
	} {
		r := play(t, NewLogprobs(1, verbatim.Params{}, 1, 1), &c.a, &c.b)
		if (r.P <= 0.01) != c.differ || r.Offered != c.want.Offered || r.Finished != c.want.Finished || r.Prompts != c.want.Prompts ||
			c.want.Shared > 0 && r.Shared != c.want.Shared || c.want.Beyond > 0 && r.Beyond != c.want.Beyond {
			t.Errorf("%s: %+v", c.name, *r)
		}
	}
}

// TestLogprobsRate draws many pairs of equal endpoints with a spread of their own: the rate of
// rejections at 0.01 must not exceed it.
func TestLogprobsRate(t *testing.T) {
	exhaustive.Only(t)
	const runs = 200
	rejected := 0
	for seed := range uint64(runs) {
		jitter := 0.02 + 0.2*float64(seed%7)/7
		r := play(t, NewLogprobs(seed, verbatim.Params{}, 1, 1), &endpoint{lists: 20, jitter: jitter, build: 2 * seed}, &endpoint{lists: 20, jitter: jitter, build: 2*seed + 1})
		if r.P <= 0.01 {
			rejected++
		}
	}
	if rejected > 1+runs/100 {
		t.Errorf("%d of %d equal pairs are called different", rejected, runs)
	}
}

// TestLogprobsResume continues a test at every point: nothing is sent twice, and the result is
// that of a test without a break.
func TestLogprobsResume(t *testing.T) {
	a, b := endpoint{lists: 20}, endpoint{lists: 20, sigma: 0.4, build: 1}
	want := play(t, NewLogprobs(1, verbatim.Params{}, 1, 1), &a, &b)
	for cut := 0; cut < 80; cut += 7 {
		test := NewLogprobs(1, verbatim.Params{}, 1, 1)
		for i := range cut {
			for side, e := range []*endpoint{{lists: 20}, {lists: 20, sigma: 0.4, build: 1}} {
				rec := e.reply(test.Items()[i].Prompt[0].Content[0].Text)
				rec.Seq = int64(i)
				test.Resume(side, &rec)
			}
		}
		a, b := endpoint{lists: 20}, endpoint{lists: 20, sigma: 0.4, build: 1}
		got := play(t, test, &a, &b)
		if !reflect.DeepEqual(got, want) || a.calls != 80-cut || b.calls != 80-cut {
			t.Errorf("after %d: %+v with %d and %d calls, want %+v", cut, *got, a.calls, b.calls, *want)
		}
	}
}
