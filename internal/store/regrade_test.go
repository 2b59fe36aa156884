package store

import (
	"errors"
	"maps"
	"reflect"
	"slices"
	"testing"

	"verbatim"

	"verbatim/internal/store/storetest"
)

// version is a judge that gives every reply the outcome, as version v of "text".
func version(v string, outcome verbatim.Outcome) GradeFunc {
	return func(it *verbatim.Item, text string, finish verbatim.Finish) (verbatim.Grade, error) {
		return verbatim.Grade{Outcome: outcome, Label: "by " + v, Grader: "text/" + v, Measures: map[string]float64{"n": float64(len(text))}}, nil
	}
}

func TestRegrade(t *testing.T) {
	s := newStore(t)
	run := newRun(t, s, "m", "h")
	published := storetest.Typical(2)
	published.Reply, published.Prompt = nil, nil
	g := *published.Grade
	g.Grader = "published"
	published.Grade = &g
	keep(t, s, run.N, storetest.Typical(0), storetest.Failed(1, verbatim.Errored, 1), published, storetest.Typical(3))

	var seen []int64
	done, err := s.Regrade(ctx, run.N, version("2", verbatim.Wrong), func(before verbatim.Record, after verbatim.Grade) {
		if before.Outcome != verbatim.Pass || before.Grade.Grader != "text/1" || before.Reply.Text == "" || after.Label != "by 2" {
			t.Errorf("before %+v, after %+v", before.Grade, after)
		}
		seen = append(seen, before.Seq)
	})
	must(t, err)
	if !reflect.DeepEqual(done, RegradeResult{Replies: 2, Changed: 2, Passed: 1}) || !slices.Equal(seen, []int64{0, 3}) {
		t.Errorf("%+v, changed %v", done, seen)
	}
	wantTallies(t, s)
	shown := func() (list []string) {
		for _, rec := range all(t, s, run.N, Read{}) {
			grader := ""
			if rec.Grade != nil {
				grader = rec.Grade.Grader
			}
			list = append(list, string(rec.Outcome)+" "+grader)
		}
		return list
	}
	if got := shown(); !slices.Equal(got, []string{"wrong text/2", "error ", "pass published", "wrong text/2"}) {
		t.Errorf("%q", got)
	}
	graders, err := s.Graders(ctx, run.N)
	must(t, err)
	if !maps.Equal(graders, map[string]int64{"text/2": 2, "published": 1}) {
		t.Errorf("%v", graders)
	}

	// Another grade replaces the old one; the same grade again changes nothing.
	done, err = s.Regrade(ctx, run.N, version("2", verbatim.Wrapped), nil)
	must(t, err)
	if got := shown(); done.Changed != 2 || got[0] != "wrapped text/2" {
		t.Errorf("%+v, %q", done, got)
	}
	if done, err = s.Regrade(ctx, run.N, version("2", verbatim.Wrapped), nil); err != nil || done.Changed != 0 || done.Replies != 2 {
		t.Errorf("%+v, %v", done, err)
	}
	if n := count(t, s, `SELECT count(*) FROM grade`); n != 3 {
		t.Errorf("%d grades, want one for each answer", n)
	}
	wantTallies(t, s)
	tally, err := s.Tally(ctx, run.N)
	must(t, err)
	if d := storetest.Diff(Tally{verbatim.Wrapped: 2, verbatim.Pass: 1, verbatim.Errored: 1}, tally); d != "" {
		t.Error(d)
	}
}

// A reply that the grader fails on keeps its grade, is named, and stops no other.
func TestRegradeFailure(t *testing.T) {
	s := newStore(t)
	run := newRun(t, s, "m", "h")
	keep(t, s, run.N, storetest.Typical(0), storetest.Typical(1), storetest.Typical(3))
	bad := storetest.Typical(1).Item.ID
	by := version("2", verbatim.Wrong)
	done, err := s.Regrade(ctx, run.N, func(it *verbatim.Item, text string, finish verbatim.Finish) (verbatim.Grade, error) {
		if it.ID == bad {
			return verbatim.Grade{}, errors.New("index out of range")
		}
		return by(it, text, finish)
	}, nil)
	must(t, err)
	if done.Replies != 2 || done.Changed != 2 || done.Failed != 1 || len(done.Named) != 1 || done.Named[0].Item != bad {
		t.Errorf("%+v", done)
	}
	graders, err := s.Graders(ctx, run.N)
	must(t, err)
	if !maps.Equal(graders, map[string]int64{"text/1": 1, "text/2": 2}) {
		t.Errorf("%v", graders)
	}
	wantTallies(t, s)
}

// TestRegradeManyGroups: more replies than a transaction takes.
func TestRegradeManyGroups(t *testing.T) {
	s := newStore(t)
	run := newRun(t, s, "m", "h")
	fillRun(t, s, run.N, 2*GroupSize+10)
	done, err := s.Regrade(ctx, run.N, version("10", verbatim.Wrong), nil)
	must(t, err)
	if done.Changed != 2*GroupSize+10 {
		t.Errorf("%+v", done)
	}
	wantTallies(t, s)
}
