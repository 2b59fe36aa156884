package stats_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// gilPelaez is P(mean > c) by the integral along the imaginary axis, point by point: it
// is slow, and has nothing in common with the method that is tested.
func gilPelaez(z, a []float64, c float64) float64 {
	scale := 0.0
	for _, z := range z {
		scale = max(scale, math.Abs(z-c))
	}
	integrand := func(u float64) (v, log float64) {
		t := math.Exp(u - math.Exp(-u))
		phase := 0.0
		for k, z := range z {
			x := (z - c) / scale * t
			phase += a[k] * math.Atan(x)
			log += a[k] / 2 * math.Log1p(x*x)
		}
		return math.Sin(phase) * math.Exp(-log) * (1 + math.Exp(-u)), log
	}
	last := math.Inf(1)
	for step := 1.0 / 32; ; step /= 2 {
		sum, log := 0.0, 0.0
		for u := -4.5; log < 40; u += step {
			var v float64
			v, log = integrand(u)
			sum += v
		}
		if math.Abs(sum*step-last) < 1e-12 || step < 1e-4 {
			return 0.5 + sum*step/math.Pi
		}
		last = sum * step
	}
}

// support draws support points and weights, with ties, halves and outliers.
func support(t *rapid.T) (z, a []float64) {
	narrow := rapid.SampledFrom([]float64{1, 0.1, 0.001}).Draw(t, "narrow")
	for range rapid.IntRange(1, 12).Draw(t, "points") {
		z = append(z, narrow*rapid.Float64Range(-1, 1).Draw(t, "z"))
		a = append(a, rapid.OneOf(
			rapid.Just(1.0),
			rapid.Map(rapid.IntRange(1, 200), func(n int) float64 { return float64(n) / 2 }),
			rapid.Float64Range(0.2, 40),
			rapid.Just(5000.0),
		).Draw(t, "a"))
	}
	return append(z, -1, 0, 1), append(a, 0.5, 0.5, 0.5)
}

func TestPosteriorAlongTheOtherAxis(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		z, a := support(t)
		p := posterior(t, z, a)
		c := rapid.OneOf(rapid.Float64Range(-1, 1), rapid.Map(rapid.Float64Range(0.01, 0.99), func(q float64) float64 {
			return p.Interval(q).High
		})).Draw(t, "c")
		if got, want := p.Above(c), gilPelaez(z, a, c); math.Abs(got-want) > 1e-9 {
			t.Fatalf("P(mean > %v) of %v, %v = %v, want %v", c, z, a, got, want)
		}
	})
}

// Where many values agree and few differ, the direct integral oscillates: small and
// large samples, all shapes, against the other axis.
func TestPosteriorShapes(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it only computes")
	}
	for _, n := range []int{1, 5, 20, 180} {
		for name, draw := range shapesOfDifferences {
			r := rand.New(rand.NewPCG(1, uint64(n)))
			z, a := []float64{-1, 0, 1}, []float64{0.5, 0.5, 0.5}
			for range n {
				z, a = append(z, draw(r)), append(a, 1)
			}
			p := posterior(t, z, a)
			for _, confidence := range []float64{0.1, 0.5, 0.95, 0.999} {
				ends := p.Interval(confidence)
				for _, c := range []float64{ends.Low, ends.High, 0, 0.02} {
					if got, want := p.Above(c), gilPelaez(z, a, c); math.Abs(got-want) > 1e-11 {
						t.Errorf("%s, n %d: P(mean > %v) = %v, want %v", name, n, c, got, want)
					}
				}
				if low, high := 1-p.Above(ends.Low), p.Above(ends.High); math.Abs(low-(1-confidence)/2) > 1e-6 || math.Abs(high-(1-confidence)/2) > 1e-6 {
					t.Errorf("%s, n %d: the ends of %v leave out %v and %v", name, n, confidence, low, high)
				}
			}
		}
	}
}

var shapesOfDifferences = map[string]func(r *rand.Rand) float64{
	"ties":   func(*rand.Rand) float64 { return 0 },
	"normal": func(r *rand.Rand) float64 { return -0.03 + 0.12*r.NormFloat64() },
	"narrow": func(r *rand.Rand) float64 { return 0.001 * r.NormFloat64() },
	"skew": func(r *rand.Rand) float64 {
		if r.Float64() < 0.1 {
			return -r.Float64()
		}
		return 0.001 * r.Float64()
	},
	"flips": func(r *rand.Rand) float64 { return math.Round(1.2*r.Float64() - 0.6) },
}
