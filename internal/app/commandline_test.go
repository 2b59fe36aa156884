package app

import (
	"encoding/json"
	"slices"
	"testing"

	"verbatim"
	"verbatim/internal/redact"
)

func TestSetFlag(t *testing.T) {
	for _, c := range []struct{ args, want []string }{
		{[]string{"horizon", "-t", "copy"}, []string{"horizon", "-t", "copy", "--items", "9"}},
		{[]string{"horizon", "--items", "1", "-q"}, []string{"horizon", "-q", "--items", "9"}},
		{[]string{"horizon", "--items=1", "-n", "2", "-n=3", "-q"}, []string{"horizon", "-q", "--items", "9"}},
		{[]string{"horizon", "-n20", "-q", "-l4"}, []string{"horizon", "-q", "-l4", "--items", "9"}},
		{[]string{"horizon", "-n"}, []string{"horizon", "--items", "9"}},
		{[]string{"--itemsize=1", "--item", "1"}, []string{"--itemsize=1", "--item", "1", "--items", "9"}},
	} {
		if got := setFlag(c.args, "9", "--items", "-n"); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.args, got, c.want)
		}
	}
}

func TestWithoutSecrets(t *testing.T) {
	for in, want := range map[string]string{
		"run": "run", "--model": "--model", "a=b": "a=b", "sim:sloppy?down=0.1": "sim:sloppy?down=0.1",
		"openai:gpt-4o-mini": "openai:gpt-4o-mini", "azure:r/d?api-version=2024-10-21": "azure:r/d?api-version=2024-10-21",
		"http://127.0.0.1:8080/v1#m":                    "http://127.0.0.1:8080/v1#m",
		"chat+http://joe:secret@h/v1#m":                 "chat+http://joe:PASSWORD@h/v1#m",
		"--model=https://joe:secret@h/v1?token=abc#m":   "--model=https://joe:PASSWORD@h/v1?token=VALUE#m",
		"https://secret@h/v1#m":                         "https://USER@h/v1#m",
		"https://joe:sec ret@h/v1#m":                    "https:...",
		"gemini+https://h?key=secret&alt=sse#models/m/": "gemini+https://h?alt=VALUE&key=VALUE#models/m/",
	} {
		if got := withoutSecrets(redact.Redactor{}, in); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

func TestOver(t *testing.T) {
	half, one := 0.5, 1.0
	zero, seven := int64(0), int64(7)
	own := verbatim.Params{Temperature: &half, TopP: &half, Seed: &seven, Effort: "low", ReasoningBudget: &seven, Extra: map[string]json.RawMessage{"a": []byte("1"), "b": []byte("2")}}
	for _, c := range []struct {
		given verbatim.Params
		want  string
	}{
		{verbatim.Params{}, `{"temperature":0.5,"top_p":0.5,"seed":7,"effort":"low","reasoning_budget":7,"extra":{"a":1,"b":2}}`},
		{verbatim.Params{Temperature: &one, Seed: &zero}, `{"temperature":1,"top_p":0.5,"seed":0,"effort":"low","reasoning_budget":7,"extra":{"a":1,"b":2}}`},
		{verbatim.Params{TopP: &one, Effort: "high", ReasoningBudget: &zero, Extra: map[string]json.RawMessage{"b": []byte("3")}},
			`{"temperature":0.5,"top_p":1,"seed":7,"effort":"high","reasoning_budget":0,"extra":{"a":1,"b":3}}`},
		{verbatim.Params{MaxTokens: 9, ReasoningTokens: 8, Logprobs: 5, SystemAs: "user"},
			`{"temperature":0.5,"top_p":0.5,"seed":7,"effort":"low","reasoning_budget":7,"reasoning_tokens":8,"max_tokens":9,"system_as":"user","logprobs":5,"extra":{"a":1,"b":2}}`},
	} {
		got, err := json.Marshal(over(own, c.given))
		if err != nil || string(got) != c.want {
			t.Errorf("%s, %v, want %s", got, err, c.want)
		}
	}
	if string(own.Extra["b"]) != "2" {
		t.Error("the model's own parameters were changed")
	}
	if got := over(verbatim.Params{}, verbatim.Params{}); got.Extra != nil {
		t.Errorf("%+v", got)
	}
}
