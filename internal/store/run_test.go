package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"verbatim"

	"verbatim/internal/store/storetest"
)

func TestNames(t *testing.T) {
	long := strings.Repeat("x", 200)
	for _, c := range []struct{ model, hash, want string }{
		{"gpt-4o", "0123456789abcdef", "gpt-4o-012345"},
		{"sim:careful?rate=0.5&x", "0123456789", "sim-careful-rate-0.5-x-012345"},
		{"chat+http://127.0.0.1:8080/v1#Qwen/Qwen3", "abcdef0", "chat-http-127.0.0.1-8080-v1-Qwen-Qwen3-abcdef"},
		{"../../etc/passwd", "abcdef0", "etc-passwd-abcdef"},
		{"模型", "abcdef0", "model-abcdef"},
		{"", "abc", "model-abc"},
		{long, "abcdef0", long[:60] + "-abcdef"},
	} {
		got := Stem(c.model, c.hash)
		if got != c.want {
			t.Errorf("stem(%q, %q) = %q, want %q", c.model, c.hash, got, c.want)
		}
		if !plainName(got) {
			t.Errorf("%q is not plain", got)
		}
	}
	for _, name := range []string{"", "a b", "a/b", "é", "a:b", long} {
		if plainName(name) {
			t.Errorf("%q is plain", name)
		}
	}
}

func TestBeginContinuesOrStartsAnew(t *testing.T) {
	s := newStore(t)
	half, whole := 0.5, 1.0
	want := verbatim.Run{Plan: verbatim.Plan{Hash: "abcdef0123", Suite: "quick", Seed: 7, Edition: verbatim.Standard, Trials: 2, Count: 40,
		Cells: []verbatim.Cell{{Family: "copy", Version: 1, Length: verbatim.Lengths{Min: 2, Max: 9}, N: 20, Bands: []verbatim.Lengths{{Min: 2, Max: 4}}}}},
		Model: "sim:careful", Params: verbatim.Params{Temperature: &half, Extra: map[string]json.RawMessage{"a": json.RawMessage(`{"b":[1,2]}`)}}, Tool: "v1"}
	first, existed, err := s.Begin(ctx, want, false)
	must(t, err)
	if existed || first.N != 1 || first.Name != "sim-careful-abcdef-1" || time.Since(first.Started) > time.Minute || !first.Ended.IsZero() {
		t.Errorf("existed %v, %+v", existed, first)
	}
	want.N, want.Name, want.Started = first.N, first.Name, first.Started
	if d := storetest.Diff(want, first); d != "" {
		t.Error(d)
	}
	again, existed, err := s.Begin(ctx, want, false)
	must(t, err)
	if d := storetest.Diff(first, again); d != "" || !existed {
		t.Error(existed, d)
	}
	for name, change := range map[string]func(*verbatim.Run){
		"parameters": func(r *verbatim.Run) { r.Params.Temperature = &whole },
		"plan":       func(r *verbatim.Run) { r.Plan.Hash = "0123456789" },
		"model":      func(r *verbatim.Run) { r.Model = "sim:sloppy" },
		"origin":     func(r *verbatim.Run) { r.Origin = "sortbench" },
	} {
		other := want
		change(&other)
		if _, existed, err := s.Begin(ctx, other, false); err != nil || existed {
			t.Errorf("another %s: existed %v, %v", name, existed, err)
		}
	}
	fresh, existed, err := s.Begin(ctx, want, true)
	must(t, err)
	if existed || fresh.N == first.N || fresh.Name == first.Name || !strings.HasPrefix(fresh.Name, "sim-careful-abcdef-") {
		t.Errorf("existed %v, %+v", existed, fresh)
	}
	newest, existed, err := s.Begin(ctx, want, false)
	must(t, err)
	if !existed || newest.N != fresh.N {
		t.Errorf("run %d goes on, want the newest, %d", newest.N, fresh.N)
	}
	changed := want
	changed.Plan.Seed = 8
	if _, _, err := s.Begin(ctx, changed, false); err == nil {
		t.Error("two plans under one hash")
	}
}

