package conformance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A mocked scene is an answer of aimock to one item, and what we must save of it.
type mocked struct {
	item    string
	want    string // the right answer
	fixture string // members of aimock's fixture in addition to the match
	// first is its answer to the first attempt, if that is another one.
	first       string
	savedRecord savedRecord
	// plain is what is saved of an answer that is not streamed, if it differs.
	plain *savedRecord
}

// A savedRecord is the part of a record that the test looks at.
type savedRecord struct {
	outcome   string
	text      string
	reasoning string
	classes   string        // of the attempts, joined by spaces; "-" is one that succeeded
	waited    time.Duration // before the last attempt
}

// mocks are the scenes; all protocols get the same.
func mocks() []mocked {
	return []mocked{
		{item: "right", want: "SIRAP", fixture: `"response":{"content":"SIRAP"}`, savedRecord: savedRecord{outcome: "pass", text: "SIRAP", classes: "-"}},
		// A piece is one UTF-16 unit: a character can be split between two pieces.
		{item: "halves", want: "🙂é漢🙂", fixture: `"response":{"content":"🙂é漢🙂"},"chunkSize":1`, savedRecord: savedRecord{outcome: "pass", text: "🙂é漢🙂", classes: "-"}},
		{item: "long", want: strings.Repeat("verbatim ", 300) + "end", fixture: `"response":{"content":"` + strings.Repeat("verbatim ", 300) + `end"},"chunkSize":7`, savedRecord: savedRecord{outcome: "pass", text: strings.Repeat("verbatim ", 300) + "end", classes: "-"}},
		{item: "thought", want: "a", fixture: `"response":{"content":"a","reasoning":"hm so"}`, savedRecord: savedRecord{outcome: "pass", text: "a", reasoning: "hm so", classes: "-"}},
		{item: "wrong", want: "abc", fixture: `"response":{"content":"abd"}`, savedRecord: savedRecord{outcome: "wrong", text: "abd", classes: "-"}},
		{item: "length", want: "abc", fixture: `"response":{"content":"ab","finishReason":"length"}`, savedRecord: savedRecord{outcome: "truncated", text: "ab", classes: "-"}},
		{item: "filter", want: "abc", fixture: `"response":{"content":"ab","finishReason":"content_filter"}`, savedRecord: savedRecord{outcome: "refused", text: "ab", classes: "-"}},
		{item: "slow down", want: "a", first: `"response":{"error":{"message":"slow down","type":"rate_limit_error","code":"rate_limit_exceeded"},"status":429,"retryAfter":1}`,
			fixture: `"response":{"content":"a"}`, savedRecord: savedRecord{outcome: "pass", text: "a", classes: "rate -"}},
		{item: "broken", want: "a", fixture: `"response":{"error":{"message":"broken","type":"server_error"},"status":500}`, savedRecord: savedRecord{outcome: "error", classes: "overload overload"}},
		{item: "refused request", want: "a", fixture: `"response":{"error":{"message":"no such parameter","type":"invalid_request_error"},"status":400}`, savedRecord: savedRecord{outcome: "error", classes: "request"}},
		{item: "cut", want: "abcdefghij", fixture: `"response":{"content":"abcdefghij"},"chunkSize":1,"latency":20,"truncateAfterChunks":4`, savedRecord: savedRecord{outcome: "cut", classes: "cut cut"},
			plain: &savedRecord{outcome: "pass", text: "abcdefghij", classes: "-"}},
		{item: "cut once", want: "abcdefghij", first: `"response":{"content":"abcdefghij"},"chunkSize":1,"latency":20,"truncateAfterChunks":4`, fixture: `"response":{"content":"abcdefghij"}`,
			savedRecord: savedRecord{outcome: "pass", text: "abcdefghij", classes: "cut -"}, plain: &savedRecord{outcome: "pass", text: "abcdefghij", classes: "-"}},
		{item: "hung up", want: "a", fixture: `"response":{"content":"a"},"chaos":{"disconnectRate":1}`, savedRecord: savedRecord{outcome: "error", classes: "transport transport"}},
		{item: "malformed", want: "a", fixture: `"response":{"content":"a"},"chaos":{"malformedRate":1}`, savedRecord: savedRecord{outcome: "error", classes: "content"}},
		{item: "dropped", want: "a", fixture: `"response":{"content":"a"},"chaos":{"dropRate":1}`, savedRecord: savedRecord{outcome: "error", classes: "overload overload"}},
	}
}

// known is what is saved because of aimock's own errors, by protocol and form and
// then by item. The test fails if an error no longer occurs.
func known() map[string]map[string]savedRecord {
	ollama := map[string]savedRecord{
		"thought": {outcome: "pass", text: "a", classes: "-"},
		"length":  {outcome: "wrong", text: "ab", classes: "-"},
		"filter":  {outcome: "wrong", text: "ab", classes: "-"},
	}
	return map[string]map[string]savedRecord{
		// Responses that are incomplete or failed are sent as response.completed, and
		// neither form has the reason: incomplete_details and error are missing.
		"responses true": {
			"length": {outcome: "error", classes: "content"},
			"filter": {outcome: "error", classes: "overload overload"},
		},
		"responses false": {
			"length": {outcome: "error", classes: "content"},
			"filter": {outcome: "error", classes: "overload overload"},
		},
		// Thoughts are in the field of another protocol, and every answer has the
		// finish reason stop.
		"ollama true":  ollama,
		"ollama false": ollama,
	}
}

