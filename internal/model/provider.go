package model

import (
	"cmp"
	"strings"

	"verbatim/internal/wire"
)

// A Provider is a server of models with a short name: its address, and how it differs from its
// protocol.
type provider struct {
	Name    string
	Wire    string   // the name of the protocol: "chat"
	BaseURL string   // "": it follows from the name of the model
	KeyEnv  []string // the variables that may have the key; the first that is set counts
	Local   bool     // the server is on this machine
	Title   string   // its name in messages
	// Verified says what this entry was checked against.
	Verified string
	// TextOnly says that its models take no images.
	TextOnly bool
	// Ends says that its list of models has the days on which models are shut down.
	Ends bool
	// Slots is how many requests the server runs at once by default; further ones wait in its
	// queue, and their times say nothing about the model. 0: the concurrency is tuned.
	Slots int

	prices string // its name in tables of prices; "": Name
	// The following are the fields of wire.Endpoint: AuthHeader, MaxTokensField, SeedField,
	// StreamOptions and ReasoningObject.
	authHeader    string
	maxTokens     string
	seed          string
	streamOptions map[string]bool
	reasoning     bool
}

// anyKeyEnv is the variable with the key for addresses and local servers.
const anyKeyEnv = "VERBATIM_API_KEY"

const (
	fromDocs  = "its documentation; no request was sent"
	fromBytes = "recorded answers of two versions, and a live server"
)

// Providers lists the providers. The local ones are in the order in which model.Discover looks for them:
// servers that a person starts come before servers that run in the background.
func Providers() []provider {
	return []provider{
		{Name: "llamacpp", Title: "llama.cpp", Wire: "chat", BaseURL: "http://127.0.0.1:8080/v1", Local: true, Slots: 4, Verified: fromBytes},
		{Name: "vllm", Title: "vLLM", Wire: "chat", BaseURL: "http://127.0.0.1:8000/v1", Local: true, Verified: fromDocs},
		{Name: "sglang", Title: "SGLang", Wire: "chat", BaseURL: "http://127.0.0.1:30000/v1", Local: true, Verified: fromDocs},
		{Name: "lmstudio", Title: "LM Studio", Wire: "chat", BaseURL: "http://127.0.0.1:1234/v1", Local: true, Slots: 4, Verified: fromDocs},
		// Ollama's OpenAI-compatible API ignores max_completion_tokens and shortens long prompts silently.
		{Name: "ollama", Title: "Ollama", Wire: "ollama", BaseURL: "http://127.0.0.1:11434", Local: true, Slots: 4, Verified: fromDocs},
		// OpenAI's reasoning models reject max_tokens; obfuscation only pads the stream.
		{Name: "openai", Title: "OpenAI", Wire: "chat", BaseURL: "https://api.openai.com/v1", KeyEnv: []string{"OPENAI_API_KEY"}, Verified: fromDocs,
			maxTokens: "max_completion_tokens", streamOptions: map[string]bool{"include_usage": true, "include_obfuscation": false}},
		{Name: "openai-responses", Title: "OpenAI, Responses API", Wire: "responses", BaseURL: "https://api.openai.com/v1", KeyEnv: []string{"OPENAI_API_KEY"}, Verified: fromDocs,
			prices: "openai"},
		{Name: "anthropic", Title: "Anthropic", Wire: "anthropic", BaseURL: "https://api.anthropic.com/v1", KeyEnv: []string{"ANTHROPIC_API_KEY"}, Verified: fromDocs},
		{Name: "gemini", Title: "Google Gemini", Wire: "gemini", BaseURL: "https://generativelanguage.googleapis.com/v1beta", KeyEnv: []string{"GEMINI_API_KEY", "GOOGLE_API_KEY"}, Verified: fromDocs},
		{Name: "openrouter", Title: "OpenRouter", Wire: "chat", BaseURL: "https://openrouter.ai/api/v1", KeyEnv: []string{"OPENROUTER_API_KEY"}, Verified: fromDocs, Ends: true,
			reasoning: true},
		{Name: "deepseek", Title: "DeepSeek", Wire: "chat", BaseURL: "https://api.deepseek.com/v1", KeyEnv: []string{"DEEPSEEK_API_KEY"}, Verified: fromDocs, TextOnly: true},
		{Name: "groq", Title: "Groq", Wire: "chat", BaseURL: "https://api.groq.com/openai/v1", KeyEnv: []string{"GROQ_API_KEY"}, Verified: fromDocs,
			maxTokens: "max_completion_tokens"},
		// Mistral rejects unknown parameters; it sends the usage without a request for it.
		{Name: "mistral", Title: "Mistral", Wire: "chat", BaseURL: "https://api.mistral.ai/v1", KeyEnv: []string{"MISTRAL_API_KEY"}, Verified: fromDocs, Ends: true,
			seed: "random_seed", streamOptions: map[string]bool{}},
		{Name: "together", Title: "Together", Wire: "chat", BaseURL: "https://api.together.xyz/v1", KeyEnv: []string{"TOGETHER_API_KEY", "TOGETHERAI_API_KEY"}, Verified: fromDocs},
		{Name: "xai", Title: "xAI", Wire: "chat", BaseURL: "https://api.x.ai/v1", KeyEnv: []string{"XAI_API_KEY"}, Verified: fromDocs,
			maxTokens: "max_completion_tokens"},
		{Name: "azure", Title: "Azure OpenAI", Wire: "chat", KeyEnv: []string{"AZURE_OPENAI_API_KEY", "AZURE_API_KEY"}, Verified: fromDocs,
			authHeader: "api-key", maxTokens: "max_completion_tokens"},
	}
}

// FindProvider returns the provider of that name, in upper or lower case.
func FindProvider(name string) (provider, bool) {
	for _, p := range Providers() {
		if strings.EqualFold(p.Name, name) {
			return p, true
		}
	}
	return provider{}, false
}

// findProviderAt returns the provider with that base URL and protocol.
func findProviderAt(base, wire string) (provider, bool) {
	for _, p := range Providers() {
		if p.BaseURL == base && p.Wire == wire {
			return p, true
		}
	}
	return provider{}, false
}

// Quirks describes how requests to the provider differ from the protocol's usual ones.
func (p provider) Quirks() []string {
	var all []string
	if p.maxTokens != "" {
		all = append(all, "the token limit is sent as "+p.maxTokens)
	}
	if p.seed != "" {
		all = append(all, "the seed is sent as "+p.seed)
	}
	if p.reasoning {
		all = append(all, "the reasoning effort is sent in an object \"reasoning\"")
	}
	if p.streamOptions != nil && len(p.streamOptions) == 0 {
		all = append(all, "stream_options are not sent")
	}
	if p.authHeader != "" {
		all = append(all, "the key is sent in the header "+p.authHeader)
	}
	return all
}

// Priced returns the provider's name in tables of prices.
func (p provider) Priced() string { return cmp.Or(p.prices, p.Name) }

// KeySet returns the variable with the provider's key, "" if none is set. That of a local server is
// anyKeyEnv.
func (p provider) KeySet(getenv func(string) string) string {
	names := p.KeyEnv
	if p.Local {
		names = []string{anyKeyEnv}
	}
	for _, name := range names {
		if strings.TrimSpace(getenv(name)) != "" {
			return name
		}
	}
	return ""
}

// SetDialect sets the fields of an endpoint in which the provider differs from its protocol.
func (p provider) setDialect(e *wire.Endpoint) {
	e.AuthHeader = p.authHeader
	e.MaxTokensField = p.maxTokens
	e.SeedField = p.seed
	e.StreamOptions = p.streamOptions
	e.ReasoningObject = p.reasoning
}
