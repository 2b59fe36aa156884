package store

import (
	"errors"
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
