//go:build unix

package main

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"testing"
	"time"
)

// answeredBy returns how many answers the database of a folder holds.
func answeredBy(t *testing.T, program, dir string) int {
	t.Helper()
	cmd := exec.Command(program, "export", "last", "--format", "csv")
	cmd.Dir, cmd.Env = dir, []string{"VERBATIM_DISCOVER=off"}
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Count(out, []byte(",pass,"))
}

// TestHangup closes the terminal of a run: what is in flight is finished and saved,
// even where the hangup comes twice and what is printed is not read.
func TestHangup(t *testing.T) {
	t.Parallel()
	program := build(t)
	for _, c := range []struct {
		name     string
		wrapper  []string
		signals  []syscall.Signal
		code     int
		all      bool // the run goes on to its end
		inFlight int
	}{
		{"hangup", nil, []syscall.Signal{syscall.SIGHUP}, 130, false, 4},
		{"hangup twice", nil, []syscall.Signal{syscall.SIGHUP, syscall.SIGHUP}, 130, false, 4},
		{"terminated, then hung up", nil, []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP}, 130, false, 4},
		{"nohup", []string{"sh", "-c", `trap '' HUP; exec "$@"`, "sh"}, []syscall.Signal{syscall.SIGHUP}, 1, true, 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if c.wrapper == nil && signal.Ignored(syscall.SIGHUP) {
				t.Skip("the tests run under nohup, and a child inherits that hangups are ignored")
			}
			dir := t.TempDir()
			args := append(c.wrapper, program, "run", "--json", "-j", "4", "--task", "copy", "--length", "4", "--items", "8", "--model", "sim:perfect?latency=1s")
			cmd := exec.Command(args[0], args[1:]...)
			cmd.Dir, cmd.Env = dir, []string{"PATH=" + os.Getenv("PATH"), "VERBATIM_DISCOVER=off"}
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			errs, err := cmd.StderrPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			// The plan is printed before the first request.
			if _, err := io.ReadFull(out, make([]byte, 100)); err != nil {
				t.Fatal(err)
			}
			time.Sleep(300 * time.Millisecond)
			out.Close()
			errs.Close()
			for _, s := range c.signals {
				if err := cmd.Process.Signal(s); err != nil {
					t.Fatal(err)
				}
				time.Sleep(50 * time.Millisecond)
			}
			cmd.Wait() // its error says no more than the code
			if code := cmd.ProcessState.ExitCode(); code != c.code {
				t.Errorf("exit code %d, want %d (%v)", code, c.code, cmd.ProcessState)
			}
			n := answeredBy(t, program, dir)
			if c.all && n != 8 || !c.all && n != c.inFlight {
				t.Errorf("%d answers are saved", n)
			}
		})
	}
}

// A run whose output is not read saves all its answers.
func TestClosedOutput(t *testing.T) {
	t.Parallel()
	program := build(t)
	for _, args := range [][]string{{"--json"}, {}} {
		dir := t.TempDir()
		cmd := exec.Command(program, append([]string{"run", "-j", "1", "--task", "copy", "--length", "4", "--items", "20", "--model", "sim:perfect?latency=20ms"}, args...)...)
		cmd.Dir, cmd.Env = dir, []string{"VERBATIM_DISCOVER=off"}
		var pipes []*os.File
		for _, w := range []*io.Writer{&cmd.Stdout, &cmd.Stderr} {
			r, f, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			*w = f
			pipes = append(pipes, r, f)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if len(args) > 0 { // until it has printed the plan
			if _, err := bufio.NewReader(pipes[0]).ReadString('\n'); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(150 * time.Millisecond)
		for _, f := range pipes {
			f.Close()
		}
		cmd.Wait() // it could not print its results
		if cmd.ProcessState.ExitCode() != 1 {
			t.Errorf("%q: %v", args, cmd.ProcessState)
		}
		if n := answeredBy(t, program, dir); n != 20 {
			t.Errorf("%q: %d answers are saved", args, n)
		}
	}
}
