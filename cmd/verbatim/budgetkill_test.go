package main

import (
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"verbatim"
	"verbatim/internal/pace"
	"verbatim/internal/store"
)

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
