package earlystop

import (
	"math"
	"math/rand/v2"
	"testing"

	"verbatim/internal/exhaustive"
	"verbatim/internal/verdict"
)

// TestErrorRates simulates many tests to their ends, on items of very different
// difficulty in an order that is as unfair as possible (the easy ones first), with
// answers that vary between trials. No test may give a wrong verdict more often than it
// states, beyond four standard errors of the simulation.
func TestErrorRates(t *testing.T) {
	exhaustive.Only(t)
	runs := 400
	for _, c := range []struct {
		name        string
		drop        float64
		worst, pass float64 // the largest share that may be found worse, or pass
	}{
		{"unchanged", 0, 0.025, 1},
		{"on the margin", 0.05, 0.05, 0.05}, // bets and last look, 2.5 % each
		{"beyond it", 0.12, 1, 0.025},
	} {
		count, outside := map[verdict.Word]float64{}, 0.0
		for i := range runs {
			rng := rand.New(rand.NewPCG(uint64(i), 5))
			w := newWorld(4, 60)
			for seq := range w.records {
				// 0.5 to 1, rising with the position; the drop is the same for all.
				p := 0.55 + 0.45*float64(len(w.records)-seq)/float64(len(w.records))
				w.records[seq] = record(int64(seq), w.records[seq].Item.Facts["length"], answered(rng, p))
				w.now[seq] = answered(rng, p-c.drop)
			}
			test := w.gate(t)
			w.drive(t, test, rng, 1<<30)
			count[test.word()]++
			got := tested(t, test)
			in := got.Deciding
			if in.Low > in.High || got.Word == verdict.Pass && in.Low < -got.Bound || got.Word == verdict.Worse && in.High > -got.Bound {
				t.Errorf("%s: the verdict is %s, and its interval %+v", c.name, got.Word, in)
			}
			if got.Word.Settled() && in.Kind == Anytime == got.FinalLook {
				t.Errorf("%s: final look %v, and its interval is %s", c.name, got.FinalLook, in.Kind)
			}
			if in.Low > -c.drop+1e-9 || in.High < -c.drop-1e-9 {
				outside++
			}
			if e := got.BaselineError; e == nil || math.Abs(e.SE-0.027) > 0.01 || e.Trials != 1 || e.TrialsNeeded < 2 || e.TrialsNeeded > 9 {
				t.Errorf("%s: the error of the baseline is %+v", c.name, e)
			}
		}
		n := float64(runs)
		if share := outside / n; share > 0.05+4*math.Sqrt(0.05*0.95/n) {
			t.Errorf("%s: %.3f of the deciding intervals miss the difference", c.name, share)
		}
		most := func(rate float64) float64 { return rate + 4*math.Sqrt(rate*(1-rate)/n) }
		if count[verdict.Worse]/n > most(c.worst) || count[verdict.Pass]/n > most(c.pass) {
			t.Errorf("%s: of %d tests %v", c.name, runs, count)
		}
		t.Logf("%s: of %d tests %v", c.name, runs, count)
	}
}

func answered(rng *rand.Rand, p float64) float64 {
	if rng.Float64() < p {
		return 1
	}
	return 0
}
