package main

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/fake"
	"verbatim/internal/task"
)

// TestKill kills a run with SIGKILL at random moments and continues it each time, on a
// server that fails at a quarter of all requests: no item that was reported as saved is
// sent again, hardly any other item is, the database is sound each time, its totals are
// those of its rows, and in the end the run is the same as one that was never
// interrupted, on a server without faults.
func TestKill(t *testing.T) {
	t.Parallel()
	const jobs = 4
	n := kills(t, 20)
	items := 14 * n
	program := build(t)
	args := []string{"--task", "reverse", "--length", "12", "--items", fmt.Sprint(items), "-j", fmt.Sprint(jobs)}
	asked := reversals(t, items)
	faulty := faulted(t, asked, "500:0.12 429:0.04,after=0.02,form=ms cut:0.06 reset:0.03")
	trap := &trap{Handler: faulty}
	server := httptest.NewServer(trap)
	defer server.Close()
	run := func(db string) victim {
		return victim{program: program, args: append([]string{"run", "--db", db, "--model", server.URL + "/v1#m", "--json", "--quiet"}, args...)}
	}

	book := &ledger{filepath.Join(t.TempDir(), "killed.db"), map[string]bool{}}
	killed := 0
	for killed < n {
		twice := faulty.Counts().Twice
		answered := answers(faulty, asked)
		trap.arm(1+rand.IntN(30), moment(rand.IntN(3)))
		end := run(book.db).run(t, trap)
		if end.code >= 0 {
			break // everything has an answer, or was given up for this time
		}
		killed++
		wantSavedAlone(t, faulty, asked, book.saved, answered)
		book.note(end)
		book.check(t)
		if again := faulty.Counts().Twice - twice; again > jobs+256 {
			t.Errorf("after kill %d, %d answered items were sent again", killed, again)
		}
	}
	if killed < n/2 {
		t.Errorf("only %d kills", killed)
	}
	finish(t, run(book.db), book, faulty, asked)
	c := faulty.Counts()
	t.Logf("%d kills: %d of %d answers had been reported before the last one; %d requests, %d answers, %d of them twice; faults %v", killed, len(book.saved), items, c.Requests, c.Answered, c.Twice, c.Faults)

	trap.serve(faulted(t, asked, ""))
	whole := filepath.Join(t.TempDir(), "whole.db")
	if end := run(whole).run(t, nil); end.code != 0 {
		t.Fatalf("the uninterrupted run: %s", end.stderr)
	}
	if a, b := comparable(t, program, book.db), comparable(t, program, whole); a != b {
		t.Errorf("the killed run differs from the uninterrupted one:\n%s", firstDifference(a, b))
	}
}

// finish continues a run until everything has an answer.
func finish(t *testing.T, v victim, book *ledger, server *fake.Server, asked map[string]verbatim.Item) {
	t.Helper()
	for range 30 {
		answered := answers(server, asked)
		end := v.run(t, nil)
		wantSavedAlone(t, server, asked, book.saved, answered)
		book.note(end)
		switch {
		case end.code == 0:
			if n := book.check(t); n != len(asked) {
				t.Errorf("the run is finished, and %d of %d items have an answer", n, len(asked))
			}
			return
		case end.code != 1:
			t.Fatalf("exit code %d: %s", end.code, end.stderr)
		}
	}
	t.Fatal("the run does not finish")
}

// reversals returns the items of `run --task reverse --length 12`, by id. The answer
// that the server will give is wrong now and then, always to the same items.
func reversals(t *testing.T, n int) map[string]verbatim.Item {
	t.Helper()
	plan, err := task.Plan(task.Request{Tasks: []string{"reverse"}, Lengths: []verbatim.Lengths{{Min: 12, Max: 12}}, Items: n, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]verbatim.Item{}
	for _, it := range deal(t, plan) {
		h := fnv.New32()
		h.Write([]byte(it.ID))
		if h.Sum32()%5 == 0 {
			it.Want = verbatim.TextAnswer(it.Want.Text[1:])
		}
		all[it.ID] = it
	}
	return all
}

// faulted returns a server that knows the items, with faults.
func faulted(t *testing.T, items map[string]verbatim.Item, faults string) *fake.Server {
	t.Helper()
	index := &fake.Index{}
	for _, it := range items {
		index.Add(it.Prompt, &it)
	}
	s, err := fake.New(fake.Config{Item: index.Item, Faults: faultsOf(t, faults), Seed: 7})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// answers returns how often each item was sent so far.
func answers(s *fake.Server, items map[string]verbatim.Item) map[string]int {
	n := map[string]int{}
	for id, it := range items {
		n[id], _ = s.Asked(it.Prompt)
	}
	return n
}

// wantSavedAlone fails where an item was sent again although it had been reported as
// saved before.
func wantSavedAlone(t *testing.T, s *fake.Server, items map[string]verbatim.Item, saved map[string]bool, before map[string]int) {
	t.Helper()
	for id := range saved {
		it, known := items[id]
		if now, _ := s.Asked(it.Prompt); !known || now != before[id] {
			t.Errorf("%s was saved and sent again", id)
		}
	}
}

// comparable returns what two runs of one plan must have in common: everything
// but times.
func comparable(t *testing.T, program, db string) string {
	t.Helper()
	out, err := exec.Command(program, "export", "--db", db, "last", "--format", "csv").Output()
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(out)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) < 2 {
		t.Fatal("nothing was exported")
	}
	var b strings.Builder
	for _, row := range rows {
		for i, name := range rows[0] {
			if !slices.Contains([]string{"run", "seconds", "first_token_seconds"}, name) {
				fmt.Fprintf(&b, "%s;", row[i])
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func firstDifference(a, b string) string {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return x[i] + "\n" + y[i]
		}
	}
	return fmt.Sprintf("%d and %d lines", len(x), len(y))
}
