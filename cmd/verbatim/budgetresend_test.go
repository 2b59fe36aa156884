package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"verbatim"
	"verbatim/internal/store"
)

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
	text := fmt.Sprintf("[models.paid]\nbase_url = \"%s/v1\"\nmodel = \"m\"\nprice = { input = 100, output = 100 }\n", server.URL)
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
