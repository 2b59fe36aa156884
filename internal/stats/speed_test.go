package stats

import (
	"math/rand/v2"
	"testing"
)

func benchPosterior(n int) *Posterior {
	r := rand.New(rand.NewPCG(1, uint64(n)))
	z, a := []float64{-1, 0, 1}, []float64{.5, .5, .5}
	for range n {
		z = append(z, -.02+.12*r.NormFloat64())
		a = append(a, 1)
	}
	p, _ := NewPosterior(z, a)
	return p
}

func BenchmarkThree(b *testing.B) {
	p := benchPosterior(1440)
	for b.Loop() {
		p.Three(.02)
	}
}

func BenchmarkInterval(b *testing.B) {
	p := benchPosterior(1440)
	for b.Loop() {
		p.Interval(.95)
	}
}
func BenchmarkThree180(b *testing.B) {
	p := benchPosterior(180)
	for b.Loop() {
		p.Three(.02)
	}
}

func BenchmarkInterval180(b *testing.B) {
	p := benchPosterior(180)
	for b.Loop() {
		p.Interval(.95)
	}
}
func BenchmarkAdd(b *testing.B) {
	var s Strata
	i := 0
	for b.Loop() {
		s.Add(i%144, float64(i%3-1))
		i++
	}
}
func BenchmarkAddSame(b *testing.B) {
	var s Strata
	i := 0
	for b.Loop() {
		s.Add(3, float64(i%3-1))
		i++
	}
}
func BenchmarkAddDistinct(b *testing.B) {
	var s Strata
	i := uint64(0)
	for b.Loop() {
		s.Add(int(i%144), float64((i*2654435761)%2000003)/1000001-1)
		i++
	}
}
