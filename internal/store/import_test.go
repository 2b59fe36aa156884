package store

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"verbatim"

	"verbatim/internal/store/storetest"
)

func TestImportCompletes(t *testing.T) {
	s, run := sample(t)
	old := export(t, s)
	to := newStore(t)
	_, err := to.Import(ctx, strings.NewReader(old))
	must(t, err)

	// The original run is continued: an answer in place of the failure, and more.
	answer := storetest.Typical(3)
	answer.Reply.Attempts[0].N = 3
	keep(t, s, run.N, answer, storetest.Typical(7))
	if ended, err := s.End(ctx, run.N, 0, time.Now()); err != nil || !ended {
		t.Fatal(ended, err)
	}
	newer := export(t, s)
	done, err := to.Import(ctx, strings.NewReader(newer))
	must(t, err)
	if len(done) != 1 || done[0].New || done[0].Saved != 2 || done[0].Known != 6 || done[0].Run.Ended.IsZero() {
		t.Errorf("%+v", done)
	}
	if got := export(t, to); got != newer {
		t.Errorf("want\n%s\ngot\n%s", newer, got)
	}
	done, err = to.Import(ctx, strings.NewReader(old)) // an older file removes nothing
	must(t, err)
	if got := export(t, to); got != newer || done[0].Saved != 0 {
		t.Errorf("%+v: want\n%s\ngot\n%s", done, newer, got)
	}
	wantTallies(t, to)
	must(t, to.Check(ctx))

	// What the database has stays, also where the file has something else under the
	// same name.
	_, err = to.Regrade(ctx, done[0].Run.N, version("3", verbatim.Refused), nil)
	must(t, err)
	_, err = to.Import(ctx, strings.NewReader(newer))
	must(t, err)
	if got := all(t, to, done[0].Run.N, Read{})[0].Grade; got.Outcome != verbatim.Refused {
		t.Errorf("import has replaced a grade by %q", got.Outcome)
	}
	wantTallies(t, to)
}

// TestImportKeepsEnds: a finished run with a record that its model cannot take is finished in a new
// database. One that was continued here, with a batch that is pending, is not.
func TestImportKeepsEnds(t *testing.T) {
	s := newStore(t)
	run := newRun(t, s, "m", "plan")
	keep(t, s, run.N, storetest.Typical(0))
	before := export(t, s)
	skipped := verbatim.Record{Seq: 1, Item: storetest.Typical(1).Item, Outcome: verbatim.Skipped, Failure: &verbatim.Failure{Class: verbatim.Unsupported, Err: errors.New("no images")}}
	for i, records := range [][]verbatim.Record{{skipped}, {storetest.Typical(1)}} {
		keep(t, s, run.N, records...)
		if ended, err := s.End(ctx, run.N, int64(1-i), time.Now()); err != nil || !ended {
			t.Fatal(ended, err)
		}
		done, err := newStore(t).Import(ctx, strings.NewReader(export(t, s)))
		if err != nil || done[0].Run.Ended.IsZero() {
			t.Errorf("%+v, %v", done, err)
		}
	}
	to := newStore(t)
	done, err := to.Import(ctx, strings.NewReader(before))
	must(t, err)
	w, err := to.Write(ctx, func([]Saved) {}, done[0].Run.N)
	must(t, err)
	_, err = w.BeginBatch(ctx, done[0].Run.N, []int64{1}, AnyTokens)
	must(t, errors.Join(err, w.Close()))
	done, err = to.Import(ctx, strings.NewReader(export(t, s)))
	if err != nil || done[0].Saved != 1 || !done[0].Run.Ended.IsZero() {
		t.Errorf("%+v, %v", done, err)
	}
}

