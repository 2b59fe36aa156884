package provider

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"verbatim"
	"verbatim/internal/wire"
)

// A Wire is a protocol of model servers, as addresses name it.
type Wire struct {
	Name string // "chat", as in chat+http://host:port/v1#model
	Doc  string // what speaks it
	// base is how a base URL usually looks, for hints.
	Base string
	// root is the path that a base URL without one gets, as in the wire.
	Root string
	List string // where the models are listed
	Ask  func(context.Context, *wire.Endpoint, *verbatim.Request, *verbatim.Reply) error
	// authHeader and headers are what every request carries, those for the list of
	// models too.
	AuthHeader string
	Headers    http.Header
	Batches    func() *wire.BatchAPI // nil: it has none
}

// Wires lists the protocols; the first is that of addresses that name none.
func Wires() []Wire {
	return []Wire{
		{Name: "chat", Doc: "OpenAI-compatible chat completions", Base: "https://host/v1", List: "/models", Ask: wire.ChatInPlace, Batches: wire.ChatBatches},
		{Name: "responses", Doc: "OpenAI's Responses API", Base: "https://host/v1", List: "/models", Ask: wire.ResponsesInPlace, Batches: wire.ResponsesBatches},
		{Name: "anthropic", Doc: "Anthropic's Messages API", Base: "https://host/v1", Root: "/v1", List: "/models", Ask: wire.AnthropicInPlace,
			AuthHeader: "x-api-key", Headers: http.Header{"Anthropic-Version": {"2023-06-01"}}, Batches: wire.AnthropicBatches},
		{Name: "gemini", Doc: "Google's generateContent", Base: "https://host/v1beta", Root: "/v1beta", List: "/models", Ask: wire.GeminiInPlace,
			AuthHeader: "x-goog-api-key", Batches: wire.GeminiBatches},
		{Name: "ollama", Doc: "Ollama's own API", Base: "http://host:11434", Root: "/api", List: "/tags", Ask: wire.OllamaInPlace},
	}
}

// findProtocol returns the wire of that name.
func FindWire(name string) (Wire, bool) {
	for _, p := range Wires() {
		if p.Name == name {
			return p, true
		}
	}
	return Wire{}, false
}

// listAt returns the path of the list of models below a base URL.
func (p Wire) ListPath(base string) string {
	if u, err := url.Parse(base); err == nil && strings.Trim(u.Path, "/") == "" {
		return p.Root + p.List
	}
	return p.List
}

// prefix is what the protocol puts before an address.
func (p Wire) Prefix() string {
	if p.Name == "chat" {
		return ""
	}
	return p.Name + "+"
}
