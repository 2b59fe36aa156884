package report

import (
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/recordtest"
)

// TestReasoned sums up the reasoning of answers by outcome: tokens where they are counted,
// and texts that were received or whose marks are saved.
func TestReasoned(t *testing.T) {
	answer := func(outcome verbatim.Outcome, tokens int64, text string, marks *verbatim.ReasoningMarks) verbatim.Record {
		r := recordtest.Record("copy", "8", outcome, "")
		if tokens >= 0 {
			r.Reply.Usage.Reasoning = &tokens
		}
		r.Reply.Reasoning, r.Reply.Marks = text, marks
		return r
	}
	r, err := Of(Options{}, Input{Run: verbatim.Run{Name: "r", Model: "m"}, Records: recordtest.Each(
		answer(verbatim.Pass, 100, "Wait, wait: the first line.", nil),
		answer(verbatim.Pass, 300, "", &verbatim.ReasoningMarks{Characters: 73, SecondThoughts: 1, RepeatedLines: 4, LanguageSwitches: 2}),
		answer(verbatim.Pass, -1, "", nil),
		answer(verbatim.Wrong, -1, strings.Repeat("the same long line\n", 3), nil),
		answer(verbatim.Truncated, 0, "", nil),
	)})
	if err != nil {
		t.Fatal(err)
	}
	list := r.Runs[0].Reasoning
	if len(list) != 3 {
		t.Fatalf("the outcomes are %+v", list)
	}
	pass := list[0]
	if pass.Outcome != verbatim.Pass || pass.N != 2 || pass.Total != 400 || *pass.Mean != 200 || *pass.Min != 100 || *pass.Max != 300 {
		t.Errorf("the tokens of exact answers are %+v", pass.Sizes)
	}
	if x := pass.Texts; x.Characters.N != 2 || x.Characters.Total != 100 || *x.Characters.Min != 27 || *x.Characters.Max != 73 {
		t.Errorf("the characters of exact answers are %+v", x.Characters)
	}
	if x := pass.Texts; x.SecondThoughts != (Marked{3, 2}) || x.RepeatedLines != (Marked{4, 1}) || x.LanguageSwitches != (Marked{2, 1}) {
		t.Errorf("the marks of exact answers are %+v", x)
	}
	if wrong := list[1]; wrong.N != 0 || wrong.Mean != nil || wrong.Texts.RepeatedLines != (Marked{2, 1}) {
		t.Errorf("wrong answers have %+v, %+v", wrong.Sizes, wrong.Texts)
	}
	if truncated := list[2]; truncated.N != 1 || *truncated.Max != 0 || truncated.Texts != nil {
		t.Errorf("truncated answers have %+v, %+v", truncated.Sizes, truncated.Texts)
	}
}

// TestReasoningInTexts measures reasoning between tags that a text keeps.
func TestReasoningInTexts(t *testing.T) {
	record := recordtest.Record("copy", "8", verbatim.Wrapped, "")
	record.Reply.Text = "<think>\nWait, it is 7.\n</think>\n[1]"
	open := recordtest.Record("copy", "8", verbatim.Wrong, "")
	open.Reply.Text = "<think>\nWait, it is 7."
	r, err := Of(Options{}, Input{Run: verbatim.Run{Name: "r", Model: "m"}, Records: recordtest.Each(record, open)})
	if err != nil {
		t.Fatal(err)
	}
	if list := r.Runs[0].Reasoning; len(list) != 1 || list[0].Outcome != verbatim.Wrapped || list[0].Texts.SecondThoughts != (Marked{1, 1}) || list[0].Texts.Characters.Total != 14 {
		t.Errorf("%+v", list)
	}
}

// TestNoReasoning wants nothing listed of a server that counts no reasoning, or always 0.
func TestNoReasoning(t *testing.T) {
	r := recordtest.Record("copy", "8", verbatim.Pass, "")
	r.Reply.Usage.Reasoning = new(int64)
	got, err := Of(Options{}, Input{Run: verbatim.Run{Name: "r", Model: "m"}, Records: recordtest.Each(r)})
	if err != nil {
		t.Fatal(err)
	}
	if list := got.Runs[0].Reasoning; list != nil {
		t.Errorf("it lists %+v", list)
	}
}

// TestTokensOfReasoningInText: a server that leaves reasoning in the text counts 0 tokens of
// it, which are no measure of it.
func TestTokensOfReasoningInText(t *testing.T) {
	zero := int64(0)
	r := recordtest.Record("copy", "8", verbatim.Pass, "pass")
	r.Reply.Reasoning, r.Reply.ReasoningField, r.Reply.Usage.Reasoning = "so it is", "text:<think>", &zero
	b := of(t, Input{Records: recordtest.Each(r)})
	if len(b.Reasoning) != 1 || b.Reasoning[0].N != 0 || b.Reasoning[0].Texts == nil || b.InText != 1 {
		t.Errorf("%+v, %d in the text", b.Reasoning, b.InText)
	}
}
