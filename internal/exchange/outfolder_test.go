package exchange_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"verbatim"
	"verbatim/internal/exchange"
)

// Nothing is written through a link that leads out of the folder.
func TestWritesStayInFolder(t *testing.T) {
	top := t.TempDir()
	precious := filepath.Join(top, "precious")
	if err := os.WriteFile(precious, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	run := exchange.Run{Run: verbatim.Run{Name: "m-1", Model: "m", Started: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}, Records: func(yield func(verbatim.Record, error) bool) {
		item := &verbatim.Item{ID: "a", Want: verbatim.TextAnswer("a"), Facts: map[string]string{verbatim.FactFamily: "reverse"}}
		yield(verbatim.Record{Item: item, Outcome: verbatim.Pass, Reply: &verbatim.Reply{Text: "a"}, Grade: &verbatim.Grade{}}, nil)
	}}
	test := func(string) string { return "reversal" }
	for name, write := range map[string]func(dir string) error{
		"result_m_2026-01-02_03-04-05.json": func(dir string) error {
			_, err := exchange.WriteSimpE(exchange.Folder{Path: dir}, test, run)
			return err
		},
		"m/results_2026-01-02T03-04-05.000000.json": func(dir string) error {
			_, _, err := exchange.WriteLMEval(exchange.Folder{Path: dir}, &run)
			return err
		},
	} {
		dir := filepath.Join(top, filepath.Base(name)+".out")
		link := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(link), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(precious, link); err != nil {
			t.Skip("this system has no links")
		}
		if err := write(dir); err == nil {
			t.Errorf("%s: written through a link", name)
		}
		if data, err := os.ReadFile(precious); err != nil || string(data) != "mine" {
			t.Errorf("%s: the file outside is %q, %v", name, data, err)
		}
		if err := os.Remove(link); err != nil {
			t.Fatal(err)
		}
		if err := write(dir); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := os.Stat(link); err != nil {
			t.Error(err)
		}
	}
	linked := filepath.Join(top, "linked")
	if err := os.Mkdir(linked, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(top, filepath.Join(linked, "m")); err != nil {
		t.Fatal(err)
	}
	if _, _, err := exchange.WriteLMEval(exchange.Folder{Path: linked}, &run); err == nil {
		t.Error("written into a folder behind a link")
	}
}

// What is unfinished when the process is ended from outside is removed.
func TestFolderAtExit(t *testing.T) {
	var remove []func()
	dir := exchange.Folder{Path: t.TempDir(), AtExit: func(f func()) func() {
		remove = append(remove, f)
		return func() {}
	}}
	whole, err := dir.Create("whole")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := dir.Create("part"); err != nil {
		t.Fatal(err)
	}
	if err := whole.Commit(); err != nil {
		t.Fatal(err)
	}
	for _, f := range remove {
		f()
	}
	entries, err := os.ReadDir(dir.Path)
	if err != nil || len(entries) != 1 || entries[0].Name() != "whole" {
		t.Errorf("left are %v, %v; want whole", entries, err)
	}
}
