package verdict_test

import (
	"strconv"
	"testing"

	"verbatim/internal/verdict"
	"verbatim/internal/verdict/verdicttest"
)

func BenchmarkCompare(b *testing.B) {
	x, y := verdicttest.DrawSides(18, 8, 10, 0.02, 1)
	for b.Loop() {
		verdicttest.Compare(b, x, y, verdict.Defaults("score", verdicttest.StoredScore))
	}
}

// BenchmarkPairs is the time of a pair in a long comparison.
func BenchmarkPairs(b *testing.B) {
	x, y := verdicttest.DrawSides(18, 8, 100, 0.02, 1)
	for b.Loop() {
		verdicttest.Compare(b, x, y, verdict.Defaults("score", verdicttest.StoredScore))
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/14400, "ns/pair")
}

// BenchmarkBaseline compares six runs with one, as a report does, alone and with saved
// limits.
func BenchmarkBaseline(b *testing.B) {
	var sides []verdict.Side
	for i := range 4 {
		x, y := verdicttest.DrawSides(18, 8, 10, 0.02*float64(i), uint64(i))
		sides = append(sides, x, y)
	}
	for i := range sides {
		sides[i].Run.Name = string(rune('a' + i))
	}
	for _, saved := range []bool{false, true} {
		b.Run(strconv.FormatBool(saved), func(b *testing.B) {
			for b.Loop() {
				o := verdict.Defaults("score", verdicttest.StoredScore)
				if saved {
					o.Horizons = new(verdict.HorizonCache)
				}
				for _, s := range sides[1:7] {
					verdicttest.Compare(b, sides[0], s, o)
				}
			}
		})
	}
}
