package model

import (
	"cmp"
	"errors"
	"strings"
	"testing"

	"verbatim/internal/input"

	"verbatim/internal/reasoning"
	"verbatim/internal/recordtest"
)

const (
	answeredResponses = `{"id":"r","object":"response","status":"completed","model":"served","output":[{"type":"message","content":[{"type":"output_text","text":"ok"}]}]}`
	answeredGemini    = `{"candidates":[{"content":{"role":"model","parts":[{"text":"ok"}]},"finishReason":"STOP"}]}`
	answeredOllama    = `{"model":"served","message":{"role":"assistant","content":"ok"},"done":true,"done_reason":"stop"}`
	answeredAnthropic = `{"id":"m","type":"message","role":"assistant","model":"served","content":[{"type":"text","text":"ok"}],"stop_reason":"end_turn","usage":{"input_tokens":1,"output_tokens":1}}`
)

// Requests of every protocol go to its path with its header, for a provider's name and
// for an address.
func TestOpenWires(t *testing.T) {
	const key = "sk-0123456789"
	for _, c := range []struct{ name, env, url, header, page, canonical string }{
		{"openai-responses:gpt-5", "OPENAI_API_KEY", "https://api.openai.com/v1/responses", "Authorization: Bearer " + key, answeredResponses, "openai-responses:gpt-5"},
		{"responses+https://api.openai.com/v1#gpt-5", "OPENAI_API_KEY", "https://api.openai.com/v1/responses", "Authorization: Bearer " + key, answeredResponses, "responses+https://api.openai.com/v1#gpt-5"},
		{"responses+http://127.0.0.1:8080/v1#m", "VERBATIM_API_KEY", "http://127.0.0.1:8080/v1/responses", "Authorization: Bearer " + key, answeredResponses, ""},
		{"anthropic:claude-haiku-4-5", "ANTHROPIC_API_KEY", "https://api.anthropic.com/v1/messages", "X-Api-Key: " + key, answeredAnthropic, ""},
		{"anthropic+https://API.anthropic.com/v1/#claude-haiku-4-5", "ANTHROPIC_API_KEY", "https://api.anthropic.com/v1/messages", "X-Api-Key: " + key, answeredAnthropic, "anthropic+https://api.anthropic.com/v1#claude-haiku-4-5"},
		{"anthropic+http://localhost:8080/v1#m", "VERBATIM_API_KEY", "http://localhost:8080/v1/messages", "Anthropic-Version: 2023-06-01", answeredAnthropic, ""},
		{"gemini:gemini-3.6-flash", "GEMINI_API_KEY", "https://generativelanguage.googleapis.com/v1beta/models/gemini-3.6-flash:generateContent", "X-Goog-Api-Key: " + key, answeredGemini, ""},
		{"gemini:gemini-3.6-flash", "GOOGLE_API_KEY", "https://generativelanguage.googleapis.com/v1beta/models/gemini-3.6-flash:generateContent", "X-Goog-Api-Key: " + key, answeredGemini, ""},
		{"gemini+https://proxy.example.org#m", "VERBATIM_API_KEY", "https://proxy.example.org/v1beta/models/m:generateContent", "X-Goog-Api-Key: " + key, answeredGemini, ""},
		{"ollama:llama3:8b", "", "http://127.0.0.1:11434/api/chat", "Authorization: ", answeredOllama, ""},
		{"ollama+https://box.example.org/api#llama3:8b", "VERBATIM_API_KEY", "https://box.example.org/api/chat", "Authorization: Bearer " + key, answeredOllama, ""},
		{"http://127.0.0.1:11434/v1#llama3:8b", "", "http://127.0.0.1:11434/v1/chat/completions", "Authorization: ", answered, ""},
		{"azure:acme/gpt-4o", "AZURE_OPENAI_API_KEY", "https://acme.openai.azure.com/openai/v1/chat/completions", "Api-Key: " + key, answered, ""},
		{"azure:ACME.openai.azure.com/gpt-4o", "AZURE_API_KEY", "https://acme.openai.azure.com/openai/v1/chat/completions", "Api-Key: " + key, answered, "azure:acme/gpt-4o"},
		{"azure:acme.services.ai.azure.com/DS-R1?api-version=preview", "AZURE_API_KEY", "https://acme.services.ai.azure.com/openai/v1/chat/completions?api-version=preview", "Api-Key: " + key, answered, ""},
		{"azure:acme/gpt-4o?api-version=2024-10-21", "AZURE_API_KEY", "https://acme.openai.azure.com/openai/deployments/gpt-4o/chat/completions?api-version=2024-10-21", "Api-Key: " + key, answered, ""},
		{"together:m", "TOGETHERAI_API_KEY", "https://api.together.xyz/v1/chat/completions", "Authorization: Bearer " + key, answered, ""},
	} {
		where := strings.TrimPrefix(strings.TrimPrefix(c.url, "http://"), "https://")
		where, _, _ = strings.Cut(where, "?")
		n := &network{pages: map[string]string{where: c.page}}
		m, err := Open(t.Context(), c.name, options(n, c.env+"="+key))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if want := cmp.Or(c.canonical, c.name); m.Name != want {
			t.Errorf("%s is called %s", c.name, m.Name)
		}
		reply, err := recordtest.Ask(t.Context(), m.Model, request("hi"))
		if err != nil || reply.Text != "ok" || reply.Attempts[0].N != 5 {
			t.Errorf("%s: %+v, %v", c.name, reply, err)
			continue
		}
		name, value, _ := strings.Cut(c.header, ": ")
		if got := n.asked[0]; got.URL.String() != c.url || got.Header.Get(name) != value || name != "Authorization" && got.Header.Get("Authorization") != "" {
			t.Errorf("%s: requested %s with %v", c.name, got.URL, got.Header)
		}
	}
	for _, bad := range []string{"azure:", "azure:gpt-4o", "azure:a/", "azure:/d", "azure:a b/d", "azure:a/d/e", "azure:a/d?x=1", "azure:a/d?api-version=", "azure:a/d?api-version=soon", "azure:a/d?api-version=2024-10-21&x=1", "azure:a/d#e", "azure:a@b.c/d"} {
		var e *input.NameError
		if _, err := Open(t.Context(), bad, options(&network{}, "AZURE_API_KEY="+key)); !errors.As(err, &e) || !strings.Contains(e.Advice, "azure:RESOURCE/DEPLOYMENT") {
			t.Errorf("%s: %v", bad, err)
		}
	}
	var e *input.NameError
	if _, err := Open(t.Context(), "azure:a/d", options(&network{})); !errors.As(err, &e) || !strings.Contains(err.Error(), "neither AZURE_OPENAI_API_KEY nor AZURE_API_KEY is set") {
		t.Errorf("%v", err)
	}
}

