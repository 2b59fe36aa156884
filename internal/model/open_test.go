package model

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"

	"verbatim"

	"verbatim/internal/input"

	"verbatim/internal/recordtest"
	"verbatim/internal/wire"
)

// A network answers requests by "host/path" and remembers them. A page that
// starts with a number has that status.
type network struct {
	mu    sync.Mutex
	pages map[string]string
	asked []*http.Request
	sent  []string
}

func (n *network) RoundTrip(r *http.Request) (*http.Response, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.asked = append(n.asked, r)
	if r.Body != nil {
		b, _ := io.ReadAll(r.Body)
		n.sent = append(n.sent, string(b))
	}
	page, ok := n.pages[r.URL.Host+r.URL.Path]
	status := 200
	if !ok && !strings.HasSuffix(r.URL.Path, "/models") {
		page = `404 {"error":"not found"}`
	} else if !ok {
		return nil, errors.New("nobody is there")
	}
	if fmt.Sscanf(page, "%d ", &status); status != 200 {
		_, page, _ = strings.Cut(page, " ")
	}
	return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(page)), Request: r}, nil
}

func (n *network) set(at, page string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.pages[at] = page
}

const (
	oneModel  = `{"object":"list","data":[{"id":"tiny"}]}`
	twoModels = `{"object":"list","data":[{"id":"tiny"},{"id":"org/big:8b"}]}`
	oneTag    = `{"models":[{"name":"tiny","model":"tiny","size":1}]}`
	twoTags   = `{"models":[{"name":"tiny"},{"name":"org/big:8b"}]}`
	answered  = `{"model":"served","choices":[{"message":{"content":"ok"},"finish_reason":"stop"}]}`
)

// options are options without a network and with an environment of their own.
func options(n *network, env ...string) Options {
	return Options{Transport: n, Getenv: func(name string) string {
		for _, e := range env {
			if k, v, _ := strings.Cut(e, "="); k == name {
				return v
			}
		}
		return ""
	}}
}

