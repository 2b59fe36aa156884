package stats_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"

	"verbatim/internal/stats"
)

// streams are the sequences of the reference figures: the i-th value, from 0.
func streams() map[string]func(i int) float64 {
	return map[string]func(i int) float64{
		"zeros":      func(int) float64 { return 0 },
		"ones":       func(int) float64 { return 1 },
		"minus_ones": func(int) float64 { return -1 },
		"plus_0.1":   func(int) float64 { return 0.1 },
		"alt_+1_-1":  func(i int) float64 { return float64(1 - 2*(i%2)) },
		"every10th_-1": func(i int) float64 {
			if i%10 == 9 {
				return -1
			}
			return 0
		},
	}
}

// stop feeds at most 1,440 values and returns the decision and the number of
// values that it took, 0 where it was not made.
func stop(t testing.TB, add func([]float64) (stats.Decision, error), value func(int) float64, block int) (stats.Decision, int) {
	t.Helper()
	for i := 0; i < 1440; i += block {
		x := make([]float64, block)
		for k := range x {
			x[k] = value(i + k)
		}
		d, err := add(x)
		if err != nil {
			t.Fatal(err)
		}
		if d != stats.Undecided {
			return d, i + block
		}
	}
	return stats.Undecided, 0
}

// The figures were computed by another program.
func TestSequentialReference(t *testing.T) {
	for _, c := range []struct {
		stream   string
		rope     float64
		n, block int
		want     stats.Decision
		at       int
	}{
		{"zeros", .02, 0, 1, stats.Equivalent, 265},
		{"zeros", .02, 1440, 8, stats.Equivalent, 248},
		{"zeros", .05, 0, 1, stats.Equivalent, 104},
		{"ones", .02, 0, 1, stats.Better, 9},
		{"minus_ones", .02, 0, 1, stats.Worse, 9},
		{"plus_0.1", .02, 0, 1, stats.Better, 82},
		{"plus_0.1", .02, 1440, 8, stats.Better, 80},
		{"every10th_-1", .02, 0, 1, stats.Worse, 120},
		{"every10th_-1", .05, 1440, 1, stats.Worse, 240},
		{"alt_+1_-1", .02, 0, 1, stats.Undecided, 0},
		{"alt_+1_-1", .02, 1440, 1, stats.Equivalent, 1396},
	} {
		s := sequential(t, c.rope, .05, c.n)
		if d, at := stop(t, s.Add, streams()[c.stream], c.block); d != c.want || at != c.at {
			t.Errorf("%s, ROPE %v, n %d, blocks of %d: %q at %d, want %q at %d", c.stream, c.rope, c.n, c.block, d, at, c.want, c.at)
		}
	}
}

// TestSequentialOracle is the whole table of which TestSequentialReference is a part.
func TestSequentialOracle(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(oracle(t, "stats"), "vectors.json"))
	if err != nil {
		t.Fatal(err)
	}
	var vectors struct {
		Sequential []struct {
			Name                    string
			Rho                     float64
			N, Stop, Verdict, Block int
		} `json:"sequential"`
	}
	if err := json.Unmarshal(data, &vectors); err != nil {
		t.Fatal(err)
	}
	if len(vectors.Sequential) < 40 {
		t.Fatalf("only %d cases were found", len(vectors.Sequential))
	}
	words := []stats.Decision{stats.Undecided, stats.Better, stats.Worse, stats.Equivalent}
	for _, c := range vectors.Sequential {
		s := sequential(t, c.Rho, .05, c.N)
		d, at := stop(t, s.Add, streams()[c.Name], c.Block)
		if d != words[c.Verdict] || at != max(c.Stop, 0) {
			t.Errorf("%+v: %q at %d", c, d, at)
		}
	}
}

