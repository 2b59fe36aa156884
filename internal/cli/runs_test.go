package cli

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"verbatim"

	"verbatim/internal/store"
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
