package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/errkind"
	"verbatim/internal/store"
)

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
