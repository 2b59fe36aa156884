package sentinel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"verbatim"
	"verbatim/internal/verdict/preflight"
)

// byFingerprint uses the fingerprint of a reply as its upstream.
func byFingerprint(r *verbatim.Reply) string { return r.Fingerprint }

// enrolledWords returns an enrolment of n words whose answer is "x".
func enrolledWords(n int, tolerance float64) *EnrolmentResult {
	r := &EnrolmentResult{Tolerance: tolerance}
	for i := range n {
		r.Items = append(r.Items, Item{Word: fmt.Sprint("word", i), Answer: "x"})
	}
	return r
}

func newTestWatch(t *testing.T, r *EnrolmentResult, rules Rules) *Watch {
	t.Helper()
	w, err := NewWatch(r, 0.01, 365, 1, rules)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func today(t *testing.T, w *Watch, day int, reply scripted) *Today {
	t.Helper()
	d, err := w.Today(date(day), 0, verbatim.Params{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	reply.play(t, d)
	return d
}

// TestFailedUpstreams: attempts that failed at an upstream are noted at the enrolment and on the day,
// and are no evidence.
func TestFailedUpstreams(t *testing.T) {
	down := scripted(func(r verbatim.Request) verbatim.Record {
		rec := withList(says(r, "x"), 0.4, 0)
		rec.Reply.Attempts = []verbatim.Attempt{{N: 1, Class: verbatim.Overload, Upstream: "south"}, {N: 2}}
		return rec
	})
	e := NewEnrolment(EnrolmentConfig{Tolerance: 0.05, Params: verbatim.Params{Logprobs: 20}, Upstream: byFingerprint})
	sent := down.play(t, e)
	if f := e.Result().Failed["south"]; f == nil || f.Requests != int64(sent) || f.Attempts != int64(sent) {
		t.Errorf("%d calls at the enrolment: %+v", sent, f)
	}
	w := newTestWatch(t, enrolledWords(24, 0.05), Rules{})
	d := today(t, w, 0, down)
	if day := w.Days()[0]; d.Verdict() != Quiet || day.Calls == 0 || day.Failed["south"] == nil || day.Failed["south"].Requests != int64(day.Calls) {
		t.Errorf("%s: %+v", d.Verdict(), day)
	}
	if w = newTestWatch(t, enrolledWords(24, 0.05), Rules{}); today(t, w, 0, func(r verbatim.Request) verbatim.Record { return says(r, "x") }).Verdict() != Quiet || w.Days()[0].Failed != nil {
		t.Errorf("nothing failed: %+v", w.Days()[0])
	}
}

// TestUpstreams refuses several upstreams at the enrolment unless they are requested, and does not
// count those that were not enrolled.
func TestUpstreams(t *testing.T) {
	for _, mix := range []bool{false, true} {
		e := NewEnrolment(EnrolmentConfig{Tolerance: 0.05, Params: verbatim.Params{Logprobs: 20}, Upstream: byFingerprint, MixUpstreams: mix})
		n := 0
		sent := scripted(func(r verbatim.Request) verbatim.Record {
			n++
			rec := withList(says(r, "x"), 0.4, 0)
			rec.Reply.Fingerprint = []string{"north", "south"}[n/5%2]
			return rec
		}).play(t, e)
		r := e.Result()
		if !mix && (sent != 5 || !strings.Contains(r.Refusal, "2 upstreams answer: north, south") || r.Advice == "") || mix && (r.Refusal != "" || len(r.Upstreams) != 2) {
			t.Errorf("mix %t: after %d calls %+v", mix, sent, r)
		}
	}
	enrolled := enrolledWords(24, 0.05)
	enrolled.Upstreams = []string{"north"}
	from := func(upstream func(call int) string) scripted {
		n := 0
		return func(r verbatim.Request) verbatim.Record {
			rec := says(r, "x")
			if rec.Reply.Fingerprint = upstream(n); rec.Reply.Fingerprint == "south" {
				rec.Reply.Text = "another answer"
			}
			n++
			return rec
		}
	}
	w := newTestWatch(t, enrolled, Rules{Upstream: byFingerprint})
	some := today(t, w, 0, from(func(call int) string { return []string{"north", "south", "north", "north"}[call%4] }))
	if day := w.Days()[0]; some.Verdict() != Quiet || day.Calls != 9 || day.Elsewhere != 3 || day.Deviations != 0 || !slices.Equal(day.Upstreams, []string{"south"}) {
		t.Errorf("%s: %+v", some.Verdict(), day)
	}
	before := w.Capital()
	all := today(t, w, 1, from(func(int) string { return "south" }))
	if day := w.Days()[1]; all.Verdict() != TooFew || day.Calls != 0 || day.Elsewhere != Usual || w.Capital() > before+0.01 {
		t.Errorf("%s: %+v", all.Verdict(), day)
	}
	if unnamed := today(t, w, 2, from(func(int) string { return "" })); unnamed.Verdict() != Quiet || w.Days()[2].Calls != Usual {
		t.Errorf("%s: %+v", unnamed.Verdict(), w.Days()[2])
	}
}

// TestStrictName raises an alarm for another model name, or for none, only if the
// enrolment says so.
func TestStrictName(t *testing.T) {
	for name, want := range map[string]string{"m 1": Quiet, "m 2": Alarm, "": Alarm} {
		for _, exact := range []bool{false, true} {
			enrolled := enrolledWords(24, 0.05)
			enrolled.Served = []string{"m 1"}
			w := newTestWatch(t, enrolled, Rules{StrictName: exact})
			d := today(t, w, 0, func(r verbatim.Request) verbatim.Record {
				rec := says(r, "x")
				rec.Reply.ServedModel = name
				return rec
			})
			expect := want
			if !exact {
				expect = Quiet
			}
			if d.Verdict() != expect || (len(w.Days()[0].Served) > 0) != (want == Alarm) {
				t.Errorf("%q, exact %t: %s, %+v", name, exact, d.Verdict(), w.Days()[0])
			}
		}
	}
}

// TestEveryItemTwice raises an alarm where each item deviates in its last two calls, although the
// tolerance is so large that the capital does not.
func TestEveryItemTwice(t *testing.T) {
	for _, right := range []int{0, 1} {
		w, err := NewWatch(enrolledWords(6, 0.2), 1e-300, 365, 1, Rules{})
		if err != nil {
			t.Fatal(err)
		}
		var alarm bool
		for day := range 4 {
			today(t, w, day, func(r verbatim.Request) verbatim.Record {
				if right > 0 && r.Prompt[0].Content[0].Text == "word3" {
					return says(r, "x")
				}
				return says(r, "y")
			})
			if day, ok := w.Alarm(); ok {
				alarm = day.Alarm == "every item deviates twice in a row"
				break
			}
		}
		if alarm != (right == 0) {
			t.Errorf("with %d right items: %t, %+v", right, alarm, w.Days())
		}
	}
}

// TestStreaks counts the last deviations of an item in a row.
func TestStreaks(t *testing.T) {
	w := newTestWatch(t, enrolledWords(6, 0.2), Rules{})
	d, err := w.Today(date(0), 0, verbatim.Params{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct {
		answer string
		want   int
	}{{"y", 1}, {"y", 2}, {"x", 0}, {"y", 1}} {
		d.drawn[i] = 3
		d.set(int64(i), call{state: replied, answer: c.answer})
		if w.streaks[3] != c.want {
			t.Errorf("after call %d: %d deviations in a row, want %d", i, w.streaks[3], c.want)
		}
	}
}

// TestContractAlarm raises an alarm for a contract that held before, and for no other.
func TestContractAlarm(t *testing.T) {
	for _, c := range []struct {
		first, second string
		want          bool
	}{
		{"held: token limit, stop sequence; broken: system prompt", "held: token limit, stop sequence; broken: system prompt", false},
		{"held: token limit, stop sequence", "held: token limit; broken: stop sequence", true},
		{"not testable", "broken: token limit", false},
	} {
		w := newTestWatch(t, enrolledWords(24, 0.05), Rules{})
		w.Keep(ReadContracts(c.first))
		if err := w.AddContracts(date(8), ReadContracts(c.second)); err != nil {
			t.Fatal(err)
		}
		if day, alarm := w.Alarm(); alarm != c.want || c.want && day.Alarm != "a contract that held is broken: stop sequence" {
			t.Errorf("%+v: %+v", c, day)
		}
	}
}

// TestSeen compares days until the alarm after a change on day 100 with those of an independent
// implementation, which simulated 100 watches for each rate. A quantile of 100 has an error of 0.05
// (median) and 0.04 (four of five) in the share of watches below it, and ours have theirs: the
// reference must lie within 3 errors.
func TestSeen(t *testing.T) {
	const watches, errors = 1000, 3.0
	m := Model{Alpha: 0.01, Tolerance: 0.05, Horizon: 365, Before: 0.01, Day: 100}
	for _, c := range []struct {
		rate         float64
		median, most int // of the reference
	}{{.1, 25, 51}, {.15, 7, 13}, {.25, 2, 4}, {.36, 1, 2}, {.6, 0, 0}, {1, 0, 0}} {
		r := rand.New(rand.NewPCG(7, uint64(1000*c.rate)))
		within := map[int]int{}
		for range watches {
			if day, ok := m.alarm(c.rate, r); ok {
				for d := day; d <= c.most; d++ {
					within[d]++
				}
			}
		}
		for day, share := range map[int]float64{c.median: .5, c.most: .8} {
			if c.median == c.most {
				share = .5
			}
			se := math.Sqrt(share * (1 - share) * (1./100 + 1./watches))
			before, upTo := float64(within[day-1])/watches, float64(within[day])/watches
			if before > share+errors*se || upTo < share-errors*se {
				t.Errorf("%g: %g of the watches have an alarm before day %d and %g up to it, want %g between them", c.rate, before, day, upTo, share)
			}
		}
	}
	if s := m.Seen(.05, 200); s.Median != nil || s.Share > 0.02 {
		t.Errorf("at the tolerance: %+v", s)
	}
	if s := m.Seen(.25, 400); s.Median == nil || s.Most == nil || *s.Median < 1 || *s.Median > 3 || *s.Most < 3 || *s.Most > 5 || s.Share != 1 {
		t.Errorf("%+v", s)
	}
}

// TestDailyDraw pins which items a day sends, so that an interrupted run goes on.
func TestDailyDraw(t *testing.T) {
	d, err := newTestWatch(t, enrolledWords(24, 0.05), Rules{}).Today("2026-11-25", 1, verbatim.Params{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if want := []int{6, 4, 11, 22, 10, 22, 23, 7, 21, 17, 21, 13}; !slices.Equal(d.drawn[:Usual], want) {
		t.Errorf("%v, want %v", d.drawn[:Usual], want)
	}
}

// TestContractCalls: a test of contracts sends calls of the watched contracts only, a second call
// of each that looks broken, and counts them. Its progress may be read while it runs.
func TestContractCalls(t *testing.T) {
	calls := preflight.Calls(preflight.Config{Wire: "chat", Seed: 1})
	for _, c := range []struct {
		name    string
		text    func(call *preflight.Call) string
		verdict string
		sent    int
	}{
		{"the right answers", func(call *preflight.Call) string { return call.Item.Want.Text }, "held: system prompt; broken: token limit, stop sequence", 6},
		{"other texts", func(*preflight.Call) string { return "something else" }, noContract, 4},
	} {
		test := NewContractTest(preflight.Config{Wire: "chat", Seed: 1})
		var reader sync.WaitGroup
		stop := make(chan struct{})
		reader.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					test.Progress()
				}
			}
		})
		sent := 0
		for done := []verbatim.Record(nil); ; sent++ {
			requests, err := test.Next(done)
			if err != nil || len(requests) > 1 {
				t.Fatalf("%s: %d requests, %v", c.name, len(requests), err)
			}
			if ended, all := test.Progress(); ended != sent || all != MaxContractCalls {
				t.Errorf("%s: %d of %d after %d calls", c.name, ended, all, sent)
			}
			done = nil
			for _, r := range requests {
				call := &calls[r.Seq]
				if !slices.Contains(watched(), call.Contract) || r.Item.ID != call.Item.ID {
					t.Errorf("%s: call %s of %s at position %d", c.name, r.Item.ID, call.Contract, r.Seq)
				}
				done = append(done, verbatim.Record{Seq: r.Seq, Outcome: verbatim.Pass, Reply: &verbatim.Reply{Text: c.text(call), Finish: verbatim.FinishStop}})
			}
			if requests == nil {
				break
			}
			if test.Verdict() != "" {
				t.Errorf("%s: %q before the end", c.name, test.Verdict())
			}
		}
		close(stop)
		reader.Wait()
		if sent != c.sent || test.Verdict() != c.verdict {
			t.Errorf("%s: %q after %d calls, want %q after %d", c.name, test.Verdict(), sent, c.verdict, c.sent)
		}
	}
}
