package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"verbatim/internal/store"
)

// signalUntilEnd sends a signal to a program every 100 ms until it has ended, and waits for it.
// Two signals of one kind are not enough to end a program that finishes its requests first: on a
// busy machine the second one can be lost, because the first one is not delivered yet.
func signalUntilEnd(t *testing.T, cmd *exec.Cmd, signal os.Signal) {
	t.Helper()
	ended := make(chan struct{})
	go func() {
		cmd.Wait() // its error is the signal
		close(ended)
	}()
	for range 300 {
		cmd.Process.Signal(signal)
		select {
		case <-ended:
			return
		case <-time.After(100 * time.Millisecond):
		}
	}
	cmd.Process.Kill()
	<-ended
	t.Errorf("the program does not end after 300 times %v", signal)
}

// build returns the path of the program in a folder of its own. The program is this test's
// executable, which TestMain has put on the PATH: nothing is compiled again.
func build(t *testing.T) string {
	t.Helper()
	here, err := exec.LookPath("verbatim")
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "verbatim")
	if os.Link(here, program) == nil {
		return program
	}
	data, err := os.ReadFile(here) // the folder is on another file system
	if err != nil {
		t.Fatal(err)
	}
	if err := writeProgram(program, data); err != nil {
		t.Fatal(err)
	}
	return program
}

// writeProgram writes a file that can be executed at once. No process is forked in the meantime: it
// would hold the file open until it executes a program of its own, and the file would be busy.
func writeProgram(path string, data []byte) error {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	return os.WriteFile(path, data, 0o755)
}

// TestWrittenProgramsRun executes files right after they are written, while other processes start.
func TestWrittenProgramsRun(t *testing.T) {
	var others sync.WaitGroup
	done := make(chan struct{})
	for range 4 {
		others.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
					exec.Command("true").Run()
				}
			}
		})
	}
	defer others.Wait()
	defer close(done)
	data := append([]byte("#!/bin/sh\nexit 0\n"), bytes.Repeat([]byte("#\n"), 1<<20)...)
	for i := range 40 {
		program := filepath.Join(t.TempDir(), strconv.Itoa(i))
		if err := writeProgram(program, data); err != nil {
			t.Fatal(err)
		}
		if err := exec.Command(program).Run(); err != nil {
			t.Fatalf("program %d: %v", i, err)
		}
	}
}

// exhaustive reports whether tests take all cases, as scripts/check has them do, and not
// some of each kind.
func exhaustive() bool { return os.Getenv("VERBATIM_EXHAUSTIVE") != "" && !testing.Short() }

// kills returns how often a test kills: VERBATIM_KILLS percent of usual, or a quarter of usual
// without it.
func kills(t *testing.T, usual int) int {
	t.Helper()
	if text := os.Getenv("VERBATIM_KILLS"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			t.Fatalf("VERBATIM_KILLS is %q: name a number of percent", text)
		}
		return max(1, usual*n/100)
	}
	return max(1, usual/4)
}

// long skips a test of many kills or signals where VERBATIM_KILLS does not ask for it, as
// scripts/check does. TestKill and TestKillBudget always run.
func long(t *testing.T) {
	t.Helper()
	if os.Getenv("VERBATIM_KILLS") == "" {
		t.Skip("VERBATIM_KILLS=100 runs this test; scripts/check kills does")
	}
}

// A victim is the program as a process that is killed at a moment of its
// server's choosing.
type victim struct {
	program string
	args    []string
	env     []string
}

// An ending is how a victim ended.
type ending struct {
	saved    []string // the items that it reported as saved
	reported []byte   // the verdict of a test, as JSON
	code     int      // -1: it was killed
	stderr   string
}

