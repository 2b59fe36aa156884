package reasoning

import (
	"context"
	"errors"
	"testing"
	"time"

	"pgregory.net/rapid"

	"verbatim"
	"verbatim/internal/recordtest"
)

// A saying is a model that answers everything with one reply, in batches too.
type saying struct {
	reply verbatim.Reply
	err   error
}

func (s saying) Ask(_ context.Context, _ *verbatim.Request, reply *verbatim.Reply) error {
	if s.err == nil {
		*reply = s.reply
	}
	return s.err
}

type sayingBatcher struct{ saying }

func (s sayingBatcher) Fits(r []verbatim.Request) (int, error) { return len(r), nil }
func (s sayingBatcher) Submit(context.Context, string, []verbatim.Request) (string, error) {
	return "b", nil
}
func (s sayingBatcher) Find(context.Context, string) (string, error) { return "", nil }
func (s sayingBatcher) Collect(_ context.Context, _ string, answer func(int64, verbatim.Reply, error) error) (verbatim.BatchState, error) {
	return verbatim.BatchState{Over: true}, answer(7, s.reply, s.err)
}

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
		got, err := recordtest.Ask(t.Context(), Wrap(saying{reply: written}, thinkTags), verbatim.Request{})
		if err != nil || got.Reasoning != c.reasoning || got.Text != c.text {
			t.Errorf("%s: %q and %q, %v", c.name, got.Reasoning, got.Text, err)
		}
		if split := c.reasoning != ""; split != (got.ReasoningField == "text:<think>") || split != (got.Times.FirstContent == nil) || split != (got.Times.FirstReasoning != nil) {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
	apart := verbatim.Reply{Text: "a</think>b", Reasoning: "hm", ReasoningField: "reasoning"}
	got := apart
	if thinkTags.split(&got); got.Text != apart.Text || got.Reasoning != "hm" || got.ReasoningField != "reasoning" {
		t.Errorf("what the server set apart was changed: %+v", got)
	}
	if m, ok := Wrap(saying{}, Tags{}).(saying); !ok {
		t.Errorf("no tags, but a wrapper: %T", m)
	}
	broken := errors.New("broken")
	if _, err := recordtest.Ask(t.Context(), Wrap(saying{err: broken}, thinkTags), verbatim.Request{}); !errors.Is(err, broken) {
		t.Error(err)
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
		thinkTags.split(&got)
		if got.Reasoning+got.Text != written || got.FinishRaw != "stop" {
			t.Fatalf("%q became %q and %q", written, got.Reasoning, got.Text)
		}
		again := got
		if thinkTags.split(&again); again.Text != got.Text {
			t.Fatalf("%q was split twice: %q", written, again.Text)
		}
	})
}

// A model that takes batches still does, and their answers are split as well.
func TestTagsInBatches(t *testing.T) {
	reply := verbatim.Reply{Text: "<think>hm</think>abc"}
	b, ok := Wrap(sayingBatcher{saying{reply: reply}}, thinkTags).(verbatim.Batcher)
	if !ok {
		t.Fatal("the wrapped model takes no batches")
	}
	if got, err := recordtest.Ask(t.Context(), b, verbatim.Request{}); err != nil || got.Text != "abc" {
		t.Errorf("%+v, %v", got, err)
	}
	calls := 0
	state, err := b.Collect(t.Context(), "b", func(seq int64, got verbatim.Reply, err error) error {
		if calls++; seq != 7 || got.Text != "abc" || got.Reasoning != "<think>hm</think>" || err != nil {
			t.Errorf("%d: %+v, %v", seq, got, err)
		}
		return nil
	})
	if err != nil || !state.Over || calls != 1 {
		t.Errorf("%+v, %v, %d calls", state, err, calls)
	}
	if _, ok := Wrap(saying{}, thinkTags).(verbatim.Batcher); ok {
		t.Error("a model without batches takes them")
	}
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

var _ verbatim.Batcher = taggedBatcher{}
