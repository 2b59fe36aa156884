package exchange_test

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"verbatim"
	"verbatim/internal/exchange"
	"verbatim/internal/testmain"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// fixedRun has an answer that is right, one that is not, two trials of an item and a
// request without an answer.
func fixedRun() exchange.Run {
	start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	count := func(n int64) *int64 { return &n }
	item := func(id, family, source, want string) *verbatim.Item {
		from := verbatim.TextAnswer(source)
		return &verbatim.Item{ID: id, Prompt: verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: "Do it: " + source}}}}, Want: verbatim.TextAnswer(want), Source: &from,
			Facts: map[string]string{verbatim.FactFamily: family, verbatim.FactLength: "3"}}
	}
	graded := func(seq int64, trial int, it *verbatim.Item, text, label string) verbatim.Record {
		right := 0.0
		g := &verbatim.Grade{Outcome: verbatim.Wrong, Label: label, Score: &right, Grader: "text/1"}
		if label == "pass" {
			right, g.Outcome, g.Exact, g.Extracted = 1, verbatim.Pass, true, true
		}
		return verbatim.Record{Seq: seq, Item: it, Trial: trial, Prompt: it.Prompt, MaxTokens: 20, Outcome: g.Outcome, Grade: g,
			Reply: &verbatim.Reply{Text: text, Finish: verbatim.FinishStop, FinishRaw: "stop", ServedModel: "m-0102", Usage: verbatim.Usage{Prompt: count(12), Completion: count(4)},
				Times: verbatim.Times{Start: start.Add(time.Duration(seq) * time.Second), Total: 1250 * time.Millisecond}}}
	}
	reverse, copied := item("reverse/0", "reverse", "aé7", "7éa"), item("copy/0", "copy", "x\u202ey", "x\u202ey")
	recs := []verbatim.Record{
		graded(0, 0, reverse, "7éa", "pass"), graded(1, 1, reverse, "aé7", "not_reversed"), graded(2, 0, copied, "\x1b[31mxy", "corrupted"),
		{Seq: 3, Item: copied, Trial: 1, Prompt: copied.Prompt, MaxTokens: 20, Outcome: verbatim.Errored, Failure: &verbatim.Failure{Class: verbatim.Overload, Status: 503, Err: errors.New("busy")}},
	}
	run := someRun(recs)
	run.Run = verbatim.Run{Name: "m-00ff-1", Model: "org/m", Started: start, Ended: start.Add(time.Minute), Tool: "v1",
		Plan: verbatim.Plan{Hash: "00ff", Suite: "custom", Edition: verbatim.Standard, Seed: 1, Trials: 2, Count: 4}}
	return run
}

// TestGolden compares the files for other tools byte by byte: these tools read them,
// and people have saved such files.
func TestGolden(t *testing.T) {
	run, dir := fixedRun(), t.TempDir()
	log := filepath.Join(dir, "run.json")
	write(t, log, func(f *os.File) error { return exchange.WriteInspect(f, &run, false) })
	samples, left, err := exchange.WriteLMEval(exchange.Folder{Path: dir}, &run)
	if err != nil || len(samples) != 3 || left != 1 {
		t.Fatal(samples, left, err)
	}
	results, err := exchange.WriteSimpE(exchange.Folder{Path: dir}, func(f string) string { return map[string]string{"reverse": "reversal", "copy": "rehearsal"}[f] }, run)
	if err != nil {
		t.Fatal(err)
	}
	for name, path := range map[string]string{"inspect.json": log, "lm-eval-samples.jsonl": samples[0], "lm-eval-results.json": samples[2], "simpe.json": results[0]} {
		got, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range string(got) {
			if r != '\n' && !unicode.IsPrint(r) {
				t.Errorf("%s holds %U, which a terminal may obey", name, r)
			}
		}
		golden := filepath.Join("testdata", "golden", name)
		if *update {
			if err := errors.Join(os.MkdirAll(filepath.Dir(golden), 0o755), os.WriteFile(golden, got, 0o644)); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatalf("%v: run this test with -update", err)
		}
		if d := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(string(got), "\n")); d != "" {
			t.Errorf("%s differs (-want +got); if it should, run with -update:\n%s", name, d)
		}
	}
}

// Files of this version are read by the versions that follow.
func TestGoldenIsRead(t *testing.T) {
	want := collect(t, fixedRun())
	runs, err := exchange.ReadInspect(filepath.Join("testdata", "golden", "inspect.json"))
	if err != nil {
		t.Fatal(err)
	}
	if d := same(want, collect(t, runs[0])); d != "" {
		t.Error(d)
	}
}

func TestMain(m *testing.M) { testmain.Main(m) }

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