// run runs the program to its end. Where it is handed a trap, that kills it.
func (v victim) run(t *testing.T, trap *trap) ending {
	t.Helper()
	cmd := exec.Command(v.program, v.args...)
	cmd.Env = append(append(os.Environ(), "XDG_CONFIG_HOME="+filepath.Dir(v.program), "VERBATIM_DISCOVER=off", "VERBATIM_CONFIG=off"), v.env...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var errs bytes.Buffer
	cmd.Stderr = &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	last := time.AfterFunc(time.Minute, func() { cmd.Process.Signal(syscall.SIGQUIT) })
	defer last.Stop()
	if trap != nil {
		trap.set(func() { cmd.Process.Kill() })
		defer trap.set(nil)
	}
	e := ending{}
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF {
			break // a line that the kill cut in two counts for nothing
		}
		if err != nil {
			t.Fatal(err)
		}
		var event struct {
			Kind, Item, Outcome string
			Verdict             json.RawMessage
		}
		if err := json.Unmarshal(line, &event); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if event.Kind == "verdict" {
			e.reported = event.Verdict
		}
		if event.Kind == "saved" && event.Outcome != "error" && event.Outcome != "cut" && event.Outcome != "skipped" {
			e.saved = append(e.saved, event.Item)
		}
	}
	cmd.Wait() // its error says no more than the code
	e.code, e.stderr = cmd.ProcessState.ExitCode(), errs.String()
	if !last.Stop() {
		t.Fatalf("the program did not end within a minute: %s", e.stderr)
	}
	return e
}

// A trap is a server that kills the program that sends it requests, at one of its requests: before
// it is looked at, while it is answered, or after.
type trap struct {
	http.Handler

	mu   sync.Mutex
	left int // requests until it springs; 0: it does not
	at   moment
	kill func()
}

type moment int

const (
	before moment = iota
	meanwhile
	after
)

// arm makes the trap spring at the n-th request from now, at a moment of that request.
func (p *trap) arm(n int, at moment) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.left, p.at = n, at
}

// serve lets another server answer.
func (p *trap) serve(h http.Handler) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.Handler = h
}

func (p *trap) set(kill func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.kill = kill
}

// sprung counts a request and returns who answers it, and what kills the one who
// made it; nil: it lives.
func (p *trap) sprung() (http.Handler, func(), moment) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.kill == nil || p.left == 0 {
		return p.Handler, nil, 0
	}
	if p.left--; p.left > 0 {
		return p.Handler, nil, 0
	}
	return p.Handler, p.kill, p.at
}

func (p *trap) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	handler, kill, at := p.sprung()
	switch {
	case kill == nil:
		handler.ServeHTTP(w, r)
	case at == before:
		kill()
		handler.ServeHTTP(w, r)
	case at == meanwhile:
		go kill()
		handler.ServeHTTP(w, r)
	default:
		handler.ServeHTTP(w, r)
		kill()
	}
}

// A ledger is what a test knows of a database: which items were reported as saved.
type ledger struct {
	db    string
	saved map[string]bool
}

// check wants the database sound, with an answer for every item that was reported as
// saved, and with the totals of its rows. It returns how many items have an answer.
func (l *ledger) check(t *testing.T) int {
	t.Helper()
	ctx := t.Context()
	s, err := store.Create(ctx, l.db)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Check(ctx); err != nil {
		t.Fatal(err)
	}
	runs, err := s.Runs(ctx)
	if err != nil {
		t.Fatal(err)
	}
	there := map[string]bool{}
	for _, r := range runs {
		counted := store.Tally{}
		for rec, err := range s.Records(ctx, r.N, store.Read{Texts: true, Attempts: true}) {
			if err != nil {
				t.Fatal(err)
			}
			counted[rec.Outcome]++
			if rec.Outcome.Answered() {
				there[rec.Item.ID] = true
			}
		}
		tally, err := s.Tally(ctx, r.N)
		if err != nil {
			t.Fatal(err)
		}
		for o, n := range tally {
			if counted[o] != n {
				t.Errorf("the totals of run %d have %d of %s, its rows %d", r.N, n, o, counted[o])
			}
			delete(counted, o)
		}
		if len(counted) > 0 {
			t.Errorf("the totals of run %d lack %v", r.N, counted)
		}
	}
	for id := range l.saved {
		if !there[id] {
			t.Errorf("%s was reported as saved and is not in the database", id)
		}
	}
	return len(there)
}

// note records what a run reported.
func (l *ledger) note(e ending) {
	for _, id := range e.saved {
		l.saved[id] = true
	}
}
