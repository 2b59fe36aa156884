package stats_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"verbatim/internal/stats"
)

// benchmarked calls f with posteriors of n different values, and of the two shapes
// that need most nodes.
func benchmarked(b *testing.B, f func(p *stats.Posterior)) {
	for _, n := range []int{180, 1440, 10000} {
		for _, name := range []string{"normal", "narrow", "ties"} {
			r := rand.New(rand.NewPCG(1, uint64(n)))
			z, a := []float64{-1, 0, 1}, []float64{0.5, 0.5, 0.5}
			for range n {
				z, a = append(z, shapesOfDifferences[name](r)), append(a, 1)
			}
			p := posterior(b, z, a)
			b.Run(fmt.Sprintf("%s/n=%d", name, n), func(b *testing.B) {
				for b.Loop() {
					f(p)
				}
			})
		}
	}
}

func BenchmarkThree(b *testing.B) {
	benchmarked(b, func(p *stats.Posterior) { p.Probabilities(0.02) })
}

func BenchmarkInterval(b *testing.B) {
	benchmarked(b, func(p *stats.Posterior) { p.Interval(0.95) })
}
