package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"verbatim"
	"verbatim/internal/store/sqlite"
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
	if got := fmt.Sprint(classes); got != "[ transport rate overload quota auth request content cut deadline unsupported prompt_shortened]" {
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

// tested is a run of the model m that is made for a test; nil: no test.
func tested(test *verbatim.Test) verbatim.Run {
	return verbatim.Run{Plan: verbatim.Plan{Hash: "abcdef0123", Suite: "custom", Trials: 1, Count: 10}, Model: "m", Test: test}
}

func check(against string, settings ...string) *verbatim.Test {
	t := &verbatim.Test{Kind: "check", Baseline: against}
	for i := 0; i < len(settings); i += 2 {
		if t.Settings == nil {
			t.Settings = map[string]string{}
		}
		t.Settings[settings[i]] = settings[i+1]
	}
	return t
}

// TestBeginTellsTestsApart: a run goes on only for the same question.
func TestBeginTellsTestsApart(t *testing.T) {
	s := newStore(t)
	limit := &verbatim.Test{Kind: "horizon"}
	for i, test := range []*verbatim.Test{nil, {}, limit, check("a"), check("b"), check("a", "margin", "0.02"), check("a", "margin", "0.03"),
		check("a", "margin", "0.02", "alpha", "0.05"), {Kind: "until-verdict", Baseline: "a"}} {
		run, existed, err := s.Begin(ctx, tested(test), false)
		if err != nil || existed || run.N != int64(i+1) {
			t.Fatalf("test %d: run %d, existed %v, %v", i, run.N, existed, err)
		}
		if d := storetest.Diff(test, run.Test); d != "" {
			t.Error(d)
		}
		again, existed, err := s.Begin(ctx, tested(test), false)
		if err != nil || !existed || again.N != run.N {
			t.Errorf("test %d: run %d, existed %v, %v", i, again.N, existed, err)
		}
	}
	none := check("a")
	none.Settings = map[string]string{} // the same as nil
	if run, existed, err := s.Begin(ctx, tested(none), false); err != nil || !existed || run.N != 4 {
		t.Error(run.N, existed, err)
	}
}

func TestConclude(t *testing.T) {
	s := newStore(t)
	plain, _, err := s.Begin(ctx, tested(nil), false)
	must(t, err)
	first, _, err := s.Begin(ctx, tested(check(plain.Name)), false)
	must(t, err)
	keep(t, s, first.N, storetest.Typical(0), storetest.Failed(1, verbatim.Errored, 1))
	now := time.Unix(1800000000, 5).UTC()
	for name, err := range map[string]error{
		"a run that does not exist": s.CloseTest(ctx, 99, "pass", "", now),
		"a run without a test":      s.CloseTest(ctx, plain.N, "pass", "", now),
		"no verdict":                s.CloseTest(ctx, first.N, "", "", now),
	} {
		if err == nil {
			t.Error(name, "was closed")
		}
	}
	must(t, s.CloseTest(ctx, first.N, "pass", "capital 2", now))
	want := check(plain.Name)
	want.Verdict, want.Closed, want.State = "pass", now, "capital 2"
	got, err := s.Find(ctx, first.Name, "")
	must(t, err)
	if d := storetest.Diff(want, got.Test); d != "" {
		t.Error(d)
	}

	// It is closed for good.
	closed := new(testClosed)
	if err := s.CloseTest(ctx, first.N, "worse", "", now); !errors.As(err, &closed) || closed.Run != first.Name || closed.Test.Verdict != "pass" || closed.Hint() == "" {
		t.Errorf("closed twice: %v", err)
	}
	if w, err := s.Write(ctx, nil, plain.N, first.N); !errors.As(err, &closed) || w != nil {
		t.Errorf("a closed test was extended: %v", err)
	}
	if runs, err := s.Runs(ctx); err != nil || runs[0].Lease != nil || runs[1].Lease != nil || runs[1].Test.Verdict != "pass" {
		t.Errorf("%+v, %v", runs, err)
	}

	// The same command begins another test, also where it names a verdict.
	second, existed, err := s.Begin(ctx, got, false)
	if err != nil || existed || second.N == first.N || second.Test.Verdict != "" || !second.Test.Closed.IsZero() {
		t.Errorf("%+v, existed %v, %v", second, existed, err)
	}
	if again, existed, err := s.Begin(ctx, tested(check(plain.Name)), false); err != nil || !existed || again.N != second.N {
		t.Errorf("run %d, existed %v, %v", again.N, existed, err)
	}
}

// TestConcludeWhileAsking: requests in flight when a test ends are saved.
func TestConcludeWhileAsking(t *testing.T) {
	s := newStore(t)
	run, _, err := s.Begin(ctx, tested(check("b")), false)
	must(t, err)
	w, err := s.Write(ctx, nil, run.N)
	must(t, err)
	must(t, w.Put(ctx, run.N, storetest.Typical(0)))
	must(t, s.CloseTest(ctx, run.N, "worse", "", time.Unix(1, 0)))
	must(t, w.Put(ctx, run.N, storetest.Typical(1)))
	must(t, w.Close())
	if got := len(all(t, s, run.N, Read{})); got != 2 {
		t.Errorf("%d records, want 2", got)
	}
}

// TestFindPassesOverTests: the name of a model means a run of a whole plan.
func TestFindPassesOverTests(t *testing.T) {
	s := newStore(t)
	add := func(model string, test *verbatim.Test) {
		run := tested(test)
		run.Model = model
		_, _, err := s.Begin(ctx, run, true)
		must(t, err)
	}
	add("m", nil)
	add("m", check("m-abcdef-1"))
	add("only", check("m-abcdef-1"))
	for name, want := range map[string]int64{"m": 1, "last": 3, "2": 2, "m-abcdef-2": 2, "only-abcdef-1": 3, "only-": 3} {
		if run, err := s.Find(ctx, name, ""); err != nil || run.N != want {
			t.Errorf("Find(%q) = %d, %v, want %d", name, run.N, err, want)
		}
	}
	if run, err := s.Find(ctx, "m", "abcdef0123"); err != nil || run.N != 1 {
		t.Errorf("with a plan: %d, %v", run.N, err)
	}
	if run, err := s.Find(ctx, "only", ""); err == nil {
		t.Errorf("a model without a run of a whole plan is found as run %d", run.N)
	}
}

// TestImportConcludes: a file with the verdict closes the test, and one without it does
// not reopen it.
func TestImportConcludes(t *testing.T) {
	s, to := newStore(t), newStore(t)
	run, _, err := s.Begin(ctx, tested(check("b", "margin", "0.02")), false)
	must(t, err)
	keep(t, s, run.N, storetest.Typical(0))
	open := export(t, s)
	must(t, s.CloseTest(ctx, run.N, "pass", `{"capital":2}`, time.Unix(1800000000, 0)))
	closed := export(t, s)
	for i, text := range []string{open, closed, open, strings.Replace(closed, `"verdict":"pass"`, `"verdict":"worse"`, 1)} {
		_, err := to.Import(ctx, strings.NewReader(text))
		must(t, err)
		want := closed
		if i == 0 {
			want = open
		}
		if got := export(t, to); got != want {
			t.Errorf("import %d\n%s\nwant\n%s", i, got, want)
		}
	}
	other := strings.Replace(closed, `"margin":"0.02"`, `"margin":"0.2"`, 1)
	if _, err := to.Import(ctx, strings.NewReader(other)); err == nil || !strings.Contains(err.Error(), "another plan, model or test") {
		t.Errorf("the same run with another test: %v", err)
	}
}

// TestAnyTestIsKept: whatever a test says comes back as it was, closed or not.
func TestAnyTestIsKept(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		want := hostileTest().Draw(t, "test")
		run, existed, err := s.Begin(ctx, tested(want), true)
		if err != nil || existed {
			t.Fatal(existed, err)
		}
		if again, existed, err := s.Begin(ctx, tested(want), false); err != nil || !existed || again.N != run.N {
			t.Fatalf("run %d and not %d, existed %v, %v", again.N, run.N, existed, err)
		}
		if want != nil {
			n++
			want.Verdict, want.Closed = "v"+storetest.Unicode().Draw(t, "verdict"), storetest.Instants().Draw(t, "closed")
			if err := s.CloseTest(ctx, run.N, want.Verdict, "", want.Closed); err != nil {
				t.Fatal(err)
			}
			if again, _, err := s.Begin(ctx, tested(want), false); err != nil || again.N == run.N { // it may be an open one of another draw
				t.Fatalf("a closed test goes on: run %d, %v", again.N, err)
			}
		}
		got, err := s.Find(ctx, run.Name, "")
		if err != nil {
			t.Fatal(err)
		}
		if d := storetest.Diff(want, got.Test); d != "" {
			t.Fatal(d)
		}
	})
	if n == 0 { // with -short the draws are twenty
		t.Fatal("no run had a test")
	}
}