// TestImportKeepsItsOwnRuns: another run of the same name is another run.
func TestImportKeepsItsOwnRuns(t *testing.T) {
	s, run := sample(t)
	to := newStore(t)
	mine := newRun(t, to, run.Model, run.Plan.Hash)
	if mine.Name != run.Name {
		t.Fatalf("%q and %q", mine.Name, run.Name)
	}
	to2 := newStore(t)
	newRun(t, to2, "x", "y")
	done, err := to.Import(ctx, strings.NewReader(export(t, s)))
	must(t, err)
	if got := done[0].Run; got.N == mine.N || got.Name == mine.Name || !strings.HasSuffix(got.Name, "-2") {
		t.Errorf("%+v", got)
	}
	runs, err := to.Runs(ctx)
	must(t, err)
	if len(runs) != 2 || runs[0].Tally.Saved() != 0 || runs[1].Tally.Saved() != 7 {
		t.Errorf("%+v", runs)
	}
}

func TestImportWaitsForNoOne(t *testing.T) {
	s, run := sample(t)
	text := export(t, s)
	w, err := s.Write(ctx, nil, run.N)
	must(t, err)
	_, err = s.Import(ctx, strings.NewReader(text))
	if held := new(Held); !errors.As(err, &held) {
		t.Errorf("into a run that is being written: %v", err)
	}
	must(t, w.Close())
}

