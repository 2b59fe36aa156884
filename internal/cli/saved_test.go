package cli

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/errkind"
	"verbatim/internal/exchange"
	"verbatim/internal/library"
	"verbatim/internal/store"
	"verbatim/internal/study/sortbench"
)

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
