package verification_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"verbatim"
	"verbatim/internal/exhaustive"
	"verbatim/internal/testmain"
	"verbatim/internal/verdict/verification"
)

// A world is two endpoints whose replies are drawn at random.
type world struct {
	r       *rand.Rand
	prompts int
	// own is the probability that a reply is not the endpoint's usual one. other is the
	// probability that B's usual reply to a prompt is another than A's. worse is the
	// probability that B's usual reply is wrong where A's is right.
	own, other, worse float64
	lost              float64 // probability of a request without a reply, on side B
}

// positions numbers the requests of the first trial, then those of the second.
func positions(n int) (p [2][]int64) {
	for trial := range p {
		for k := range n {
			p[trial] = append(p[trial], int64(trial*n+k))
		}
	}
	return p
}

func newTest(t testing.TB, n int) *verification.Test {
	t.Helper()
	v, err := verification.New(verification.Config{
		Positions: positions(n), Alpha: .01, Share: .5, MaxMissing: .02,
		Request: func(position int64) (verbatim.Request, error) { return verbatim.Request{Seq: position}, nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// usual returns the usual reply of each side to each prompt.
func (w *world) usual() (replies [][2]string, exact [][2]bool) {
	for range w.prompts {
		reply, right := [2]string{"a", "a"}, [2]bool{true, true}
		if w.r.Float64() < w.other {
			reply[1] = "b"
		}
		if w.r.Float64() < w.worse {
			reply[1], right[1] = "c", false
		}
		replies, exact = append(replies, reply), append(exact, right)
	}
	return replies, exact
}

// answer returns the record of a request.
func (w *world) answer(side int, seq int64, replies [][2]string, exact [][2]bool) verbatim.Record {
	k := int(seq) % w.prompts
	if side == 1 && w.r.Float64() < w.lost {
		return verbatim.Record{Seq: seq, Outcome: verbatim.Errored, Failure: &verbatim.Failure{}}
	}
	text, right := replies[k][side], exact[k][side]
	if w.r.Float64() < w.own {
		text = fmt.Sprint(w.r.IntN(3))
	}
	outcome := verbatim.Wrong
	if right {
		outcome = verbatim.Pass
	}
	return verbatim.Record{Seq: seq, Outcome: outcome, Reply: &verbatim.Reply{Text: text}, Grade: &verbatim.Grade{Outcome: outcome, Exact: right}}
}

// run sends all requests of a test, and returns its result and all records.
func (w *world) run(t testing.TB, v *verification.Test) (*verification.Result, [2][]verbatim.Record) {
	t.Helper()
	replies, exact := w.usual()
	var saved, done [2][]verbatim.Record
	sources := [2]verbatim.Source{v.Source(0), v.Source(1)}
	for ended := [2]bool{}; ended != [2]bool{true, true}; {
		for side, source := range sources {
			if ended[side] {
				continue
			}
			requests, err := source.Next(done[side])
			if err != nil {
				t.Fatal(err)
			}
			ended[side] = requests == nil
			done[side] = nil
			for _, r := range requests {
				done[side] = append(done[side], w.answer(side, r.Seq, replies, exact))
			}
			saved[side] = append(saved[side], done[side]...)
		}
	}
	return v.Result(), saved
}

// words counts the verdicts of many tests.
func words(t *testing.T, w world, attempts int) map[verification.Word]int {
	t.Helper()
	found := map[verification.Word]int{}
	for i := range attempts {
		w.r = rand.New(rand.NewPCG(uint64(i), 9))
		result, _ := w.run(t, newTest(t, w.prompts))
		found[result.Word]++
	}
	return found
}

// One endpoint compared with itself, whether or not its texts vary, is not different; nor
// is one whose texts differ at as many prompts as numerics change.
func TestFalseAlarms(t *testing.T) {
	exhaustive.Only(t)
	attempts := 500
	for _, w := range []world{
		{prompts: 48}, {prompts: 48, own: .1}, {prompts: 48, own: .5}, {prompts: 48, own: .9}, {prompts: 48, other: .4}, {prompts: 48, other: .5, own: .2}, {prompts: 100, other: .5},
	} {
		found := words(t, w, attempts)
		if limit := float64(attempts)*.01 + 4*math.Sqrt(float64(attempts)*.01); float64(found[verification.Differ]) > limit || found[verification.Undecided] > 0 {
			t.Errorf("%+v: %v, want at most %.0f that differ", w, found, limit)
		}
	}
}

func TestDifferences(t *testing.T) {
	for _, w := range []world{
		{prompts: 48, other: .92}, {prompts: 48, other: 1, own: .2}, {prompts: 48, worse: .3}, {prompts: 48, worse: .4, own: .1},
	} {
		runs := exhaustive.Of(60, 200)
		if found := words(t, w, runs); found[verification.Differ] < runs*8/10 {
			t.Errorf("%+v: %v, want at least 80 %% that differ", w, found)
		}
	}
	if found := words(t, world{prompts: 48, lost: .1}, 50); found[verification.Undecided] != 50 {
		t.Errorf("10 %% without a reply: %v, want all undecided", found)
	}
}

// A test that differs stops early.
func TestStopsEarly(t *testing.T) {
	w := world{prompts: 48, other: 1, r: rand.New(rand.NewPCG(1, 9))}
	result, saved := w.run(t, newTest(t, 48))
	if result.Word != verification.Differ || result.Prompts > 13 || len(saved[0]) > 28 {
		t.Errorf("%+v after %d requests", result, len(saved[0]))
	}
	if first := result.Probes[0]; first.Name != verification.Texts || first.Adjusted > .01 {
		t.Errorf("probes %+v", result.Probes)
	}
}

// A result is a function of the records: whatever was saved when a test was interrupted,
// the continued test says the same.
func TestResume(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		w := world{prompts: 30, own: rapid.Float64Range(0, .5).Draw(rt, "own"), other: rapid.Float64Range(0, 1).Draw(rt, "other"), worse: rapid.Float64Range(0, .5).Draw(rt, "worse"),
			r: rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 9))}
		want, saved := w.run(t, newTest(t, w.prompts))
		again := newTest(t, w.prompts)
		for side := range saved {
			w.r.Shuffle(len(saved[side]), func(i, j int) { saved[side][i], saved[side][j] = saved[side][j], saved[side][i] })
			for i := range saved[side] {
				if err := again.Resume(side, &saved[side][i]); err != nil {
					rt.Fatal(err)
				}
			}
			if requests, err := again.Source(side).Next(nil); side == 1 && (err != nil || len(requests) > 0) {
				rt.Fatalf("more requests after the end: %v, %v", requests, err)
			}
		}
		if got := again.Result(); !reflect.DeepEqual(got, want) {
			rt.Fatalf("got %+v, want %+v", got, want)
		}
	})
}

