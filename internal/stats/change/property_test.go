package change_test

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"math"
	"math/bits"
	"math/rand/v2"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"verbatim/internal/exhaustive"
	"verbatim/internal/stats"
	"verbatim/internal/stats/change"
)

func keys[V any](m map[string]V) iter.Seq[string] { return maps.Keys(m) }

func lists() *rapid.Generator[change.LogProbs] {
	return rapid.Custom(func(t *rapid.T) change.LogProbs {
		return rapid.MapOfN(rapid.StringMatching(`[a-d]`), rapid.Float64Range(-20, 0), 1, 4).Draw(t, "list")
	})
}

func TestDistanceIsSymmetric(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := lists().Draw(t, "a"), lists().Draw(t, "b")
		ab, err := change.Distance(a, b)
		ba, err2 := change.Distance(b, a)
		self, err3 := change.Distance(a, a)
		if errors.Join(err, err2, err3) != nil || ab != ba || ab < 0 || self != 0 {
			t.Fatalf("%v and %v: %v and %v, to itself %v (%v)", a, b, ab, ba, self, errors.Join(err, err2, err3))
		}
	})
}

func TestInvalidLists(t *testing.T) {
	good := change.LogProbs{"a": -1}
	for _, bad := range []change.LogProbs{nil, {"a": math.NaN()}, {"a": math.Inf(-1)}} {
		if _, err := change.Distance(good, bad); err == nil {
			t.Errorf("Distance takes %v", bad)
		}
		pair := change.SidePair{A: []change.LogProbs{good}, B: []change.LogProbs{bad}}
		if _, err := change.NewSpreadTest([]change.SidePair{pair}); err == nil {
			t.Errorf("NewSpreadTest takes %v", bad)
		}
	}
	if _, err := change.NewSpreadTest([]change.SidePair{{A: []change.LogProbs{good}}}); !errors.Is(err, change.ErrNoLogProbs) {
		t.Errorf("a side without replies: %v", err)
	}
	for _, u := range []float64{0, 1, -1, math.NaN()} {
		if _, err := change.NewShare(u); err == nil {
			t.Errorf("NewShare takes %v", u)
		}
	}
	w, err := change.NewWatch(.05, 1)
	if err != nil || w.NextDay() != nil || w.NextDay() == nil {
		t.Error("a watch of one day has a second one")
	}
}

// The spread test of two sides that are alike rejects with probability alpha at most.
func TestSpreadTestHoldsItsLevel(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 1))
	trials := exhaustive.Of(500, 2000)
	rejected := 0
	for range trials {
		var sides []change.SidePair
		for range 16 {
			sides = append(sides, change.SidePair{A: noisy(r, 3), B: noisy(r, 3)})
		}
		test, err := change.NewSpreadTest(sides)
		if err != nil {
			t.Fatal(err)
		}
		rejected += count(test.Differ(.05))
	}
	// A twentieth is expected at most; this is four standard errors above.
	if most := trials/20 + int(4*math.Sqrt(float64(trials)*.05*.95)); rejected > most {
		t.Errorf("%d false alarms of %d at level .05, want at most %d", rejected, trials, most)
	}
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

func noisy(r *rand.Rand, n int) (all []change.LogProbs) {
	for range n {
		all = append(all, change.LogProbs{"a": -1 + .1*r.NormFloat64(), "b": -2 + .1*r.NormFloat64(), fmt.Sprint("c", r.IntN(2)): -3})
	}
	return all
}

// Sides that are further apart than their own spread differ, and two numeric
// states that both sides have are not.
func TestSpreadTestPower(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 2))
	far := make([]change.SidePair, 16)
	states := make([]change.SidePair, 16)
	for k := range far {
		far[k] = change.SidePair{A: noisy(r, 3), B: noisy(r, 3)}
		for _, l := range far[k].B {
			l["a"] -= 2
		}
		a, b := change.LogProbs{"a": -1, "b": -2}, change.LogProbs{"a": -1.1, "b": -1.9}
		states[k] = change.SidePair{A: []change.LogProbs{a, a, b}, B: []change.LogProbs{b, b, b}}
	}
	got, err := change.NewSpreadTest(far)
	if err != nil || got.Beyond != 16 || !got.Differ(.01) || math.Abs(got.P-math.Pow(.5, 16)) > 1e-15 {
		t.Errorf("far apart: %+v, %v", got, err)
	}
	got, err = change.NewSpreadTest(states)
	if err != nil || got.Beyond != 0 || got.P != 1 || got.Shared != 16 {
		t.Errorf("shared states: %+v, %v", got, err)
	}
	// Where no repeat differs, a small difference is not enough.
	for k := range far {
		far[k] = change.SidePair{A: []change.LogProbs{{"a": -1}, {"a": -1}}, B: []change.LogProbs{{"a": -1.1}, {"a": -1.1}}}
	}
	if got, err = change.NewSpreadTest(far); err != nil || got.SpreadSeen || got.Differ(.01) || got.P > 1e-4 {
		t.Errorf("small difference, own spread not seen: %+v, %v", got, err)
	}
}

