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
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// TestInterruptedExports interrupts commands that write files, or unpack them, at
// several moments. Each ends with exit code 130, or was done before, and leaves nothing
// behind: no unfinished file, no unpacked database, and no file of the name that was
// asked for unless it is whole. What SIGKILL leaves behind is removed by the next
// command.
func TestInterruptedExports(t *testing.T) {
	long(t)
	t.Parallel()
	program := build(t)
	dir, temp := t.TempDir(), t.TempDir()
	command := func(args ...string) *exec.Cmd {
		cmd := exec.Command(program, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "XDG_CONFIG_HOME="+dir, "VERBATIM_DISCOVER=off", "TMPDIR="+temp)
		return cmd
	}
	do := func(args ...string) {
		t.Helper()
		if out, err := command(args...).CombinedOutput(); err != nil {
			t.Fatalf("%q: %v\n%s", args, err, out)
		}
	}
	do("run", "--quiet", "--model", "sim:sloppy?down=0", "--task", "reverse,copy", "--length", "8", "--items", "2000")
	do("export", "1", "-o", "whole.jsonl")
	known := tree(t, dir)
	for _, args := range [][]string{
		{"export", "1", "-o", "out"},
		{"export", "1", "--format", "csv", "-o", "out"},
		{"export", "1", "--format", "inspect", "-o", "out.eval"},
		{"export", "1", "--format", "lm-eval", "-o", "out"},
		{"export", "1", "--format", "simpe", "-o", "out"},
		{"report", "whole.jsonl", "-o", "out"},
		{"report", "1", "--figures", "out"},
		{"items", "--task", "copy", "--length", "512", "--items", "20000", "-o", "out"},
		{"grade", "-o", "out"}, // waits for its input
	} {
		whole := []byte(nil) // what the command writes where it is not interrupted
		if args[0] != "grade" {
			do(args...)
			whole, _ = os.ReadFile(filepath.Join(dir, args[len(args)-1])) // nil for a folder
			os.RemoveAll(filepath.Join(dir, args[len(args)-1]))
		}
		for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
			ended := false
			for wait := 30 * time.Millisecond; wait < 20*time.Second && !ended; wait *= 4 {
				cmd := command(args...)
				stdin, err := cmd.StdinPipe()
				if err != nil {
					t.Fatal(err)
				}
				var errs strings.Builder
				cmd.Stderr = &errs
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				time.Sleep(wait)
				if err := cmd.Process.Signal(signal); err != nil {
					t.Log(err) // it has ended already
				}
				err = cmd.Wait()
				stdin.Close()
				code := cmd.ProcessState.ExitCode()
				signalled := cmd.ProcessState.Sys().(syscall.WaitStatus).Signaled() // before it has begun to watch
				if code != 130 && code != 0 && !signalled {
					t.Errorf("%q, %v after %v: %v\n%s", args, signal, wait, err, errs.String())
				}
				for name := range tree(t, dir) {
					if strings.Contains(name, "verbatim-part") || strings.Contains(name, ".figures-") {
						t.Errorf("%q, %v after %v: %s is left", args, signal, wait, name)
					}
					if known[name] || code != 130 || !strings.HasPrefix(name, "out") || strings.Contains(name, "/") {
						continue
					}
					// It may be interrupted when all is done.
					if there, err := os.ReadFile(filepath.Join(dir, name)); err == nil && !bytes.Equal(there, whole) {
						t.Errorf("%q, %v after %v: the file %s of a command that was interrupted has %d bytes, want none or %d", args, signal, wait, name, len(there), len(whole))
					}
				}
				for name := range tree(t, temp) {
					t.Errorf("%q, %v after %v: %s is left in the folder for temporary files", args, signal, wait, name)
					os.RemoveAll(filepath.Join(temp, name))
				}
				ended = code == 0 || args[0] == "grade"
				os.RemoveAll(filepath.Join(dir, "out"))
				os.RemoveAll(filepath.Join(dir, "out.eval"))
			}
		}
	}

	// What a killed command left behind is removed.
	cmd := command("grade", "-o", "out")
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	part := filepath.Join(dir, ".out.verbatim-part")
	for range 500 {
		if _, err := os.Stat(part); err == nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	cmd.Process.Kill()
	cmd.Wait()
	if _, err := os.Stat(part); err != nil {
		t.Fatal("nothing is left of a command that was killed", err)
	}
	do("export", "1", "-o", "out")
	if _, err := os.Stat(part); err == nil {
		t.Error("what a killed command has left is still there")
	}
}

// tree lists the files below a folder.
func tree(t *testing.T, dir string) map[string]bool {
	t.Helper()
	all := map[string]bool{}
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		if err != nil {
			return nil // it was removed meanwhile
		}
		if name, _ := filepath.Rel(dir, path); name != "." {
			all[name] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

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

// childScript is a model that never answers, reads no end of its input, ignores the
// signals of a terminal, and has a child of its own. It starts that with its first request:
// the guard knows of the model by then.
const childScript = `trap '' HUP INT TERM
read -r request
sleep 300 &
echo $! >> pids
echo $$ >> pids
while :; do sleep 300; done
`

// pids waits until so many children have written their numbers, and returns these.
func pids(t *testing.T, path string, want int) []int {
	t.Helper()
	for range 2000 {
		data, _ := os.ReadFile(path)
		if lines := strings.Fields(string(data)); len(lines) >= want {
			var all []int
			for _, l := range lines {
				n, err := strconv.Atoi(l)
				if err != nil {
					t.Fatal(err)
				}
				all = append(all, n)
			}
			return all
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatal("the children do not start")
	return nil
}

// alive reports whether a process is there and no zombie.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err != nil || !strings.Contains(string(stat), ") Z ")
}

// wantNone fails unless all processes are gone within five seconds. Those that are
// left are killed.
func wantNone(t *testing.T, all []int) {
	t.Helper()
	left := 0
	for range 500 {
		left = 0
		for _, pid := range all {
			if alive(pid) {
				left++
			}
		}
		if left == 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	for _, pid := range all {
		syscall.Kill(pid, syscall.SIGKILL)
	}
	t.Errorf("%d of %d processes are left", left, len(all))
}

// TestChildrenEnd ends the program in every way while its children are at work:
// neither they nor what they started outlive it.
func TestChildrenEnd(t *testing.T) {
	t.Parallel()
	program := build(t)
	for _, end := range []syscall.Signal{syscall.SIGKILL, syscall.SIGQUIT, syscall.SIGINT, syscall.SIGTERM, syscall.SIGABRT} {
		t.Run(end.String(), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "model.sh"), []byte(childScript), 0o644); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(program, "run", "-q", "-j", "3", "--task", "copy", "--length", "4", "--items", "6", "--model", "exec:sh model.sh")
			cmd.Dir = dir
			cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "VERBATIM_DISCOVER=off"}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			all := pids(t, filepath.Join(dir, "pids"), 6)
			signalUntilEnd(t, cmd, end)
			wantNone(t, all)
		})
	}
}

// What a model leaves behind at a normal end does not outlive the program either.
func TestChildrenEndNormally(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	script := "sleep 300 > /dev/null 2>&1 &\necho $! >> pids\necho $$ >> pids\nwhile read -r line; do echo '{\"text\":\"x\"}'; done\n"
	if err := os.WriteFile(filepath.Join(dir, "model.sh"), []byte(script), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(build(t), "run", "-q", "--task", "copy", "--length", "4", "--items", "6", "--model", "exec:sh model.sh")
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "VERBATIM_DISCOVER=off"}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	wantNone(t, pids(t, filepath.Join(dir, "pids"), 2))
}