// TestConcludeOutlivesAKill lets another process close tests until it is killed:
// what it has reported as closed is closed, and the file is sound.
func TestConcludeOutlivesAKill(t *testing.T) {
	const path = "VERBATIM_TEST_CONCLUDE"
	if file := os.Getenv(path); file != "" {
		concludeForEver(t, file)
		return
	}
	file := filepath.Join(t.TempDir(), "verbatim.db")
	create(t, file)
	exe, err := os.Executable()
	must(t, err)
	for range 3 {
		cmd := exec.Command(exe, "-test.run=^TestConcludeOutlivesAKill$")
		cmd.Env = append(os.Environ(), path+"="+file)
		out, err := cmd.StdoutPipe()
		must(t, err)
		must(t, cmd.Start())
		var output []byte
		buf := make([]byte, 256)
		for strings.Count(string(output), "\n") < 20 {
			n, err := out.Read(buf)
			output = append(output, buf[:n]...)
			if err != nil {
				t.Fatalf("%v: %s", err, output)
			}
		}
		must(t, cmd.Process.Kill())
		cmd.Wait() // killed

		s, err := Open(ctx, file)
		must(t, err)
		must(t, s.Check(ctx))
		for name := range strings.SplitSeq(string(output[:strings.LastIndexByte(string(output), '\n')]), "\n") {
			if run, err := s.Find(ctx, name, ""); err != nil || run.Test.Verdict != "pass" {
				t.Errorf("%q was closed and is %+v, %v", name, run.Test, err)
			}
		}
		must(t, s.Close())
	}
}

