package cli

import (
	"strings"
	"testing"

	"verbatim/internal/model"
	"verbatim/internal/terminal"
)

func TestMatcher(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"gpt-5", "openai:gpt-5-mini", true},
		{"GPT-5", "openai:gpt-5-mini", true},
		{"gpt-5*", "openai:gpt-5-mini", true},
		{"openai:gpt-5", "openai:gpt-5", true},
		{"openai:*-nano", "openai:gpt-5-nano", true},
		{"openai:*-nano", "openrouter:openai/gpt-5-nano", false},
		{"gpt-?", "openai:gpt-5", true},
		{"gpt-?", "openai:gpt-5-mini", false},
		{"a.c*", "abc", false},
		{"[*", "openai:x", false},
		{"*", "anything:at/all", true},
	} {
		if got := matcher(c.pattern)(c.name); got != c.want {
			t.Errorf("%q on %q: %v", c.pattern, c.name, got)
		}
	}
}

// TestOwnPrice: a model of the user's file without a price has that of its provider's model.
func TestOwnPrice(t *testing.T) {
	file, err := model.ReadConfig("verbatim.toml", []byte("[models.mine]\nprovider = \"openai\"\nmodel = \"gpt-4o-mini\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	list := newModelList(model.Options{Config: file, Getenv: func(string) string { return "" }}, nil)
	if err := list.matching("mine").writeDetails(&text, terminal.Style{}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text.String(), "0.15 / 0.60") || !strings.Contains(text.String(), "128k") {
		t.Errorf("no price or context:\n%s", text.String())
	}
}
