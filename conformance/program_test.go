package conformance

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// build builds the program.
func build(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "verbatim")
	cmd := exec.Command("go", "build", "-o", program, "./cmd/verbatim")
	cmd.Dir = ".."
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

// freePort returns the address and the number of a free port on loopback. The port is
// below those that the system assigns: no other test's server can get it before the
// caller's server listens.
func freePort(t *testing.T) (address, port string) {
	t.Helper()
	for range 100 {
		l, err := net.Listen("tcp", "127.0.0.1:"+strconv.Itoa(20000+rand.IntN(10000)))
		if err != nil {
			continue
		}
		defer l.Close()
		address = l.Addr().String()
		_, port, err = net.SplitHostPort(address)
		if err != nil {
			t.Fatal(err)
		}
		return address, port
	}
	t.Fatal("no port between 20000 and 30000 is free")
	return "", ""
}

// startServer starts a program and waits until it listens at the address.
func startServer(t *testing.T, address, program string, args ...string) {
	t.Helper()
	var output bytes.Buffer
	cmd := exec.Command(program, args...)
	cmd.Stdout, cmd.Stderr = &output, &output
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() {
		cmd.Process.Signal(os.Interrupt)
		select {
		case <-ended:
		case <-time.After(5 * time.Second):
			cmd.Process.Kill()
		}
	})
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	look := time.NewTicker(100 * time.Millisecond)
	defer look.Stop()
	for {
		if conn, err := net.Dial("tcp", address); err == nil {
			conn.Close()
			return
		}
		select {
		case <-look.C:
		case err := <-ended:
			ended <- err
			var exit *exec.ExitError
			if errors.As(err, &exit) && exit.ExitCode() == 3 {
				t.Skipf("%s cannot be installed here: %s", program, output.String())
			}
			t.Fatalf("%s ended: %v\n%s", program, err, output.String())
		case <-ctx.Done():
			t.Fatalf("%s does not listen", program)
		}
	}
}

// runProgram runs verbatim in a folder and returns what it saved, by item.
func runProgram(t *testing.T, program, dir string, args []string) map[string]savedRecord {
	t.Helper()
	call := func(args ...string) ([]byte, string, error) {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		defer cancel()
		cmd := exec.CommandContext(ctx, program, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "XDG_CONFIG_HOME="+dir, "VERBATIM_DISCOVER=off", "VERBATIM_DB="+filepath.Join(dir, "v.db"), "VERBATIM_API_KEY=secret")
		var errs bytes.Buffer
		cmd.Stderr = &errs
		out, err := cmd.Output()
		return out, errs.String(), err
	}
	out, errs, err := call(args...)
	// The exit code is 1, because some items get no answer.
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
		t.Fatalf("%v\n%s%s", err, out, errs)
	}
	lines, errs, err := call("export", "last")
	if err != nil {
		t.Fatalf("%v\n%s", err, errs)
	}
	all := map[string]savedRecord{}
	in := bufio.NewScanner(bytes.NewReader(lines))
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		var line struct {
			Record *struct {
				Item, Outcome string
				Reply         struct{ Text, Reasoning string }
				Attempts      []struct {
					Class string
					Wait  time.Duration `json:"wait_ns"`
				}
			}
		}
		if err := json.Unmarshal(in.Bytes(), &line); err != nil {
			t.Fatalf("%v: %s", err, in.Bytes())
		}
		if r := line.Record; r != nil {
			k := savedRecord{outcome: r.Outcome, text: r.Reply.Text, reasoning: r.Reply.Reasoning}
			var classes []string
			for _, a := range r.Attempts {
				if a.Class == "" {
					a.Class = "-"
				}
				classes = append(classes, a.Class)
				k.waited = a.Wait
			}
			k.classes = strings.Join(classes, " ")
			all[r.Item] = k
		}
	}
	if len(all) == 0 {
		t.Fatalf("nothing was saved:\n%s%s", out, errs)
	}
	return all
}