// TestImportRefuses: each kind of bad line is named, and nothing of its run is saved,
// while the run before it is.
func TestImportRefuses(t *testing.T) {
	t.Parallel()
	s, _ := sample(t)
	second := newRun(t, s, "second", "abcdef0123456789")
	first := storetest.Typical(40) // an item that the first run does not have
	first.Seq = 0
	keep(t, s, second.N, first, storetest.Failed(1, verbatim.Errored, 1))
	good := strings.SplitAfter(strings.TrimSuffix(export(t, s), "\n"), "\n")
	lineWith := func(part string, nth int) int {
		for i, l := range good {
			if strings.HasPrefix(l, part) {
				if nth == 0 {
					return i
				}
				nth--
			}
		}
		t.Fatalf("no line begins with %s", part)
		return 0
	}
	run2 := lineWith(`{"run"`, 1)
	item, record, end := run2+1, run2+2, len(good)-1
	image, promptAt := lineWith(`{"blob"`, 0), lineWith(`{"prompt"`, 0)

	replace := func(i int, old, new string) []string {
		l := append([]string(nil), good...)
		if !strings.Contains(l[i], old) {
			t.Fatalf("line %d has no %s: %s", i+1, old, l[i])
		}
		l[i] = strings.Replace(l[i], old, new, 1)
		return l
	}
	without := func(i int) []string { return append(append([]string(nil), good[:i]...), good[i+1:]...) }
	cases := []struct {
		name  string
		lines []string
		line  int // 0: no line is named
		says  string
		runs  int // that are imported
	}{
		{"empty", nil, 0, "empty", 0},
		{"no header", good[1:], 1, "first line", 0},
		{"newer format", replace(0, "/1", "/2"), 1, "verbatim/store/1", 0},
		{"no JSON", replace(record, "{", "["), record + 1, "", 1},
		{"cut line", replace(record, "}\n", "\n"), record + 1, "", 1},
		{"two values", replace(record, "}\n", "}{}\n"), record + 1, "more than one", 1},
		{"a brace too many", replace(record, "}\n", "}}\n"), record + 1, "more than one", 1},
		{"a bracket too many", replace(record, "}\n", "} ]\n"), record + 1, "more than one", 1},
		{"unknown field", replace(record, `"seq"`, `"colour":1,"seq"`), record + 1, "colour", 1},
		{"says nothing", append(append([]string(nil), good[:record]...), "{}\n"), record + 1, "has 0 members", 1},
		{"says two things", replace(record, `{"record"`, `{"format":"verbatim/store/1","record"`), record + 1, "has 2 members", 1},
		{"no plan", without(1), 2, "plan", 0},
		{"no end", good[:end], end, "ends within", 1},
		{"no end, another run", without(lineWith(`{"end"`, 0)), run2, "no end line", 0},
		{"a record is missing", without(record), end, "end line says 2", 1},
		{"wrong end", replace(end, `"run":"`, `"run":"0`), end + 1, "end line says", 1},
		{"record before a run", []string{good[0], good[record]}, 2, "no run line before it", 0},
		{"item changed", replace(item, "Provide", "Produce"), item + 1, "hash", 1},
		{"item missing", without(item), item + 1, "not in the lines before", 1},
		{"odd hash", replace(record, `"hash":"`, `"hash":"x`), record + 1, "hex", 1},
		{"odd want", replace(item, `"want":"`, `"want":7,"grader":"`), item + 1, "want", 1},
		{"odd message", replace(item, `"content":"`, `"content":7,"x":"`), item + 1, "content", 1},
		{"unknown outcome", replace(record, `"outcome":"pass"`, `"outcome":"odd"`), record + 1, "odd", 1},
		{"another outcome", replace(record, `"outcome":"pass"`, `"outcome":"wrong"`), record + 1, "wrong", 1},
		{"answer without grade", replace(record, `"grade":{"outcome":"pass"`, `"grade":{"outcome":"wrong"`), record + 1, "no grade with the outcome", 1},
		{"grade without grader", replace(record, `,"grader":"text/1"`, ``), record + 1, "no grader", 1},
		{"failure with grade", replace(record+2, `"outcome":"error"`, `"outcome":"pass"`), record + 3, "no grade", 1},
		{"unknown finish", replace(record, `"finish":"stop"`, `"finish":"odd"`), record + 1, "odd", 1},
		{"place below 0", replace(record, `"seq":0`, `"seq":-1`), record + 1, "-1", 1},
		{"place above all", replace(record, `"seq":0`, `"seq":4294967296`), record + 1, "4294967296", 1},
		{"seq is a text", replace(record, `"seq":0`, `"seq":"0"`), record + 1, "seq", 1},
		{"closed without a verdict", replace(run2, `"uid":"`, `"test":{"kind":"check","closed":"2026-01-01T00:00:00Z"},"uid":"`), run2 + 1, "verdict", 1},
		{"no uid", replace(run2, `"uid":"`, `"uid":"","x":"`), run2 + 1, "x", 1},
		{"image changed", replace(image, `"data":"`, `"data":"AAAA`), image + 1, "hash", 0},
		{"image missing", without(image), image + 1, "image", 0},
		{"prompt changed", replace(promptAt, "brief", "short"), promptAt + 1, "hash", 0},
		{"prompt missing", without(promptAt), promptAt + 1, "not in the lines before", 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			to := newStore(t)
			done, err := to.Import(ctx, strings.NewReader(strings.Join(c.lines, "")))
			if err == nil {
				t.Fatal("no error")
			}
			var at *lineError
			if errors.As(err, &at) != (c.line > 0) || c.line > 0 && at.Line != int64(c.line) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v, want line %d and %q", err, c.line, c.says)
			}
			runs, err := to.Runs(ctx)
			must(t, err)
			if len(runs) != c.runs || len(done) != c.runs {
				t.Errorf("%d runs are there, %d reported, want %d", len(runs), len(done), c.runs)
			}
			// Items may stay: a slow import commits them before the line that is bad.
			if c.runs == 0 && count(t, to, `SELECT count(*) FROM reply`) != 0 {
				t.Error("something of the run was saved")
			}
			must(t, to.Check(ctx))
			wantTallies(t, to)
		})
	}
}

// TestImportTakesWhatPeopleDo imports files that were joined, and empty lines.
func TestImportTakesWhatPeopleDo(t *testing.T) {
	s, run := sample(t)
	second := newRun(t, s, "second", run.Plan.Hash)
	keep(t, s, second.N, storetest.Typical(0))
	joined := export(t, s, second.N) + "\n \n" + strings.TrimSuffix(export(t, s, run.N), "\n")
	to := newStore(t)
	done, err := to.Import(ctx, strings.NewReader(joined))
	must(t, err)
	if len(done) != 2 || done[0].Saved != 1 || done[1].Saved != 7 {
		t.Errorf("%+v", done)
	}
	if err := s.Export(ctx, new(bytes.Buffer), 99); err == nil {
		t.Error("a run that does not exist was exported")
	}
}
