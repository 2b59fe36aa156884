//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

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
