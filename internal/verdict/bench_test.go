package verdict_test

import (
	"testing"

	"verbatim/internal/verdict"
)

func BenchmarkCompare(b *testing.B) {
	x, y := drawn(18, 8, 10, 0.02, 1)
	for b.Loop() {
		compare(b, x, y, verdict.Defaults("score", scored))
	}
}

// BenchmarkPairs is the time of a pair in a long comparison.
func BenchmarkPairs(b *testing.B) {
	x, y := drawn(18, 8, 100, 0.02, 1)
	for b.Loop() {
		compare(b, x, y, verdict.Defaults("score", scored))
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/14400, "ns/pair")
}
