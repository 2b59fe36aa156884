package verification_test

import (
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
