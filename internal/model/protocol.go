package model

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"verbatim"
	"verbatim/internal/redact"
	"verbatim/internal/wire"
)

// A protocol is a wire under the name that addresses give it.
type protocol struct {
	name string
	doc  string // what speaks it, for people
	// base is how a base URL usually looks, for hints.
	base string
	// root is the path that a base URL without one gets, as in the wire.
	root string
	list string // where the models are listed
	ask  func(context.Context, *wire.Endpoint, *verbatim.Request, *verbatim.Reply) error
	// authHeader and headers are what every request carries, those for the list of
	// models too.
	authHeader string
	headers    http.Header
	batches    func() *wire.BatchAPI // nil: it has none
}

// protocols lists the wires; addresses without a name are of the first.
func protocols() []protocol {
	return []protocol{
		{name: "chat", doc: "OpenAI-compatible chat completions", base: "https://host/v1", list: "/models", ask: wire.ChatInPlace, batches: wire.ChatBatches},
		{name: "responses", doc: "OpenAI's Responses API", base: "https://host/v1", list: "/models", ask: wire.ResponsesInPlace, batches: wire.ResponsesBatches},
		{name: "anthropic", doc: "Anthropic's Messages API", base: "https://host/v1", root: "/v1", list: "/models", ask: wire.AnthropicInPlace,
			authHeader: "x-api-key", headers: http.Header{"Anthropic-Version": {"2023-06-01"}}, batches: wire.AnthropicBatches},
		{name: "gemini", doc: "Google's generateContent", base: "https://host/v1beta", root: "/v1beta", list: "/models", ask: wire.GeminiInPlace,
			authHeader: "x-goog-api-key", batches: wire.GeminiBatches},
		{name: "ollama", doc: "Ollama's own API", base: "http://host:11434", root: "/api", list: "/tags", ask: wire.OllamaInPlace},
	}
}

// A Wire is a protocol as addresses name it.
type Wire struct {
	Name string // "chat", as in chat+http://host:port/v1#model
	Doc  string // what speaks it
}

// Wires lists the protocols; the first is that of addresses that name none.
func Wires() []Wire {
	var all []Wire
	for _, p := range protocols() {
		all = append(all, Wire{p.name, p.doc})
	}
	return all
}

// findProtocol returns the wire of that name.
func findProtocol(name string) (protocol, bool) {
	for _, p := range protocols() {
		if p.name == name {
			return p, true
		}
	}
	return protocol{}, false
}

// listAt returns the path of the list of models below a base URL.
func (p protocol) listAt(base string) string {
	if u, err := url.Parse(base); err == nil && strings.Trim(u.Path, "/") == "" {
		return p.root + p.list
	}
	return p.list
}

// An asked is a model behind a wire.
type asked struct {
	protocol protocol
	e        wire.Endpoint
	redactor redact.Redactor
}

// Ask implements verbatim.Model.
func (a *asked) Ask(ctx context.Context, r verbatim.Request) (reply verbatim.Reply, err error) {
	err = a.AskInPlace(ctx, &r, &reply)
	return reply, err
}

// AskInPlace implements verbatim.InPlace.
func (a *asked) AskInPlace(ctx context.Context, r *verbatim.Request, reply *verbatim.Reply) error {
	err := a.protocol.ask(ctx, &a.e, r, reply)
	a.redactor.Reply(reply)
	err = a.redactor.Error(err)
	number(reply.Attempts, err, r.Attempt)
	return err
}

// number gives the attempts of a try, those of its failure too, the number that the
// request has.
func number(attempts []verbatim.Attempt, err error, n int) {
	for i := range attempts {
		attempts[i].N = n
	}
	var f *verbatim.Failure
	if errors.As(err, &f) {
		for i := range f.Attempts {
			f.Attempts[i].N = n
		}
	}
}
