package model_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"verbatim/internal/fake"
	"verbatim/internal/model"
)

// TestServed: what each kind of server says of its model is read where that server says it.
// The bodies are cut from recorded ones (llama.cpp) and from the documentation of the others.
func TestServed(t *testing.T) {
	yes, no := true, false
	for name, c := range map[string]struct {
		scheme  string
		bodies  map[string]string // by path
		context int64             // 0: not known
		images  *bool
	}{
		"llama.cpp": {"", map[string]string{
			"/props":     `{"total_slots":4,"default_generation_settings":{"n_ctx":2048},"modalities":{"vision":false,"audio":false}}`,
			"/v1/models": `{"data":[{"id":"m","meta":{"n_ctx":8192,"n_ctx_train":8192},"architecture":{"input_modalities":["text","image"]}}]}`,
		}, 2048, &no},
		"llama.cpp without /props": {"", map[string]string{
			"/v1/models": `{"models":[{"name":"m"}],"object":"list","data":[{"id":"file","aliases":["m"],"architecture":{"input_modalities":["text"]},"meta":{"n_ctx":2048,"n_ctx_train":8192}},{"id":"other","meta":{"n_ctx":1}}]}`,
		}, 2048, &no},
		"llama.cpp, router": {"", map[string]string{
			"/props":                        `{"role":"router","max_instances":4,"default_generation_settings":{"params":{},"n_ctx":0}}`,
			"/props?model=m&autoload=false": `{"total_slots":4,"default_generation_settings":{"n_ctx":2048},"modalities":{"vision":true}}`,
			"/v1/models":                    `{"data":[{"id":"m","status":{"value":"loaded"}},{"id":"other","status":{"value":"unloaded"}}]}`,
		}, 2048, &yes},
		"llama.cpp, router, not loaded": {"", map[string]string{
			"/props":     `{"role":"router","default_generation_settings":{"params":{},"n_ctx":0}}`,
			"/v1/models": `{"data":[{"id":"m","status":{"value":"unloaded"}}]}`,
		}, 0, nil},
		"vLLM": {"", map[string]string{
			"/v1/models": `{"object":"list","data":[{"id":"other","max_model_len":10},{"id":"m","object":"model","owned_by":"vllm","max_model_len":32768}]}`,
		}, 32768, nil},
		"LM Studio": {"", map[string]string{
			"/v1/models":     `{"data":[{"id":"m","object":"model"}]}`,
			"/api/v0/models": `{"data":[{"id":"m","object":"model","type":"vlm","state":"loaded","max_context_length":32768,"loaded_context_length":4096}]}`,
		}, 4096, &yes},
		"LM Studio, not loaded": {"", map[string]string{
			"/api/v0/models": `{"data":[{"id":"m","type":"llm","state":"not-loaded","max_context_length":32768}]}`,
		}, 32768, &no},
		"Ollama, its own setting": {"ollama+", map[string]string{
			"/api/show": `{"parameters":"stop    \"<|eot|>\"\nnum_ctx                        4096","model_info":{"llama.context_length":131072},"capabilities":["completion","vision"]}`,
		}, 4096, &yes},
		"Ollama": {"ollama+", map[string]string{
			"/api/show": `{"model_info":{"general.architecture":"llama","llama.context_length":131072,"llama.embedding_length":4096},"capabilities":["completion"]}`,
		}, 131072, &no},
		"Ollama, loaded": {"ollama+", map[string]string{
			"/api/ps":   `{"models":[{"name":"other:latest","context_length":1024},{"name":"m:latest","model":"m:latest","size_vram":1,"context_length":4096}]}`,
			"/api/show": `{"model_info":{"general.architecture":"llama","llama.context_length":131072},"capabilities":["completion"]}`,
		}, 4096, &no},
		"Ollama, another is loaded": {"ollama+", map[string]string{
			"/api/ps":   `{"models":[{"name":"other:latest","context_length":1024}]}`,
			"/api/show": `{"model_info":{"general.architecture":"llama","llama.context_length":131072},"capabilities":["completion"]}`,
		}, 131072, &no},
		"Ollama, a version that does not say it": {"ollama+", map[string]string{
			"/api/ps":   `{"models":[{"name":"m"}]}`,
			"/api/show": `{"model_info":{"general.architecture":"llama","llama.context_length":131072},"capabilities":["completion"]}`,
		}, 131072, &no},
		"silent":       {"", map[string]string{"/v1/models": `{"data":[{"id":"m"}]}`}, 0, nil},
		"wrong types":  {"", map[string]string{"/v1/models": `{"data":[{"id":"m","max_model_len":"much"}]}`, "/props": `[]`}, 0, nil},
		"no numbers":   {"", map[string]string{"/v1/models": `{"data":[{"id":"m","max_model_len":-5}]}`, "/props": `{"default_generation_settings":{"n_ctx":0}}`}, 0, nil},
		"another name": {"", map[string]string{"/v1/models": `{"data":[{"id":"a","max_model_len":5},{"id":"b","max_model_len":6}]}`}, 0, nil},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				at := r.URL.Path
				if r.URL.RawQuery != "" {
					at += "?" + r.URL.RawQuery
				}
				body, ok := c.bodies[at]
				if !ok || r.Method == "POST" != strings.HasSuffix(r.URL.Path, "show") {
					http.NotFound(w, r)
					return
				}
				w.Write([]byte(body))
			}))
			defer server.Close()
			address := server.URL + "/v1#m"
			if c.scheme != "" {
				address = c.scheme + server.URL + "#m"
			}
			m, err := model.Open(context.Background(), address, model.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer m.Close()
			got := m.Served(context.Background())
			if (got.Context == nil) != (c.context == 0) || got.Context != nil && *got.Context != c.context {
				t.Errorf("a context of %v tokens, want %d", got.Context, c.context)
			}
			if (got.Images == nil) != (c.images == nil) || got.Images != nil && *got.Images != *c.images {
				t.Errorf("images: %v, want %v", got.Images, c.images)
			}
		})
	}
}

