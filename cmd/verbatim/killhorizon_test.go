package main

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

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