func sequential(t fataler, rope, alpha float64, n int) *stats.Sequential {
	t.Helper()
	s, err := stats.NewSequential(rope, alpha, n)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSequentialRefuses(t *testing.T) {
	for _, c := range []struct {
		rope, alpha float64
		n           int
	}{
		{-.01, .05, 0}, {math.NaN(), .05, 0}, {math.Inf(1), .05, 0},
		{.02, 0, 0}, {.02, 1, 0}, {.02, math.NaN(), 0}, {.02, .05, -1},
	} {
		if _, err := stats.NewSequential(c.rope, c.alpha, c.n); err == nil {
			t.Errorf("a sequential test of %v", c)
		}
		if _, err := stats.NewGate(c.rope, c.alpha, c.n); err == nil {
			t.Errorf("a gate of %v", c)
		}
	}
	s := sequential(t, .02, .05, 8)
	feed := func(x ...float64) error { _, err := s.Add(x); return err }
	var b *stats.BadValue
	if err := feed(0, 0, math.NaN(), 0); !errors.As(err, &b) || b.Index != 2 {
		t.Errorf("a NaN: %v", err)
	}
	if err := feed(0, 0, 0); err == nil {
		t.Error("a block of three does not divide eight")
	}
	if err := feed(0, 0, 0, 0); err != nil {
		t.Error(err)
	}
	if err := feed(0, 0); err == nil {
		t.Error("a block of two after one of four")
	}
	if err := s.Shrink(2); err == nil {
		t.Error("half a block left")
	}
	if err := s.Shrink(8); err == nil {
		t.Error("more left than were unseen")
	}
	if err := s.Shrink(-4); err == nil {
		t.Error("-4 left")
	}
	if err := sequential(t, .02, .05, 0).Shrink(1); err == nil {
		t.Error("a population without end shrank")
	}
	if s.N() != 4 {
		t.Errorf("%d were fed, 4 were taken", s.N())
	}
}

// At the end of a benchmark its mean decides, and the edge belongs to the ROPE.
func TestSequentialEnd(t *testing.T) {
	for _, c := range []struct {
		rope float64
		x    []float64
		want stats.Decision
		gate stats.Decision // of a margin like the ROPE
	}{
		{.02, []float64{.02, .02, .02}, stats.Equivalent, stats.Pass},
		{.02, []float64{-.02, -.02, -.02}, stats.Equivalent, stats.Pass},
		{.02, []float64{-.02, -.02, -.021}, stats.Worse, stats.Worse},
		{.02, []float64{.02, .02, .021}, stats.Better, stats.Pass},
		{0, []float64{.5, -.5, 0}, stats.Equivalent, stats.Pass},
		{0, []float64{.5, -.5, .001}, stats.Better, stats.Pass},
		{0, []float64{.5, -.5, -.001}, stats.Worse, stats.Worse},
		{1, []float64{1, 1, 1}, stats.Equivalent, stats.Pass},
	} {
		s, g := sequential(t, c.rope, .05, len(c.x)), gate(t, c.rope, .05, len(c.x))
		for _, v := range c.x {
			for _, add := range []func([]float64) (stats.Decision, error){s.Add, g.Add} {
				if _, err := add([]float64{v}); err != nil {
					t.Fatal(err)
				}
			}
		}
		if s.Decision() != c.want || g.Decision() != c.gate {
			t.Errorf("%v of ROPE %v: %q and %q, want %q and %q", c.x, c.rope, s.Decision(), g.Decision(), c.want, c.gate)
		}
		mean := (c.x[0] + c.x[1] + c.x[2]) / 3
		if in := s.Interval(); in.Low != in.High || math.Abs(in.Low-mean) > 1e-15 {
			t.Errorf("%v: the mean of all is known, %+v", c.x, in)
		}
	}
}

// A mean of 1,440 values that are all on the edge is on the edge.
func TestSequentialEdgeRounding(t *testing.T) {
	for _, v := range []float64{.02, .05, .1, -.02, -.05, -.1, 1. / 3} {
		s := sequential(t, math.Abs(v), .05, 1440)
		if d, at := stop(t, s.Add, func(int) float64 { return v }, 1); d != stats.Equivalent || at != 1440 {
			t.Errorf("1,440 times %v is %q at %d", v, d, at)
		}
	}
}

// A ROPE of no width holds no mean that bets could leave over.
func TestSequentialWithoutRope(t *testing.T) {
	s := sequential(t, 0, .05, 0)
	above, below := *capital(t, 0, 0), *capital(t, 0, 0)
	for _, v := range []float64{1, -1} {
		// Either side is rejected at 1/20 and not at 1/40.
		for v > 0 && above.Max() < 20 || v < 0 && below.Max() < 20 {
			if d, err := s.Add([]float64{v}); d != stats.Undecided || err != nil {
				t.Fatalf("%q after %d, %v", d, s.N(), err)
			}
			_, _ = above.Add([]float64{v}), below.Add([]float64{-v})
		}
	}
	if above.Max() < 20 || below.Max() < 20 {
		t.Fatal("nothing was tried")
	}
}

// A ROPE that holds every mean needs no evidence.
func TestSequentialWideRope(t *testing.T) {
	for _, c := range []struct{ rope, x float64 }{{1, .3}, {1.5, 1}, {1.5, -1}, {1e6, 1}} {
		s, g := sequential(t, c.rope, .05, 0), gate(t, c.rope, .05, 0)
		if d, err := s.Add([]float64{c.x}); d != stats.Equivalent || err != nil {
			t.Errorf("ROPE %v: %q, %v", c.rope, d, err)
		}
		if d, err := g.Add([]float64{c.x}); d != stats.Pass || err != nil {
			t.Errorf("margin %v: %q, %v", c.rope, d, err)
		}
	}
	if _, err := stats.NewSequential(1e300, .05, 0); err == nil {
		t.Error("a ROPE of 1e300")
	}
}

func TestSequentialShrink(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		block := rapid.IntRange(1, 3).Draw(t, "block")
		x := differences(t, "x", 20)
		x = x[:len(x)/block*block]
		gone := block * rapid.IntRange(0, 5).Draw(t, "gone")
		rest := block * rapid.IntRange(0, 20).Draw(t, "rest")
		late := rapid.IntRange(0, len(x)/block).Draw(t, "after")
		n := len(x) + rest
		if n == 0 {
			return
		}
		rope := rapid.SampledFrom([]float64{0, .02, .3}).Draw(t, "rope")
		whole, small := sequential(t, rope, .05, n+gone), sequential(t, rope, .05, n)
		wholeGate, smallGate := gate(t, rope, .05, n+gone), gate(t, rope, .05, n)
		for i := 0; i <= len(x)/block; i++ {
			if i == late && whole.Decision() == stats.Undecided && wholeGate.Decision() == stats.Undecided {
				if err := errors.Join(whole.Shrink(gone), wholeGate.Shrink(gone)); err != nil {
					t.Fatal(err)
				}
			} else if i == late {
				return // a decision stands
			}
			if i == len(x)/block {
				break
			}
			part := x[i*block : (i+1)*block]
			for _, add := range []func([]float64) (stats.Decision, error){whole.Add, small.Add, wholeGate.Add, smallGate.Add} {
				if _, err := add(part); err != nil {
					t.Fatal(err)
				}
			}
		}
		if whole.Decision() != small.Decision() || whole.Interval() != small.Interval() {
			t.Fatalf("%q %v, and %q %v of the smaller one", whole.Decision(), whole.Interval(), small.Decision(), small.Interval())
		}
		if wholeGate.Decision() != smallGate.Decision() || wholeGate.Interval() != smallGate.Interval() {
			t.Fatalf("gate: %q and %q of the smaller one", wholeGate.Decision(), smallGate.Decision())
		}
	})
}

