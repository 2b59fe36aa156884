package model

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"verbatim"
	"verbatim/internal/input"
	"verbatim/internal/nano"
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

// An address without a model is asked what it serves.
func TestOpenWithoutModel(t *testing.T) {
	const at = "127.0.0.1:1/v1/models"
	lmstudio := `{"data":[{"id":"tiny","type":"llm","state":"not-loaded"},{"id":"org/big:8b","type":"llm","state":"loaded"},{"id":"embed","type":"embeddings","state":"loaded"}]}`
	for _, c := range []struct {
		name  string
		pages map[string]string
		want  string // the model, or a part of the error
	}{
		{"one", map[string]string{at: oneModel}, "#tiny"},
		{"several", map[string]string{at: twoModels}, "several models: tiny, org/big:8b"},
		{"one is loaded, says LM Studio", map[string]string{at: twoModels, "127.0.0.1:1/api/v0/models": lmstudio}, "#org/big:8b"},
		{"LM Studio is asked first", map[string]string{at: twoModels, "127.0.0.1:1/api/v0/models": lmstudio, "127.0.0.1:1/api/ps": `{"models":[{"name":"tiny"}]}`}, "#org/big:8b"},
		{"one is loaded, says Ollama", map[string]string{at: twoModels, "127.0.0.1:1/api/ps": `{"models":[{"name":"tiny"}]}`}, "#tiny"},
		{"one is loaded, says a router", map[string]string{at: `{"data":[{"id":"a","status":{"value":"unloaded"}},{"id":"b","status":{"value":"loaded"}}]}`}, "#b"},
		{"two are loaded", map[string]string{at: twoModels, "127.0.0.1:1/api/ps": `{"models":[{"name":"tiny"},{"name":"org/big:8b"}]}`}, "several"},
		{"another is loaded", map[string]string{at: twoModels, "127.0.0.1:1/api/ps": `{"models":[{"name":"other"}]}`}, "several"},
		{"one besides embeddings", map[string]string{at: `{"data":[{"id":"e","type":"embeddings"},{"id":"a","type":"llm"}]}`}, "#a"},
		{"none", map[string]string{at: `{"object":"list","data":null}`}, "no model"},
		{"a web page", map[string]string{at: "<html><title>Jenkins</title></html>"}, "web page"},
		{"a web page with an error", map[string]string{at: "503 <html>busy</html>"}, "web page"},
		{"other JSON", map[string]string{at: `{"data":[{"name":"x"}]}`}, "no list of models"},
		{"a list of something", map[string]string{at: `[1,2]`}, "no list of models"},
		{"nobody", nil, "nobody is there"},
		{"no key", map[string]string{at: `401 {"error":{"message":"Invalid API Key"}}`}, "Invalid API Key"},
	} {
		m, err := Open(t.Context(), "http://127.0.0.1:1/v1", options(&network{pages: c.pages}))
		switch got := m.Name; {
		case strings.HasPrefix(c.want, "#"):
			if err != nil || got != "http://127.0.0.1:1/v1"+c.want {
				t.Errorf("%s: %q, %v", c.name, got, err)
			}
		case err == nil || !strings.Contains(err.Error(), c.want):
			t.Errorf("%s: %q, %v, want %q", c.name, got, err, c.want)
		}
	}
	_, err := Open(t.Context(), "http://127.0.0.1:1/v1", options(&network{pages: map[string]string{at: twoModels}}))
	var e *input.NameError
	if !errors.As(err, &e) || !strings.Contains(e.Hint(), "http://127.0.0.1:1/v1#tiny") {
		t.Errorf("%v, want a hint that names a model", err)
	}
	if m, err := Open(t.Context(), "ollama:", options(&network{pages: map[string]string{"127.0.0.1:11434/api/tags": oneTag}})); err != nil || m.Name != "ollama:tiny" {
		t.Errorf("%q, %v", m.Name, err)
	}
}

