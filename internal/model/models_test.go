package model

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"verbatim/internal/input"
)

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
