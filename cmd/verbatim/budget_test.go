package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"verbatim"
	"verbatim/internal/pace"
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
	text := fmt.Sprintf("[models.paid]\nbase_url = \"%s/v1\"\nmodel = \"m\"\nprice = { input = 100, cached = 1, output = 100 }\n", s.URL)
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
		"more cached than sent":   `{"prompt_tokens":50,"completion_tokens":10,"prompt_tokens_details":{"cached_tokens":900}}`,
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

// TestBudgetServed: a router lets a dearer model answer. What is counted is what is billed, in one piece and
// by iteration, and it stays within the budget. A fallback without a price is refused under a budget.
func TestBudgetServed(t *testing.T) {
	t.Parallel()
	program := build(t)
	var asked, bill atomic.Int64 // millionths of a dollar
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			http.NotFound(w, r)
			return
		}
		io.Copy(io.Discard, r.Body)
		dear, model := asked.Add(1)%2 == 0, "m-2026-01-01"
		if dear {
			model = "large"
		}
		if strings.HasSuffix(r.URL.Path, "/messages") {
			iterations := `{"type":"message","input_tokens":50,"output_tokens":0}`
			bill.Add(50)
			if dear {
				iterations += `,{"type":"fallback_message","model":"large","input_tokens":50,"output_tokens":10}`
				bill.Add(50*20 + 10*40)
			}
			fmt.Fprintf(w, `{"type":"message","model":"m","content":[{"type":"text","text":"an answer"}],"stop_reason":"end_turn","usage":{"input_tokens":50,"output_tokens":10,"iterations":[%s]}}`, iterations)
			return
		}
		bill.Add(50 + 10*2)
		if dear {
			bill.Add(50*19 + 10*38)
		}
		fmt.Fprintf(w, `{"model":%q,"choices":[{"index":0,"message":{"content":"an answer"},"finish_reason":"stop"}],"usage":{"prompt_tokens":50,"completion_tokens":10}}`, model)
	}))
	defer server.Close()
	base := server.URL + "/v1"
	prices := filepath.Join(t.TempDir(), "prices.json")
	text := fmt.Sprintf(`{"format":"verbatim/prices/1","source":"s","as_of":"2026-01-01","models":[{"provider":%q,"model":"m","input":1,"output":2},{"provider":%q,"model":"large","input":20,"output":40}]}`, base, base)
	if err := os.WriteFile(prices, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, wire := range []string{"", "anthropic+"} {
		db := filepath.Join(t.TempDir(), "served.db")
		buy := func(budget string, more ...string) ending {
			v := victim{program: program, args: append([]string{"run", "--db", db, "--prices", prices, "--model", wire + base + "#m", "--json", "--quiet", "--no-stream", "--reasoning-tokens", "0", "--budget", budget,
				"--task", "reverse", "--length", "12", "--items", "200", "-j", "4"}, more...)}
			return v.run(t, nil)
		}
		bill.Store(0)
		if end := buy("0.02"); end.code != 1 || !strings.Contains(end.stderr, "budget") {
			t.Errorf("%s: exit code %d: %s", wire, end.code, end.stderr)
		}
		if billed, spent := verbatim.Money(bill.Load())*verbatim.Dollar/1e6, spentOf(t, db); billed != spent || spent > verbatim.Dollar/50 || spent == 0 {
			t.Errorf("%s: %v are billed and %v counted, of a budget of $0.02", wire, billed, spent)
		}
		before := asked.Load()
		if end := buy("1", "--new", "--extra", `{"fallbacks":[{"model":"large"},{"model":"unheard-of"}]}`); end.code != 2 || !strings.Contains(end.stderr, "unheard-of") || asked.Load() != before {
			t.Errorf("%s: exit code %d: %s", wire, end.code, end.stderr)
		}
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

// TestKillBudget kills a run under a budget again and again, with 128 requests in
// flight. Whatever the server has billed at any moment, including every answer that it
// has begun, is never more than the budget; nor is it more than what the database says
// was spent. Where the budget is used up it is raised. VERBATIM_KILLS=4000 makes it
// 1,000 kills.
func TestKillBudget(t *testing.T) {
	t.Parallel()
	const jobs, longest = 128, 200 // a kill comes at the latest at this request after the last kill
	n := kills(t, 25)
	items := (longest + jobs) * n // more than all runs together can finish before the last kill
	price := verbatim.Price{Input: verbatim.Dollar, Output: 4 * verbatim.Dollar}
	program := build(t)
	asked := reversals(t, items)
	server := faulted(t, asked, "500:0.05 cut:0.05 reset:0.02")
	killer := &trap{Handler: server}
	http := httptest.NewServer(killer)
	defer http.Close()
	dir := t.TempDir()
	config := filepath.Join(dir, "paid.toml")
	text := fmt.Sprintf("[models.paid]\nbase_url = \"%s/v1\"\nmodel = \"m\"\nprice = { input = 1, output = 4 }\n", http.URL)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	most := verbatim.Money(0)
	for _, it := range asked {
		most = max(most, pace.Reservation(price, verbatim.Request{Prompt: it.Prompt, MaxTokens: 64 + 12}))
	}
	limit := 4 * jobs * most
	book := &ledger{filepath.Join(dir, "budget.db"), map[string]bool{}}
	run := func(trap *trap) ending {
		v := victim{program: program, args: []string{"run", "--db", book.db, "--config", config, "--model", "paid", "--json", "--quiet",
			"--reasoning-tokens", "0", "--budget", limit.Decimal(), "--task", "reverse", "--length", "12", "--items", fmt.Sprint(items), "-j", fmt.Sprint(jobs)}}
		return v.run(t, trap)
	}
	var overrun, raised verbatim.Money
	for killed := 0; killed < n; {
		killer.arm(1+rand.IntN(longest), moment(rand.IntN(3)))
		end := run(killer)
		book.note(end)
		if n <= 50 || killed%50 == 0 {
			book.check(t)
		}
		c := server.Counts()
		billed := verbatim.Money(c.PromptTokens)*price.Input/1e6 + verbatim.Money(c.CompletionTokens)*price.Output/1e6
		overrun = max(overrun, billed-limit)
		if spent := spentOf(t, book.db); billed > spent {
			t.Errorf("after %d kills: %v are billed, and the database says %v", killed, billed, spent)
		}
		switch end.code {
		case -1:
			killed++
		case 1:
			limit += 4 * jobs * most
			raised += 4 * jobs * most
		default:
			t.Fatalf("exit code %d after %d kills: %s", end.code, killed, end.stderr)
		}
	}
	c := server.Counts()
	billed := verbatim.Money(c.PromptTokens)*price.Input/1e6 + verbatim.Money(c.CompletionTokens)*price.Output/1e6
	t.Logf("%d kills: %v are billed and %v counted as spent of a budget that was raised to %v; the worst-case cost of a request is %v; the largest overrun is %v",
		n, billed, spentOf(t, book.db), limit, most, overrun)
	if overrun > 0 {
		t.Errorf("the budget was overrun by %v", overrun)
	}
	if raised == 0 && n >= 50 { // few kills may end before the budget is used up
		t.Error("the budget was never used up")
	}
}

// spentOf returns what the only run of a database has cost.
func spentOf(t *testing.T, db string) verbatim.Money {
	t.Helper()
	s, err := store.Create(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	spent, err := s.Spending(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	return spent.Total()
}

// TestBudgetResend: a server that reads what comes on a connection in use, bills it and
// closes the connection without a reply is never paid more than the budget, and each of
// its bills has an attempt.
func TestBudgetResend(t *testing.T) {
	t.Parallel()
	const tokens = 60 // of every request, as billed
	var mu sync.Mutex
	billed, seen := 0, map[string]int{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet { // the usage that the server reports
			http.NotFound(w, r)
			return
		}
		var body struct {
			Max int `json:"max_tokens"`
		}
		data, _ := io.ReadAll(r.Body)
		json.Unmarshal(data, &body)
		mu.Lock()
		billed++
		seen[r.RemoteAddr]++
		first := seen[r.RemoteAddr] == 1
		mu.Unlock()
		if !first {
			panic(http.ErrAbortHandler)
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"no"},"finish_reason":"stop"}],"usage":{"prompt_tokens":50,"completion_tokens":10}}`)
	}))
	defer server.Close()
	dir := t.TempDir()
	config := filepath.Join(dir, "paid.toml")
	text := fmt.Sprintf("[models.paid]\nbase_url = \"%s/v1\"\nmodel = \"m\"\nprice = { input = 100, cached = 1, output = 100 }\n", server.URL)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	db := filepath.Join(dir, "resend.db")
	v := victim{program: build(t), args: []string{"run", "--db", db, "--config", config, "--model", "paid", "--json", "--quiet", "--no-stream", "--reasoning-tokens", "0", "--budget", "2",
		"--task", "reverse", "--length", "12", "--items", "400", "-j", "4"}}
	if end := v.run(t, nil); end.code != 1 {
		t.Errorf("exit code %d: %s", end.code, end.stderr)
	}
	s, err := store.Create(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	attempts, again := 0, 0
	for rec, err := range s.Records(t.Context(), 1, store.Read{Attempts: true}) {
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range attemptsOf(rec) {
			attempts++
			if a.Class == verbatim.Transport && a.Cost != nil {
				again++
			}
		}
	}
	spent, err := s.Spending(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	bill := verbatim.Money(billed*tokens) * 100 * verbatim.Dollar / 1e6
	t.Logf("%d requests were billed with %v, %v are counted; %d attempts, %d of them without a reply", billed, bill, spent.Total(), attempts, again)
	if bill > 2*verbatim.Dollar || bill > spent.Total() || spent.Total() > 2*verbatim.Dollar {
		t.Errorf("%v are billed and %v counted", bill, spent.Total())
	}
	if billed != attempts || again < 10 {
		t.Errorf("%d requests were billed, and there are %d attempts, %d of them without a reply", billed, attempts, again)
	}
}
