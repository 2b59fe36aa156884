package store

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/store/rows"
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
	outcome := func(what rows.Read) (list []string) {
		for _, rec := range all(t, s, run.N, what) {
			grader := ""
			if rec.Grade != nil {
				grader = rec.Grade.Grader
			}
			list = append(list, string(rec.Outcome)+" "+grader)
		}
		return list
	}
	for _, c := range []struct {
		graders []string
		want    []string
	}{
		{nil, []string{"wrong text/2", "error ", "pass published", "wrong text/2"}},
		{[]string{"text/1", "published"}, []string{"pass text/1", "error ", "pass published", "pass text/1"}},
		{[]string{"text/2", "published", "unheard/1"}, []string{"wrong text/2", "error ", "pass published", "wrong text/2"}},
	} {
		if got := outcome(rows.Read{Graders: c.graders}); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.graders, got, c.want)
		}
	}
	for _, err := range s.Records(ctx, run.N, rows.Read{Graders: []string{"text/3"}}) {
		if err == nil || !strings.Contains(err.Error(), "regrade") {
			t.Errorf("without a grade: %v", err)
		}
		break
	}

	// The same version with another grade replaces its own; an older one is saved and
	// not shown; the same grade again changes nothing.
	done, err = s.Regrade(ctx, run.N, version("2", verbatim.Wrapped), nil)
	must(t, err)
	if got := outcome(rows.Read{}); done.Changed != 2 || got[0] != "wrapped text/2" {
		t.Errorf("%+v, %q", done, got)
	}
	if done, err = s.Regrade(ctx, run.N, version("1", verbatim.Refused), nil); err != nil || outcome(rows.Read{})[0] != "wrapped text/2" {
		t.Errorf("%+v, %v, %q", done, err, outcome(rows.Read{}))
	}
	if done, err = s.Regrade(ctx, run.N, version("2", verbatim.Wrapped), nil); err != nil || done.Changed != 0 || done.Replies != 2 {
		t.Errorf("%+v, %v", done, err)
	}
	if n := count(t, s, `SELECT count(*) FROM grade`); n != 5 {
		t.Errorf("%d grades, want 2 replies in 2 versions and a score", n)
	}
	wantTallies(t, s)
	tally, err := s.Tally(ctx, run.N)
	must(t, err)
	if d := storetest.Diff(Tally{verbatim.Wrapped: 2, verbatim.Pass: 1, verbatim.Errored: 1}, tally); d != "" {
		t.Error(d)
	}
}

// A reply that the grader fails on keeps its grade, is named, and stops no other. The run
// then has no whole new version, so that reports read the old one.
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
	common, err := s.Common(ctx, run.N)
	must(t, err)
	if !slices.Equal(common, []string{"text/1"}) {
		t.Errorf("the run is read by %q", common)
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

func TestCommon(t *testing.T) {
	s := newStore(t)
	a, b := newRun(t, s, "a", "h"), newRun(t, s, "b", "h")
	list := storetest.Typical(2)
	g := *list.Grade
	g.Grader = "list/1"
	list.Grade = &g
	keep(t, s, a.N, storetest.Typical(0), storetest.Typical(1), list, storetest.Failed(3, verbatim.Errored, 1))
	keep(t, s, b.N, storetest.Typical(0))
	want := func(graders []string, runs ...int64) {
		t.Helper()
		got, err := s.Common(ctx, runs...)
		if err != nil || !slices.Equal(got, graders) {
			t.Errorf("runs %v: %q, %v, want %q", runs, got, err, graders)
		}
	}
	want([]string{"list/1", "text/1"}, a.N, b.N)
	want([]string{"text/1"}, b.N)
	want(nil)
	_, err := s.Regrade(ctx, b.N, version("2", verbatim.Wrong), nil)
	must(t, err)
	want([]string{"text/2"}, b.N)
	want([]string{"list/1", "text/1"}, a.N, b.N) // a has no text/2
	text := func(it *verbatim.Item, text string, finish verbatim.Finish) (verbatim.Grade, error) {
		if it.ID == list.Item.ID {
			return g, nil
		}
		return version("10", verbatim.Wrong)(it, text, finish)
	}
	_, err = s.Regrade(ctx, a.N, text, nil)
	must(t, err)
	want([]string{"list/1", "text/1"}, a.N, b.N)
	want([]string{"list/1", "text/10"}, a.N)
	_, err = s.Regrade(ctx, b.N, text, nil)
	must(t, err)
	want([]string{"list/1", "text/10"}, a.N, b.N) // 10 is newer than 2

	// Half of a run by one version, half by another: no version has judged all.
	newer := storetest.Typical(5)
	g2 := *newer.Grade
	g2.Grader = "text/11"
	newer.Grade = &g2
	keep(t, s, b.N, newer)
	_, err = s.Common(ctx, a.N, b.N)
	var none *NoCommonGrader
	if !errors.As(err, &none) || none.Grader != "text" || !slices.Equal(none.Runs, []string{a.Name, b.Name}) || none.Hint() == "" {
		t.Errorf("%v", err)
	}
	if _, err := s.Regrade(ctx, b.N, text, nil); err != nil {
		t.Fatal(err)
	}
	want([]string{"list/1", "text/10"}, a.N, b.N)
}

// TestCommonOfFiles: runs of two files have the version in common that both have,
// not the newest of each.
func TestCommonOfFiles(t *testing.T) {
	s, other := newStore(t), newStore(t)
	a, b := newRun(t, s, "a", "h"), newRun(t, other, "b", "h")
	keep(t, s, a.N, storetest.Typical(0), storetest.Typical(1))
	keep(t, other, b.N, storetest.Typical(0))
	_, err := s.Regrade(ctx, a.N, version("2", verbatim.Wrong), nil)
	must(t, err)
	both := []StoredRun{{s, a.N}, {other, b.N}}
	if got, err := Common(ctx, both...); err != nil || !slices.Equal(got, []string{"text/1"}) {
		t.Errorf("%q, %v", got, err)
	}
	late := storetest.Typical(2)
	g := *late.Grade
	g.Grader = "text/2"
	late.Grade = &g
	keep(t, s, a.N, late)
	_, err = Common(ctx, both...)
	if none := new(NoCommonGrader); !errors.As(err, &none) || !none.Apart || !slices.Equal(none.Runs, []string{a.Name, b.Name}) || !strings.Contains(none.Hint(), "import") {
		t.Errorf("%v", err)
	}
}

func TestSplitGrader(t *testing.T) {
	for grader, want := range map[string]struct {
		name string
		v    int
	}{"list/2": {"list", 2}, "list/10": {"list", 10}, "published": {"published", 0}, "a/b": {"a/b", 0}, "a/0": {"a/0", 0}, "": {"", 0}} {
		if name, v := rows.SplitGrader(grader); name != want.name || v != want.v {
			t.Errorf("%q: %q, %d", grader, name, v)
		}
	}
}