// TestSlots: a server on any port of this machine is asked how many requests it runs at
// once, and one that does not say leaves it open.
func TestSlots(t *testing.T) {
	for _, want := range []int{2, 0} {
		s, err := fake.New(fake.Config{Echo: true, Limits: fake.Limits{Slots: want}})
		if err != nil {
			t.Fatal(err)
		}
		server := httptest.NewServer(s)
		defer server.Close()
		m, err := model.Open(context.Background(), server.URL+"/v1#m", model.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		start := time.Now()
		if got := m.Slots(context.Background()); got != want || time.Since(start) > 5*time.Second {
			t.Errorf("%d slots after %v, want %d", got, time.Since(start), want)
		}
	}
}

// TestNoSecretOutsidePath: what is outside the path of the address gets neither the key, nor a header of
// the user's, nor the password or the query of the address. Without a path the whole server is named.
func TestNoSecretOutsidePath(t *testing.T) {
	const secret = "secret-0123456789abcdef"
	var mu sync.Mutex
	paths, told := map[string]bool{}, map[string]bool{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		user, password, _ := r.BasicAuth()
		mu.Lock()
		paths[r.URL.Path] = true
		if strings.Contains(fmt.Sprint(r.Header, user, password, r.URL.RawQuery), secret) {
			told[r.URL.Path] = true
		}
		mu.Unlock()
		if strings.HasSuffix(r.URL.Path, "/v1/models") {
			io.WriteString(w, `{"data":[{"id":"m"},{"id":"n"}]}`)
			return
		}
		http.NotFound(w, r)
	}))
	defer server.Close()
	host := strings.TrimPrefix(server.URL, "http://")
	entry := func(url, more string) string {
		return "[models.m]\nbase_url = \"" + url + "\"\nmodel = \"m\"\nkey_env = \"BOX\"\n" + more
	}
	for name, c := range map[string]struct {
		config string
		root   bool // the root of the server gets the secret
	}{
		"m, a key":   {entry(server.URL+"/a/v1", ""), false},
		"m, headers": {entry(server.URL+"/v1", "headers = { X-One = \"env:BOX\" }\n"), false},
		"m, no path": {entry(server.URL, ""), true},
		"http://u:" + secret + "@" + host + "/a/v1#m": {"", false},
		"http://" + host + "/a/v1?x=" + secret + "#m": {"", false},
		"ollama+http://" + host + "/a#m":              {"", false},
		"http://" + host + "/a/v1":                    {"", false},
	} {
		clear(paths)
		clear(told)
		o := model.Options{Getenv: func(n string) string { return map[string]string{"BOX": secret, "VERBATIM_API_KEY": secret}[n] }}
		var err error
		if o.Config, err = model.ReadConfig("verbatim.toml", []byte(c.config)); err != nil {
			t.Fatal(err)
		}
		o.Config.Trusted = true
		address, _, _ := strings.Cut(name, ", ")
		if m, err := model.Open(t.Context(), address, o); err == nil {
			m.Served(t.Context())
			if m.Slots != nil {
				m.Slots(t.Context())
				m.Waiting(t.Context())
			}
			m.Close()
		}
		outside := 0
		for path := range paths {
			if strings.HasPrefix(path, "/a/") || strings.HasPrefix(path, "/v1") {
				continue
			}
			outside++
			if told[path] != c.root {
				t.Errorf("%s: %s gets the secret: %v", name, path, told[path])
			}
		}
		if outside == 0 || len(told) == 0 {
			t.Errorf("%s: asked for %v, with the secret %v", name, paths, told)
		}
	}
}
