package reasoning

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"verbatim"
)

var thinkTags = Tags{"<think>", "</think>"}

func TestTags(t *testing.T) {
	for _, c := range []struct{ name, written, reasoning, text string }{
		{"both tags", "<think>hm\n</think>\n\nabc", "<think>hm\n</think>", "\n\nabc"},
		{"no opener, as R1", "hm\n</think>\n\nabc", "hm\n</think>", "\n\nabc"},
		{"white space before", "\n <think>hm</think>abc", "\n <think>hm</think>", "abc"},
		{"no thought", "<think></think>abc", "<think></think>", "abc"},
		{"never closed", "<think>hm abc", "<think>hm abc", ""},
		{"closed and nothing written", "<think>hm</think>", "<think>hm</think>", ""},
		{"no tags", "abc", "", "abc"},
		{"nothing", "", "", ""},
		{"an opener in the middle", "abc <think>hm", "", "abc <think>hm"},
		{"closed twice", "<think>a</think>b</think>c", "<think>a</think>", "b</think>c"},
		{"other tags", "<thought>hm</thought>abc", "", "<thought>hm</thought>abc"},
		{"half a tag", "<think>hm</thin", "<think>hm</thin", ""},
		{"bytes", "<think>\xff</think>\xfe", "<think>\xff</think>", "\xfe"},
	} {
		first := time.Second
		written := verbatim.Reply{Text: c.written, Times: verbatim.Times{FirstContent: &first}}
		got := written
		if thinkTags.Split(&got); got.Reasoning != c.reasoning || got.Text != c.text {
			t.Errorf("%s: %q and %q", c.name, got.Reasoning, got.Text)
		}
		if split := c.reasoning != ""; split != (got.ReasoningField == "text:<think>") || split != (got.Times.FirstContent == nil) || split != (got.Times.FirstReasoning != nil) {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
	apart := verbatim.Reply{Text: "a</think>b", Reasoning: "hm", ReasoningField: "reasoning"}
	got := apart
	if thinkTags.Split(&got); got.Text != apart.Text || got.Reasoning != "hm" || got.ReasoningField != "reasoning" {
		t.Errorf("what the server set apart was changed: %+v", got)
	}
}

// What a model wrote is its reasoning followed by its text, and nothing else changes.
func TestTagsLoseNothing(t *testing.T) {
	piece := rapid.SampledFrom([]string{"<think>", "</think>", "<", "think", ">", "a", "\n", " ", "\x80"})
	rapid.Check(t, func(t *rapid.T) {
		written := ""
		for _, p := range rapid.SliceOfN(piece, 0, 9).Draw(t, "written") {
			written += p
		}
		got := verbatim.Reply{Text: written, FinishRaw: "stop"}
		thinkTags.Split(&got)
		if got.Reasoning+got.Text != written || got.FinishRaw != "stop" {
			t.Fatalf("%q became %q and %q", written, got.Reasoning, got.Text)
		}
		again := got
		if thinkTags.Split(&again); again.Text != got.Text {
			t.Fatalf("%q was split twice: %q", written, again.Text)
		}
	})
}

func TestParseTags(t *testing.T) {
	if got, err := ParseTags("<think>,</think>"); err != nil || got != thinkTags {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := ParseTags("◁think▷,◁/think▷"); err != nil || got.Close != "◁/think▷" {
		t.Errorf("%+v, %v", got, err)
	}
	for _, bad := range []string{"", "<think>", "a,", ",a", "a,a", "a,b,c"} {
		if got, err := ParseTags(bad); err == nil || got != (Tags{}) {
			t.Errorf("%q: %+v", bad, got)
		}
	}
}