// concludeForEver closes one test after the other and prints which.
func concludeForEver(t *testing.T, file string) {
	s, err := Open(ctx, file)
	must(t, err)
	for {
		run, _, err := s.Begin(ctx, tested(check("b")), false)
		must(t, err)
		must(t, s.CloseTest(ctx, run.N, "pass", "", time.Now()))
		os.Stdout.WriteString(run.Name + "\n")
	}
}

// TestTests lists the runs of one kind of tests.
func TestTests(t *testing.T) {
	s := newStore(t)
	for _, of := range []struct{ model, kind string }{{"m", ""}, {"m", "check"}, {"m", "sentinel"}, {"n", "sentinel"}} {
		run := tested(nil)
		if run.Model = of.model; of.kind != "" {
			run.Test = &verbatim.Test{Kind: of.kind}
		}
		_, _, err := s.Begin(ctx, run, true)
		must(t, err)
	}
	for model, want := range map[string][]int64{"": {3, 4}, "m": {3}, "n": {4}, "o": nil} {
		var got []int64
		found, err := s.Tests(ctx, "sentinel", model)
		must(t, err)
		for i := range found {
			got = append(got, found[i].N)
		}
		if !slices.Equal(got, want) {
			t.Errorf("model %q: %v, want %v", model, got, want)
		}
	}
}

// TestTestsOfADamagedRun: a run that cannot be read is an error.
func TestTestsOfADamagedRun(t *testing.T) {
	s := newStore(t)
	_, _, err := s.Begin(ctx, tested(check("m")), true)
	must(t, err)
	must(t, s.file.Update(ctx, func(c *sqlite.Conn) error {
		_, _, err := c.Exec(`UPDATE plan SET body = '{'`)
		return err
	}))
	_, err = s.Tests(ctx, "check", "")
	wantKind(t, err, sqlite.Corrupt)
}

// A proof stays in the database in which it was saved: neither an export nor an
// import carries it.
func TestProof(t *testing.T) {
	s := newStore(t)
	run := newRun(t, s, "exec:a", "p1")
	uid, proof, err := s.Proof(ctx, run.N)
	if err != nil || uid == "" || proof != "" {
		t.Fatalf("%q, %q, %v", uid, proof, err)
	}
	must(t, s.SetProof(ctx, run.N, "1:secretproof"))
	if same, proof, err := s.Proof(ctx, run.N); err != nil || same != uid || proof != "1:secretproof" {
		t.Fatalf("%q, %q, %v", same, proof, err)
	}
	var unknown *UnknownRun
	if _, _, err := s.Proof(ctx, 99); !errors.As(err, &unknown) {
		t.Errorf("%v", err)
	}
	var file bytes.Buffer
	must(t, s.Export(ctx, &file, run.N))
	if strings.Contains(file.String(), "secretproof") {
		t.Fatal("the proof is exported")
	}
	hostile := strings.Replace(file.String(), `"uid":`, `"proof":"1:secretproof","uid":`, 1)
	for _, text := range []string{file.String(), hostile} {
		other := newStore(t)
		if _, err := other.Import(ctx, strings.NewReader(text)); err != nil {
			continue // refused: nothing is imported
		}
		if same, proof, err := other.Proof(ctx, 1); err != nil || same != uid || proof != "" {
			t.Errorf("%q, %q, %v", same, proof, err)
		}
	}
}

// A name that this program would not give never becomes a path or a flag.
func TestForeignNames(t *testing.T) {
	s := newStore(t)
	run := newRun(t, s, "m", "p1")
	for _, name := range []string{"../../x", "/etc/x", "a b", "--db=x", "-x", "", "a\x1b[31m", "a$(b)"} {
		must(t, s.file.Update(ctx, func(c *sqlite.Conn) error {
			_, _, err := c.Exec(`UPDATE run SET name = ? WHERE id = ?`, name, run.N)
			return err
		}))
		got, err := s.Find(ctx, "last", "")
		if err != nil || got.Name != "1" {
			t.Errorf("%q is read as %q, %v", name, got.Name, err)
		}
	}
}
