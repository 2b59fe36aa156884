package store

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"verbatim/internal/store/sqlite"
)

func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	must(t, os.WriteFile(at("text"), []byte("dear diary, this is a long enough text"), 0o666))
	must(t, os.WriteFile(at("short"), []byte("SQLite"), 0o666))
	must(t, os.WriteFile(at("header"), append([]byte("SQLite format 3\x00"), make([]byte, 4080)...), 0o666))
	must(t, os.WriteFile(at("empty"), nil, 0o666))
	must(t, os.Mkdir(at("dir"), 0o777))
	sql := func(name, script string) {
		c, err := sqlite.Dial(at(name), at(name), "rwc")
		must(t, err)
		_, _, err = c.ExecOnce(script)
		must(t, err)
		must(t, c.Close())
	}
	sql("other", "CREATE TABLE t (x); PRAGMA user_version = 1")
	sql("newer", fmt.Sprintf("CREATE TABLE t (x); PRAGMA application_id = %d; PRAGMA user_version = %d", layout.ID, layout.Version+1))
	sql("zero", fmt.Sprintf("CREATE TABLE t (x); PRAGMA application_id = %d", layout.ID))
	for _, version := range []int{1, 10} { // which files had before the first release
		sql(fmt.Sprint("draft ", version), layout.Tables+fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d", 0x76726274, version))
	}
	sql("draft in its log", layout.Tables)
	log, err := sqlite.Dial(at("draft in its log"), at("draft in its log"), "rw")
	must(t, err)
	defer log.Close()
	_, _, err = log.ExecOnce(fmt.Sprintf("PRAGMA journal_mode = WAL; PRAGMA application_id = %d; PRAGMA user_version = 10", 0x76726274))
	must(t, err)

	for _, c := range []struct {
		name string
		kind sqlite.Kind
		make bool // also what Create says
		says string
	}{
		{"missing", sqlite.Missing, false, "there is no database"},
		{"empty", sqlite.Missing, false, "there is no database"},
		{"no/such/dir", sqlite.Missing, true, "directory"},
		{"dir", sqlite.Foreign, true, "is a directory"},
		{"text", sqlite.Foreign, true, "is not a database"},
		{"short", sqlite.Foreign, true, "is not a database"},
		{"other", sqlite.Foreign, true, "another program"},
		{"newer", sqlite.Version, true, "its schema has number 2, and this program reads 1"},
		{"zero", sqlite.Version, true, "its schema has number 0, and this program reads 1"},
		{"draft 1", sqlite.Foreign, true, "from before its first release"},
		{"draft 10", sqlite.Foreign, true, "from before its first release"},
		{"draft in its log", sqlite.Foreign, true, "from before its first release"},
		{"header", sqlite.Corrupt, true, "damaged"},
	} {
		t.Run(strings.ReplaceAll(c.name, "/", "_"), func(t *testing.T) {
			before, _ := os.ReadFile(at(c.name))
			_, err := Open(ctx, at(c.name))
			wantKind(t, err, c.kind)
			if !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), at(c.name)) {
				t.Errorf("%q does not name the file and %q", err, c.says)
			}
			if c.make {
				_, err := Create(ctx, at(c.name))
				wantKind(t, err, c.kind)
			}
			if after, _ := os.ReadFile(at(c.name)); !bytes.Equal(after, before) {
				t.Error("the file was written to")
			}
		})
	}
	if _, err := os.Stat(at("missing")); !os.IsNotExist(err) {
		t.Error("Open has made a file")
	}
	for kind, misuse := range map[sqlite.Kind]bool{sqlite.Missing: true, sqlite.Foreign: true, sqlite.Version: true, sqlite.Locked: false, sqlite.ReadOnly: false, sqlite.Full: false, sqlite.Corrupt: false, sqlite.IO: false} {
		if kind.Misuse() != misuse {
			t.Errorf("%q: Misuse %v", kind, !misuse)
		}
	}
}

func TestCreateMakesOurFile(t *testing.T) {
	for _, name := range []string{"verbatim.db", "odd name?mode=memory&#%41;.db", "empty.db"} {
		path := filepath.Join(t.TempDir(), name)
		if name == "empty.db" {
			must(t, os.WriteFile(path, nil, 0o666))
		}
		s, err := Create(ctx, path)
		must(t, err)
		newRun(t, s, "m", "h")
		must(t, s.Close())
		entries, err := os.ReadDir(filepath.Dir(path))
		must(t, err)
		if len(entries) != 1 || entries[0].Name() != name {
			t.Errorf("%q: after Close there are %v", name, entries)
		}
		again, err := Open(ctx, path)
		must(t, err)
		runs, err := again.Runs(ctx)
		if err != nil || len(runs) != 1 {
			t.Errorf("%q: %d runs, %v", name, len(runs), err)
		}
		for pragma, want := range map[string]string{"journal_mode": "wal", "synchronous": "2", "busy_timeout": "0", "application_id": fmt.Sprint(layout.ID)} {
			var got string
			must(t, again.file.With(func(c *sqlite.Conn) error {
				_, err := c.QueryOne(ctx, func(r *sqlite.Rows) { got = fmt.Sprint(r.Raw()) }, "PRAGMA "+pragma)
				return err
			}))
			if got != want {
				t.Errorf("%q: %s is %s, want %s", name, pragma, got, want)
			}
		}
		must(t, again.Close())
	}
}

func TestCreateAtTheSameTime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "verbatim.db")
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			s, err := Create(ctx, path)
			if err != nil {
				t.Error(err)
				return
			}
			if _, err := s.Runs(ctx); err != nil {
				t.Error(err)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
}