// The first time a prompt is sent alone; the second time at least twelve others were sent
// in between, and others are in flight.
func TestOrder(t *testing.T) {
	v := newTest(t, 30)
	source := v.Source(0)
	var done []verbatim.Record
	sent := map[int64]int{}
	most := 0
	for n := 0; ; {
		requests, err := source.Next(done)
		if err != nil {
			t.Fatal(err)
		}
		if requests == nil {
			break
		}
		done = nil
		for _, r := range requests {
			if r.Seq < 30 && len(requests) != 1 {
				t.Fatalf("%d requests in flight the first time", len(requests))
			}
			if first, ok := sent[r.Seq-30]; ok && n-first < 12 && n < 48 {
				t.Fatalf("prompt %d is sent again after %d others", r.Seq-30, n-first-1)
			}
			sent[r.Seq] = n
			n++
			done = append(done, verbatim.Record{Seq: r.Seq, Outcome: verbatim.Wrong, Reply: &verbatim.Reply{Text: "x"}, Grade: &verbatim.Grade{}})
		}
		most = max(most, len(requests))
	}
	if len(sent) != 60 || most != verification.InFlight {
		t.Errorf("%d requests, at most %d in flight", len(sent), most)
	}
}

func TestBadConfig(t *testing.T) {
	for _, c := range []verification.Config{
		{Alpha: .01, Share: .5}, {Positions: positions(3), Share: .5}, {Positions: positions(3), Alpha: .01}, {Positions: positions(3), Alpha: 1, Share: .5},
	} {
		if _, err := verification.New(c); err == nil {
			t.Errorf("%+v is no error", c)
		}
	}
	if err := newTest(t, 3).Resume(0, &verbatim.Record{Seq: 99, Outcome: verbatim.Wrong, Reply: &verbatim.Reply{}}); err == nil {
		t.Error("a record outside of the plan is no error")
	}
}

// Only the beginning of texts is compared: longer texts differ more often, whatever the reason.
func TestComparedBytes(t *testing.T) {
	for at, differ := range map[int]bool{0: true, 111: true, 112: false, 500: false} {
		test := newTest(t, 20)
		for k := range int64(20) {
			for side := range 2 {
				for _, seq := range []int64{k, 20 + k} {
					text := []byte(strings.Repeat("x", 600))
					text[at] += byte(side)
					rec := verbatim.Record{Seq: seq, Outcome: verbatim.Wrong, Reply: &verbatim.Reply{Text: string(text)}, Grade: &verbatim.Grade{}}
					if err := test.Resume(side, &rec); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		if got := test.Result(); (got.Word == verification.Differ) != differ {
			t.Errorf("texts that differ from byte %d: %s, %d beyond", at, got.Word, got.Beyond)
		}
	}
}

// With All a test that differs sends everything, and its verdict is the same.
func TestAll(t *testing.T) {
	for _, w := range []world{{prompts: 30, other: 1}, {prompts: 30, other: .3}} {
		var words []verification.Word
		for _, all := range []bool{false, true} {
			test, err := verification.New(verification.Config{Positions: positions(30), Alpha: .01, Share: .5, MaxMissing: .02, All: all,
				Request: func(position int64) (verbatim.Request, error) { return verbatim.Request{Seq: position}, nil }})
			if err != nil {
				t.Fatal(err)
			}
			w.r = rand.New(rand.NewPCG(1, 9))
			r, saved := w.run(t, test)
			words = append(words, r.Word)
			if !r.Finished || all && (len(saved[0]) != 60 || r.Prompts != 30) || !all && w.other == 1 && len(saved[0]) > 28 {
				t.Errorf("all %v: %d requests, %d prompts, finished %v", all, len(saved[0]), r.Prompts, r.Finished)
			}
		}
		if words[0] != words[1] {
			t.Errorf("%v: %v", w.other, words)
		}
	}
	// Log probabilities that have decided do not end it either.
	test, err := verification.New(verification.Config{Positions: positions(12), Alpha: .01, Share: .5, MaxMissing: .02, All: true, Logprobs: &verification.LogprobResult{Offered: true, Finished: true, P: 1e-5},
		Request: func(position int64) (verbatim.Request, error) { return verbatim.Request{Seq: position}, nil }})
	if err != nil {
		t.Fatal(err)
	}
	w := world{prompts: 12, r: rand.New(rand.NewPCG(1, 9))}
	if r, _ := w.run(t, test); r.Word != verification.Differ || r.Prompts != 12 || !r.Finished {
		t.Errorf("%s after %d prompts", r.Word, r.Prompts)
	}
}

func TestMain(m *testing.M) { testmain.Main(m) }
