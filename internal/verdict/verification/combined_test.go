package verification_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"verbatim"
	"verbatim/internal/exhaustive"
	"verbatim/internal/verdict/verification"
)

func resultOf(word verification.Word, texts float64, tests int) *verification.Result {
	return &verification.Result{Word: word, Alpha: .01, Tests: tests, Level: .005 / float64(tests),
		Probes: []verification.Probe{{Name: verification.Texts, P: texts, Adjusted: 1}, {Name: verification.Exact, P: 1, Adjusted: 1}}}
}

// A later step of Holm's method rejects more after all tests have ended. A test without
// a verdict stays without one, and a difference that stopped a test stays a difference.
func TestCombine(t *testing.T) {
	const same, differ, undecided = verification.NoDifference, verification.Differ, verification.Undecided
	for _, c := range []struct {
		name    string
		results []*verification.Result
		want    []verification.Word
	}{
		{"a later step", []*verification.Result{resultOf(differ, 1e-6, 2), resultOf(same, .003, 2)}, []verification.Word{differ, differ}},
		{"no first step, no later one", []*verification.Result{resultOf(same, .0026, 2), resultOf(same, .003, 2)}, []verification.Word{same, same}},
		{"undecided counts as nothing found", []*verification.Result{resultOf(undecided, 1e-6, 2), resultOf(same, .003, 2)}, []verification.Word{undecided, same}},
		{"at the level exactly", []*verification.Result{resultOf(differ, .005/3, 3), resultOf(same, 1, 3), resultOf(same, 1, 3)}, []verification.Word{differ, same, same}},
	} {
		verification.Combine(c.results)
		for i, r := range c.results {
			if r.Word != c.want[i] || (r.Word == differ) != (r.Probes[0].Adjusted <= r.Alpha) {
				t.Errorf("%s: test %d: %s, adjusted %v", c.name, i, r.Word, r.Probes[0].Adjusted)
			}
		}
	}
}

// Commands that compare several equal endpoints: the rate of any false alarm is at most alpha, and
// one endpoint that differs does not raise that of the others.
func TestFalseAlarmsOfSeveral(t *testing.T) {
	exhaustive.Only(t)
	commands := 400
	alarms, found := 0, 0
	for i := range uint64(commands) {
		var results []*verification.Result
		for k, w := range []world{{own: .5}, {other: .5}, {other: 1}, {own: .2, other: .45}} {
			w.prompts, w.r = 48, rand.New(rand.NewPCG(i, uint64(k)))
			test, err := verification.New(verification.Config{Positions: positions(48), Alpha: .01, Tests: 4, Share: .5, MaxMissing: .02,
				Request: func(position int64) (verbatim.Request, error) { return verbatim.Request{Seq: position}, nil }})
			if err != nil {
				t.Fatal(err)
			}
			r, _ := w.run(t, test)
			results = append(results, r)
		}
		verification.Combine(results)
		for k, r := range results {
			switch {
			case r.Word == verification.Undecided:
				t.Fatalf("%+v", r)
			case r.Word == verification.NoDifference:
			case k == 2:
				found++
			default:
				alarms++
			}
		}
	}
	if limit := float64(commands)*.01 + 4*math.Sqrt(float64(commands)*.01); float64(alarms) > limit || found < commands {
		t.Errorf("%d false alarms in %d commands, at most %.0f; %d of %d differences found", alarms, commands, limit, found, commands)
	}
}

// A router is a world whose side B has several upstreams. Each has the probability that its reply
// to a prompt is another one than A's, and wrong.
type router struct {
	r       *rand.Rand
	prompts int
	other   map[string]float64 // by upstream
	sticky  bool               // a prompt has one upstream
	late    int                // prompts before which only the first upstream answers
	mixed   bool               // compared together
	own     float64            // probability of an unusual reply, on both sides
}