// The published numbers of trials: where every text differs, thirteen reach 1/.0025; at
// the share of the null hypothesis the level holds.
func TestShareLevelAndTrials(t *testing.T) {
	s, err := change.NewShare(.5)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for ; s.Value() < 400 && n < 100; n++ {
		s.Add(true)
	}
	if n != 13 {
		t.Errorf("1/.0025 is reached after %d differences, want 13", n)
	}
	r := rand.New(rand.NewPCG(7, 4))
	alarms, missed := 0, 0
	for range 4000 {
		null, _ := change.NewShare(.5)
		other, _ := change.NewShare(.5)
		alarm, found := false, false
		for range 45 {
			null.Add(r.Float64() < .5)
			other.Add(r.Float64() < .82)
			alarm = alarm || null.Value() >= 20
			found = found || other.Value() >= 400
		}
		alarms += count(alarm)
		missed += count(!found)
	}
	if alarms > 255 { // 200 expected at most, four standard errors above
		t.Errorf("%d false alarms of 4000 at level .05", alarms)
	}
	if missed > 1000 {
		t.Errorf("a share of .82 is missed in %d of 4000, want 800", missed)
	}
}

// Simulated years at the tolerance: an alarm in at most one of a hundred.
func TestWatchYears(t *testing.T) {
	years := 500
	if exhaustive.All() {
		years = 10_000
	}
	const u, alpha, days, trials = .05, .01, 365, 12
	r := rand.New(rand.NewPCG(7, 5))
	// year returns the day of the alarm, 0 for none. Up to 180 trials a day are made while
	// the value is 2 or more.
	year := func(before, after float64, from int) (alarmDay int) {
		w, err := change.NewWatch(u, days)
		if err != nil {
			t.Fatal(err)
		}
		for day := range days {
			if err := w.NextDay(); err != nil {
				t.Fatal(err)
			}
			share := before
			if day >= from {
				share = after
			}
			for n := 0; n < trials || n < 180 && w.Value() >= 2; n++ {
				w.Add(r.Float64() < share)
				if w.Value() >= 1/alpha {
					return w.Day()
				}
			}
		}
		return 0
	}
	alarms := 0
	for range years {
		alarms += count(year(u, u, 0) > 0)
	}
	limit := float64(years)*alpha + 4*math.Sqrt(float64(years)*alpha)
	if float64(alarms) > limit {
		t.Errorf("an alarm in %d of %d years, want at most %.0f", alarms, years, limit)
	}
	// After a change on day 100 from 1 to 25 %, four watches of five raise an alarm within
	// four days.
	late := 0
	for range 400 {
		if d := year(.01, .25, 99); d < 100 || d > 104 {
			late++
		}
	}
	if late > 120 {
		t.Errorf("a change to 25 %% is found after the fourth day in %d of 400 watches, want 80", late)
	}
}

// TestSignTest counts every way in which the pairs may fall.
func TestSignTest(t *testing.T) {
	for n := range 13 {
		for a := range n + 1 {
			extreme := 0
			for mask := range 1 << n {
				if k := bits.OnesCount(uint(mask)); max(k, n-k) >= max(a, n-a) {
					extreme++
				}
			}
			want := float64(extreme) / math.Pow(2, float64(n))
			if got := stats.SignTest(int64(a), int64(n-a)); math.Abs(got-want) > 1e-12 {
				t.Errorf("%d and %d: p %v, want %v", a, n-a, got, want)
			}
		}
	}
}

// SharePower against simulated sequences, and DetectableShare against SharePower.
func TestSharePower(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 6))
	for _, c := range []struct {
		q float64
		n int
	}{{.5, 48}, {.7, 30}, {.85, 30}, {.95, 12}, {1, 10}} {
		const trials, alpha = 4000, .01
		reached := 0
		for range trials {
			s, err := change.NewShare(.5)
			if err != nil {
				t.Fatal(err)
			}
			for range c.n {
				s.Add(r.Float64() < c.q)
				if s.Value() >= 1/alpha {
					reached++
					break
				}
			}
		}
		got, want := change.SharePower(.5, c.q, alpha, c.n), float64(reached)/trials
		if math.Abs(got-want) > 4*math.Sqrt(want*(1-want)/trials)+1e-3 {
			t.Errorf("%v of %d trials: power %.4f, simulated %.4f", c.q, c.n, got, want)
		}
	}
	q, ok := change.DetectableShare(.5, .01, .8, 48)
	if p := change.SharePower(.5, q, .01, 48); !ok || p < .8 || change.SharePower(.5, q-.001, .01, 48) >= .8 {
		t.Errorf("detectable share %v, %v: power %v", q, ok, p)
	}
	if q, ok := change.DetectableShare(.5, .01, .8, 3); ok {
		t.Errorf("three trials detect %v", q)
	}
}

// TestSpreadTestSticks compares two processes of one build, each of which settles in one of five
// states for each prompt and rarely leaves it. The replies of a side look alike, and those of the
// sides do not: that is no difference.
func TestSpreadTestSticks(t *testing.T) {
	exhaustive.Only(t)
	const runs = 500
	r := rand.New(rand.NewPCG(5, 1))
	rejected := 0
	for range runs {
		var pairs []change.SidePair
		for range 16 {
			states := make([]change.LogProbs, 5)
			for i := range states {
				states[i] = change.LogProbs{}
				for k := range 20 {
					states[i][strconv.Itoa(k)] = -3 + 0.07*r.NormFloat64()
				}
			}
			var p change.SidePair
			for _, to := range []*[]change.LogProbs{&p.A, &p.B} {
				at := r.IntN(len(states))
				for range 3 {
					if r.Float64() < 0.05 {
						at = r.IntN(len(states))
					}
					*to = append(*to, states[at])
				}
			}
			pairs = append(pairs, p)
		}
		test, err := change.NewSpreadTest(pairs)
		if err != nil {
			t.Fatal(err)
		}
		if test.Differ(.01) {
			rejected++
		}
	}
	if rejected > runs/100 {
		t.Errorf("%d of %d pairs of processes are called different", rejected, runs)
	}
}
