//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
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