// The last unseen item may leave, and then the mean decides.
func TestSequentialShrinkToTheEnd(t *testing.T) {
	s, g := sequential(t, .02, .05, 3), gate(t, .02, .05, 3)
	for _, x := range []float64{0, .01} {
		_, errs := s.Add([]float64{x})
		_, errg := g.Add([]float64{x})
		if err := errors.Join(errs, errg); err != nil {
			t.Fatal(err)
		}
	}
	if s.Decision() != stats.Undecided || g.Decision() != stats.Undecided {
		t.Fatalf("%q and %q after two of three", s.Decision(), g.Decision())
	}
	if err := errors.Join(s.Shrink(1), g.Shrink(1)); err != nil {
		t.Fatal(err)
	}
	if s.Decision() != stats.Equivalent || g.Decision() != stats.Pass {
		t.Errorf("%q and %q after two of two", s.Decision(), g.Decision())
	}
	none := sequential(t, .02, .05, 3)
	if err := none.Shrink(3); err != nil || none.Decision() != stats.Undecided || none.Interval() != (stats.Interval{Low: -1, High: 1}) {
		t.Errorf("nothing was answered: %v, %q, %v", err, none.Decision(), none.Interval())
	}
	if _, err := none.Add([]float64{0}); err == nil {
		t.Error("a value of a benchmark of none")
	}
}

func TestSequentialProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := differences(t, "x", 60)
		n := rapid.SampledFrom([]int{0, len(x), len(x) + 7}).Draw(t, "n")
		rope := rapid.SampledFrom([]float64{0, .02, .1, .4}).Draw(t, "rope")
		alpha := rapid.SampledFrom([]float64{.05, .5}).Draw(t, "alpha")
		a, b := sequential(t, rope, alpha, n), sequential(t, rope, alpha, n)
		mirror := map[stats.Decision]stats.Decision{stats.Better: stats.Worse, stats.Worse: stats.Better}
		for i, v := range x {
			before := a.Decision()
			d, err := a.Add([]float64{v})
			if err != nil || a.N() != i+1 {
				t.Fatal(err, a.N())
			}
			if before != stats.Undecided && d != before {
				t.Fatalf("%q became %q", before, d)
			}
			_, _ = b.Add([]float64{-v})
		}
		want, turned := mirror[a.Decision()]
		if !turned {
			want = a.Decision()
		}
		if b.Decision() != want {
			t.Fatalf("%q, and %q of the negatives", a.Decision(), b.Decision())
		}
		in, out := a.Interval(), b.Interval()
		if !(-1 <= in.Low && in.Low <= in.High && in.High <= 1) {
			t.Fatalf("interval %v", in)
		}
		if math.Abs(in.Low+out.High) > 1e-8 || math.Abs(in.High+out.Low) > 1e-8 {
			t.Fatalf("%v, and %v of the negatives", in, out)
		}
		if (in != stats.Interval{Low: -1, High: 1}) && n != len(x) {
			if a.Decision() == stats.Better && in.Low < rope-1e-8 || a.Decision() == stats.Worse && in.High > -rope+1e-8 {
				t.Fatalf("%q of ROPE %v, interval %v", a.Decision(), rope, in)
			}
		}
	})
}

// The interval is what single capitals do not reject.
func TestSequentialInterval(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := differences(t, "x", 60)
		n := rapid.SampledFrom([]int{0, len(x) + 1, len(x) + 40}).Draw(t, "n")
		alpha := rapid.SampledFrom([]float64{.05, .5, .9}).Draw(t, "alpha")
		s := sequential(t, .02, alpha, n)
		for _, v := range x {
			if _, err := s.Add([]float64{v}); err != nil {
				t.Fatal(err)
			}
		}
		rejects := func(m, sign float64) bool {
			c, _ := stats.NewCapital(m, n)
			for _, v := range x {
				_ = c.Add([]float64{sign * v})
			}
			return c.Max() >= 2/alpha
		}
		sum := 0.0
		for _, v := range x {
			sum += v
		}
		in, unseen := s.Interval(), float64(n-len(x))
		if in.Low == -1 && in.High == 1 {
			// Nothing is rejected, or everything.
			some, all := false, true
			for m := -1.0; m <= 1; m += 1. / 64 {
				out := rejects(m, 1) || rejects(-m, -1) || n > 0 && (m < (sum-unseen)/float64(n) || m > (sum+unseen)/float64(n))
				some, all = some || out, all && out
			}
			if some && !all {
				t.Fatalf("%v, n %d: some means are rejected, and the interval holds all", x, n)
			}
			return
		}
		for _, end := range []struct{ m, sign, sure float64 }{
			{in.Low, 1, (sum - unseen) / float64(n)},
			{-in.High, -1, (-sum - unseen) / float64(n)},
		} {
			if n > 0 && math.Abs(end.m-end.sure) < 1e-6 {
				continue // what the unseen items can still do
			}
			if end.m > -1 && !rejects(end.m-1e-6, end.sign) || rejects(end.m+1e-6, end.sign) {
				t.Fatalf("%v, n %d: %v ends at another place", x, n, in)
			}
		}
	})
}

