package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"verbatim"
	"verbatim/internal/store"
)

// A seller is a server that bills every request the same amount, and reports whatever
// usage the test chooses.
type seller struct {
	*httptest.Server
	config string // a file that names it with its price: the model is "paid"
	asked  atomic.Int64
	held   atomic.Int64 // requests after this many get no answer; 0: all get one
}

// openSeller starts a seller. It answers with reply after a while.
func openSeller(t *testing.T, reply string, wait time.Duration) *seller {
	t.Helper()
	s := &seller{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet { // the usage that the server reports
			http.NotFound(w, r)
			return
		}
		io.ReadAll(r.Body)
		if n, held := s.asked.Add(1), s.held.Load(); held > 0 && n > held {
			<-r.Context().Done()
			return
		}
		time.Sleep(wait)
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, reply)
	}))
	t.Cleanup(s.Close)
	s.config = filepath.Join(t.TempDir(), "paid.toml")
	text := fmt.Sprintf("[models.paid]\nbase_url = \"%s/v1\"\nmodel = \"m\"\nprice = { input = 100, output = 100 }\n", s.URL)
	if err := os.WriteFile(s.config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return s
}

// bill is what the seller bills in all: 60 tokens for each request.
func (s *seller) bill() verbatim.Money {
	return verbatim.Money(s.asked.Load()*60) * 100 * verbatim.Dollar / 1e6
}

// buy are the arguments of a run under a budget.
func (s *seller) buy(db, budget string, more ...string) []string {
	return append([]string{"run", "--db", db, "--config", s.config, "--model", "paid", "--json", "--quiet", "--no-stream", "--reasoning-tokens", "0", "--budget", budget,
		"--task", "reverse", "--length", "12", "--items", "300", "-j", "8"}, more...)
}

// TestBudgetClaims: whatever a server says of tokens and cost, what it bills stays within
// the budget, in one call and when the command is repeated.
func TestBudgetClaims(t *testing.T) {
	t.Parallel()
	program := build(t)
	const limit = verbatim.Dollar / 2
	for name, usage := range map[string]string{
		"honest":                  `{"prompt_tokens":50,"completion_tokens":10}`,
		"a cost of 0":             `{"prompt_tokens":50,"completion_tokens":10,"cost":0}`,
		"a tiny cost":             `{"prompt_tokens":50,"completion_tokens":10,"cost":0.000001}`,
		"no usage and a cost":     `{"cost":0}`,
		"usage of zero":           `{"prompt_tokens":0,"completion_tokens":0}`,
		"a prompt of zero":        `{"prompt_tokens":0,"completion_tokens":10,"cost":0}`,
		"a completion of zero":    `{"prompt_tokens":50,"completion_tokens":0}`,
		"negative":                `{"prompt_tokens":-50,"completion_tokens":-10,"cost":-1}`,
		"nonsense":                `{"prompt_tokens":50,"completion_tokens":1000000000000000000,"cost":1e18}`,
		"texts":                   `{"prompt_tokens":"50","completion_tokens":"10","cost":"0"}`,
		"no usage":                `null`,
		"another currency":        `{"prompt_tokens":50,"completion_tokens":10,"cost":0.0001,"currency":"EUR"}`,
		"reasoning counted apart": `{"prompt_tokens":50,"completion_tokens":4,"total_tokens":60,"completion_tokens_details":{"reasoning_tokens":6}}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := openSeller(t, `{"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"an answer"},"finish_reason":"stop"}],"usage":`+usage+`}`, 0)
			db := filepath.Join(t.TempDir(), "claims.db")
			for range 2 {
				v := victim{program: program, args: s.buy(db, "0.5")}
				if end := v.run(t, nil); end.code != 1 || !strings.Contains(end.stderr, "budget") {
					t.Errorf("exit code %d: %s", end.code, end.stderr)
				}
			}
			spent := spentOf(t, db)
			if bill := s.bill(); bill > limit || bill > spent || spent > limit || spent < limit*9/10 {
				t.Errorf("%v are billed and %v counted, of a budget of %v", bill, spent, verbatim.Money(limit))
			}
		})
	}
}

// TestBudgetInterrupted: requests that are given up by a second interrupt count,
// warm-up requests count, and a smaller budget than what is spent is refused with an
// explanation.
func TestBudgetInterrupted(t *testing.T) {
	t.Parallel()
	program := build(t)
	s := openSeller(t, `{"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"no"},"finish_reason":"stop"}],"usage":{"prompt_tokens":50,"completion_tokens":10}}`, 200*time.Millisecond)
	const answered, flying = 3 + 2, 8
	s.held.Store(answered)
	db := filepath.Join(t.TempDir(), "interrupted.db")
	want := func(when string, end ending, code int, says string) {
		t.Helper()
		if end.code != code || !strings.Contains(end.stderr, says) {
			t.Errorf("%s: exit code %d: %s", when, end.code, end.stderr)
		}
		if bill, spent := s.bill(), spentOf(t, db); bill > spent || bill == 0 {
			t.Errorf("%s: %v are billed, and %v counted", when, bill, spent)
		}
	}
	cmd := exec.Command(program, s.buy(db, "5", "--warmup", "3", "--for", "1h")...)
	cmd.Env = append(os.Environ(), "XDG_CONFIG_HOME="+t.TempDir(), "VERBATIM_DISCOVER=off", "VERBATIM_CONFIG=off")
	var errs strings.Builder
	cmd.Stderr = &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for begun := time.Now(); s.asked.Load() < answered+flying; time.Sleep(10 * time.Millisecond) {
		if time.Since(begun) > 30*time.Second {
			t.Fatal("no request was sent")
		}
	}
	signalUntilEnd(t, cmd, syscall.SIGINT)
	s.held.Store(0)
	want("interrupted", ending{code: cmd.ProcessState.ExitCode(), stderr: errs.String()}, 130, "interrupted")
	reopened := openStore(t, db)
	if n, most, err := reopened.Unrecorded(t.Context(), 1); err != nil || n < flying || most == 0 {
		t.Errorf("%d attempts without a record, of %v: %v", n, most, err)
	}
	reopened.Close()
	v := victim{program: program, args: s.buy(db, "0.01")}
	want("a smaller budget", v.run(t, nil), 1, "is less than what is spent already")
	v.args = s.buy(db, "1", "--for", "3s")
	want("continued", v.run(t, nil), 0, "The time of --for is over")
	reopened = openStore(t, db)
	defer reopened.Close()
	lost := 0
	for rec, err := range reopened.Records(t.Context(), 1, store.Read{Attempts: true}) {
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range attemptsOf(rec) {
			if a.Class == verbatim.Transport && a.Cost != nil && strings.Contains(a.Err, "the program ended") {
				lost++
			}
		}
	}
	if lost < 4 {
		t.Errorf("%d attempts of the first call are in the records of the second", lost)
	}
}

func openStore(t *testing.T, db string) *store.Store {
	t.Helper()
	s, err := store.Create(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
