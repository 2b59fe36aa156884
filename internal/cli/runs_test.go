package cli

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"verbatim"
	"verbatim/internal/errkind"
	"verbatim/internal/exchange"
	"verbatim/internal/fake"
	"verbatim/internal/grade"
	"verbatim/internal/library"
	"verbatim/internal/obedient"
	"verbatim/internal/store"
	"verbatim/internal/study/sortbench"
)

// TestRunsSaysWhatTestsAre lists a run of a whole plan, a closed and an open
// test, and one whose verdict tries to write on the terminal.
func TestRunsSaysWhatTestsAre(t *testing.T) {
	db := filepath.Join(t.TempDir(), "x.db")
	s, err := store.Create(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	begin := func(test *verbatim.Test, verdict string) {
		t.Helper()
		run, _, err := s.Begin(t.Context(), verbatim.Run{Plan: verbatim.Plan{Hash: "abcdef", Suite: "custom", Count: 9}, Model: "m", Test: test}, true)
		if err == nil && verdict != "" {
			err = s.CloseTest(t.Context(), run.N, verdict, "", time.Unix(1800000000, 0))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	begin(nil, "")
	if r := invoke(t, db, "runs"); r.code != 0 || strings.Contains(r.out, "test") {
		t.Errorf("a column about tests where there are none: %+v", r)
	}
	begin(&verbatim.Test{Kind: "check", Baseline: "m-abcdef-1", Settings: map[string]string{"margin": "0.02"}}, "pass")
	begin(&verbatim.Test{Kind: "until-verdict", Baseline: "m-abcdef-1"}, "")
	begin(&verbatim.Test{Kind: "horizon"}, "\x1b[31m64")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}

	r := invoke(t, db, "runs")
	lines := strings.Split(strings.TrimSpace(r.out), "\n")
	if r.code != 0 || len(lines) != 5 || strings.Contains(r.out, "\x1b") {
		t.Fatalf("%d: %q %q", r.code, r.out, r.err)
	}
	for i, want := range []string{" test", "", "  finished    check against m-abcdef-1: pass", "  unfinished  until-verdict against m-abcdef-1: open", "horizon: "} {
		if !strings.HasSuffix(lines[i], want) && !(i == 4 && strings.Contains(lines[i], want)) {
			t.Errorf("line %d is %q, want %q at its end", i, lines[i], want)
		}
	}

	r = invoke(t, db, "runs", "--json")
	var doc struct {
		Runs []struct {
			State string
			Test  *verbatim.Test
		}
	}
	if err := json.Unmarshal([]byte(r.out), &doc); err != nil || len(doc.Runs) != 4 {
		t.Fatal(err, r.out)
	}
	if doc.Runs[0].Test != nil || doc.Runs[1].Test.Verdict != "pass" || doc.Runs[1].State != "finished" || doc.Runs[2].Test.Verdict != "" || doc.Runs[2].State != "unfinished" {
		t.Errorf("%+v", doc)
	}
}

// TestRepeatAfterTest: a test of the same items with another allowance for reasoning does not
// change which run a repeated command continues. A finished run would be paid for again.
func TestRepeatAfterTest(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "x.db")
	run := []string{"run", "-q", "-m", "sim:perfect", "-t", "copy", "-l", "4", "-n", "3"}
	if got := invoke(t, db, run...); got.code != exitDone {
		t.Fatal(got.err)
	}
	invoke(t, db, "run", "-q", "-m", "sim:perfect", "--until-verdict", "--baseline", "1", "--reasoning-tokens", "0")
	if got := invoke(t, db, run...); got.code != exitDone || !strings.Contains(got.err, "Run 1 (sim-perfect-") || !strings.Contains(got.err, "is finished") {
		t.Errorf("exit code %d\n%s", got.code, got.err)
	}
}

// TestRepliesBeforeScores: of a model's runs the newest counts, but never one of scores
// alone where there is one with its replies.
func TestRepliesBeforeScores(t *testing.T) {
	s, err := store.Create(t.Context(), filepath.Join(t.TempDir(), "x.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	score := 1.0
	for i, grader := range []string{"list/1", "list/1", exchange.Published} {
		plan := verbatim.Plan{Hash: "a", Suite: "sortbench", Seed: 1, Edition: verbatim.Reference, Trials: 1, Count: 1}
		run, _, err := s.Begin(t.Context(), verbatim.Run{Plan: plan, Model: "m", Tool: "test"}, true)
		if err != nil {
			t.Fatal(err)
		}
		w, err := s.Write(t.Context(), func([]store.Saved) {}, run.N)
		if err != nil {
			t.Fatal(err)
		}
		rec := verbatim.Record{Item: &verbatim.Item{ID: "sort@1/1", Want: verbatim.TextAnswer("a"), Facts: map[string]string{verbatim.FactFamily: "sort"}},
			Outcome: verbatim.Pass, Grade: &verbatim.Grade{Outcome: verbatim.Pass, Label: "pass", Score: &score, Grader: grader}}
		if i < 2 {
			rec.Reply = &verbatim.Reply{Text: "a", Finish: verbatim.FinishStop}
		}
		if err := errors.Join(w.Put(t.Context(), run.N, rec), w.Close()); err != nil {
			t.Fatal(err)
		}
	}
	all, err := s.Runs(t.Context())
	if err != nil || len(all) != 3 {
		t.Fatalf("%d runs, %v", len(all), err)
	}
	if all, err = repliesLast(t.Context(), s, all); err != nil {
		t.Fatal(err)
	}
	var order []int64
	for _, l := range all {
		order = append(order, l.Run.N)
	}
	if newest, _ := sortbench.Study().Choose(answeredRuns(all, "sortbench")); !slices.Equal(order, []int64{3, 1, 2}) || len(newest) != 1 || newest[0].N != 2 {
		t.Errorf("the order is %v, and %+v are taken", order, newest)
	}

	runs := []library.NamedRun{{SavedRun: library.SavedRun{Run: numbered(all, 1), Store: s}}, {SavedRun: library.SavedRun{Run: numbered(all, 2), Store: s}}}
	if sides, err := studySides(t.Context(), runs); err != nil || len(sides) != 2 {
		t.Errorf("%d sides, %v", len(sides), err)
	}
	other := verbatim.Grade{Outcome: verbatim.Pass, Label: "pass", Score: &score, Grader: "list/2"}
	if _, err := s.Regrade(t.Context(), 2, func(*verbatim.Item, string, verbatim.Finish) (verbatim.Grade, error) { return other, nil }, nil); err != nil {
		t.Fatal(err)
	}
	var refused *errkind.Error
	if _, err := studySides(t.Context(), runs); !errors.As(err, &refused) || refused.Kind != errkind.Usage || !strings.Contains(refused.Hint, "verbatim regrade") {
		t.Errorf("runs of two versions of a grader: %v", err)
	}
}

// numbered returns the run with a number.
func numbered(all []store.RunSummary, n int64) verbatim.Run {
	i := slices.IndexFunc(all, func(l store.RunSummary) bool { return l.Run.N == n })
	return all[i].Run
}

// twoRecords yields the records of a run of two items, copies of "a" and "b".
func twoRecords() iter.Seq2[verbatim.Record, error] {
	return func(yield func(verbatim.Record, error) bool) {
		for i, text := range []string{"a", "b"} {
			item := &verbatim.Item{ID: text, Prompt: verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: text}}}}, Want: verbatim.TextAnswer(text)}
			rec := verbatim.Record{Seq: int64(i), Item: item, Prompt: item.Prompt, Outcome: verbatim.Pass, Reply: &verbatim.Reply{Text: text, Finish: verbatim.FinishStop}}
			if !yield(rec, nil) {
				return
			}
		}
	}
}

