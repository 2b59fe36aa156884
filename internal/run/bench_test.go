package run

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"verbatim"
	"verbatim/internal/store"
)

// BenchmarkRun sends b.N positions to a model without latency, grades the replies and
// saves them durably.
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

// askFast is the process that BenchmarkProcess measures.
func askFast(dir string, n int64) error {
	s, err := store.Create(ctx, filepath.Join(dir, "verbatim.db"))
	if err != nil {
		return err
	}
	r, _, err := s.Begin(ctx, verbatim.Run{Plan: verbatim.Plan{Hash: "abcdef", Count: n}, Model: "m"}, false)
	if err != nil {
		return err
	}
	result, err := Run(ctx, Config{Store: s, Grade: grade, Lanes: []Lane{{Run: r, Source: fixed(n), Jobs: 16, Model: modelFunc(right)}}})
	if err == nil && result.Lanes[0].Tally[verbatim.Pass] != n {
		err = fmt.Errorf("%+v", result)
	}
	if err != nil {
		return err
	}
	return s.Close()
}
