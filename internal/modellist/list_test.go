package modellist

import "testing"

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
