package verdict_test

import (
	"strconv"
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

// BenchmarkLead ranks seven runs.
func BenchmarkLead(b *testing.B) {
	for _, n := range []int{10, 700} {
		var sides []verdict.Side
		for i := range 4 {
			x, y := drawn(18, 8, n, 0.02*float64(i), uint64(i))
			sides = append(sides, x, y)
		}
		for i := range sides {
			sides[i].Run.Name = string(rune('a' + i))
		}
		b.Run(strconv.Itoa(144*n), func(b *testing.B) {
			for b.Loop() {
				lead(b, sides[:7]...)
			}
		})
	}
}

// BenchmarkBaseline compares six runs with one, as a report does, alone and with what
// is kept of their limits.
func BenchmarkBaseline(b *testing.B) {
	var sides []verdict.Side
	for i := range 4 {
		x, y := drawn(18, 8, 10, 0.02*float64(i), uint64(i))
		sides = append(sides, x, y)
	}
	for i := range sides {
		sides[i].Run.Name = string(rune('a' + i))
	}
	for _, kept := range []bool{false, true} {
		b.Run(strconv.FormatBool(kept), func(b *testing.B) {
			for b.Loop() {
				o := verdict.Defaults("score", scored)
				if kept {
					o.Horizons = new(verdict.HorizonCache)
				}
				for _, s := range sides[1:7] {
					compare(b, sides[0], s, o)
				}
			}
		})
	}
}
