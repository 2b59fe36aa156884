package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"verbatim"
	"verbatim/internal/store/sqlite"
	"verbatim/internal/store/storetest"
)

var ctx = context.Background()

// newStore makes a database in a directory of the test.
func newStore(tb testing.TB) *Store {
	tb.Helper()
	return create(tb, filepath.Join(tb.TempDir(), "verbatim.db"))
}

// create opens or makes the database at path until the test ends.
func create(tb testing.TB, path string) *Store {
	tb.Helper()
	s, err := Create(ctx, path)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := s.Close(); err != nil {
			tb.Error(err)
		}
	})
	return s
}

// lock holds the write lock of the file, as a foreign program would, until unlock is
// called.
func lock(tb testing.TB, path string) (unlock func()) {
	tb.Helper()
	abs, err := filepath.Abs(path)
	must(tb, err)
	c, err := sqlite.Dial(path, abs, "rw")
	must(tb, err)
	must(tb, c.Begin(ctx))
	var once sync.Once
	unlock = func() {
		once.Do(func() {
			c.Rollback()
			c.Close()
		})
	}
	tb.Cleanup(unlock)
	return unlock
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// wantKind fails unless err is an *Error of the kind, with a hint.
func wantKind(tb testing.TB, err error, kind sqlite.Kind) {
	tb.Helper()
	var e *sqlite.Error
	if !errors.As(err, &e) {
		tb.Fatalf("%v, want an error of kind %q", err, kind)
	}
	if e.Kind != kind || e.Hint == "" || e.Path == "" {
		tb.Fatalf("%v is of kind %q with hint %q about %q, want kind %q", err, e.Kind, e.Hint, e.Path, kind)
	}
}

// newRun begins a run of a plan that the hash names.
func newRun(tb testing.TB, s *Store, model, hash string) verbatim.Run {
	tb.Helper()
	run, existed, err := s.Begin(ctx, verbatim.Run{
		Plan: verbatim.Plan{Hash: hash, Suite: "custom", Seed: 1, Edition: verbatim.Standard, Trials: 1, Count: 10}, Model: model, Tool: "test",
	}, true)
	must(tb, err)
	if existed {
		tb.Fatal("a fresh run existed already")
	}
	return run
}

// keep writes records to a run and returns those that were reported as saved.
func keep(tb testing.TB, s *Store, run int64, recs ...verbatim.Record) []Saved {
	tb.Helper()
	var saved []Saved
	w, err := s.Write(ctx, func(k []Saved) { saved = append(saved, k...) }, run)
	must(tb, err)
	for _, rec := range recs {
		must(tb, w.Put(ctx, run, rec))
	}
	must(tb, w.Close())
	return saved
}

// all reads all records of a run.
func all(tb testing.TB, s *Store, run int64, what Read) []verbatim.Record {
	tb.Helper()
	var recs []verbatim.Record
	for rec, err := range s.Records(ctx, run, what) {
		must(tb, err)
		recs = append(recs, rec)
	}
	return recs
}

// whole reads everything of a record.
var whole = Read{Texts: true, Measures: true, Attempts: true}

// count runs a query for one number.
func count(tb testing.TB, s *Store, sql string, args ...any) (n int64) {
	tb.Helper()
	must(tb, s.file.With(func(c *sqlite.Conn) error {
		_, err := c.QueryOne(ctx, func(r *sqlite.Rows) { n = r.Int() }, sql, args...)
		return err
	}))
	return n
}

// wantTallies checks the counts that are saved against the rows they count.
func wantTallies(tb testing.TB, s *Store) {
	tb.Helper()
	for name, sql := range map[string]string{
		"tally": `SELECT count(*) FROM (
			SELECT place >> 32, coalesce(grader, 0), outcome, count(*) FROM reply GROUP BY 1, 2, 3
			EXCEPT SELECT run, grader, outcome, n FROM tally)`,
		"tally back": `SELECT count(*) FROM (
			SELECT run, grader, outcome, n FROM tally WHERE n <> 0
			EXCEPT SELECT place >> 32, coalesce(grader, 0), outcome, count(*) FROM reply GROUP BY 1, 2, 3)`,
		"grades": `SELECT count(*) FROM (
			SELECT place, grader FROM grade EXCEPT SELECT place, grader FROM reply WHERE grader IS NOT NULL)`,
	} {
		if n := count(tb, s, sql); n != 0 {
			tb.Errorf("%s: %d counts differ from what they count", name, n)
		}
	}
}

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