// An address of a wire other than chat is asked what it serves as well, with
// the protocol's headers.
func TestOpenWiresWithoutModel(t *testing.T) {
	const (
		anthropicList = `{"data":[{"type":"model","id":"tiny"}],"has_more":false}`
		geminiList    = `{"models":[{"name":"models/tiny","supportedGenerationMethods":["generateContent"]},{"name":"models/embed","supportedGenerationMethods":["embedContent"]}]}`
	)
	for _, c := range []struct{ base, at, page, header string }{
		{"responses+http://127.0.0.1:1/v1", "/v1/models", oneModel, "Authorization"},
		{"anthropic+http://127.0.0.1:1/v1", "/v1/models", anthropicList, "X-Api-Key"},
		{"anthropic+http://127.0.0.1:1", "/v1/models", anthropicList, "Anthropic-Version"},
		{"gemini+http://127.0.0.1:1/v1beta", "/v1beta/models", geminiList, "X-Goog-Api-Key"},
		{"gemini+http://127.0.0.1:1", "/v1beta/models", geminiList, "X-Goog-Api-Key"},
		{"ollama+http://127.0.0.1:1", "/api/tags", oneTag, "Authorization"},
		{"ollama+http://127.0.0.1:1/api", "/api/tags", oneTag, "Authorization"},
	} {
		n := &network{pages: map[string]string{"127.0.0.1:1" + c.at: c.page}}
		m, err := Open(t.Context(), c.base, options(n, "VERBATIM_API_KEY=sk-0123456789"))
		if err != nil || m.Name != c.base+"#tiny" {
			t.Errorf("%s: %q, %v", c.base, m.Name, err)
			continue
		}
		if h := n.asked[0].Header; h.Get(c.header) == "" || c.header != "Authorization" && h.Get("Authorization") != "" {
			t.Errorf("%s: %v", c.base, h)
		}
	}
}

// OpenRouter takes the effort in an object, OpenAI as a parameter.
func TestOpenEffort(t *testing.T) {
	for name, want := range map[string]string{"openrouter:m": `"reasoning":{"effort":"low"}`, "openai:m": `"reasoning_effort":"low"`} {
		n := &network{pages: map[string]string{"openrouter.ai/api/v1/chat/completions": answered, "api.openai.com/v1/chat/completions": answered}}
		m, err := Open(t.Context(), name, options(n, "OPENROUTER_API_KEY=k", "OPENAI_API_KEY=k"))
		if err != nil {
			t.Fatal(err)
		}
		r := request("q")
		r.Params.Effort = "low"
		if _, err := recordtest.Ask(t.Context(), m.Model, r); err != nil || !strings.Contains(n.sent[0], want) {
			t.Errorf("%s: %v, sent %s", name, err, n.sent)
		}
	}
}

