package store

import (
	"os"
	"path/filepath"
	"testing"
)

func TestMigrate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "verbatim.db")
	s := create(t, path)
	run := newRun(t, s, "m", "h")
	keep(t, s, run.N, typical(0), typical(1))
	must(t, s.Close())
	must(t, os.WriteFile(path+".v1", []byte("mine"), 0o666)) // a name that is taken

	// Versions 2 and 3, made up: a new column, then a new table.
	later := layout{tables: tables, steps: []string{
		`ALTER TABLE run ADD COLUMN colour TEXT; UPDATE run SET colour = 'green'`,
		`CREATE TABLE extra (x INTEGER) STRICT`,
	}}
	s, err := open(ctx, path, false, later)
	must(t, err)
	if n := count(t, s, `SELECT count(*) FROM run, (SELECT count(*) AS extras FROM extra) WHERE colour = 'green' AND extras = 0`); n != 1 {
		t.Errorf("%d runs were migrated, want 1", n)
	}
	if got := len(all(t, s, run.N, whole)); got != 2 {
		t.Errorf("%d records after the migration, want 2", got)
	}
	if n := count(t, s, "PRAGMA user_version"); n != 3 {
		t.Errorf("user_version %d after two steps", n)
	}
	must(t, s.Close())

	old, err := Open(ctx, path+".v1-2")
	must(t, err)
	if got := len(all(t, old, run.N, whole)); got != 2 {
		t.Errorf("%d records in the copy, want 2", got)
	}
	must(t, old.Close())
	if b, err := os.ReadFile(path + ".v1"); string(b) != "mine" {
		t.Errorf("the copy went over a file that was there: %q, %v", b, err)
	}
	_, err = Open(ctx, path)
	wantKind(t, err, Version)
	again, err := open(ctx, path, false, later)
	must(t, err)
	must(t, again.Close())
	if _, err := os.Stat(path + ".v1-3"); !os.IsNotExist(err) {
		t.Error("a file of this version was copied")
	}
}

// TestMigrateAllOrNothing breaks the second of two steps.
func TestMigrateAllOrNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "verbatim.db")
	s := create(t, path)
	newRun(t, s, "m", "h")
	must(t, s.Close())
	_, err := open(ctx, path, false, layout{tables: tables, steps: []string{`DROP TABLE graded`, `DROP TABLE nonsense`}})
	if err == nil {
		t.Fatal("a broken step is no error")
	}
	s, err = Open(ctx, path)
	must(t, err)
	count(t, s, `SELECT count(*) FROM graded`)
	must(t, s.Close())
}

// TestSchemaIsPinned holds whoever changes the tables to the rule.
func TestSchemaIsPinned(t *testing.T) {
	const pinned = "a6c50c0f36ae7e14"
	if got := hex16(hashOf(tables)); got != pinned {
		t.Errorf("the tables have changed (%s): add a step for the files that there are, then pin this hash", got)
	}
	if current.version() != 1 {
		t.Errorf("version %d: keep a file of the version before under testdata and test its migration", current.version())
	}
}
