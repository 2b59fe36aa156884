package model

import (
	"errors"
	"strings"
	"testing"

	"verbatim/internal/input"
)

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
