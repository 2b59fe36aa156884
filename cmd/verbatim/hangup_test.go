//go:build unix

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"sync/atomic"
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

// A copier answers each request a second after it came with the text in the last quotation marks.
type copier struct{ came atomic.Int32 }

func (c *copier) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var request struct{ Messages []struct{ Content string } }
	if json.NewDecoder(r.Body).Decode(&request) != nil || len(request.Messages) == 0 {
		http.NotFound(w, r) // a look at what the server is
		return
	}
	c.came.Add(1)
	time.Sleep(time.Second)
	quoted := strings.Split(request.Messages[len(request.Messages)-1].Content, `"`)
	json.NewEncoder(w).Encode(map[string]any{"choices": []any{map[string]any{
		"message": map[string]string{"content": quoted[len(quoted)-2]}, "finish_reason": "stop",
	}}})
}

// wait returns when as many requests have come.
func (c *copier) wait(t *testing.T, requests int32) {
	for range 2000 {
		if c.came.Load() >= requests {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("%d requests came, want %d", c.came.Load(), requests)
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
		{"hung up, then terminated", nil, []syscall.Signal{syscall.SIGHUP, syscall.SIGTERM}, 130, false, 4},
		{"nohup", []string{"sh", "-c", `trap '' HUP; exec "$@"`, "sh"}, []syscall.Signal{syscall.SIGHUP}, 1, true, 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if c.wrapper == nil && signal.Ignored(syscall.SIGHUP) {
				t.Skip("the tests run under nohup, and a child inherits that hangups are ignored")
			}
			dir := t.TempDir()
			model := new(copier)
			server := httptest.NewServer(model)
			defer server.Close()
			args := append(c.wrapper, program, "run", "--json", "-j", "4", "--task", "copy", "--length", "4", "--items", "8", "--no-stream", "--model", server.URL+"/v1#copier")
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
			model.wait(t, int32(c.inFlight))
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