func TestFind(t *testing.T) {
	s := newStore(t)
	for _, r := range [][2]string{{"gpt-4o", "aaaaaa1"}, {"gpt-4o", "bbbbbb1"}, {"gpt-4o-mini", "aaaaaa1"}, {"gpt-4o", "aaaaaa1"}, {"sim:x", "cccccc1"}} {
		newRun(t, s, r[0], r[1])
	}
	for _, c := range []struct {
		name, plan string
		want       int64
	}{
		{"1", "", 1}, {"5", "", 5}, {"last", "", 5},
		{"gpt-4o", "", 4}, {"gpt-4o", "aaaaaa1", 4}, {"gpt-4o", "bbbbbb1", 2}, {"gpt-4o-mini", "", 3}, {"sim:x", "", 5},
		{"gpt-4o-aaaaaa-1", "", 1}, {"gpt-4o-aaaaaa-2", "", 4}, {"gpt-4o-b", "", 2}, {"gpt-4o-m", "", 3}, {"s", "", 5},
	} {
		run, err := s.Find(ctx, c.name, c.plan)
		if err != nil || run.N != c.want {
			t.Errorf("Find(%q, %q) = %d, %v, want %d", c.name, c.plan, run.N, err, c.want)
		}
	}
	for _, c := range []struct {
		name, plan string
		ambiguous  bool
		candidates []string
	}{
		{"gpt", "", true, []string{"gpt-4o-aaaaaa-2", "gpt-4o-mini-aaaaaa-1", "gpt-4o-bbbbbb-1", "gpt-4o-aaaaaa-1"}},
		{"gpt-4o-aaaaaa", "", true, []string{"gpt-4o-aaaaaa-2", "gpt-4o-aaaaaa-1"}},
		{"nothing", "", false, []string{"sim-x-cccccc-1", "gpt-4o-aaaaaa-2", "gpt-4o-mini-aaaaaa-1", "gpt-4o-bbbbbb-1", "gpt-4o-aaaaaa-1"}},
		{"6", "", false, nil}, {"-1", "", false, nil}, {"", "", false, nil}, {"%", "", false, nil}, {"gpt_4o", "", false, nil},
		{"gpt-4o", "cccccc1", true, nil},
	} {
		_, err := s.Find(ctx, c.name, c.plan)
		var unknown *UnknownRun
		if !errors.As(err, &unknown) || unknown.Ambiguous != c.ambiguous {
			t.Errorf("Find(%q, %q): %v", c.name, c.plan, err)
			continue
		}
		if len(unknown.Candidates) == 0 || c.candidates != nil && !slices.Equal(unknown.Candidates, c.candidates) {
			t.Errorf("Find(%q): candidates %q", c.name, unknown.Candidates)
		}
		if !strings.Contains(err.Error(), unknown.Candidates[0]) {
			t.Errorf("%q names no candidate", err)
		}
	}
	_, err := newStore(t).Find(ctx, "last", "")
	if unknown := new(UnknownRun); !errors.As(err, &unknown) || len(unknown.Candidates) != 0 {
		t.Errorf("in an empty file: %v", err)
	}
}

func TestFindTakesAWholeNameFirst(t *testing.T) {
	s := newStore(t)
	for range 11 {
		newRun(t, s, "m", "abcdef")
	}
	if run, err := s.Find(ctx, "m-abcdef-1", ""); err != nil || run.N != 1 {
		t.Errorf("run %d, %v: the name is whole, and the beginning of others", run.N, err)
	}
}

func TestManyCandidates(t *testing.T) {
	s := newStore(t)
	for i := range 30 {
		newRun(t, s, "m", fmt.Sprintf("%06d", i))
	}
	_, err := s.Find(ctx, "m-", "")
	if unknown := new(UnknownRun); !errors.As(err, &unknown) || len(unknown.Candidates) != 10 || unknown.Candidates[0] != "m-000029-1" {
		t.Errorf("%v", err)
	}
}

