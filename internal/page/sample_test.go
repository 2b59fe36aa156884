package page

import (
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/recordview"
	"verbatim/internal/report"
)

// foundIn returns the record of a reply with an answer at these bytes, found by a rule.
func foundIn(text string, start, end int, rule string) *recordview.View {
	return recordview.New(verbatim.Run{N: 1, Name: "r", Model: "m"}, verbatim.Record{
		Item: &verbatim.Item{ID: "copy@1/len=3/seed=1/0", Want: verbatim.TextAnswer("K7m")}, Outcome: verbatim.Wrapped,
		Reply: &verbatim.Reply{Text: text}, Grade: &verbatim.Grade{Label: "explained", Rule: rule, Span: &verbatim.Span{Start: start, End: end}},
	})
}

// recordOf returns the page of a record.
func recordOf(t *testing.T, v *recordview.View) string {
	t.Helper()
	var page strings.Builder
	if err := Record(&page, v, ""); err != nil {
		t.Fatal(err)
	}
	harmless(t, page.String())
	return page.String()
}

// TestAnswerIsMarked wants the answer marked on the page of a record and in the samples of a
// report, with the rule that found it.
func TestAnswerIsMarked(t *testing.T) {
	text := "So: <b>K7m</b> & more"
	record := func() *recordview.View { return foundIn(text, 4, 14, `in bold <&>`) }
	r := *small()
	r.Samples = &report.Samples{Each: 1, Of: 1, List: []report.Sample{{View: record()}}}
	for name, page := range map[string]string{"record": recordOf(t, record()), "report": rendered(t, &r)} {
		for _, want := range []string{
			"So: <mark class=\"vb-answer\">&lt;b&gt;K7m&lt;/b&gt;</mark> &amp; more</pre>",
			`<p class="vb-note vb-rule">marked answer found by: in bold &lt;&amp;&gt;</p>`,
		} {
			if !strings.Contains(page, want) {
				t.Errorf("the page of the %s has no %s", name, want)
			}
		}
	}
}

// TestMarksOfHostileReplies cuts an attack at every byte.
func TestMarksOfHostileReplies(t *testing.T) {
	tmpl := parsed(t)
	for start := range len(attack) {
		item := newSampleItem(&report.Sample{View: foundIn(attack, start, start+7, attack)}, "", recordSide)
		var b strings.Builder
		if err := tmpl.ExecuteTemplate(&b, "sampleItem", item); err != nil {
			t.Fatal(err)
		}
		if err := sound(b.String()); err != nil {
			t.Fatalf("at byte %d: %v", start, err)
		}
		if strings.Count(b.String(), `<mark class="vb-answer">`) != 1 {
			t.Fatalf("at byte %d: no mark, or more than one", start)
		}
	}
	harmless(t, recordOf(t, foundIn(attack, 3, 20, attack)))
}

// TestAnswerBeyondTheSample: a sample is the beginning of a long reply, and its answer is
// after that.
func TestAnswerBeyondTheSample(t *testing.T) {
	text := strings.Repeat("talk ", 1000) + "K7m."
	v := foundIn(text, 5000, 5003, "last line")
	s := report.Sample{View: v}
	s.Cut = v.Truncate()
	got := newSampleItem(&s, "", recordSide)
	if got.Reply.Answer != "" || got.Reply.Rule != "answer found by: last line; it is after the part that is shown" {
		t.Errorf("the sample has %q, %q", got.Reply.Answer, got.Reply.Rule)
	}
	if whole := newSampleItem(&report.Sample{View: foundIn("K7x", 0, 3, "whole reply")}, "", recordSide); whole.Reply.Answer != "" || whole.Reply.Rule != "answer found by: whole reply" {
		t.Errorf("the whole reply has %q, %q", whole.Reply.Answer, whole.Reply.Rule)
	}
}
