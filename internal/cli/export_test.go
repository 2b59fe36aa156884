package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/exchange"
	"verbatim/internal/library"
	"verbatim/internal/store"
	"verbatim/internal/store/storetest"
)

// saved returns a run of one record in a database of its own.
func saved(t *testing.T) library.SavedRun {
	t.Helper()
	s, err := store.Create(t.Context(), filepath.Join(t.TempDir(), "verbatim.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	run, _, err := s.Begin(t.Context(), verbatim.Run{Plan: verbatim.Plan{Hash: "0123456789abcdef", Count: 1}, Model: "m"}, true)
	if err != nil {
		t.Fatal(err)
	}
	w, err := s.Write(t.Context(), nil, run.N)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Put(t.Context(), run.N, storetest.Typical(0)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return library.SavedRun{Run: run, Store: s}
}

// TestLogsOfEqualNames: runs of several databases may have the same name, and none replaces the
// log of another one.
func TestLogsOfEqualNames(t *testing.T) {
	dir := t.TempDir() + "/"
	var notes []string
	e := &exporting{Context: t.Context(), Runs: []library.SavedRun{saved(t), saved(t), saved(t)}, Out: dir, Note: func(line string) { notes = append(notes, filepath.Base(line)) }}
	if err := e.inspect(); err != nil {
		t.Fatal(err)
	}
	if want := []string{"m-012345-1.eval", "m-012345-1-2.eval", "m-012345-1-3.eval"}; !slices.Equal(notes, want) {
		t.Errorf("the logs are %q, want %q", notes, want)
	}
	for _, name := range notes {
		if runs, err := exchange.ReadInspect(dir + name); err != nil || len(runs) != 1 {
			t.Errorf("%s has %d runs: %v", name, len(runs), err)
		}
	}
}

// TestLogIsNoLink: other users may write to the folder, and the name of a log is that of a run.
func TestLogIsNoLink(t *testing.T) {
	dir, other := t.TempDir(), filepath.Join(t.TempDir(), "other")
	if err := os.WriteFile(other, []byte("other"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(other, filepath.Join(dir, "m-012345-1.eval")); err != nil {
		t.Skip(err)
	}
	e := &exporting{Context: t.Context(), Runs: []library.SavedRun{saved(t)}, Out: dir, Note: func(string) {}}
	if err := e.inspect(); err == nil || !strings.Contains(err.Error(), "is a link") {
		t.Errorf("a log is written through a link: %v", err)
	}
	if data, err := os.ReadFile(other); err != nil || string(data) != "other" {
		t.Errorf("the other file is %.20q, %v", data, err)
	}
}