// Plain HTTP is for this machine, unless it is allowed.
func TestPlainHTTP(t *testing.T) {
	for base, plain := range map[string]bool{
		"http://127.0.0.1:8080/v1": false, "http://127.9.9.9/v1": false, "http://localhost:1/v1": false, "http://LOCALHOST./v1": false, "http://[::1]:8080/v1": false,
		"https://model.example.org/v1": false, "HTTPS://10.0.0.7/v1": false,
		"http://10.0.0.7:8000/v1": true, "HTTP://10.0.0.7:8000/v1": true, "http://model.example.org/v1": true, "http://localhost.example.org/v1": true,
		"http://0.0.0.0:8000/v1": true, "http://[::ffff:10.0.0.7]:8000/v1": true, "http://127.0.0.1@evil.example.org/v1": true, "http://127.0.0.1.example.org/v1": true, "http://[::2]/v1": true,
	} {
		for _, allowed := range []bool{false, true} {
			o := options(&network{})
			o.PlainHTTP = allowed
			for _, name := range []string{base + "#m", "anthropic+" + base + "#m"} {
				m, err := Open(t.Context(), name, o)
				var e *input.NameError
				if refused := errors.As(err, &e); refused != (plain && !allowed) || refused && !strings.Contains(e.Advice, "--plain-http") {
					t.Errorf("%s, allowed %v: %+v, %v", name, allowed, m, err)
				}
			}
		}
	}
}

// Free models cost nothing, known prices are used, and no price is guessed.
func TestOpenedPrices(t *testing.T) {
	env := []string{"OPENAI_API_KEY=k", "ANTHROPIC_API_KEY=k", "AZURE_API_KEY=k", "OPENROUTER_API_KEY=k"}
	mine, err := ReadPrices("mine.json", []byte(`{"format":"verbatim/prices/1","source":"mine","as_of":"2026-11-21","models":[
{"provider":"openai","model":"gpt-4o","input":1,"output":1},
{"provider":"https://h/v1","model":"m","input":3,"output":3},
{"provider":"llamacpp","model":"dear","input":4,"output":4}]}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, price, withMine, source string }{
		{"openai:gpt-4o-mini", "0.15", "0.15", "genai-prices"},
		{"openai:gpt-4o", "2.5", "1", "mine"},
		{"openai-responses:gpt-4o", "2.5", "1", ""},
		{"https://api.openai.com/v1#gpt-4o", "2.5", "1", ""},
		{"responses+https://api.openai.com/v1#gpt-4o", "2.5", "1", ""},
		{"anthropic:claude-haiku-5-5", "0.1", "0.1", "; for prompts up to 100000 tokens"},
		{"openai:gpt-99", "", "", ""},
		{"openrouter:gpt-4o", "", "", ""},
		{"https://h/v1#gpt-4o", "", "", ""},
		{"https://h/v1#m", "", "3", ""},
		{"azure:acme/gpt-4o", "", "", ""},
		{"llamacpp:m", "0", "0", "no provider is paid"},
		{"llamacpp:dear", "0", "4", ""},
		{"http://127.0.0.1:8080/v1#m", "0", "0", ""},
		{"http://localhost:30000/v1#m", "0", "0", ""},
		{"http://127.0.0.1:4000/v1#gpt-4o", "", "", ""}, // a proxy's port: what it forwards to is unknown
		{"https://api.openai.com.evil.org/v1#gpt-4o", "", "", ""},
		{"sim:careful", "0", "0", ""},
		{"exec:cat", "", "", ""},
	} {
		for _, prices := range []PriceTable{{}, mine} {
			o := options(&network{}, env...)
			o.Prices = prices
			m, err := Open(t.Context(), c.name, o)
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
				continue
			}
			got, want := "", c.price
			if len(prices.All()) > 0 {
				want = c.withMine
			}
			if m.Price != nil {
				got = m.Price.Input.Decimal()
			}
			if got != want || len(prices.All()) > 0 && m.Price != nil && !strings.Contains(m.Price.Source, c.source) {
				t.Errorf("%s: %q from %+v, want %q", c.name, got, m.Price, want)
			}
			m.Close()
		}
	}
}

// Reasoning inside the text is removed where the options say so.
func TestOpenThink(t *testing.T) {
	n := &network{pages: map[string]string{"127.0.0.1:1/v1/chat/completions": `{"choices":[{"message":{"content":"<think>hm</think>ok"},"finish_reason":"stop"}]}`}}
	thinkTags := reasoning.Tags{Open: "<think>", Close: "</think>"}
	for _, tags := range []reasoning.Tags{{}, thinkTags} {
		o := options(n)
		o.Tags = tags
		m, err := Open(t.Context(), "http://127.0.0.1:1/v1#m", o)
		if err != nil {
			t.Fatal(err)
		}
		reply, err := recordtest.Ask(t.Context(), m.Model, request("q"))
		want := "ok" // common tags are removed by default
		if err != nil || reply.Text != want {
			t.Errorf("%v: %+v, %v", tags, reply, err)
		}
	}
}
