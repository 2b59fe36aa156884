package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"verbatim"
	"verbatim/internal/fake"
	"verbatim/internal/store"
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
			if !slices.Contains([]string{"run", "seconds", "first_token_seconds", "first_content_seconds"}, name) {
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

// A search for a horizon that is killed at random moments and continued each time finds
// what an uninterrupted search finds, from the same items.
func TestKillHorizon(t *testing.T) {
	long(t)
	t.Parallel()
	program := build(t)
	search := func(dir string, out *bytes.Buffer) *exec.Cmd {
		cmd := exec.Command(program, "horizon", "--task", "reverse", "--model", "sim:perfect?reverse=24&latency=5ms",
			"-j", "1", "--items", "60", "--width", "0", "--json", "--quiet")
		cmd.Env = append(os.Environ(), "XDG_CONFIG_HOME="+filepath.Dir(program), "VERBATIM_DISCOVER=off", "VERBATIM_CONFIG=off", "VERBATIM_DB=horizon.db")
		cmd.Dir = dir
		cmd.Stdout = out
		return cmd
	}
	var whole bytes.Buffer
	if err := search(t.TempDir(), &whole).Run(); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	killed := 0
	for range 200 {
		var out bytes.Buffer
		cmd := search(dir, &out)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		var late *time.Timer
		if killed < kills(t, 12) {
			late = time.AfterFunc(time.Duration(20+rand.IntN(100))*time.Millisecond, func() { cmd.Process.Kill() })
		}
		err := cmd.Wait()
		if late != nil && !late.Stop() {
			killed++
		}
		if err != nil {
			continue
		}
		if !bytes.Equal(out.Bytes(), whole.Bytes()) {
			t.Errorf("after %d kills it finds\n%s\nuninterrupted\n%s", killed, out.Bytes(), whole.Bytes())
		}
		if killed == 0 {
			t.Error("it was never killed")
		}
		return
	}
	t.Fatal("the search does not finish")
}

// batchWires are the wires whose providers take batches, with the path of their
// base URL.
var batchWires = []struct{ wire, path string }{{"chat", "/v1"}, {"responses", "/v1"}, {"anthropic", "/v1"}, {"gemini", ""}}

// TestKillBatches kills a run in batches at every request that it makes to the
// provider, before the provider has read it, while it works on it and after, and
// continues it: every item is handed over and paid for exactly once.
func TestKillBatches(t *testing.T) {
	long(t)
	t.Parallel()
	const items = 20
	program := build(t)
	asked := reversals(t, items)
	total := 0
	for _, w := range batchWires {
		t.Run(w.wire, func(t *testing.T) {
			for _, at := range []moment{before, meanwhile, after} {
				for call := 1; ; call++ {
					if testing.Short() && (call+int(at))%3 > 0 && call < 10 {
						continue
					}
					server := batching(t, fake.Batch{})
					trap := &trap{Handler: server}
					http := httptest.NewServer(trap)
					v := batched(program, filepath.Join(t.TempDir(), "batch.db"), w.wire+"+"+http.URL+w.path, items)
					trap.arm(call, at)
					book := &ledger{v.db(), map[string]bool{}}
					end := v.run(t, trap)
					book.note(end)
					book.check(t)
					if end.code < 0 {
						total++
						finish(t, v, book, server, asked)
					}
					wantHandedOverOnce(t, fmt.Sprintf("killed at call %d, moment %d", call, at), server, items)
					http.Close()
					if end.code >= 0 || t.Failed() {
						break
					}
				}
			}
		})
	}
	if t.Logf("%d kills", total); total < 25 && !testing.Short() {
		t.Errorf("only %d kills", total)
	}
}

// A provider is busy, loses replies and fails at requests, and the program is killed
// again and again: no answered request is paid for twice.
func TestKillBatchesUnderFaults(t *testing.T) {
	long(t)
	t.Parallel()
	const items = 60
	program := build(t)
	asked := reversals(t, items)
	for n, w := range batchWires {
		t.Run(w.wire, func(t *testing.T) {
			server := batching(t, fake.Batch{Lost: 0.3, Busy: 0.2, Failed: 0.1})
			trap := &trap{Handler: server}
			http := httptest.NewServer(trap)
			defer http.Close()
			v := batched(program, filepath.Join(t.TempDir(), "batch.db"), w.wire+"+"+http.URL+w.path, items)
			book := &ledger{v.db(), map[string]bool{}}
			for i := range kills(t, 8) {
				trap.arm(1+(i+n)%5, moment(i%3))
				answered := answers(server, asked)
				end := v.run(t, trap)
				wantSavedAlone(t, server, asked, book.saved, answered)
				book.note(end)
				book.check(t)
				if end.code == 0 {
					break
				}
			}
			finish(t, v, book, server, asked)
			if c := server.Counts(); c.Twice != 0 {
				t.Errorf("%d items were paid for twice", c.Twice)
			}
		})
	}
}

// batching returns a batch server that knows the items of the run.
func batching(t *testing.T, b fake.Batch) *fake.Server {
	t.Helper()
	index := &fake.Index{}
	for _, it := range reversals(t, 60) {
		index.Add(it.Prompt, &it)
	}
	s, err := fake.New(fake.Config{Item: index.Item, Batch: b})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func batched(program, db, model string, items int) victim {
	return victim{program: program, args: []string{"run", "--db", db, "--model", model + "#m", "--batch", "--json", "--quiet",
		"--task", "reverse", "--length", "12", "--items", fmt.Sprint(items)}}
}

// db returns the name of the database.
func (v victim) db() string { return v.args[2] }

// wantHandedOverOnce fails where an item was in several batches, or in none.
func wantHandedOverOnce(t *testing.T, when string, s *fake.Server, items int) {
	t.Helper()
	if c := s.Counts(); c.Requests != int64(items) || c.Prompts != int64(items) {
		t.Errorf("%s: %d items were handed over %d times", when, c.Prompts, c.Requests)
	}
}

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