// Values in no random order can reject every mean.
func TestSequentialIntervalOfNothing(t *testing.T) {
	s := sequential(t, .02, .05, 0)
	for i := range 400 {
		v := 1.0
		if i >= 100 {
			v = -1
		}
		_, _ = s.Add([]float64{v})
	}
	if in := s.Interval(); in != (stats.Interval{Low: -1, High: 1}) || s.Decision() != stats.Better {
		t.Errorf("%v, %q", in, s.Decision())
	}
	full := sequential(t, .02, .05, 400)
	for i := range 400 {
		_, _ = full.Add([]float64{float64(1 - 2*(i/200))})
	}
	if in := full.Interval(); in != (stats.Interval{}) {
		t.Errorf("%v of a benchmark whose mean is 0", in)
	}
}

// tail is a posterior of which only P(mean > c) at two places matters.
type tail map[float64]float64

func (p tail) Above(c float64) float64 { return p[c] }

func TestSequentialLast(t *testing.T) {
	for _, c := range []struct {
		above, aboveLow float64 // P(mean > .02), P(mean > -.02)
		want            stats.Decision
	}{
		{.975, 1, stats.Better}, {.974, 1, stats.Undecided},
		{0, .025, stats.Worse}, {0, .026, stats.Undecided},
		{.01, .99, stats.Equivalent}, {.013, .987, stats.Undecided},
		{math.NaN(), math.NaN(), stats.Undecided},
	} {
		p := tail{.02: c.above, -.02: c.aboveLow}
		s := sequential(t, .02, .05, 0)
		if d := s.Last(p); d != c.want || s.Decision() != stats.Undecided {
			t.Errorf("%v: %q, want %q", p, d, c.want)
		}
		if d := sequential(t, .02, .05, 5).Last(p); d != stats.Undecided {
			t.Errorf("a last look at a benchmark: %q", d)
		}
	}
	s := sequential(t, .02, .05, 0)
	for range 9 {
		_, _ = s.Add([]float64{1})
	}
	if d := s.Last(tail{.02: 0, -.02: 0}); d != stats.Better {
		t.Errorf("the last look turned a decision into %q", d)
	}
}

func ExampleSequential() {
	// The same endpoint asked twice, 1,440 items, eight at a time, all answers alike.
	s, err := stats.NewSequential(0.02, 0.05, 1440)
	if err != nil {
		panic(err)
	}
	for s.Decision() == stats.Undecided {
		if _, err := s.Add(make([]float64, 8)); err != nil {
			panic(err)
		}
	}
	in := s.Interval()
	fmt.Printf("%s after %d of 1440 items, mean difference between %.3f and %.3f\n", s.Decision(), s.N(), in.Low, in.High)
	// Output: equivalent after 248 of 1440 items, mean difference between -0.022 and 0.022
}

func BenchmarkSequential(b *testing.B) {
	x := make([]float64, 8)
	for b.Loop() {
		s := sequential(b, .02, .05, 1440)
		for s.N() < 96 {
			_, _ = s.Add(x)
		}
	}
}

func BenchmarkSequentialInterval(b *testing.B) {
	s := sequential(b, .02, .05, 1440)
	for s.N() < 200 {
		_, _ = s.Add(make([]float64, 8))
	}
	for b.Loop() {
		_ = s.Interval()
	}
}
