package reasoning

import "testing"

func TestContentStart(t *testing.T) {
	for _, c := range []struct {
		text, open, close string
		want              string // what the answer is so far
	}{
		{text: "abc", want: "abc"},
		{text: "<think>let me", want: ""},
		{text: " \n<think>let me</think>abc", want: "abc"},
		{text: "◁think▷x◁/think▷abc", want: "abc"},
		{text: "<|channel|>analysis<|message|>x<|channel|>final<|message|>abc", want: "abc"},
		{text: "abc <think>", want: "abc <think>"},
		{text: "let me", open: "[t]", close: "[/t]", want: ""},
		{text: "let me[/t]abc", open: "[t]", close: "[/t]", want: "abc"},
		{text: "", want: ""},
		{text: "\n<thi", want: ""},
		{text: "<thin ice", want: "<thin ice"},
	} {
		if got := c.text[ContentStart([]byte(c.text), Tags{c.open, c.close}):]; got != c.want {
			t.Errorf("%q with %q: the answer is %q, want %q", c.text, c.open, got, c.want)
		}
	}
}
