package sequential_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"

	"verbatim/internal/oracle"
	"verbatim/internal/stats"
	"verbatim/internal/stats/sequential"
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
func stop(t testing.TB, add func([]float64) (sequential.Decision, error), value func(int) float64, block int) (sequential.Decision, int) {
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
		if d != sequential.Undecided {
			return d, i + block
		}
	}
	return sequential.Undecided, 0
}

// The figures were computed by another program.
func TestSequentialReference(t *testing.T) {
	for _, c := range []struct {
		stream   string
		rope     float64
		n, block int
		want     sequential.Decision
		at       int
	}{
		{"zeros", .02, 0, 1, sequential.Equivalent, 265},
		{"zeros", .02, 1440, 8, sequential.Equivalent, 248},
		{"zeros", .05, 0, 1, sequential.Equivalent, 104},
		{"ones", .02, 0, 1, sequential.Better, 9},
		{"minus_ones", .02, 0, 1, sequential.Worse, 9},
		{"plus_0.1", .02, 0, 1, sequential.Better, 82},
		{"plus_0.1", .02, 1440, 8, sequential.Better, 80},
		{"every10th_-1", .02, 0, 1, sequential.Worse, 120},
		{"every10th_-1", .05, 1440, 1, sequential.Worse, 240},
		{"alt_+1_-1", .02, 0, 1, sequential.Undecided, 0},
		{"alt_+1_-1", .02, 1440, 1, sequential.Equivalent, 1396},
	} {
		s := ropeTest(t, c.rope, .05, c.n)
		if d, at := stop(t, s.Add, streams()[c.stream], c.block); d != c.want || at != c.at {
			t.Errorf("%s, ROPE %v, n %d, blocks of %d: %q at %d, want %q at %d", c.stream, c.rope, c.n, c.block, d, at, c.want, c.at)
		}
	}
}

// TestSequentialOracle is the whole table of which TestSequentialReference is a part.
func TestSequentialOracle(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(oracle.Path(t, "stats"), "vectors.json"))
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
	words := []sequential.Decision{sequential.Undecided, sequential.Better, sequential.Worse, sequential.Equivalent}
	for _, c := range vectors.Sequential {
		s := ropeTest(t, c.Rho, .05, c.N)
		d, at := stop(t, s.Add, streams()[c.Name], c.Block)
		if d != words[c.Verdict] || at != max(c.Stop, 0) {
			t.Errorf("%+v: %q at %d", c, d, at)
		}
	}
}

func ropeTest(t fataler, rope, alpha float64, n int) *sequential.ROPETest {
	t.Helper()
	s, err := sequential.NewROPETest(rope, alpha, n)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSequentialProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := differences(t, "x", 60)
		n := rapid.SampledFrom([]int{0, len(x), len(x) + 7}).Draw(t, "n")
		rope := rapid.SampledFrom([]float64{0, .02, .1, .4}).Draw(t, "rope")
		alpha := rapid.SampledFrom([]float64{.05, .5}).Draw(t, "alpha")
		a, b := ropeTest(t, rope, alpha, n), ropeTest(t, rope, alpha, n)
		mirror := map[sequential.Decision]sequential.Decision{sequential.Better: sequential.Worse, sequential.Worse: sequential.Better}
		for i, v := range x {
			before := a.Decision()
			d, err := a.Add([]float64{v})
			if err != nil || a.N() != i+1 {
				t.Fatal(err, a.N())
			}
			if before != sequential.Undecided && d != before {
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
			if a.Decision() == sequential.Better && in.Low < rope-1e-8 || a.Decision() == sequential.Worse && in.High > -rope+1e-8 {
				t.Fatalf("%q of ROPE %v, interval %v", a.Decision(), rope, in)
			}
		}
	})
}

// tail are bounds of which only the p-values of mean ≥ c at two places matter.
type tail map[float64]float64

func (p tail) PValues(c float64) (atMost, atLeast float64) {
	return math.Round(1e9*(1-p[c])) / 1e9, p[c]
}

func TestSequentialLast(t *testing.T) {
	for _, c := range []struct {
		above, aboveLow float64 // p-values of mean ≥ .02, mean ≥ -.02
		want            sequential.Decision
	}{
		{.975, 1, sequential.Better}, {.974, 1, sequential.Undecided},
		{0, .025, sequential.Worse}, {0, .026, sequential.Undecided},
		{.025, .98, sequential.Equivalent}, {.026, .98, sequential.Undecided}, {.01, .97, sequential.Undecided},
		{math.NaN(), math.NaN(), sequential.Undecided},
	} {
		p := tail{.02: c.above, -.02: c.aboveLow}
		s := ropeTest(t, .02, .05, 0)
		if d := s.FinalLook(p); d != c.want || s.Decision() != sequential.Undecided {
			t.Errorf("%v: %q, want %q", p, d, c.want)
		}
		if d := ropeTest(t, .02, .05, 5).FinalLook(p); d != sequential.Undecided {
			t.Errorf("a last look at a benchmark: %q", d)
		}
	}
	s := ropeTest(t, .02, .05, 0)
	for range 9 {
		_, _ = s.Add([]float64{1})
	}
	if d := s.FinalLook(tail{.02: 0, -.02: 0}); d != sequential.Better {
		t.Errorf("the last look turned a decision into %q", d)
	}
}