func TestOpenAsks(t *testing.T) {
	const key = "sk-0123456789"
	for _, c := range []struct {
		name, env   string
		canonical   string
		url, auth   string
		sends, lack string // a parameter that the request has, and one that it has not
	}{
		{"http://h:1/v1#m", "", "http://h:1/v1#m", "http://h:1/v1/chat/completions", "", "max_tokens", "max_completion_tokens"},
		{"chat+http://H:1/v1/#m", "", "http://h:1/v1#m", "http://h:1/v1/chat/completions", "", "max_tokens", ""},
		{"HTTPS://h/v1#org/m:8b#x", "VERBATIM_API_KEY=" + key, "https://h/v1#org/m:8b#x", "https://h/v1/chat/completions", "Bearer " + key, "max_tokens", ""},
		{"http://h:1/v1#m", "OPENAI_API_KEY=" + key, "http://h:1/v1#m", "http://h:1/v1/chat/completions", "", "", ""},
		{"http://joe:pw@h:1/v1#m", "VERBATIM_API_KEY=" + key, "http://h:1/v1#m", "http://h:1/v1/chat/completions", "Basic am9lOnB3", "", ""},
		{"https://api.openai.com/v1#gpt", "OPENAI_API_KEY=" + key, "https://api.openai.com/v1#gpt", "https://api.openai.com/v1/chat/completions", "Bearer " + key, "max_completion_tokens", "max_tokens\""},
		{"https://api.openai.com/v1/#gpt", "VERBATIM_API_KEY=" + key + "; OPENAI_API_KEY=other", "https://api.openai.com/v1#gpt", "https://api.openai.com/v1/chat/completions", "Bearer " + key, "", ""},
		{"openai:gpt", "OPENAI_API_KEY=" + key, "openai:gpt", "https://api.openai.com/v1/chat/completions", "Bearer " + key, "max_completion_tokens", "max_tokens\""},
		{"OpenAI:gpt", "OPENAI_API_KEY= " + key + " ", "openai:gpt", "https://api.openai.com/v1/chat/completions", "Bearer " + key, "", ""},
		{"mistral:small", "MISTRAL_API_KEY=" + key, "mistral:small", "https://api.mistral.ai/v1/chat/completions", "Bearer " + key, "random_seed", "stream_options"},
		{"openrouter:a/b:free", "OPENROUTER_API_KEY=" + key, "openrouter:a/b:free", "https://openrouter.ai/api/v1/chat/completions", "Bearer " + key, "", ""},
		{"llamacpp:m", "VERBATIM_API_KEY=" + key, "llamacpp:m", "http://127.0.0.1:8080/v1/chat/completions", "Bearer " + key, "", ""},
		{" vllm:m ", "", "vllm:m", "http://127.0.0.1:8000/v1/chat/completions", "", "", ""},
	} {
		u := strings.TrimPrefix(strings.TrimPrefix(c.url, "http://"), "https://")
		n := &network{pages: map[string]string{u: answered}}
		o := options(n, strings.Split(c.env, "; ")...)
		o.Stream, o.PlainHTTP = true, true
		m, err := Open(t.Context(), c.name, o)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if m.Name != c.canonical || m.Simulated || len(n.asked) != 0 {
			t.Errorf("%s: called %s, %d requests", c.name, m.Name, len(n.asked))
		}
		r := request("hi")
		seed := int64(7)
		r.Params.Seed = &seed
		reply, err := recordtest.Ask(t.Context(), m.Model, r)
		if err != nil || reply.Text != "ok" || reply.Attempts[0].N != 5 {
			t.Errorf("%s: %+v, %v", c.name, reply, err)
			continue
		}
		if got := n.asked[0].URL.String(); got != c.url || n.asked[0].Header.Get("Authorization") != c.auth {
			t.Errorf("%s: requested %s with %q", c.name, got, n.asked[0].Header.Get("Authorization"))
		}
		if !strings.Contains(n.sent[0], c.sends) || c.lack != "" && strings.Contains(n.sent[0], c.lack) || strings.Contains(n.sent[0], "secret answer") {
			t.Errorf("%s: sent %s", c.name, n.sent[0])
		}
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestOpenErrors(t *testing.T) {
	for name, want := range map[string]string{ // part of the message or the hint
		"":                          "empty",
		"gpt-5":                     "did you mean openai:gpt-5?",
		"opnai:gpt-5":               "openai:gpt-5",
		"olama:x":                   "ollama:x",
		"careful":                   "sim:careful",
		"ollama":                    "ollama:MODEL",
		"localhost:8080":            "http://localhost:8080",
		"127.0.0.1:8080/v1#m":       "http://127.0.0.1:8080/v1#m",
		"model.example.org/v1":      "http://model.example.org/v1",
		"openai:gpt-5":              "OPENAI_API_KEY",
		"http://h/v1#m":             "--plain-http",
		"http://10.0.0.7:8000/v1#m": "plain_http = true",
		"chatt+http://h/v1#m":       "chat+http://h/v1#m",
		"ftp://h/v1#m":              "http",
		"http://#m":                 "http://host:port/v1#model",
		"http://a b/v1#m":           "http://host:port/v1#model",
		"sim:nobody":                "nobody",
		"sim:careful?a=%zz":         "knobs",
		"exec:":                     "exec:COMMAND",
		"exec:no-such-program-":     "no-such-program-",
	} {
		_, err := Open(t.Context(), name, options(&network{}))
		if err == nil {
			t.Errorf("%q was opened", name)
			continue
		}
		hint := ""
		var h interface{ Hint() string }
		if errors.As(err, &h) {
			hint = h.Hint()
		}
		if !strings.Contains(err.Error()+" "+hint, want) {
			t.Errorf("%q: %v; %s", name, err, hint)
		}
		var e *input.NameError
		if errors.As(err, &e) && (!e.Misuse() || hint == "") {
			t.Errorf("%q: no hint", name)
		}
	}
	for _, name := range []string{"http://joe:pw-secret@a b/v1#m", "ftp://joe:pw-secret@h/v1?token=pw-secret", "xx+http://joe:pw-secret@h"} {
		if _, err := Open(t.Context(), name, options(&network{})); err == nil || strings.Contains(fmt.Sprintf("%v %+v", err, err), "pw-secret") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestOpenSim(t *testing.T) {
	m, err := Open(t.Context(), "sim:careful", options(&network{}))
	if err != nil {
		t.Fatal(err)
	}
	if !m.Simulated || !strings.Contains(m.Note, "simulated") || m.Name != "sim:careful" {
		t.Errorf("%+v", m)
	}
	if _, err := recordtest.Ask(t.Context(), m.Model, request("q")); err != nil {
		t.Error(err)
	}
	if err := m.Close(); err != nil {
		t.Error(err)
	}
}

func TestOpenExec(t *testing.T) {
	command := "'" + os.Args[0] + "' answer"
	m, err := Open(t.Context(), "exec: "+command+" ", options(&network{}))
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if reply, err := recordtest.Ask(t.Context(), m.Model, request("q")); err != nil || reply.Text != "a" {
		t.Errorf("%+v, %v", reply, err)
	}
	if m.Name != "exec:"+command || m.Simulated {
		t.Errorf("%+v", m)
	}
}

// request returns a request with a prompt.
func request(text string) verbatim.Request {
	return verbatim.Request{
		Item:      &verbatim.Item{ID: "reverse@1/len=3/seed=1/0", Want: verbatim.TextAnswer("secret answer")},
		Trial:     2,
		Attempt:   5,
		Prompt:    verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: text}}}},
		MaxTokens: 80,
	}
}

