package report

import (
	"strings"
	"testing"
	"time"

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
		answer(verbatim.Pass, 300, "", &verbatim.ReasoningMarks{Characters: 73, Words: 20, SecondThoughts: 1, RepeatedLines: 4, LanguageSwitches: 2, Phrases: map[string]int64{"wait": 1, "formula": 2, "pattern": 3, "unheard": 9}}),
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
	if x := pass.Texts; x.Words.Total != 25 || x.Phrases["wait"] != (Marked{3, 2}) || len(x.Phrases) != 3 || x.Patterns["equation or rule"] != (Marked{5, 1}) || x.Patterns["starting over"] != (Marked{}) || len(x.Patterns) != 3 {
		t.Errorf("the words and phrases of exact answers are %+v", x)
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

// TestFirstTokenAndContent: reasoning is the first token, and no content.
func TestFirstTokenAndContent(t *testing.T) {
	early, late := time.Second, 8*time.Second
	rec := verbatim.Record{Outcome: verbatim.Pass, Item: &verbatim.Item{}, Grade: &verbatim.Grade{Exact: true},
		Reply: &verbatim.Reply{Times: verbatim.Times{FirstReasoning: &early, FirstContent: &late, Total: 9 * time.Second}}}
	m, err := read(MetricScore, &rec)
	if err != nil {
		t.Fatal(err)
	}
	var c cell
	c.add(&m)
	if l := c.finish(nil); *l.FirstToken.Median > 1.1 || *l.FirstContent.Median < 7 {
		t.Errorf("first token %v, first content %v", *l.FirstToken.Median, *l.FirstContent.Median)
	}
}

// TestFirstErrors counts first errors by tenth, of the answers that are right up to it.
func TestFirstErrors(t *testing.T) {
	answer := func(outcome verbatim.Outcome, length string, right float64) verbatim.Record {
		r := recordtest.Record("copy-long", length, outcome, "corrupted")
		r.Grade.Grader, r.Grade.Measures = "text/3", map[string]float64{"lcp_share": right}
		if right < 0 {
			r.Grade.Measures = nil
		}
		return r
	}
	long := []verbatim.Record{
		answer(verbatim.Pass, "1000", 1), answer(verbatim.Wrapped, "4000", 1), answer(verbatim.Wrong, "1000", 0), answer(verbatim.Wrong, "1000", 0.05),
		answer(verbatim.Wrong, "4000", 0.35), answer(verbatim.Truncated, "1000", 0.999), answer(verbatim.Wrong, "1000", 1),
		answer(verbatim.Refused, "1000", 0), answer(verbatim.Wrong, "8", 0), recordtest.Record("copy-long", "1000", verbatim.Errored, ""),
	}
	of := func(recs ...verbatim.Record) []Rate {
		r, err := Of(Options{}, Input{Run: verbatim.Run{Name: "r", Model: "m"}, Records: recordtest.Each(recs...)})
		if err != nil {
			t.Fatal(err)
		}
		return r.Runs[0].Families[0].FirstErrors
	}
	got := of(long...)
	if len(got) != 10 {
		t.Fatalf("%+v", got)
	}
	for i, want := range [10][2]int64{{2, 7}, {0, 5}, {0, 5}, {1, 5}, {0, 4}, {0, 4}, {0, 4}, {0, 4}, {0, 4}, {2, 4}} {
		if got[i].N != want[0] || got[i].Of != want[1] {
			t.Errorf("tenth %d: %d of %d, want %d of %d", i+1, got[i].N, got[i].Of, want[0], want[1])
		}
	}
	if got := of(append(long, answer(verbatim.Wrong, "1000", -1))...); got != nil {
		t.Errorf("with an answer of which it is not known: %+v", got)
	}
	if got := of(answer(verbatim.Pass, "8", 1)); got != nil {
		t.Errorf("of short texts: %+v", got)
	}
}
