package horizonsearch

import (
	"math"
	"math/rand/v2"
	"testing"

	"verbatim"
	"verbatim/internal/exhaustive"
)

// TestHoles: a model that is right in 10 % of answers in a range of lengths, and right below and above,
// has no horizon, wherever the hole is. Of models whose share does not rise with the length, at most
// 1 % have a hole, whatever their slope and lapses.
func TestHoles(t *testing.T) {
	holed := func(from, to int) func(uint64) func(verbatim.Request) verbatim.Record {
		return func(seed uint64) func(verbatim.Request) verbatim.Record {
			return func(r verbatim.Request) verbatim.Record {
				n, _ := lengthOf(&verbatim.Record{Item: r.Item})
				share := 0.98
				if from <= n && n <= to {
					share = 0.1
				}
				return answeredAs(r.Seq, r.Item, rand.New(rand.NewPCG(seed, uint64(r.Seq))).Float64() < share)
			}
		}
	}
	monotone := func(m madeUp) func(uint64) func(verbatim.Request) verbatim.Record {
		return func(seed uint64) func(verbatim.Request) verbatim.Record { return luckily(m, seed) }
	}
	runs := exhaustive.Of(20, 400)
	for _, c := range []struct {
		name     string
		model    func(seed uint64) func(verbatim.Request) verbatim.Record
		from, to int
		least    float64 // share of searches that find the hole
	}{
		{"hole at 3 to 6", holed(3, 6), 3, 6, 0.9},
		{"hole at 16 to 64", holed(16, 64), 16, 64, 0.9},
		{"hole at 91 to 181", holed(91, 181), 91, 181, 0.9},
		{"always right", monotone(madeUp{1e6, 2, 0, 0}), 0, 0, 0},
		{"lapses", monotone(madeUp{1e6, 2, 0.45, 0}), 0, 0, 0},
		{"slow", monotone(madeUp{32, 0.5, 0, 0}), 0, 0, 0},
		{"slow, long", monotone(madeUp{200, 0.8, 0.2, 0}), 0, 0, 0},
		{"a step", monotone(madeUp{45, 1e6, 0.1, 0.05}), 0, 0, 0},
		{"never", monotone(madeUp{1e6, 2, 0.55, 0}), 0, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			found, items := 0, 0
			for seed := range uint64(runs) {
				config := searchOf(80, 0.75, 1+int(seed)%2*7)
				config.Seed = seed
				saved := play(t, start(t, config, nil), first, c.model(seed))
				items += len(saved)
				l, err := HorizonOf(searched, saved, strictly)
				if err != nil {
					t.Fatal(err)
				}
				if l.Hole == nil {
					if c.least > 0 && (l.Above > 0.5 || l.L50 != nil && *l.L50 > float64(c.to)) {
						t.Errorf("seed %d: the horizon is %s, above the hole", seed, l.Text)
					}
					continue
				}
				found++
				if h := l.Hole; l.L50 != nil || l.Text != HoleText || c.least > 0 && (h.To < c.from || h.From > c.to) {
					t.Errorf("%+v, %+v", l, h)
				}
			}
			share, n := float64(found)/float64(runs), float64(runs)
			t.Logf("%s: %.3f of %d searches find a hole; %d items", c.name, share, runs, items/runs)
			if share < c.least || c.least == 0 && share > 0.01+2*math.Sqrt(0.01*0.99/n) {
				t.Errorf("%s: %.3f of %d searches find a hole", c.name, share, runs)
			}
		})
	}
}