// Every paid provider but Azure, whose model names are the user's own, has prices in
// the embedded table.
func TestProvidersHavePrices(t *testing.T) {
	priced := map[string]bool{}
	for _, tariff := range KnownPrices().All() {
		priced[tariff.Provider] = true
	}
	for _, p := range Providers() {
		if priced[p.Priced()] == (p.Local || p.Name == "azure") {
			t.Errorf("%s: has prices: %v", p.Name, priced[p.Priced()])
		}
	}
}

// The table is well formed and holds no name twice.
func TestProviders(t *testing.T) {
	seen := map[string]bool{}
	local := 0
	for _, p := range Providers() {
		if seen[p.Name] || p.Name != strings.ToLower(p.Name) || strings.ContainsAny(p.Name, ":+/") {
			t.Errorf("provider %q", p.Name)
		}
		seen[p.Name] = true
		if (wire.Endpoint{BaseURL: p.BaseURL}).Who() != p.BaseURL && p.Name != "azure" {
			t.Errorf("%s: base URL %q", p.Name, p.BaseURL)
		}
		if p.Local != (len(p.KeyEnv) == 0) || p.Local != strings.HasPrefix(p.BaseURL, "http://127.0.0.1:") || p.Title == "" || p.Verified == "" {
			t.Errorf("%s: local or not? %+v", p.Name, p)
		}
		if _, err := json.Marshal(p); err != nil {
			t.Error(err)
		}
		if _, ok := wire.Find(p.Wire); !ok {
			t.Errorf("%s: there is no wire %q", p.Name, p.Wire)
		}
		if p.Local {
			local++
		}
	}
	if local != 5 || len(seen) < 16 {
		t.Errorf("%d providers, %d of them local", len(seen), local)
	}
}

var _ verbatim.Model = (*CommandModel)(nil)

func TestAskStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	m, err := Open(ctx, "http://127.0.0.1:1/v1#m", Options{Stream: true})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if _, err := recordtest.Ask(ctx, m.Model, request("q")); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want that it was stopped", err)
	}
}