func ExampleROPETest() {
	// The same 1,440 items sent twice to one endpoint, eight at a time, with equal
	// answers.
	s, err := sequential.NewROPETest(0.02, 0.05, 1440)
	if err != nil {
		panic(err)
	}
	for s.Decision() == sequential.Undecided {
		if _, err := s.Add(make([]float64, 8)); err != nil {
			panic(err)
		}
	}
	in := s.Interval()
	fmt.Printf("%s after %d of 1440 items, mean difference between %.3f and %.3f\n", s.Decision(), s.N(), in.Low, in.High)
	// Output: equivalent after 248 of 1440 items, mean difference between -0.022 and 0.022
}

func TestSequentialRefuses(t *testing.T) {
	for _, c := range []struct {
		rope, alpha float64
		n           int
	}{
		{-.01, .05, 0}, {math.NaN(), .05, 0}, {math.Inf(1), .05, 0},
		{.02, 0, 0}, {.02, 1, 0}, {.02, math.NaN(), 0}, {.02, .05, -1},
	} {
		if _, err := sequential.NewROPETest(c.rope, c.alpha, c.n); err == nil {
			t.Errorf("a sequential test of %v", c)
		}
		if _, err := sequential.NewGate(c.rope, c.alpha, c.n); err == nil {
			t.Errorf("a gate of %v", c)
		}
	}
	s := ropeTest(t, .02, .05, 8)
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
	if err := ropeTest(t, .02, .05, 0).Shrink(1); err == nil {
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
		want sequential.Decision
		gate sequential.Decision // of a margin like the ROPE
	}{
		{.02, []float64{.02, .02, .02}, sequential.Equivalent, sequential.Pass},
		{.02, []float64{-.02, -.02, -.02}, sequential.Equivalent, sequential.Pass},
		{.02, []float64{-.02, -.02, -.021}, sequential.Worse, sequential.Worse},
		{.02, []float64{.02, .02, .021}, sequential.Better, sequential.Pass},
		{0, []float64{.5, -.5, 0}, sequential.Equivalent, sequential.Pass},
		{0, []float64{.5, -.5, .001}, sequential.Better, sequential.Pass},
		{0, []float64{.5, -.5, -.001}, sequential.Worse, sequential.Worse},
		{1, []float64{1, 1, 1}, sequential.Equivalent, sequential.Pass},
	} {
		s, g := ropeTest(t, c.rope, .05, len(c.x)), gate(t, c.rope, .05, len(c.x))
		for _, v := range c.x {
			for _, add := range []func([]float64) (sequential.Decision, error){s.Add, g.Add} {
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
		s := ropeTest(t, math.Abs(v), .05, 1440)
		if d, at := stop(t, s.Add, func(int) float64 { return v }, 1); d != sequential.Equivalent || at != 1440 {
			t.Errorf("1,440 times %v is %q at %d", v, d, at)
		}
	}
}

// A ROPE of no width holds no mean that bets could leave over.
func TestSequentialWithoutRope(t *testing.T) {
	s := ropeTest(t, 0, .05, 0)
	above, below := sequential.NewWealth(0, 0), sequential.NewWealth(0, 0)
	for _, v := range []float64{1, -1} {
		// Either side is rejected at 1/20 and not at 1/40.
		for v > 0 && above.Max() < 20 || v < 0 && below.Max() < 20 {
			if d, err := s.Add([]float64{v}); d != sequential.Undecided || err != nil {
				t.Fatalf("%q after %d, %v", d, s.N(), err)
			}
			above.Add([]float64{v})
			below.Add([]float64{-v})
		}
	}
	if above.Max() < 20 || below.Max() < 20 {
		t.Fatal("nothing was tried")
	}
}

// A ROPE that holds every mean needs no evidence.
func TestSequentialWideRope(t *testing.T) {
	for _, c := range []struct{ rope, x float64 }{{1, .3}, {1.5, 1}, {1.5, -1}, {1e6, 1}} {
		s, g := ropeTest(t, c.rope, .05, 0), gate(t, c.rope, .05, 0)
		if d, err := s.Add([]float64{c.x}); d != sequential.Equivalent || err != nil {
			t.Errorf("ROPE %v: %q, %v", c.rope, d, err)
		}
		if d, err := g.Add([]float64{c.x}); d != sequential.Pass || err != nil {
			t.Errorf("margin %v: %q, %v", c.rope, d, err)
		}
	}
	if _, err := sequential.NewROPETest(1e300, .05, 0); err == nil {
		t.Error("a ROPE of 1e300")
	}
}