// A reply that a grader fails on is saved as an attempt, stops no other, and is graded by the
// next import.
func TestSaveFailingGrader(t *testing.T) {
	ctx := context.Background()
	s, err := store.Create(ctx, filepath.Join(t.TempDir(), "runs.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	run := exchange.Run{Run: verbatim.Run{Model: "m", Origin: "test", Plan: verbatim.Plan{Hash: "h"}}, Records: twoRecords()}
	fails := func(it *verbatim.Item, text string, finish verbatim.Finish) (verbatim.Grade, error) {
		if text == "a" {
			return verbatim.Grade{}, errors.New("index out of range")
		}
		return grade.Try(it, text, finish)
	}
	outcomes := func(done importedRun) (list []verbatim.Outcome, texts []string) {
		for rec, err := range s.Records(ctx, done.Run.N, store.Read{Texts: true, Attempts: true}) {
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, rec.Outcome)
			if rec.Failure != nil {
				for _, a := range rec.Failure.Attempts {
					texts = append(texts, a.Partial)
				}
			}
		}
		return list, texts
	}
	done, err := save(ctx, s, run, fails)
	if err != nil {
		t.Fatal(err)
	}
	got, texts := outcomes(done)
	if done.Failed != 1 || done.Saved != 2 || len(got) != 2 || got[0] != verbatim.Errored || got[1] != verbatim.Pass || len(texts) != 1 || texts[0] != "a" {
		t.Errorf("%+v: %q, attempts %q", done, got, texts)
	}
	done, err = saveImported(ctx, s, run)
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := outcomes(done); done.Failed != 0 || done.Saved != 1 || done.Known != 1 || len(got) != 2 || got[0] != verbatim.Pass {
		t.Errorf("again: %+v: %q", done, got)
	}
}

// gradedBy saves a run of three items in the database at path, graded by the versions in turn.
func gradedBy(t *testing.T, path string, versions ...string) {
	t.Helper()
	s, err := store.Create(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	by := func(version string) verbatim.Grade {
		one := 1.0
		return verbatim.Grade{Outcome: verbatim.Pass, Label: "pass", Exact: true, Extracted: true, Score: &one, Grader: version}
	}
	run, _, err := s.Begin(t.Context(), verbatim.Run{Plan: verbatim.Plan{Hash: "abcdef", Suite: "custom", Edition: verbatim.Standard, Trials: 1, Count: 3}, Model: "m"}, true)
	if err != nil {
		t.Fatal(err)
	}
	w, err := s.Write(t.Context(), nil, run.N)
	if err != nil {
		t.Fatal(err)
	}
	for i := range int64(3) {
		it := &verbatim.Item{ID: fmt.Sprintf("copy@1/len=1/seed=1/%d", i), Prompt: verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: "a"}}}},
			Want: verbatim.TextAnswer("a"), Facts: map[string]string{verbatim.FactFamily: "copy", verbatim.FactLength: "1"}}
		g := by(versions[int(i)%len(versions)])
		if err := w.Put(t.Context(), run.N, verbatim.Record{Seq: i, Item: it, Prompt: it.Prompt, Outcome: g.Outcome, Reply: &verbatim.Reply{Text: "a", Finish: verbatim.FinishStop}, Grade: &g}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestGradersOfTwoFiles: of a run of the database and one of an exported file that other versions of a
// grader have graded, a report says so, and a comparison is refused.
func TestGradersOfTwoFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	old := filepath.Join(dir, "old.db")
	file := filepath.Join(dir, "old.jsonl")
	gradedBy(t, old, "text/1")
	if r := invoke(t, old, "export", "1", "-o", file); r.code != 0 {
		t.Fatal(r.err)
	}
	same := filepath.Join(dir, "same.db")
	gradedBy(t, same, "text/1")
	if r := invoke(t, same, "compare", "1", file); r.code != 0 {
		t.Errorf("%d %s", r.code, r.err)
	}
	newer := filepath.Join(dir, "newer.db")
	gradedBy(t, newer, "text/3")
	if r := invoke(t, newer, "report", "1", file); r.code != 0 || !strings.Contains(r.out, "different graders") {
		t.Errorf("%d %s %s", r.code, r.err, r.out)
	}
	if r := invoke(t, newer, "compare", "1", file); r.code != 2 || !strings.Contains(r.err, "text/3") || !strings.Contains(r.err, "import") {
		t.Errorf("%d %s", r.code, r.err)
	}
}

