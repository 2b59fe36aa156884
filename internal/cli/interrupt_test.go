package cli

import (
	"bytes"
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestInterruptedWhileLocked: while another process has locked the database and nothing is
// in flight, the first interrupt ends a command that asks, at once, with exit code 130.
func TestInterruptedWhileLocked(t *testing.T) {
	for _, command := range []string{"run --task copy --length 8 -n 2 --new", "limit --task copy"} {
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
		if took := time.Since(begun); code != exitInterrupted || took > 5*time.Second {
			t.Errorf("%s: exit code %d after %v: %s", command, code, took, errs.String())
		}
		release.Stop()
		foreign.Close()
	}
}