// run sends all requests of a test.
func (w *router) run(t testing.TB) *verification.Result {
	t.Helper()
	c := verification.Config{Positions: positions(w.prompts), Alpha: .01, Share: .5, MaxMissing: .02,
		Request:  func(position int64) (verbatim.Request, error) { return verbatim.Request{Seq: position}, nil },
		Upstream: func(rec *verbatim.Record) string { return rec.Reply.Fingerprint }}
	if w.mixed {
		c.Upstream = nil
	}
	test, err := verification.New(c)
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"alpha", "beta"}[:len(w.other)]
	var done [2][]verbatim.Record
	usual := map[int64]string{}
	for ended := [2]bool{}; ended != [2]bool{true, true}; {
		for side := range done {
			if ended[side] {
				continue
			}
			requests, err := test.Source(side).Next(done[side])
			if err != nil {
				t.Fatal(err)
			}
			ended[side], done[side] = requests == nil, nil
			for _, r := range requests {
				k := r.Seq % int64(w.prompts)
				rec := verbatim.Record{Seq: r.Seq, Outcome: verbatim.Pass, Reply: &verbatim.Reply{Text: "a"}, Grade: &verbatim.Grade{Outcome: verbatim.Pass, Exact: true}}
				if side == 1 {
					who := names[w.r.IntN(len(names))]
					if known := usual[k]; w.sticky && known != "" {
						who = known
					}
					if int(k) < w.late {
						who = names[0]
					}
					usual[k] = who
					rec.Reply.Fingerprint = who
					if rand.New(rand.NewPCG(uint64(k), uint64(len(who)))).Float64() < w.other[who] {
						rec.Reply.Text, rec.Outcome, rec.Grade = "b", verbatim.Wrong, &verbatim.Grade{Outcome: verbatim.Wrong}
					}
				}
				if w.r.Float64() < w.own {
					rec.Reply.Text = fmt.Sprint(w.r.IntN(3))
				}
				done[side] = append(done[side], rec)
			}
		}
	}
	return test.Result()
}

// Replies of several upstreams are compared separately: one that answers differently is
// found and named. Without enough prompts of each the test is undecided.
func TestUpstreams(t *testing.T) {
	const same, differ, undecided = verification.NoDifference, verification.Differ, verification.Undecided
	for _, c := range []struct {
		name   string
		w      router
		want   verification.Word
		strata int
	}{
		{"one upstream", router{prompts: 48, other: map[string]float64{"alpha": 0}}, same, 0},
		{"two that answer alike, few prompts", router{prompts: 32, other: map[string]float64{"alpha": 0, "beta": 0}}, undecided, 2},
		{"two that answer alike, many prompts", router{prompts: 200, other: map[string]float64{"alpha": 0, "beta": 0}}, same, 2},
		{"two that answer alike, sticky", router{prompts: 96, sticky: true, other: map[string]float64{"alpha": 0, "beta": 0}}, same, 2},
		{"one of two is wrong", router{prompts: 48, other: map[string]float64{"alpha": 0, "beta": 1}}, differ, 2},
		{"compared together", router{prompts: 48, mixed: true, other: map[string]float64{"alpha": 0, "beta": 0}}, same, 0},
		{"another one comes late", router{prompts: 48, late: 24, other: map[string]float64{"alpha": 0, "beta": 0}}, undecided, 0},
	} {
		for seed := range uint64(20) {
			c.w.r = rand.New(rand.NewPCG(seed, 3))
			r := c.w.run(t)
			if r.Word != c.want || len(r.Upstreams) != c.strata || !r.Finished || (c.want == undecided) != r.TooFew || r.TooMany {
				t.Fatalf("%s, seed %d: %s with %d pairs of upstreams, finished %v, too few %v, late %d", c.name, seed, r.Word, len(r.Upstreams), r.Finished, r.TooFew, r.Late)
			}
			for _, p := range r.Probes {
				if p.Adjusted <= .01 && c.strata > 0 && p.Upstreams[1] != "beta" {
					t.Fatalf("%s: %s of %v rejects", c.name, p.Name, *p.Upstreams)
				}
			}
		}
	}
}

// Upstreams that differ in no more than half of the texts raise no alarm.
func TestUpstreamFalseAlarms(t *testing.T) {
	exhaustive.Only(t)
	attempts := 300
	alarms := 0
	for seed := range uint64(attempts) {
		w := router{prompts: 96, other: map[string]float64{"alpha": 0, "beta": 0}, own: .5, sticky: seed%2 == 0, r: rand.New(rand.NewPCG(seed, 5))}
		if w.run(t).Word == verification.Differ {
			alarms++
		}
	}
	if limit := float64(attempts)*.01 + 4*math.Sqrt(float64(attempts)*.01); float64(alarms) > limit {
		t.Errorf("%d of %d, at most %.0f", alarms, attempts, limit)
	}
}
