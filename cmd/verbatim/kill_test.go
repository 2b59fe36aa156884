package main

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"verbatim/internal/store"
)

// A counter is a chat server that reverses strings, wrongly now and then, always
// the same for the same string, and counts how often each is asked.
type counter struct {
	mu    sync.Mutex
	asked map[string]int
	delay time.Duration
}

var quoted = regexp.MustCompile(`"(\w+)"$`)

func (c *counter) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Messages []struct{ Content string }
	}
	if r.URL.Path != "/v1/chat/completions" {
		http.NotFound(w, r)
		return
	}
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil || len(body.Messages) == 0 {
		http.Error(w, "no messages", http.StatusBadRequest)
		return
	}
	m := quoted.FindStringSubmatch(body.Messages[len(body.Messages)-1].Content)
	if m == nil {
		http.Error(w, "no string", http.StatusBadRequest)
		return
	}
	c.mu.Lock()
	c.asked[m[1]]++
	c.mu.Unlock()
	text := []byte(m[1])
	slices.Reverse(text)
	h := fnv.New32()
	h.Write(text)
	if h.Sum32()%5 == 0 {
		text = text[1:]
	}
	time.Sleep(c.delay)
	w.Header().Set("Content-Type", "text/event-stream")
	for i, delta := range []string{string(text[:1]), string(text[1:])} {
		finish := "null"
		if i == 1 {
			finish = `"stop"`
		}
		fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":%q},\"finish_reason\":%s}]}\n\n", delta, finish)
	}
	fmt.Fprint(w, "data: [DONE]\n\n")
}

func (c *counter) snapshot() map[string]int {
	c.mu.Lock()
	defer c.mu.Unlock()
	out := map[string]int{}
	for k, v := range c.asked {
		out[k] = v
	}
	return out
}

// TestKill kills a run with SIGKILL at random moments and continues it each time:
// no answer that was reported as kept is asked again, hardly any other is, the
// database is sound each time, and in the end the run is the same as one that
// was never interrupted.
func TestKill(t *testing.T) {
	kills, items := 50, 2000
	if testing.Short() {
		kills, items = 5, 300
	}
	const jobs = 4
	program := filepath.Join(t.TempDir(), "verbatim")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	c := &counter{asked: map[string]int{}, delay: 2 * time.Millisecond}
	server := httptest.NewServer(c)
	defer server.Close()
	db := filepath.Join(t.TempDir(), "killed.db")
	args := func(db string) []string {
		return []string{"run", "--db", db, "--model", server.URL + "/v1#m", "--task", "reverse", "--length", "12", "--items", fmt.Sprint(items), "-j", fmt.Sprint(jobs), "--json", "--quiet"}
	}

	kept := map[string]bool{} // ids that a run reported as kept
	source := map[string]string{}
	for i := range kills {
		before := c.snapshot()
		reported := runAndKill(t, program, args(db), time.Duration(20+rand.IntN(150))*time.Millisecond)
		checkDatabase(t, db, kept, source)
		for _, id := range reported {
			kept[id] = true
		}
		checkDatabase(t, db, kept, source)
		if again := askedAgain(before, c.snapshot()); again > jobs+256 {
			t.Errorf("after kill %d, %d answers were asked again", i, again)
		}
	}
	before := c.snapshot()
	if out, err := exec.Command(program, args(db)...).CombinedOutput(); err != nil {
		t.Fatalf("the last continuation: %v\n%s", err, out)
	}
	after := c.snapshot()
	for id := range kept {
		if s := source[id]; after[s] != before[s] || s == "" {
			t.Errorf("%s was kept and asked again", id)
		}
	}
	if len(after) != items {
		t.Errorf("%d different items were asked, want %d", len(after), items)
	}
	total := 0
	for _, n := range after {
		total += n
	}
	t.Logf("%d kills: %d of %d answers had been reported before the last one; %d requests in all, %d asked again", kills, len(kept), items, total, total-items)

	whole := filepath.Join(t.TempDir(), "whole.db")
	if out, err := exec.Command(program, args(whole)...).CombinedOutput(); err != nil {
		t.Fatalf("the uninterrupted run: %v\n%s", err, out)
	}
	if a, b := comparable(t, program, db), comparable(t, program, whole); a != b {
		t.Errorf("the killed run differs from the uninterrupted one:\n%s", firstDifference(a, b))
	}
}

// runAndKill starts the program, kills it after d, and returns the ids of the
// items that it reported as kept.
func runAndKill(t *testing.T, program string, args []string, d time.Duration) (kept []string) {
	t.Helper()
	cmd := exec.Command(program, args...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(d, func() { cmd.Process.Kill() })
	defer timer.Stop()
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF {
			break // a line that the kill cut in two counts for nothing
		}
		if err != nil {
			t.Fatal(err)
		}
		var event struct{ Kind, Item string }
		if err := json.Unmarshal(line, &event); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if event.Kind == "kept" {
			kept = append(kept, event.Item)
		}
	}
	cmd.Wait() // killed: its error says only that
	return kept
}

// checkDatabase wants the database sound and every kept item in it.
func checkDatabase(t *testing.T, db string, kept map[string]bool, source map[string]string) {
	t.Helper()
	ctx := t.Context()
	s, err := store.Create(ctx, db)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Check(ctx); err != nil {
		t.Fatal(err)
	}
	runs, err := s.Runs(ctx)
	if err != nil {
		t.Fatal(err)
	}
	there := map[string]bool{}
	for _, r := range runs {
		for rec, err := range s.Records(ctx, r.N, store.Read{Texts: true}) {
			if err != nil {
				t.Fatal(err)
			}
			there[rec.Item.ID] = true
			source[rec.Item.ID] = rec.Item.Source.Text
		}
	}
	for id := range kept {
		if !there[id] {
			t.Errorf("%s was reported as kept and is not in the database", id)
		}
	}
}

func askedAgain(before, after map[string]int) (n int) {
	for s, count := range after {
		if before[s] > 0 {
			n += count - before[s]
		}
	}
	return n
}

// comparable returns what two runs of one plan must have in common: everything
// but times.
func comparable(t *testing.T, program, db string) string {
	t.Helper()
	out, err := exec.Command(program, "export", "--db", db, "last", "--format", "csv").Output()
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(out)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, row := range rows {
		for i, name := range rows[0] {
			switch name {
			case "run", "seconds", "first_token_seconds":
			default:
				fmt.Fprintf(&b, "%s;", row[i])
			}
		}
		b.WriteByte('\n')
	}
	if len(rows) < 2 {
		t.Fatal("nothing was exported")
	}
	return b.String()
}

func firstDifference(a, b string) string {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return x[i] + "\n" + y[i]
		}
	}
	return fmt.Sprintf("%d and %d lines", len(x), len(y))
}
