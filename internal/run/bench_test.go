package run

import (
	"context"
	"testing"
)

// BenchmarkRun asks b.N places of a model without latency, grades the replies
// and keeps them durably.
func BenchmarkRun(b *testing.B) {
	s := newStore(b)
	n := int64(b.N)
	r := begin(b, s, "sim:careful", n)
	b.ResetTimer()
	result, err := Run(context.Background(), Config{Store: s, Grade: grade,
		Lanes: []Lane{{Run: r, Model: modelFunc(right), Source: fixed(n), Jobs: 16}}})
	b.StopTimer()
	if err != nil || !result.Lanes[0].Finished || result.Lanes[0].Tally.Answered() != n {
		b.Fatal(result, err)
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "rec/s")
}
