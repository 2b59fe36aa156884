package store

import (
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"verbatim"
	"verbatim/internal/store/rows"
	"verbatim/internal/store/sqlite"
	"verbatim/internal/store/storetest"
)

func TestMigrate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "verbatim.db")
	s := create(t, path)
	run := newRun(t, s, "m", "h")
	keep(t, s, run.N, storetest.Typical(0), storetest.Typical(1))
	must(t, s.Close())
	others := fmt.Sprintf("%s.v%d", path, rows.Layout.Version())
	must(t, os.WriteFile(others, []byte("mine"), 0o666)) // a name that is taken

	// Two versions more, made up: a new column, then a new table.
	later := after(
		`ALTER TABLE run ADD COLUMN colour TEXT; UPDATE run SET colour = 'green'`,
		`CREATE TABLE extra (x INTEGER) STRICT`)
	s, err := open(ctx, path, false, later)
	must(t, err)
	if n := count(t, s, `SELECT count(*) FROM run, (SELECT count(*) AS extras FROM extra) WHERE colour = 'green' AND extras = 0`); n != 1 {
		t.Errorf("%d runs were migrated, want 1", n)
	}
	if got := len(all(t, s, run.N, whole)); got != 2 {
		t.Errorf("%d records after the migration, want 2", got)
	}
	if n := count(t, s, "PRAGMA user_version"); n != later.Version() {
		t.Errorf("user_version %d after two steps", n)
	}
	must(t, s.Close())

	old, err := Open(ctx, others+"-2")
	must(t, err)
	if got := len(all(t, old, run.N, whole)); got != 2 {
		t.Errorf("%d records in the copy, want 2", got)
	}
	must(t, old.Close())
	if b, err := os.ReadFile(others); string(b) != "mine" {
		t.Errorf("the copy replaced an existing file: %q, %v", b, err)
	}
	_, err = Open(ctx, path)
	wantKind(t, err, sqlite.Version)
	again, err := open(ctx, path, false, later)
	must(t, err)
	must(t, again.Close())
	if _, err := os.Stat(others + "-3"); !os.IsNotExist(err) {
		t.Error("a file of this version was copied")
	}
}

// TestMigrateAllOrNothing breaks the second of two steps.
func TestMigrateAllOrNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "verbatim.db")
	s := create(t, path)
	newRun(t, s, "m", "h")
	must(t, s.Close())
	_, err := open(ctx, path, false, after(`DROP TABLE graded`, `DROP TABLE nonsense`))
	if err == nil {
		t.Fatal("a broken step is no error")
	}
	s, err = Open(ctx, path)
	must(t, err)
	count(t, s, `SELECT count(*) FROM graded`)
	must(t, s.Close())
}

// TestSchemaIsPinned fails where the tables change without a new version.
func TestSchemaIsPinned(t *testing.T) {
	const pinned = "760bef0ea54eb8f2"
	if got := fmt.Sprintf("%016x", uint64(rows.HashOf(rows.Layout.Tables))); got != pinned {
		t.Errorf("the tables have changed (%s): add a migration step for existing files, then pin this hash", got)
	}
	for v := int64(1); v < rows.Layout.Version(); v++ {
		if _, err := os.Stat(fmt.Sprintf("testdata/v%d.db.gz", v)); err != nil {
			t.Errorf("version %d: keep a file of the version before under testdata and test its migration: %v", rows.Layout.Version(), err)
		}
	}
}

// after is the layout with more steps than there are.
func after(more ...string) sqlite.Layout {
	l := sqlite.Layout{ID: rows.Layout.ID, Tables: rows.Layout.Tables, Steps: slices.Clone(rows.Layout.Steps)}
	for _, sql := range more {
		l.Steps = append(l.Steps, rows.Statements(sql))
	}
	return l
}

