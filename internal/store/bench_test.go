package store

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"verbatim"

	"verbatim/internal/store/storetest"
)

// fill saves n typical records in a new run.
func fill(tb testing.TB, s *Store, n int64) verbatim.Run {
	tb.Helper()
	ctx := context.Background()
	run, _, err := s.Begin(ctx, verbatim.Run{Plan: verbatim.Plan{Hash: "0123456789abcdef", Count: n}, Model: "sim:careful"}, true)
	if err != nil {
		tb.Fatal(err)
	}
	var saved atomic.Int64
	w, err := s.Write(ctx, func(k []Saved) { saved.Add(int64(len(k))) }, run.N)
	if err != nil {
		tb.Fatal(err)
	}
	for i := range n {
		if err := w.Put(ctx, run.N, storetest.Typical(i)); err != nil {
			tb.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	if saved.Load() != n {
		tb.Fatalf("%d of %d records reported as saved", saved.Load(), n)
	}
	return run
}

// BenchmarkKeep measures how fast typical records are saved durably.
func BenchmarkKeep(b *testing.B) {
	s, err := Create(context.Background(), filepath.Join(b.TempDir(), "x.db"))
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	b.ResetTimer()
	fill(b, s, int64(b.N))
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "rec/s")
}

// BenchmarkScan measures a full scan per record; VERBATIM_BENCH_RECORDS says of
// how many.
func BenchmarkScan(b *testing.B) {
	n, _ := strconv.ParseInt(os.Getenv("VERBATIM_BENCH_RECORDS"), 10, 64)
	if n == 0 {
		n = 100_000
	}
	s, err := Create(context.Background(), filepath.Join(b.TempDir(), "x.db"))
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	run := fill(b, s, n)
	for _, read := range []Read{{}, {Measures: true}, {Texts: true}, {Texts: true, Measures: true, Attempts: true},
		{Attempts: true}, {Scores: true}, {Scores: true, Measures: true}, {Tables: true}, {Tables: true, Measures: true}} {
		name := fmt.Sprintf("tables=%v,scores=%v,texts=%v,measures=%v,attempts=%v", read.Tables, read.Scores, read.Texts, read.Measures, read.Attempts)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				var m int64
				for _, err := range s.Records(context.Background(), run.N, read) {
					if err != nil {
						b.Fatal(err)
					}
					m++
				}
				if m != n {
					b.Fatalf("%d records, want %d", m, n)
				}
			}
			var mem runtime.MemStats
			runtime.ReadMemStats(&mem)
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/record")
			b.ReportMetric(float64(mem.Sys>>20), "MB-sys")
		})
	}
}

// BenchmarkExport measures an export and the import of it into an empty file, per record.
func BenchmarkExport(b *testing.B) {
	const n = 20_000
	s := newStore(b)
	run := fill(b, s, n)
	var lines bytes.Buffer
	for _, to := range []struct {
		name string
		do   func() error
	}{
		{"export", func() error {
			lines.Reset()
			return s.Export(context.Background(), &lines, run.N)
		}},
		{"import", func() error {
			_, err := newStore(b).Import(context.Background(), bytes.NewReader(lines.Bytes()))
			return err
		}},
	} {
		b.Run(to.name, func(b *testing.B) {
			for b.Loop() {
				if err := to.do(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/record")
		})
	}
}

// BenchmarkPairs measures how fast the scores of two runs are read at the same
// time, per pair of records; VERBATIM_BENCH_RECORDS says of how many.
func BenchmarkPairs(b *testing.B) {
	n, _ := strconv.ParseInt(os.Getenv("VERBATIM_BENCH_RECORDS"), 10, 64)
	if n == 0 {
		n = 100_000
	}
	s := newStore(b)
	runs := []verbatim.Run{fill(b, s, n), fill(b, s, n)}
	for b.Loop() {
		var group sync.WaitGroup
		for _, run := range runs {
			group.Go(func() {
				var m int64
				for _, err := range s.Records(context.Background(), run.N, Read{Scores: true}) {
					if err != nil {
						b.Error(err)
					}
					m++
				}
				if m != n {
					b.Errorf("%d records, want %d", m, n)
				}
			})
		}
		group.Wait()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/pair")
}