// TestMixedGraders: a run of which a part was graded by another version says so in a report, and is
// compared with none.
func TestMixedGraders(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x.db")
	gradedBy(t, path, "text/1", "text/2")
	if r := invoke(t, path, "report", "1"); r.code != 0 || !strings.Contains(r.out, "different versions of a grader") {
		t.Errorf("%d %s %s", r.code, r.err, r.out)
	}
	one := filepath.Join(t.TempDir(), "one.db")
	file := filepath.Join(t.TempDir(), "one.jsonl")
	gradedBy(t, one, "text/1")
	if r := invoke(t, one, "export", "1", "-o", file); r.code != 0 {
		t.Fatal(r.err)
	}
	if r := invoke(t, path, "compare", file, "1"); r.code != 2 || !strings.Contains(r.err, "verbatim regrade") {
		t.Errorf("%d %s", r.code, r.err)
	}
}

// Replies that a grader failed on are named, at most as many as fit a screen, and counted.
func TestFailedReplies(t *testing.T) {
	var failed failedReplies
	failed.add("run", store.RegradeResult{Replies: 5})
	if err := failed.err(); err != nil {
		t.Errorf("without a failure: %v", err)
	}
	bad := store.RegradeResult{Failed: 30}
	for i := range store.MaxNamed {
		bad.Named = append(bad.Named, store.FailedReply{Item: fmt.Sprintf("item\x1b%d", i), Trial: 1, Err: errors.New("index out of range")})
	}
	failed.add("run", bad)
	failed.add("other", store.RegradeResult{Failed: 1, Named: bad.Named[:1]})
	var e *errkind.Error
	if !errors.As(failed.err(), &e) || e.Kind != errkind.Failed {
		t.Fatalf("%v", failed.err())
	}
	all := strings.Join(e.Details, "\n")
	if !strings.Contains(e.Error(), "31 replies") || len(e.Details) != store.MaxNamed+1 || !strings.HasSuffix(all, "and 11 more") || strings.Contains(all, "\x1b") {
		t.Errorf("%v\n%s", e, all)
	}
}