// TestAimock runs the whole program against aimock, over every protocol, streamed
// and not.
func TestAimock(t *testing.T) {
	if _, err := exec.LookPath("npm"); err != nil {
		if os.Getenv("VERBATIM_AIMOCK") == "require" {
			t.Fatalf("Node with npm is required: %v", err)
		}
		t.Skipf("Node with npm is not here: %v", err)
	}
	program := build(t)
	dir := t.TempDir()
	type run struct {
		wire   string
		stream bool
		tag    string
	}
	var runs []run
	for _, wire := range []string{"chat", "responses", "anthropic", "gemini", "ollama"} {
		for _, stream := range []bool{true, false} {
			runs = append(runs, run{wire, stream, fmt.Sprintf("%s %v", wire, stream)})
		}
	}
	// aimock counts how often a fixture was requested, so every run has its own.
	var fixtures []string
	for _, r := range runs {
		for _, m := range mocks() {
			match := quote(m.question(r.tag))
			if m.first != "" {
				fixtures = append(fixtures, fmt.Sprintf(`{"match":{"userMessage":%s,"sequenceIndex":0},%s}`, match, m.first))
			}
			fixtures = append(fixtures, fmt.Sprintf(`{"match":{"userMessage":%s},%s}`, match, m.fixture))
		}
	}
	file := filepath.Join(dir, "fixtures.json")
	write(t, file, `{"fixtures":[`+strings.Join(fixtures, ",\n")+"]}")
	base := startAimock(t, file)
	t.Logf("%d scenes in %d protocols and forms", len(mocks()), len(runs))
	for _, r := range runs {
		t.Run(r.tag, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			var items []string
			for _, m := range mocks() {
				items = append(items, fmt.Sprintf(`{"id":%s,"prompt":%s,"want":%s}`, quote(m.item), quote(m.question(r.tag)), quote(m.want)))
			}
			write(t, filepath.Join(dir, "items.jsonl"), strings.Join(items, "\n")+"\n")
			path := map[string]string{"gemini": "/v1beta", "ollama": "/api"}[r.wire]
			if path == "" {
				path = "/v1"
			}
			args := []string{"run", "--items", "items.jsonl", "--model", r.wire + "+" + base + path + "#gpt-4o", "--concurrency", "8", "--max-attempts", "2", "--quiet"}
			if !r.stream {
				args = append(args, "--no-stream")
			}
			records := runProgram(t, program, dir, args)
			journal := readJournal(t, base)
			for _, m := range mocks() {
				if got := records[m.item]; m.first != "" && strings.HasPrefix(got.classes, "rate") && got.waited < time.Second {
					t.Errorf("%s: asked to wait a second, it waited %v", m.item, got.waited)
				}
				// If aimock closes the connection without a reply, the cause can be that
				// a reused connection was closed before: then each of the two attempts
				// is sent again once, and both requests are recorded.
				served, attempts := journal.asked(m.question(r.tag)), len(strings.Fields(records[m.item].classes))
				if served != attempts && (m.item != "hung up" || served > attempts) {
					t.Errorf("%s: aimock got %d requests, %d attempts are saved", m.item, served, attempts)
				}
				want := m.savedRecord
				if m.plain != nil && !r.stream {
					want = *m.plain
				}
				got := records[m.item]
				got.waited = 0
				if m.item == "hung up" && attempts >= 2 && attempts <= 4 && strings.Count(got.classes, "transport") == attempts {
					got.classes = "transport transport"
				}
				if k, isKnown := known()[r.tag][m.item]; isKnown {
					if got == want {
						t.Errorf("%s: aimock's known error is gone: take it out of the list", m.item)
					}
					want = k
				}
				if got != want {
					t.Errorf("%s:\nsaved %+v\nwant %+v", m.item, got, want)
				}
			}
		})
	}
}

// question is the prompt of an item in one run.
func (m mocked) question(tag string) string {
	return fmt.Sprintf("Answer as told [%s, %s].", m.item, tag)
}

// A journal is the list of requests that aimock got, a JSON document for each.
type journal []json.RawMessage

// readJournal gets the journal of aimock.
func readJournal(t *testing.T, base string) journal {
	t.Helper()
	res, err := http.Get(base + "/__aimock/journal")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var j journal
	if err := json.NewDecoder(res.Body).Decode(&j); err != nil {
		t.Fatal(err)
	}
	return j
}

// asked returns the number of requests with a question.
func (j journal) asked(question string) int {
	n := 0
	for _, entry := range j {
		var e struct{ Body json.RawMessage }
		if json.Unmarshal(entry, &e) == nil && bytes.Contains(e.Body, []byte(question)) {
			n++
		}
	}
	return n
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// startAimock starts aimock and returns its address.
func startAimock(t *testing.T, fixtures string) string {
	t.Helper()
	address, port := freePort(t)
	startServer(t, address, "./aimock.sh", "--port", port, "--fixtures", fixtures, "--log-level", "silent")
	return "http://" + address
}