// A server that is loading is waited for, half a minute at most.
func TestOpenWhileLoading(t *testing.T) {
	const at = "127.0.0.1:1/v1/models"
	for _, ready := range []time.Duration{10 * time.Second, time.Hour} {
		synctest.Test(t, func(t *testing.T) {
			n := &network{pages: map[string]string{at: `503 {"error":{"message":"Loading model","code":503}}`}}
			defer time.AfterFunc(ready, func() { n.set(at, oneModel) }).Stop()
			var talk bytes.Buffer
			o := options(n)
			o.Log = &talk
			start := time.Now()
			m, err := Open(t.Context(), "http://127.0.0.1:1/v1", o)
			took := time.Since(start)
			if ready < loadingWait && (err != nil || m.Name != "http://127.0.0.1:1/v1#tiny" || took > ready+time.Second) {
				t.Errorf("%q after %v, %v", m.Name, took, err)
			}
			if ready > loadingWait && (err == nil || took > loadingWait) {
				t.Errorf("%q after %v, %v", m.Name, took, err)
			}
			if strings.Count(talk.String(), "\n") != 1 || !strings.Contains(talk.String(), "loading") {
				t.Errorf("it said %q", talk.String())
			}
		})
	}
}

// TestUnknownNames compares the messages about unknown names that people type.
func TestUnknownNames(t *testing.T) {
	for name, want := range map[string]string{
		"openai/gpt-4o-mini":      "did you mean openai:gpt-4o-mini, or openrouter:openai/gpt-4o-mini?",
		"gpt-4o-mini":             "did you mean openai:gpt-4o-mini?",
		"gpt-4.1":                 "did you mean openai:gpt-4.1?",
		"claude-of-tomorrow":      "did you mean anthropic:claude-of-tomorrow?",
		"meta-llama/Llama-3.1-8B": "did you mean openrouter:meta-llama/Llama-3.1-8B?",
		"llama3.2:1b":             "a model of Ollama is written ollama:llama3.2:1b",
		"qwen3:latest":            "a model of Ollama is written ollama:qwen3:latest",
		"opnai:gpt-5":             "did you mean openai:gpt-5?",
		"127.0.0.1:8080/v1":       "write http://127.0.0.1:8080/v1",
		"localhost:8080":          "write http://localhost:8080",
		"server:8000/v1#m":        "write http://server:8000/v1#m",
		"models.example.com/v1#m": "write http://models.example.com/v1#m",
		"openai":                  "write openai:MODEL",
		"openai-responses+http://127.0.0.1:1/v1#m": "did you mean responses+http://127.0.0.1:1/v1#m? The protocols are chat, ",
		"antropic+https://a.example#m":             "did you mean anthropic+https://a.example#m?",
		"openai+http://127.0.0.1:1/v1#m":           "the protocols are chat, responses, ",
		"something-else-altogether":                "name it as provider:model",
	} {
		var e *input.NameError
		if err := unknownName(name, Options{}); !errors.As(err, &e) || !strings.Contains(e.Advice, want) {
			t.Errorf("%s: %v, hint %q; want %q", name, err, e.Advice, want)
		}
	}
}

