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
)

// TestKillBudget kills a run under a budget again and again. What the server
// counts, every answer that it has begun included, is never more than the budget
// and what was in flight at the kills: of that nobody knows.
func TestKillBudget(t *testing.T) {
	t.Parallel()
	const jobs, items = 4, 400
	limit := 2 * verbatim.Dollar
	price := verbatim.Price{Input: 100 * verbatim.Dollar, Output: 400 * verbatim.Dollar}
	program := build(t)
	asked := reversals(t, items)
	server := faulted(t, asked, "500:0.05 cut:0.05")
	trap := &trap{Handler: server}
	http := httptest.NewServer(trap)
	defer http.Close()
	dir := t.TempDir()
	config := filepath.Join(dir, "paid.toml")
	text := fmt.Sprintf("[models.paid]\nbase_url = \"%s/v1\"\nmodel = \"m\"\nprice = { input = 100, output = 400 }\n", http.URL)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	db := filepath.Join(dir, "budget.db")
	v := victim{program: program, args: []string{"run", "--db", db, "--config", config, "--model", "paid", "--json", "--quiet", "--budget", "2",
		"--task", "reverse", "--length", "12", "--items", fmt.Sprint(items), "-j", fmt.Sprint(jobs)}}
	book := &ledger{db, map[string]bool{}}
	killed := 0
	most := verbatim.Money(0)
	for _, it := range asked {
		most = max(most, pace.Reservation(price, verbatim.Request{Prompt: it.Prompt, MaxTokens: 64 + 12}))
	}
	for range kills(t, 12) {
		trap.arm(1+rand.IntN(40), moment(rand.IntN(3)))
		end := v.run(t, trap)
		book.note(end)
		book.check(t)
		if end.code >= 0 {
			break
		}
		killed++
	}
	if end := v.run(t, nil); end.code != 1 {
		t.Errorf("exit code %d: %s", end.code, end.stderr)
	}
	c := server.Counts()
	billed := verbatim.Money(c.PromptTokens)*price.Input/1e6 + verbatim.Money(c.CompletionTokens)*price.Output/1e6
	t.Logf("%d kills: %v are billed of a budget of %v; the most that a request may cost is %v", killed, billed, limit, most)
	if billed > limit+verbatim.Money(killed*jobs)*most {
		t.Errorf("%v are billed, of a budget of %v", billed, limit)
	}
	if billed < limit/2 {
		t.Errorf("only %v are billed", billed)
	}
}
