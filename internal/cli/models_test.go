package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"verbatim/internal/model"
	"verbatim/internal/terminal"
)

func TestMatcher(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"gpt-5", "openai:gpt-5-mini", true},
		{"GPT-5", "openai:gpt-5-mini", true},
		{"gpt-5*", "openai:gpt-5-mini", true},
		{"openai:gpt-5", "openai:gpt-5", true},
		{"openai:*-nano", "openai:gpt-5-nano", true},
		{"openai:*-nano", "openrouter:openai/gpt-5-nano", false},
		{"gpt-?", "openai:gpt-5", true},
		{"gpt-?", "openai:gpt-5-mini", false},
		{"a.c*", "abc", false},
		{"[*", "openai:x", false},
		{"*", "anything:at/all", true},
	} {
		if got := matcher(c.pattern)(c.name); got != c.want {
			t.Errorf("%q on %q: %v", c.pattern, c.name, got)
		}
	}
}

// TestOwnPrice: a model of the user's file without a price has that of its provider's model.
func TestOwnPrice(t *testing.T) {
	file, err := model.ReadConfig("verbatim.toml", []byte("[models.mine]\nprovider = \"openai\"\nmodel = \"gpt-4o-mini\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	list := newModelList(model.Options{Config: file, Getenv: func(string) string { return "" }}, nil)
	if err := list.matching("mine").writeDetails(&text, terminal.Style{}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text.String(), "0.15 / 0.60") || !strings.Contains(text.String(), "128k") {
		t.Errorf("no price or context:\n%s", text.String())
	}
}

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

// A server that was found on a usual port is sent no key until a person names it: any
// program may listen there. This holds for a test against such a run, too.
func TestDiscoveredServerGetsNoKey(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:30000")
	if err != nil {
		t.Skip("the port is taken:", err)
	}
	const key = "vk-Zq7rT2mXv9LpWc4Jh8Yb3Nd6"
	var mu sync.Mutex
	keys, asked := 0, 0
	answer := answering("x")
	server := &httptest.Server{Listener: listener, Config: &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		asked++
		for _, values := range r.Header {
			if strings.Contains(strings.Join(values, " "), key) {
				keys++
			}
		}
		mu.Unlock()
		if strings.HasSuffix(r.URL.Path, "/models") {
			w.Write([]byte(`{"object":"list","data":[{"id":"m"}]}`))
			return
		}
		answer(w, r)
	})}}
	server.Start()
	defer server.Close()

	dir := t.TempDir()
	vars := map[string]string{"VERBATIM_DB": filepath.Join(dir, "x.db"), "XDG_CONFIG_HOME": dir, "VERBATIM_CONFIG": "off", "VERBATIM_API_KEY": key}
	call := func(args ...string) string {
		var out, errs bytes.Buffer
		Main(args, Env{In: strings.NewReader(""), Out: &out, Err: &errs, Getenv: func(name string) string { return vars[name] },
			Interrupts: func() (<-chan os.Signal, func()) { return nil, func() {} }})
		return out.String() + errs.String()
	}
	run := []string{"run", "--task", "copy", "--length", "8", "--items", "1", "--new"}
	for _, c := range []struct {
		name, discover string
		args           []string
		sent           bool
		want           string
	}{
		{"found", "", run, false, "to send VERBATIM_API_KEY, name it: --model 'http://127.0.0.1:30000/v1#m'"},
		{"a check of it", "", []string{"check", "--baseline", "last", "--margin", "0.9"}, false, "items"},
		{"a check that names it", "", []string{"check", "--baseline", "1", "--margin", "0.9", "--new", "--model", "http://127.0.0.1:30000/v1#m"}, true, "items"},
		{"named by the environment", "127.0.0.1:30000", run, true, "found on this machine"},
		{"a check of what was named", "", []string{"check", "--baseline", "last", "--margin", "0.9", "--new"}, true, "items"},
	} {
		keys, asked = 0, 0
		vars["VERBATIM_DISCOVER"] = c.discover
		text := call(c.args...)
		if c.name == "found" && !strings.Contains(text, ":30000") {
			t.Skip("another server is found first")
		}
		if !strings.Contains(text, c.want) {
			t.Fatalf("%s: %s", c.name, text)
		}
		if asked == 0 || (keys > 0) != c.sent {
			t.Errorf("%s: %d of %d requests had the key\n%s", c.name, keys, asked, text)
		}
	}
}
