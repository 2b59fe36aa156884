package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"reflect"
	"testing"

	"verbatim/internal/store"
)

// TestKillTest kills a test against a baseline with SIGKILL at random moments and
// continues it each time, on a server that fails now and then: no saved item is sent
// again, and in the end the verdict, the items it rests on and every figure are those
// of a test that was never interrupted.
func TestKillTest(t *testing.T) {
	long(t)
	t.Parallel()
	const items = 600
	n := kills(t, 8)
	program := build(t)
	dir := t.TempDir()
	base := filepath.Join(dir, "base.jsonl")
	for _, args := range [][]string{
		{"run", "--quiet", "--model", "sim:perfect", "--task", "reverse", "--length", "12", "--items", fmt.Sprint(items)},
		{"export", "last", "-o", base},
	} {
		if out, err := exec.Command(program, append(args, "--db", filepath.Join(dir, "base.db"))...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	asked := reversals(t, items) // a fifth of the answers is wrong now
	faulty := faulted(t, asked, "500:0.1 429:0.04,after=0.02,form=ms cut:0.05")
	trap := &trap{Handler: faulty}
	server := httptest.NewServer(trap)
	defer server.Close()
	test := func(db string) victim {
		return victim{program: program, args: []string{"run", "--db", db, "--model", server.URL + "/v1#m", "--json", "--quiet",
			"--until-verdict", "--baseline", base, "--rope", "0.15", "-j", "4"}}
	}

	book := &ledger{filepath.Join(dir, "killed.db"), map[string]bool{}}
	killed := 0
	var end ending
	for {
		answered := answers(faulty, asked)
		if killed < n {
			trap.arm(1+rand.IntN(25), moment(rand.IntN(3)))
			if killed == 0 { // at its very first request: nothing is saved yet
				trap.arm(1, before)
			}
			end = test(book.db).run(t, trap)
		} else {
			end = test(book.db).run(t, nil)
		}
		wantSavedAlone(t, faulty, asked, book.saved, answered)
		book.note(end)
		book.check(t)
		if end.code >= 0 {
			break
		}
		if killed++; closed(t, book.db) {
			t.Skip("the last kill came between the verdict and its printing")
		}
	}
	if end.code != 0 || killed < min(n, 3) {
		t.Fatalf("exit code %d after %d kills: %s", end.code, killed, end.stderr)
	}

	trap.serve(faulted(t, asked, ""))
	whole := filepath.Join(dir, "whole.db")
	calm := test(whole).run(t, nil)
	if calm.code != 0 {
		t.Fatalf("the uninterrupted test: %s", calm.stderr)
	}
	if a, b := saying(t, end), saying(t, calm); !reflect.DeepEqual(a, b) {
		t.Errorf("after %d kills:\n%v\nuninterrupted:\n%v", killed, a, b)
	}
	if !closed(t, book.db) || !closed(t, whole) {
		t.Error("a test with a verdict is open")
	}
	t.Logf("%d kills; %v", killed, saying(t, end)["verdict"])
}

// saying returns the result of a test without the parts that may differ: the requests
// in flight at the end, and times.
func saying(t *testing.T, e ending) map[string]any {
	t.Helper()
	var reported map[string]any
	if err := json.Unmarshal(e.reported, &reported); err != nil {
		t.Fatalf("%s: %v", e.reported, err)
	}
	for _, name := range []string{"asked", "calls_saved", "seconds", "started", "cost"} {
		if _, there := reported[name]; !there {
			t.Errorf("there is no %s", name)
		}
		delete(reported, name)
	}
	return reported
}

// closed reports whether the one run of a database is a test with its verdict.
func closed(t *testing.T, db string) bool {
	t.Helper()
	s, err := store.Open(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	runs, err := s.Runs(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(runs) == 0 {
		return false // killed while it asked the server what it runs, before the run was saved
	}
	if len(runs) != 1 || runs[0].Test == nil {
		t.Fatalf("%s: %d runs, %+v", filepath.Base(db), len(runs), runs)
	}
	return runs[0].Test.Verdict == "worse"
}
