package cli

import (
	"bytes"
	"context"
	"database/sql"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// TestInterruptedWhileLocked: while another process has locked the database and nothing
// is in flight, the first interrupt ends a command that sends requests at once, with
// exit code 130.
func TestInterruptedWhileLocked(t *testing.T) {
	for _, command := range []string{"run --task copy --length 8 -n 2 --new", "horizon --task copy"} {
		db := filepath.Join(t.TempDir(), "x.db")
		if r := invoke(t, db, "run", "--task", "copy", "--length", "8", "-n", "1", "-m", "sim:perfect", "-q"); r.code != 0 {
			t.Fatalf("%+v", r)
		}
		foreign, err := sql.Open("sqlite", db)
		if err != nil {
			t.Fatal(err)
		}
		foreign.SetMaxOpenConns(1)
		ctx := context.Background()
		if _, err := foreign.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
			t.Fatal(err)
		}
		release := time.AfterFunc(10*time.Second, func() { foreign.Close() }) // so that a wait without end fails
		var out, errs bytes.Buffer
		env := Env{
			In: strings.NewReader(""), Out: &out, Err: &errs,
			Getenv: func(string) string { return "" },
			Interrupts: func() (<-chan os.Signal, func()) {
				c := make(chan os.Signal, 1)
				timer := time.AfterFunc(300*time.Millisecond, func() { c <- os.Interrupt })
				return c, func() { timer.Stop() }
			},
			Exit: func(code int) { t.Errorf("the process was ended with code %d", code) },
		}
		begun := time.Now()
		code := Main(append(strings.Fields(command), "-m", "sim:perfect", "-q", "--db", db), env)
		if took := time.Since(begun); code != interrupted || took > 5*time.Second {
			t.Errorf("%s: exit code %d after %v: %s", command, code, took, errs.String())
		}
		release.Stop()
		foreign.Close()
	}
}

// TestInterruptedWhileOpened: a command that is interrupted while it asks a server what it is says so,
// and what to do.
func TestInterruptedWhileOpened(t *testing.T) {
	for _, command := range []string{"run --task copy --length 8 -m MODEL", "verify sim:obedient MODEL --items 1", "smoke MODEL", "preflight MODEL", "sentinel init MODEL", "horizon --task copy -m MODEL"} {
		asked, ended := make(chan struct{}), make(chan struct{})
		var once sync.Once
		server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
			once.Do(func() { close(asked) })
			<-ended
		}))
		var out, errs bytes.Buffer
		env := Env{
			In: strings.NewReader(""), Out: &out, Err: &errs,
			Getenv: func(string) string { return "" },
			Interrupts: func() (<-chan os.Signal, func()) {
				signals := make(chan os.Signal, 1) // each command that waits has a server of its own
				go func() {
					select {
					case <-asked:
						signals <- os.Interrupt
					case <-ended:
					}
				}()
				return signals, func() {}
			},
			Exit: func(code int) { t.Errorf("the process was ended with code %d", code) },
		}
		words := strings.Fields(strings.Replace(command, "MODEL", server.URL+"/v1#m", 1))
		code := Main(append(words, "-q", "--db", filepath.Join(t.TempDir(), "x.db")), env)
		close(ended)
		server.Close()
		if code != interrupted || strings.Contains(errs.String(), "context canceled") || !strings.Contains(errs.String(), "error: interrupted\nverbatim: hint: the same command starts again") {
			t.Errorf("%s: exit code %d: %s", command, code, errs.String())
		}
	}
}

// TestContexts sends signals with pauses. The first one ends stop. Whether a second one ends abort
// depends on the kinds of both and on the time between them.
func TestContexts(t *testing.T) {
	for _, c := range []struct {
		name    string
		signals []os.Signal
		pause   time.Duration
		aborts  bool
	}{
		{"Ctrl-C", []os.Signal{os.Interrupt}, 0, false},
		{"Ctrl-C twice", []os.Signal{os.Interrupt, os.Interrupt}, 0, true},
		{"a closed terminal", []os.Signal{syscall.SIGHUP, syscall.SIGHUP}, 0, false},
		{"a closed terminal, and a hangup later", []os.Signal{syscall.SIGHUP, syscall.SIGHUP}, time.Minute, false},
		{"SIGTERM and SIGHUP together", []os.Signal{syscall.SIGTERM, syscall.SIGHUP}, 0, false},
		{"the same in the other order", []os.Signal{syscall.SIGHUP, syscall.SIGTERM}, 0, false},
		{"a closed terminal, and SIGTERM later", []os.Signal{syscall.SIGHUP, syscall.SIGTERM}, grace, true},
		{"a closed terminal, and Ctrl-C", []os.Signal{syscall.SIGHUP, os.Interrupt}, 0, true},
		{"SIGTERM twice", []os.Signal{syscall.SIGTERM, syscall.SIGTERM}, 0, true},
		{"SIGHUP and SIGTERM together, and SIGTERM", []os.Signal{syscall.SIGHUP, syscall.SIGTERM, syscall.SIGTERM}, grace / 2, true},
	} {
		synctest.Test(t, func(t *testing.T) {
			signals := make(chan os.Signal)
			noted := 0
			h := interruptHandler{Signals: func() (<-chan os.Signal, func()) { return signals, func() {} }, Stopping: func() { noted++ }}
			stop, abort, release := h.contexts(context.Background())
			defer release()
			if stop.Err() != nil || abort.Err() != nil {
				t.Fatalf("%s: a context ends before a signal", c.name)
			}
			for i, s := range c.signals {
				if i > 0 {
					time.Sleep(c.pause)
				}
				signals <- s
			}
			synctest.Wait()
			if stop.Err() == nil || (abort.Err() != nil) != c.aborts || noted != 1 {
				t.Errorf("%s: stop %v, abort %v, noted %d times", c.name, stop.Err(), abort.Err(), noted)
			}
		})
	}
}
