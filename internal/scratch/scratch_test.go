package scratch

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// names lists a folder.
func names(t *testing.T, dir string) string {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range list {
		all = append(all, e.Name())
	}
	return strings.Join(all, " ")
}

func write(t *testing.T, f *File, text string) {
	t.Helper()
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
}

func TestFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.txt")
	begin := func() *File {
		f, err := Create(path)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	f := begin()
	write(t, f, "first")
	if got := names(t, dir); got != ".a.txt.verbatim-part" {
		t.Errorf("before Commit: %q", got)
	}
	if err := f.Commit(); err != nil {
		t.Fatal(err)
	}
	f.Discard() // nothing is left to discard
	if text, _ := os.ReadFile(path); string(text) != "first" || names(t, dir) != "a.txt" {
		t.Errorf("%q, %q", text, names(t, dir))
	}

	g := begin()
	write(t, g, "second")
	g.Discard()
	if text, _ := os.ReadFile(path); string(text) != "first" || names(t, dir) != "a.txt" {
		t.Errorf("after Discard: %q, %q", text, names(t, dir))
	}
}

// TestFileOfAnotherProcess: a file that a killed process left behind is replaced, and
// one that another process is writing is not.
func TestFileOfAnotherProcess(t *testing.T) {
	if !locks {
		t.Skip("files cannot be locked here")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "a.txt")
	if err := os.WriteFile(filepath.Join(dir, ".a.txt"+ending), []byte("a long rest of a process that was killed"), 0o666); err != nil {
		t.Fatal(err)
	}
	f, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	write(t, f, "one")
	g, err := Create(path) // a lock belongs to an open file, so this is another process
	if err != nil {
		t.Fatal(err)
	}
	write(t, g, "two")
	if got := names(t, dir); got != ".a.txt.verbatim-part .a.txt.verbatim-part1" {
		t.Errorf("the files of two writers: %q", got)
	}
	for _, one := range []*File{f, g} {
		if err := one.Commit(); err != nil {
			t.Fatal(err)
		}
	}
	if text, _ := os.ReadFile(path); string(text) != "two" || names(t, dir) != "a.txt" {
		t.Errorf("%q, %q", text, names(t, dir))
	}
}

// TestFilePlaces: a link goes on naming its file, and a device stays one.
func TestFilePlaces(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(file, link); err != nil {
		t.Skip(err)
	}
	f, err := Create(link)
	if err != nil {
		t.Fatal(err)
	}
	write(t, f, "text")
	if err := f.Commit(); err != nil {
		t.Fatal(err)
	}
	if text, _ := os.ReadFile(file); string(text) != "text" {
		t.Errorf("the file of the link holds %q", text)
	}
	if _, err := os.Readlink(link); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat("/dev/null"); err != nil {
		t.Skip(err)
	}
	for range 2 {
		f, err := Create("/dev/null")
		if err != nil {
			t.Fatal(err)
		}
		write(t, f, "text")
		if err := f.Commit(); err != nil {
			t.Fatal(err)
		}
		f.Discard()
	}
	if info, err := os.Stat("/dev/null"); err != nil || info.Mode().IsRegular() {
		t.Fatal("a device was replaced", err)
	}
}

// TestFolder: a folder that no process holds is removed when another one is made.
func TestFolder(t *testing.T) {
	dir := t.TempDir()
	old := filepath.Join(dir, "verbatim-old")
	young := filepath.Join(dir, "verbatim-young")
	for _, path := range []string{old, young} {
		if err := os.Mkdir(path, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(path, lockName), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	long := time.Now().Add(-time.Hour)
	if err := os.Chtimes(filepath.Join(old, lockName), long, long); err != nil {
		t.Fatal(err)
	}
	f, err := NewFolder(dir, "verbatim-")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(filepath.Join(f.Path, lockName), long, long); err != nil {
		t.Fatal(err)
	}
	g, err := NewFolder(dir, "verbatim-")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(f.Path); err != nil {
		t.Error("a folder in use was removed", err)
	}
	if _, err := os.Stat(young); err != nil {
		t.Error("a folder that may be in use was removed", err)
	}
	if _, err := os.Stat(old); locks && err == nil {
		t.Error("a folder that was left behind is still there")
	}
	for _, one := range []*Folder{f, g} {
		if err := one.Remove(); err != nil {
			t.Error(err)
		}
	}
	if got := names(t, dir); got != "verbatim-young" && locks {
		t.Error(got)
	}
}

// TestDiscardWhileCommitting: what Discard returns from has its name or is gone, whatever
// Commit is doing, as the process may end then.
func TestDiscardWhileCommitting(t *testing.T) {
	dir := t.TempDir()
	for i := range 2000 {
		f, err := Create(filepath.Join(dir, "a.txt"))
		if err != nil {
			t.Fatal(err)
		}
		committed := make(chan error)
		begun := make(chan bool)
		go func() {
			close(begun)
			committed <- f.Commit()
		}()
		<-begun
		f.Discard()
		if got := names(t, dir); got != "" && got != "a.txt" {
			t.Errorf("round %d: %q", i, got)
		}
		<-committed
		os.Remove(filepath.Join(dir, "a.txt"))
	}
}

func TestUnfinished(t *testing.T) {
	var u Unfinished
	var removed []int
	add := func(n int) func() { return u.Add(func() { removed = append(removed, n) }) }
	add(1)
	forget := add(2)
	add(3)
	forget()
	forget() // twice does no harm
	u.RemoveAll()
	u.RemoveAll()
	slices.Sort(removed)
	if !slices.Equal(removed, []int{1, 3}) {
		t.Errorf("removed %v, not what was added and not forgotten", removed)
	}
}