// TestKilledBeforeTheEnd: a run whose process was killed after the last answer, before it was marked as
// finished and its batch as collected, is finished by the next command.
func TestKilledBeforeTheEnd(t *testing.T) {
	for _, killed := range []string{
		"UPDATE run SET ended = NULL",
		"UPDATE run SET ended = NULL; UPDATE batch SET state = 1, ended = NULL",
	} {
		model, err := obedient.New(nil)
		if err != nil {
			t.Fatal(err)
		}
		server, err := fake.New(fake.Config{Model: model, Any: true, Item: func(verbatim.Prompt) *verbatim.Item { return nil }})
		if err != nil {
			t.Fatal(err)
		}
		served := httptest.NewServer(server)
		defer served.Close()
		db := filepath.Join(t.TempDir(), "x.db")
		run := []string{"run", "--task", "copy", "--length", "8", "-n", "3", "-m", "gemini+" + served.URL + "#m"}
		if r := invoke(t, db, append(run, "--batch")...); r.code != 0 {
			t.Fatalf("%+v", r)
		}
		file, err := sql.Open("sqlite", db)
		if err == nil {
			_, err = file.ExecContext(t.Context(), killed)
			err = errors.Join(err, file.Close())
		}
		if err != nil {
			t.Fatal(err)
		}
		requests := server.Counts().Requests
		if r := invoke(t, db, append(run, "--warmup", "1")...); r.code != 0 {
			t.Errorf("%+v", r)
		}
		if r := invoke(t, db, "runs", "--json"); !strings.Contains(r.out, `"state": "finished"`) || server.Counts().Requests != requests {
			t.Errorf("after %q: %d requests, %s", killed, server.Counts().Requests-requests, r.out)
		}
	}
}
