package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"verbatim"
	"verbatim/internal/errkind"
	"verbatim/internal/exchange"
	"verbatim/internal/library"
	"verbatim/internal/pace"
	"verbatim/internal/redact"
	"verbatim/internal/run"
	"verbatim/internal/store"
	"verbatim/internal/store/storetest"
	"verbatim/internal/task"
	"verbatim/internal/terminal"
)

// What a model or a file is called reaches terminals through JSON too.
func TestJSONIsHarmless(t *testing.T) {
	const hostile = "m\x1b[31m\x07\u202eevil\u200b\u0085\x7f"
	var document, lines, complaint bytes.Buffer
	if err := writeDocument(&document, "test", map[string]string{"name": hostile}); err != nil {
		t.Fatal(err)
	}
	if err := terminal.WriteJSONLine(&lines, map[string]string{"name": hostile}); err != nil {
		t.Fatal(err)
	}
	printError(&complaint, 0, errkind.Runtimef("", "%s", hostile), true, redact.Redactor{})
	for what, text := range map[string]string{"a document": document.String(), "a line": lines.String(), "an error": complaint.String()} {
		if strings.ContainsAny(text, "\x1b\x07\u202e\u200b\u0085\x7f") {
			t.Errorf("%s lets through what a terminal obeys: %q", what, text)
		}
		var got map[string]string
		if err := json.Unmarshal([]byte(text), &got); err != nil {
			t.Errorf("%s is no JSON: %v", what, err)
		}
		if got["name"] != hostile && got["message"] != hostile {
			t.Errorf("%s means something else: %q", what, text)
		}
	}
}

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

// TestShowInWidth: on a terminal no line is wider than it, and without one texts stay whole.
func TestShowInWidth(t *testing.T) {
	for _, f := range task.Families() {
		var narrow, piped strings.Builder
		if err := showTask(&narrow, f, 80); err != nil {
			t.Fatal(err)
		}
		if err := showTask(&piped, f, 0); err != nil {
			t.Fatal(err)
		}
		for line := range strings.SplitSeq(narrow.String(), "\n") {
			if terminal.Width(line) > 80 {
				t.Errorf("%s: %d columns: %s", f.Name, terminal.Width(line), line)
			}
		}
		for _, w := range f.Wordings[1:] {
			first, _, _ := strings.Cut(w.Text, "\n")
			if !strings.Contains(piped.String(), first) {
				t.Errorf("%s: without a terminal %q is cut", f.Name, first)
			}
		}
	}
}

// TestSuites: without a name all suites are listed, and with one that suite with its tasks.
func TestSuites(t *testing.T) {
	all, err := suiteEntries()
	if err != nil || len(all) != len(task.Suites()) || all[0].Tasks != nil {
		t.Errorf("%d suites, %v", len(all), err)
	}
	one, err := suiteEntries("hard")
	if err != nil || len(one) != 1 || one[0].Name != "hard" || len(one[0].Tasks) == 0 || one[0].Doc == "" {
		t.Errorf("%+v, %v", one, err)
	}
}

// A line about a locked database takes the place of a meter's line: the sequence that
// clears it is obeyed, and not shown.
func TestLockNoteClearsMeter(t *testing.T) {
	var b strings.Builder
	seal := terminal.NewSeal()
	filter := terminal.NewFilter(&b, seal)
	env := &Env{Err: filter, ErrWidth: 80, Seal: seal}
	env.replaceLine("x.db is locked by another process (2s)")
	if err := filter.Flush(); err != nil || b.String() != "\r\x1b[Kx.db is locked by another process (2s)\n" {
		t.Errorf("%q %v", b.String(), err)
	}
}

// newTestMeter returns a meter on a terminal of 80 columns, with one lane.
func newTestMeter(out *strings.Builder) *meter {
	m := newMeter(out, "\r", 80, time.Now, func() []pace.State { return nil }, nil)
	m.Update(run.Progress{Lanes: []run.LaneProgress{{Run: verbatim.Run{Plan: verbatim.Plan{Count: 10}}}}})
	return m
}

// A tick that comes while the meter is closed draws nothing behind the end of the line.
func TestNothingIsDrawnAfterClose(t *testing.T) {
	var out strings.Builder
	m := newTestMeter(&out)
	m.Close()
	before := out.String()
	if !strings.Contains(before, "0/10 answered") || !strings.HasSuffix(before, "\n") {
		t.Fatalf("%q", before)
	}
	if m.redraw(); out.String() != before {
		t.Errorf("drawn after the end of the line: %q", strings.TrimPrefix(out.String(), before))
	}
}
