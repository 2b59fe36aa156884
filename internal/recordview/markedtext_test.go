package recordview

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"verbatim"
	"verbatim/internal/terminal"
)

// viewOfSpan returns the view of a reply in which the answer is at these bytes.
func viewOfSpan(text string, start, end int) *View {
	return New(verbatim.Run{}, verbatim.Record{
		Outcome: verbatim.Wrapped, Reply: &verbatim.Reply{Text: text},
		Grade: &verbatim.Grade{Label: "quoted", Rule: "in quotation marks", Span: &verbatim.Span{Start: start, End: end}},
	})
}

func TestMarkAnswer(t *testing.T) {
	for name, c := range map[string]struct {
		text       string
		start, end int
		want       markedText
	}{
		"within a sentence":         {"It is K7m.", 6, 9, markedText{"It is ", "K7m", "."}},
		"after a line feed":         {"Here:  \nK7m \n\n", 8, 11, markedText{"Here:␠␠\n", "K7m", "␠␊␊"}},
		"over lines":                {"a\nb \nc!", 0, 6, markedText{"", "a\nb␠\nc", "!"}},
		"within a letter":           {"aéb!", 2, 4, markedText{"a", "éb", "!"}},
		"within an invisible one":   {"a\u200bb\u2066c", 2, 6, markedText{"a", "«U+200B»b«U+2066»", "c"}},
		"a lone surrogate":          {"x\xed\xa0\x80y", 2, 3, markedText{"x", "«U+D800»", "y"}},
		"before a combining mark":   {"ae\u0301b", 1, 2, markedText{"a", "e", "«U+0301»b"}},
		"bytes that are no UTF-8":   {"a\xff\xfeb", 1, 3, markedText{"a", "⟨FF⟩⟨FE⟩", "b"}},
		"the whole reply":           {"K7m", 0, 3, markedText{"K7m", "", ""}},
		"an empty answer":           {"K7m", 1, 1, markedText{"K7m", "", ""}},
		"an end before its start":   {"K7m", 2, 1, markedText{"K7m", "", ""}},
		"an end after the text":     {"K7m", 1, 9, markedText{"K", "7m", ""}},
		"a start after the text":    {"K7m", 3, 9, markedText{"K7m", "", ""}},
		"a start before the text":   {"K7m", -1, 2, markedText{"K7m", "", ""}},
		"line feeds at the end":     {"a\n\n", 1, 2, markedText{"a", "␊", "␊"}},
		"an empty text":             {"", 0, 1, markedText{"", "", ""}},
		"spaces before the answer":  {"is  K7m", 4, 7, markedText{"is  ", "K7m", ""}},
		"spaces that end the reply": {"K7m  ", 0, 3, markedText{"", "K7m", "␠␠"}},
	} {
		v := viewOfSpan(c.text, c.start, c.end)
		if got := v.MarkAnswer(); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		if marked := strings.Contains(v.markedReply(), "⟦"); marked != (c.want.Answer != "") {
			t.Errorf("%s: the terminal shows %q", name, v.markedReply())
		}
	}
}

// TestMarkedTextIsComplete: the marks change nothing of a text, wherever they are.
func TestMarkedTextIsComplete(t *testing.T) {
	part := rapid.SampledFrom([]string{"a", " ", "\n", "é", "\u200b", "\u202e", "\xff", "\xed\xa0\x80", "e\u0301", "<mark>", "\r", "中"})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(part, 0, 12).Draw(t, "text"), "")
		start, end := rapid.IntRange(-1, 20).Draw(t, "start"), rapid.IntRange(-1, 20).Draw(t, "end")
		v := viewOfSpan(text, start, end)
		got := v.MarkAnswer()
		joined := got.Before + got.Answer + got.After
		plain := strings.ReplaceAll(text, "\u0301", "") // is a symbol of its own where its letter is apart
		if v := viewOfSpan(plain, 0, 0); plain == text && joined != v.MarkAnswer().Before {
			t.Fatalf("%q at %d to %d: %q", text, start, end, got)
		}
		if !utf8.ValidString(joined) {
			t.Fatalf("%q at %d to %d cuts a letter: %q", text, start, end, got)
		}
		for line := range strings.SplitSeq(joined, "\n") {
			if strings.ContainsAny(line, "\u200b\u202e\r") || !utf8.ValidString(line) {
				t.Fatalf("%q holds what cannot be seen", terminal.Visible(line))
			}
		}
	})
}