// released unpacks a file that the program of an earlier schema version made.
func released(t *testing.T, version int) string {
	t.Helper()
	f, err := os.Open(fmt.Sprintf("testdata/v%d.db.gz", version))
	must(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	must(t, err)
	b, err := io.ReadAll(z)
	must(t, err)
	path := filepath.Join(t.TempDir(), "verbatim.db")
	must(t, os.WriteFile(path, b, 0o666))
	return path
}

// TestMigrateVersion1 opens a file of the first released schema: an unfinished
// run with every kind of record, and a finished one.
func TestMigrateVersion1(t *testing.T) {
	path := released(t, 1)
	before, err := os.ReadFile(path)
	must(t, err)
	s, err := Open(ctx, path)
	must(t, err)
	copied, err := Open(ctx, path+".v1") // which is migrated in its turn
	must(t, err)
	must(t, copied.Close())
	if saved, err := os.ReadFile(path + ".v1.v1"); err != nil || len(saved) != len(before) {
		t.Errorf("the copy has %d bytes, want %d: %v", len(saved), len(before), err)
	}

	// It says what the version 1 program said, in today's lines.
	golden, err := os.ReadFile("testdata/export-1.jsonl")
	must(t, err)
	want := inNewWords(string(golden))
	if got := export(t, s, 1); got != want {
		t.Errorf("after the migration\n%s\nwant\n%s", got, want)
	}
	if got := len(all(t, s, 2, whole)); got != 4 {
		t.Errorf("%d records in the second run, want 4", got)
	}
	wantTallies(t, s)

	// It can be continued: an answer in the place of the failure, and a new one.
	runs, err := s.Runs(ctx)
	must(t, err)
	run, existed, err := s.Begin(ctx, runs[0].Run, false)
	if err != nil || !existed || run.N != 1 || run.Price != nil {
		t.Fatal(run, existed, err)
	}
	positions, err := s.Positions(ctx, run.N)
	must(t, err)
	if !positions.Answered(0) || positions.Answered(3) || positions.Attempts(3) != 2 || positions.Pending(3) {
		t.Errorf("%+v", positions)
	}
	cost := verbatim.Money(75)
	answer, fresh := storetest.Typical(3), storetest.Typical(7)
	answer.Reply.Attempts[0].N = 3
	fresh.Reply.Cost = &cost
	fresh.Reply.Sent, fresh.Reply.Applied, fresh.Reply.Batch = `{"model":"m"}`, `{"top_k":1}`, "batch_1"
	keep(t, s, run.N, answer, fresh)
	got := all(t, s, run.N, whole)
	if len(got) != 8 || len(got[3].Reply.Attempts) != 3 || got[3].Reply.Cost != nil {
		t.Errorf("%d records, the fourth %+v", len(got), got[3])
	}
	if d := storetest.Diff(fresh, got[7]); d != "" {
		t.Error(d)
	}
	if ended, err := s.End(ctx, run.N, 0, time.Now()); err != nil || !ended {
		t.Error(ended, err)
	}
	wantTallies(t, s)
	must(t, s.Check(ctx))
	must(t, s.Close())
}

// TestMigrateVersion2 opens a file of the second released schema: its runs have no
// test, and are continued as plain runs.
func TestMigrateVersion2(t *testing.T) {
	path := released(t, 2)
	s, err := Open(ctx, path)
	must(t, err)
	if _, err := os.Stat(path + ".v2"); err != nil {
		t.Error(err)
	}
	golden, err := os.ReadFile("testdata/export-2.jsonl")
	must(t, err)
	want := inNewWords(string(golden))
	if got := export(t, s, 1); got != want {
		t.Errorf("after the migration\n%s\nwant\n%s", got, want)
	}
	runs, err := s.Runs(ctx)
	must(t, err)
	if len(runs) != 2 || runs[0].Test != nil || runs[1].Test != nil || runs[0].Out != 4 || runs[1].Ended.IsZero() {
		t.Fatalf("%+v", runs)
	}
	check := runs[0].Run
	check.Test = &verbatim.Test{Kind: "check", Baseline: runs[1].Name}
	if run, existed, err := s.Begin(ctx, check, false); err != nil || existed || run.N != 3 {
		t.Error(run, existed, err)
	}
	must(t, s.CloseTest(ctx, 3, "pass", time.Unix(1800000000, 0)))
	if run, existed, err := s.Begin(ctx, runs[0].Run, false); err != nil || !existed || run.N != 1 {
		t.Error(run, existed, err)
	}
	keep(t, s, 1, storetest.Typical(3), storetest.Typical(30))
	if got := len(all(t, s, 1, whole)); got != 8 {
		t.Errorf("%d records", got)
	}
	wantTallies(t, s)
	must(t, s.Check(ctx))
	must(t, s.Close())
}

// TestImportsOlderFormats: what earlier programs wrote is read, and means the same.
func TestImportsOlderFormats(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"export-1", "export-2", "export-3", "export-4"} {
		golden, err := os.ReadFile("testdata/" + name + ".jsonl")
		must(t, err)
		s := newStore(t)
		if _, err := s.Import(ctx, strings.NewReader(string(golden))); err != nil {
			t.Fatal(name, err)
		}
		if want := inNewWords(string(golden)); export(t, s) != want {
			t.Errorf("%s is not what it was", name)
		}
	}
}

// TestMigratedIsLikeNew: the steps lead to the same columns as the tables.
func TestMigratedIsLikeNew(t *testing.T) {
	t.Parallel()
	columns := func(s *Store) []string {
		var list []string
		must(t, s.file.With(func(c *sqlite.Conn) error {
			return c.QueryEach(ctx, func(r *sqlite.Rows) {
				list = append(list, strings.Join([]string{r.Text(), r.Text(), r.Text(), r.Text()}, " "))
			},
				`SELECT m.name, p.name, p.type, CAST(p."notnull" AS TEXT) FROM sqlite_schema m JOIN pragma_table_info(m.name) p
				WHERE m.type IN ('table', 'index') ORDER BY m.name, p.cid`)
		}))
		return list
	}
	for v := 1; v < int(rows.Layout.Version()); v++ {
		s, err := Open(ctx, released(t, v))
		must(t, err)
		want := columns(newStore(t))
		if len(want) < 50 {
			t.Fatalf("only %d columns", len(want))
		}
		if d := storetest.Diff(want, columns(s)); d != "" {
			t.Errorf("from version %d: %s", v, d)
		}
		must(t, s.Close())
	}
}

// TestMigrateReleased opens a file of every earlier schema: all that the tallies count is
// read, and an export says the same as one of a database that it is imported into.
func TestMigrateReleased(t *testing.T) {
	t.Parallel()
	for version := 1; version < int(rows.Layout.Version()); version++ {
		s, err := Open(ctx, released(t, version))
		must(t, err)
		runs, err := s.Runs(ctx)
		must(t, err)
		if len(runs) == 0 {
			t.Errorf("version %d: no runs", version)
		}
		fresh := create(t, filepath.Join(t.TempDir(), "verbatim.db"))
		for _, r := range runs {
			if got := len(all(t, s, r.Run.N, whole)); int64(got) != r.Tally.Saved() {
				t.Errorf("version %d: run %d has %d records, and a tally of %d", version, r.Run.N, got, r.Tally.Saved())
			}
			before := export(t, s, r.Run.N)
			imported, err := fresh.Import(ctx, strings.NewReader(before))
			must(t, err)
			if after := export(t, fresh, imported[0].Run.N); after != before {
				t.Errorf("version %d: run %d says after an import\n%s\nwant\n%s", version, r.Run.N, after, before)
			}
		}
		must(t, fresh.Close())
		must(t, s.Close())
	}
}