func TestEnd(t *testing.T) {
	s := newStore(t)
	run := newRun(t, s, "m", "h")
	now := time.Unix(1800000000, 5).UTC()
	keep(t, s, run.N, storetest.Typical(0), storetest.Failed(1, verbatim.Errored, 1))
	if ended, err := s.End(ctx, run.N, 0, now); err != nil || ended {
		t.Errorf("ended %v with an unanswered position, %v", ended, err)
	}
	keep(t, s, run.N, storetest.Typical(1))
	if ended, err := s.End(ctx, run.N, 0, now); err != nil || !ended {
		t.Errorf("ended %v, %v", ended, err)
	}
	got, err := s.Find(ctx, "1", "")
	if err != nil || !got.Ended.Equal(now) {
		t.Errorf("%v, %v", got.Ended, err)
	}
	keep(t, s, run.N, storetest.Typical(2)) // extended: not finished until someone says so
	if got, err := s.Find(ctx, "1", ""); err != nil || !got.Ended.IsZero() {
		t.Errorf("%v, %v", got.Ended, err)
	}
}

func TestRunsListsCounts(t *testing.T) {
	s := newStore(t)
	a, b := newRun(t, s, "a", "h"), newRun(t, s, "b", "h")
	wrong := storetest.Typical(1)
	g := *wrong.Grade
	g.Outcome = verbatim.Wrong
	wrong.Grade, wrong.Outcome = &g, g.Outcome
	keep(t, s, a.N, storetest.Typical(0), wrong, storetest.Failed(2, verbatim.Errored, 1), storetest.Failed(3, verbatim.Skipped))
	runs, err := s.Runs(ctx)
	must(t, err)
	if len(runs) != 2 || runs[0].N != a.N || runs[1].N != b.N || runs[1].Tally.Saved() != 0 || runs[0].Lease != nil {
		t.Fatalf("%+v", runs)
	}
	if d := storetest.Diff(Tally{verbatim.Pass: 1, verbatim.Wrong: 1, verbatim.Errored: 1, verbatim.Skipped: 1}, runs[0].Tally); d != "" {
		t.Error(d)
	}
	if d := storetest.Diff(a, runs[0].Run); d != "" {
		t.Error(d)
	}
	keep(t, s, a.N, storetest.Typical(2), storetest.Typical(3)) // answers in place of the failures
	runs, err = s.Runs(ctx)
	must(t, err)
	if d := storetest.Diff(Tally{verbatim.Pass: 3, verbatim.Wrong: 1}, runs[0].Tally); d != "" {
		t.Error(d)
	}
}

// TestCodesAreForEver pins the numbers that databases hold; every value of the
// vocabulary has one.
func TestCodesAreForEver(t *testing.T) {
	if got := fmt.Sprint(outcomes); got != "[pass wrapped wrong refused truncated cut error skipped]" {
		t.Error("outcomes:", got)
	}
	if got := fmt.Sprint(finishes); got != "[ stop length content_filter refusal other call no_call]" {
		t.Error("finishes:", got)
	}
	if got := fmt.Sprint(classes); got != "[ transport rate overload quota auth request content cut deadline unsupported]" {
		t.Error("classes:", got)
	}
	for _, o := range verbatim.Outcomes() {
		if _, err := codeOf(outcomes, o); err != nil {
			t.Error(err)
		}
	}
	if Decode(outcomes, -1) != "" || Decode(outcomes, 99) != "" {
		t.Error("an unknown number has a meaning")
	}
}

// A file of items under another name is the same plan.
func TestBeginUnderAnotherName(t *testing.T) {
	s := newStore(t)
	plan := func(name, sum string) verbatim.Run {
		return verbatim.Run{Plan: verbatim.Plan{Hash: "abcdef", Suite: "items", Count: 1, Items: &verbatim.ItemFile{Name: name, SHA256: sum, N: 1}}, Model: "m"}
	}
	first, _, err := s.Begin(t.Context(), plan("a.jsonl", "1"), false)
	if err != nil {
		t.Fatal(err)
	}
	again, existed, err := s.Begin(t.Context(), plan("b.jsonl", "1"), false)
	if err != nil || !existed || again.N != first.N {
		t.Errorf("run %d, existed %v, %v", again.N, existed, err)
	}
	if _, _, err := s.Begin(t.Context(), plan("a.jsonl", "2"), false); err == nil {
		t.Error("other items under the same hash are taken for the same plan")
	}
}