// mustNano opens the network.
func mustNano(t testing.TB) Handle {
	t.Helper()
	m, err := Open(t.Context(), "nano", options(&network{}))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// nanoRequest asks for a copy.
func nanoRequest(text string) verbatim.Request {
	r := request("Copy the following string exactly. Only output the string. String: \"" + text + "\"")
	r.Item = &verbatim.Item{ID: "copy@1/len=8/seed=1/" + text, Want: verbatim.TextAnswer("the right answer, which nobody may look at")}
	return r
}

func TestOpenNano(t *testing.T) {
	m := mustNano(t)
	if m.Name != "nano" || !m.BuiltIn || m.Simulated || m.Price == nil || m.Price.Input != 0 || *m.Context != nano.Context || m.Speed <= 0 || !strings.Contains(m.Note, "say nothing about other models") {
		t.Errorf("%+v", m)
	}
	if other, err := Open(t.Context(), " Nano ", options(&network{})); err != nil || other.Name != "nano" {
		t.Errorf("%+v, %v", other, err)
	}
	if err := m.Close(); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"nan", "nanno"} {
		var e *input.NameError
		if _, err := Open(t.Context(), name, options(&network{})); !errors.As(err, &e) || !strings.Contains(e.Advice, "did you mean nano") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// An answer has its token counts and its finish reason, which is the network's or the
// limit's, and is the same every time.
func TestNanoAnswers(t *testing.T) {
	m := mustNano(t)
	ask := nanoRequest("abcdefgh")
	reply, err := recordtest.Ask(t.Context(), m.Model, ask)
	if err != nil {
		t.Fatal(err)
	}
	counted, err := m.Count(ask.Prompt)
	if err != nil || counted < 9 || reply.Usage.Prompt == nil || *reply.Usage.Prompt != counted {
		t.Errorf("%d tokens counted before (%v), and usage %+v", counted, err, reply.Usage)
	}
	if n := *reply.Usage.Completion; n < 0 || n > int64(ask.MaxTokens) {
		t.Errorf("%d tokens of at most %d", n, ask.MaxTokens)
	}
	if reply.ServedModel != "nano" || reply.Times.Total <= 0 || reply.Times.Start.IsZero() || reply.Applied != `{"temperature":0,"top_p":1}` || !json.Valid([]byte(reply.Applied)) {
		t.Errorf("%+v", reply)
	}
	if sums, err := os.ReadFile("../nano/nano.sha256"); err != nil || len(reply.Fingerprint) != 12 || !strings.HasPrefix(string(sums), reply.Fingerprint) {
		t.Errorf("the fingerprint of the weights is %q, %v, and their sum %s", reply.Fingerprint, err, sums)
	}
	if len(reply.Attempts) != 1 || reply.Attempts[0].N != ask.Attempt || reply.Attempts[0].Bytes != int64(len(reply.Text)) {
		t.Errorf("attempts %+v", reply.Attempts)
	}
	ask.MaxTokens = 1
	first, err := recordtest.Ask(t.Context(), m.Model, ask)
	if err != nil || first.Finish != verbatim.FinishLength || first.FinishRaw != "length" || *first.Usage.Completion != 1 || !strings.HasPrefix(reply.Text, first.Text) {
		t.Errorf("one token: %+v, %v", first, err)
	}
	ask = nanoRequest("abcdefgh")
	ask.Trial, ask.Attempt, ask.Item = 7, 1, &verbatim.Item{ID: "another"}
	again, err := recordtest.Ask(t.Context(), mustNano(t).Model, ask)
	if err != nil || again.Text != reply.Text {
		t.Errorf("%q, and then %q, %v", reply.Text, again.Text, err)
	}
}

// TestNanoDraws: with a temperature trials differ, and each is the same every time; with
// a seed they are the same. (At a temperature of 100 no training makes answers alike.)
func TestNanoDraws(t *testing.T) {
	m := mustNano(t)
	hot, seed, other := 100.0, int64(7), int64(8)
	say := func(change func(*verbatim.Request)) string {
		t.Helper()
		r := nanoRequest("abcdefgh")
		r.Params.Temperature = &hot
		change(&r)
		reply, err := recordtest.Ask(t.Context(), m.Model, r)
		if err != nil {
			t.Fatal(err)
		}
		return reply.Text
	}
	plain := say(func(*verbatim.Request) {})
	for what, c := range map[string]struct {
		change func(*verbatim.Request)
		same   bool
	}{
		"again":           {func(*verbatim.Request) {}, true},
		"another attempt": {func(r *verbatim.Request) { r.Attempt = 9 }, true},
		"another trial":   {func(r *verbatim.Request) { r.Trial++ }, false},
		"another item":    {func(r *verbatim.Request) { r.Item = &verbatim.Item{ID: "x"} }, false},
		"no item":         {func(r *verbatim.Request) { r.Item = nil }, false},
		"a seed":          {func(r *verbatim.Request) { r.Params.Seed = &seed }, false},
	} {
		if got := say(c.change); (got == plain) != c.same {
			t.Errorf("%s: %q, and without it %q", what, got, plain)
		}
	}
	seeded := say(func(r *verbatim.Request) { r.Params.Seed = &seed })
	if got := say(func(r *verbatim.Request) { r.Params.Seed, r.Trial = &seed, 9 }); got != seeded {
		t.Errorf("the same seed: %q and %q", seeded, got)
	}
	if got := say(func(r *verbatim.Request) { r.Params.Seed = &other }); got == seeded {
		t.Errorf("other seeds: %q", got)
	}
	none, greedy := 0.0, say(func(r *verbatim.Request) { r.Params.Temperature = nil })
	for what, change := range map[string]func(*verbatim.Request){
		"a temperature of 0": func(r *verbatim.Request) { r.Params.Temperature = &none },
		"a top_p of 0":       func(r *verbatim.Request) { r.Params.TopP = &none },
	} {
		if got := say(change); got != greedy {
			t.Errorf("%s: %q, and greedy %q", what, got, greedy)
		}
	}
}

// TestNanoRefuses what it cannot read and what it does not support, and says what to
// do.
func TestNanoRefuses(t *testing.T) {
	m := mustNano(t)
	below, above, budget := -0.1, 1.1, int64(9)
	for want, change := range map[string]func(*verbatim.Request){
		"tokens": func(r *verbatim.Request) { r.Prompt[0].Content[0].Text = strings.Repeat("\"abcdefgh\" ", 200) },
		"image": func(r *verbatim.Request) {
			r.Prompt[0].Content = append(r.Prompt[0].Content, verbatim.Part{Image: &verbatim.Image{}})
		},
		"effort":                func(r *verbatim.Request) { r.Params.Effort = "low" },
		"budget":                func(r *verbatim.Request) { r.Params.ReasoningBudget = &budget },
		"extra":                 func(r *verbatim.Request) { r.Params.Extra = map[string]json.RawMessage{"top_k": []byte("1")} },
		"temperature cannot be": func(r *verbatim.Request) { r.Params.Temperature = &below },
		"top_p cannot be":       func(r *verbatim.Request) { r.Params.TopP = &above },
		"top_p cannot be -0.1":  func(r *verbatim.Request) { r.Params.TopP = &below },
		"the prompt has 1":      func(r *verbatim.Request) { r.Prompt[0].Content[0].Text = `"` + strings.Repeat("x", 1050) + `"` },
		"reads at most 1023":    func(r *verbatim.Request) { r.Prompt[0].Content[0].Text = `"` + strings.Repeat("x", nano.Context) + `"` },
	} {
		r := nanoRequest("abcdefgh")
		change(&r)
		_, err := recordtest.Ask(t.Context(), m.Model, r)
		var f *verbatim.Failure
		if !errors.As(err, &f) || f.Class != verbatim.BadAsk || f.Who != "nano" || f.Hint == "" || !strings.Contains(err.Error(), want) || len(f.Attempts) != 1 || f.Attempts[0].Class != verbatim.BadAsk {
			t.Errorf("%s: %v, %+v", want, err, f)
		}
	}
	r := nanoRequest("abcdefgh")
	r.Params.ReasoningTokens = 100 // is not sent: it only makes the limit longer
	if _, err := recordtest.Ask(t.Context(), m.Model, r); err != nil {
		t.Error(err)
	}
}

// TestNanoStops with its context, and reads the weights at its first question only.
func TestNanoStops(t *testing.T) {
	loads := 0
	m := nanoModel{func() (*nano.Network, error) { loads++; return nil, errors.New("damaged") }}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := recordtest.Ask(ctx, m, nanoRequest("abcdefgh"))
	var f *verbatim.Failure
	if !errors.As(err, &f) || f.Class != verbatim.Deadline || !errors.Is(err, context.Canceled) || loads != 0 {
		t.Errorf("%v after %d loads", err, loads)
	}
	if _, err := recordtest.Ask(t.Context(), m, nanoRequest("abcdefgh")); !errors.As(err, &f) || f.Class != verbatim.BadAsk || !strings.Contains(f.Hint, "install") || loads != 1 {
		t.Errorf("%v after %d loads", err, loads)
	}
	if _, err := m.count(nil); err == nil {
		t.Error("tokens were counted without a network")
	}
	start := time.Now()
	for range 1000 {
		openNano()
	}
	if took := time.Since(start); took > time.Second {
		t.Errorf("to open it a thousand times took %v", took)
	}
}

// TestNanoDoesNotReason: so its requests get no tokens for reasoning.
func TestNanoDoesNotReason(t *testing.T) {
	if r := openNano().Reasons; r == nil || *r {
		t.Errorf("nano reasons: %v", r)
	}
}

func TestWords(t *testing.T) {
	for line, want := range map[string][]string{
		"":                         nil,
		" \t\n ":                   nil,
		"a b  c\td":                {"a", "b", "c", "d"},
		`python3 "my model.py" -x`: {"python3", "my model.py", "-x"},
		`'a\\b\"' c`:               {`a\\b\"`, "c"},
		`a 'b "c" \d'e`:            {"a", `b "c" \de`},
		`"a\"b\\c"`:                {`a"b\c`},
		`a\ b \'c`:                 {"a b", "'c"},
		`C:\tools\model.exe --n 1`: {`C:\tools\model.exe`, "--n", "1"},
		`'' ""`:                    {"", ""},
		`a""b`:                     {"ab"},
		`$HOME *.py ~ ; | > x`:     {"$HOME", "*.py", "~", ";", "|", ">", "x"},
		`end\`:                     {`end\`},
		`{"json": 'yes'}`:          {"{json:", "yes}"},
	} {
		got, err := SplitCommand(line)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v, want %q", line, got, err, want)
		}
	}
	for _, line := range []string{`'`, `"`, `a 'b`, `a "b\"`} {
		if got, err := SplitCommand(line); err == nil {
			t.Errorf("%s: %q, want an error", line, got)
		}
	}
}

func TestRefusesSystem(t *testing.T) {
	for message, want := range map[string]bool{
		"System role not supported": true,
		"Unsupported value: 'messages[0].role' does not support 'system' with this model.": true,
		"Developer instruction is not enabled for models/gemma-3-4b-it":                    true,
		"this model isn't allowed":                            false,
		"The system is overloaded, please try again":          false,
		"max_tokens is not supported with this model":         false,
		"system messages are unsupported by this chat format": true,
	} {
		err := error(&verbatim.Failure{Class: verbatim.BadAsk, Status: 400, Err: errors.New(message)})
		if got := refusesSystem(err); got != want {
			t.Errorf("%s: %v, want %v", message, got, want)
		}
	}
}

func TestSystemInUser(t *testing.T) {
	text := func(role, s string) verbatim.Message {
		return verbatim.Message{Role: role, Content: []verbatim.Part{{Text: s}}}
	}
	given := verbatim.Prompt{text("system", "Be brief."), text("user", "Hello"), text("assistant", "Hi"), text("user", "Bye")}
	got, moved := SystemInUser(given)
	if !moved || len(got) != 3 || got[0].Content[0].Text != "Be brief.\n\nHello" || got[2].Content[0].Text != "Bye" {
		t.Errorf("%+v", got)
	}
	if given[1].Content[0].Text != "Hello" {
		t.Error("the prompt itself was changed")
	}
	if _, moved := SystemInUser(given[1:]); moved {
		t.Error("a prompt without system text was changed")
	}
}

// The replies of a batch pass what single replies pass: the secrets are removed, and reasoning between
// tags is moved out of the text.
func TestRefineBatch(t *testing.T) {
	const key = "sk-proj-Zq7p4422xkLm90WvA1b2c3d4"
	n := &network{pages: map[string]string{
		"127.0.0.1:1/v1/batches/b": `{"status":"completed","output_file_id":"f1"}`,
		"127.0.0.1:1/v1/files/f1/content": `{"custom_id":"s7","response":{"status_code":200,"body":{"choices":[{"message":{"role":"assistant",` +
			`"content":"<think>hm</think>abc ` + key + `"},"finish_reason":"stop"}]}}}`}}
	m, err := Open(t.Context(), "http://127.0.0.1:1/v1#m", options(n, "OPENAI_API_KEY="+key))
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	state, err := m.Model.(verbatim.Batcher).Collect(t.Context(), "b", func(seq int64, got verbatim.Reply, err error) error {
		if calls++; seq != 7 || got.Reasoning != "<think>hm</think>" || got.Text == "abc "+key || got.Text[:4] != "abc " || err != nil {
			t.Errorf("%d: %+v, %v", seq, got, err)
		}
		return nil
	})
	if err != nil || !state.Over || calls != 1 {
		t.Errorf("%+v, %v, %d calls", state, err, calls)
	}
}
