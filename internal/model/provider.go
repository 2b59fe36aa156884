package model

import (
	"strings"

	"verbatim/internal/wire"
)

// A Provider is where models are reached by the chat wire under a short name.
// The fields after Local are what it does differently, as data.
type Provider struct {
	Name    string
	BaseURL string
	KeyEnv  string // the variable that holds the key; "" where none is needed
	Local   bool   // on this machine
	Server  string // what the server is called, where it is local

	maxTokens     string
	seed          string
	streamOptions map[string]bool
}

// anyKeyEnv holds the key for addresses and local servers.
const anyKeyEnv = "VERBATIM_API_KEY"

// Providers lists the providers; the local ones stand in the order in which
// Discover looks for them.
func Providers() []Provider {
	return []Provider{
		{Name: "llamacpp", BaseURL: "http://127.0.0.1:8080/v1", Local: true, Server: "llama.cpp"},
		{Name: "vllm", BaseURL: "http://127.0.0.1:8000/v1", Local: true, Server: "vLLM"},
		{Name: "lmstudio", BaseURL: "http://127.0.0.1:1234/v1", Local: true, Server: "LM Studio"},
		{Name: "ollama", BaseURL: "http://127.0.0.1:11434/v1", Local: true, Server: "Ollama"},
		// OpenAI's reasoning models reject max_tokens; obfuscation only pads the stream.
		{Name: "openai", BaseURL: "https://api.openai.com/v1", KeyEnv: "OPENAI_API_KEY", maxTokens: "max_completion_tokens",
			streamOptions: map[string]bool{"include_usage": true, "include_obfuscation": false}},
		{Name: "openrouter", BaseURL: "https://openrouter.ai/api/v1", KeyEnv: "OPENROUTER_API_KEY"},
		{Name: "deepseek", BaseURL: "https://api.deepseek.com/v1", KeyEnv: "DEEPSEEK_API_KEY"},
		{Name: "groq", BaseURL: "https://api.groq.com/openai/v1", KeyEnv: "GROQ_API_KEY", maxTokens: "max_completion_tokens"},
		// Mistral rejects parameters that it does not know; its usage comes unasked.
		{Name: "mistral", BaseURL: "https://api.mistral.ai/v1", KeyEnv: "MISTRAL_API_KEY", seed: "random_seed", streamOptions: map[string]bool{}},
		{Name: "together", BaseURL: "https://api.together.xyz/v1", KeyEnv: "TOGETHER_API_KEY"},
		{Name: "xai", BaseURL: "https://api.x.ai/v1", KeyEnv: "XAI_API_KEY", maxTokens: "max_completion_tokens"},
	}
}

// findProvider returns the provider of that name.
func findProvider(name string) (Provider, bool) {
	for _, p := range Providers() {
		if p.Name == strings.ToLower(name) {
			return p, true
		}
	}
	return Provider{}, false
}

// providerAt returns the provider with that base URL.
func providerAt(base string) (Provider, bool) {
	for _, p := range Providers() {
		if p.BaseURL == base {
			return p, true
		}
	}
	return Provider{}, false
}

// endpoint returns the endpoint of a model, without its key.
func (p Provider) endpoint(base, model string) wire.Endpoint {
	return wire.Endpoint{
		BaseURL:        base,
		Model:          model,
		KeyEnv:         p.KeyEnv,
		MaxTokensField: p.maxTokens,
		SeedField:      p.seed,
		StreamOptions:  p.streamOptions,
	}
}
