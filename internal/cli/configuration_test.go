package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// TestConfiguredRun runs a model of a configuration file: its address, key, header,
// parameters and tags are used, a flag goes before a parameter of the file, and the run
// saves what was sent under the model's own name.
func TestConfiguredRun(t *testing.T) {
	t.Setenv("BOX_KEY", "key-0123456789")
	var mu sync.Mutex
	var sent []string
	say := answering("<think>let me see</think>\nxx")
	url := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if r.URL.Path != "/v1/chat/completions" { // a look at what the server serves
			http.NotFound(w, r)
			return
		}
		mu.Lock()
		sent = append(sent, r.Header.Get("Authorization")+" "+r.Header.Get("X-Team")+" "+string(body))
		mu.Unlock()
		say(w, r)
	}))
	dir := t.TempDir()
	file := filepath.Join(dir, "models.toml")
	text := fmt.Sprintf("[models.box]\nbase_url = %q\nmodel = \"m\"\nheaders = { X-Team = \"evals\" }\nreasoning_tags = [\"<think>\", \"</think>\"]\nparams = { temperature = 0.25, top_p = 0.5, extra = { a = 1, b = 2 } }\n", url+"/v1")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	db := filepath.Join(dir, "v.db")
	r := invoke(t, db, "run", "--config", file, "--model", "box", "--task", "copy", "--length", "4", "--items", "2", "--temperature", "1", "--extra", `{"b":3}`, "--warmup", "1", "--quiet")
	if r.code != 0 {
		t.Fatalf("exit %d\n%s%s", r.code, r.out, r.err)
	}
	if len(sent) != 3 {
		t.Fatalf("%d requests, want 3", len(sent))
	}
	for _, s := range sent {
		for _, want := range []string{" evals ", `"temperature":1`, `"top_p":0.5`, `"a":1`, `"b":3`} {
			if !strings.Contains(s, want) {
				t.Errorf("sent %s, want %s", s, want)
			}
		}
	}
	r = invoke(t, db, "export", "last")
	for _, want := range []string{`"model":"box"`, `"params":{"temperature":1,"top_p":0.5,"reasoning_tokens":16384,"extra":{"a":1,"b":3}}`, `"<think>let me see</think>"`, `"text:<think>"`} {
		if !strings.Contains(r.out, want) {
			t.Errorf("the export lacks %s:\n%s", want, r.out)
		}
	}
	if r := invoke(t, db, "run", "--config", file, "--model", "box", "--task", "copy", "--length", "4", "--items", "2", "--temperature", "1", "--extra", `{"b":3}`); r.code != 0 || !strings.Contains(r.err, "is finished") {
		t.Errorf("the same command again: exit %d\n%s", r.code, r.err)
	}
}

// TestModelsFit reads what `models` prints: the overview fits 80 columns.
func TestModelsFit(t *testing.T) {
	r := invoke(t, "", "models")
	lines := strings.Split(r.out, "\n")
	if r.code != 0 || len(lines) < 20 {
		t.Fatalf("exit %d, %d lines", r.code, len(lines))
	}
	for _, line := range lines {
		if n := len([]rune(line)); n > 80 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	r = invoke(t, "", "models", "*", "--json")
	var doc struct {
		Models, Providers []struct{ Name string }
	}
	if err := json.Unmarshal([]byte(r.out), &doc); err != nil || len(doc.Models) < 500 || len(doc.Providers) < 15 {
		t.Errorf("%v, %d models, %d providers", err, len(doc.Models), len(doc.Providers))
	}
}
