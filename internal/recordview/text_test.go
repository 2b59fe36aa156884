package recordview

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"verbatim"
	"verbatim/internal/exchange"
	"verbatim/internal/exhaustive"
	"verbatim/internal/grade"
	"verbatim/internal/recordtest"
	"verbatim/internal/terminal"
	"verbatim/internal/terminal/terminaltest"
)

func TestShowFitsEveryWidth(t *testing.T) {
	run := recordtest.Quick().Run(3)
	for _, n := range recordtest.Records() {
		v := New(run, n.Rec)
		for width := 60; width <= 200; width += 9 {
			var plainText, coloured bytes.Buffer
			if err := WriteText(&plainText, v, terminal.Style{Width: width}); err != nil {
				t.Fatal(err)
			}
			if err := WriteText(&coloured, v, terminal.Style{Width: width, Color: true}); err != nil {
				t.Fatal(err)
			}
			for line := range strings.SplitSeq(plainText.String(), "\n") {
				if terminal.Width(line) > width {
					t.Errorf("%s at %d columns has a line of %d: %q", n.Name, width, terminal.Width(line), line)
				}
			}
			if bad := terminaltest.Unsafe(coloured.String()); bad != "" {
				t.Errorf("%s lets %s through", n.Name, bad)
			}
			if terminaltest.TrimLineEnds(terminaltest.WithoutColor(coloured.String())) != terminaltest.TrimLineEnds(plainText.String()) {
				t.Errorf("%s at %d columns reads differently in colour", n.Name, width)
			}
		}
	}
}

func TestNoDifferenceToNothing(t *testing.T) {
	for _, reply := range []string{"", " \n", "<think>abc</think>"} {
		if d := textDifference("abc", reply); d != nil {
			t.Errorf("%q: %+v", reply, d)
		}
	}
}

// The description of a difference must lead from the expected answer to the reply.
func TestDifferenceIsTrue(t *testing.T) {
	for _, c := range []struct{ want, reply, edits string }{
		{"abcdef", "abdef", "missing 2 2 c "},
		{"abcdef", "abXcdef", "extra 2 2  X"},
		{"abcdef", "abXdef", "changed 2 2 c X"},
		{"abcdef", "  abXdef\n", "changed 2 2 c X"},
		{"abcdef", "<think>abc</think>abXdef", "changed 2 2 c X"},
		{"abcdef", "It is: abcdef!", "extra 0 0  It is: ;extra 6 13  !"},
		{"abcdef", "ab", "missing 2 2 cdef "},
		{"", "abc", "extra 0 0  abc"},
		{"abcdef", "\x1c\u0085abXdef\x1f", "changed 2 2 c X"},
		{"abc", strings.Repeat("é", 1000) + " abc", "extra 0 680  " + strings.Repeat("é", 320) + " "},
		{"a\xffc", "a\xfec", "changed 1 1 ⟨FF⟩ ⟨FE⟩"},
		{"a\u00adc", "ac", "missing 1 1 «U+00AD» "},
	} {
		d := textDifference(c.want, c.reply)
		var got []string
		for _, e := range d.Edits {
			got = append(got, fmt.Sprintf("%s %d %d %s %s", e.Op, e.WantAt, e.ReplyAt, e.Want, e.Reply))
		}
		if s := strings.Join(got, ";"); s != c.edits {
			t.Errorf("%q to %q: %q, want %q", c.want, c.reply, s, c.edits)
		}
	}
}

func TestListDifferenceIsTrue(t *testing.T) {
	want := []any{int64(1), int64(2), int64(3), int64(4)}
	for _, c := range []struct{ reply, edits string }{
		{"[1, 3, 4]", "missing 1 -1 2 "},
		{"[1, 2, 2, 3, 4]", "extra -1 2  2"},
		{"[1, 2, 3, 4.0]", "changed 3 3 4 4.0"},
		{"[2, 3, 4, 1]", "moved 0 -1 1 ;moved -1 3  1"},
		{"['1', 2, 3, 4]", "changed 0 0 1 '1'"},
		{"</think> [1, 2, 3]", "missing 3 -1 4 "},
	} {
		d := listDifference(want, c.reply)
		if d == nil {
			t.Errorf("%q: nothing to say", c.reply)
			continue
		}
		var got []string
		for _, e := range d.Edits {
			got = append(got, fmt.Sprintf("%s %d %d %s %s", e.Op, e.WantAt, e.ReplyAt, e.Want, e.Reply))
		}
		if s := strings.Join(got, ";"); s != c.edits {
			t.Errorf("%q: %q, want %q", c.reply, s, c.edits)
		}
	}
	for _, reply := range []string{"", "no list", "[1, 2, 3, 4]", "Sure: [1, 2, 3, 4].", "[1, 2", "(1, 2)", "[open('x')]", strings.Repeat("[", 500)} {
		if listDifference(want, reply) != nil {
			t.Errorf("%q is compared item by item", reply)
		}
	}
}

// Replies of 10 MB, whatever is in them, are described in bounded time and space.
func TestHugeReplies(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it only computes")
	}
	size := exhaustive.Of(1<<20, 10<<20)
	want := strings.Repeat("0123456789abcdef", size/16)
	for name, c := range map[string]struct{ want, reply string }{
		"equal head":    {want, want[:size/2] + "X" + want[size/2:]},
		"all different": {want, strings.Repeat("z", size)},
		"short wanted":  {"abc", strings.Repeat("ab", size/2)},
		"preamble":      {"K9mX7Ba", strings.Repeat("so ", size/3) + "K9mX7Ba"},
		"white space":   {"abc", strings.Repeat("\n", size)},
		"not UTF-8":     {"abc", strings.Repeat("\xff", size)},
		"marks":         {"abc", "a" + strings.Repeat("\u0301", size/2)},
		"brackets":      {"[1, 2, 3]", strings.Repeat("[", size)},
		"one item":      {"[1, 2, 3]", "['" + strings.Repeat("x", size) + "']"},
	} {
		t.Run(name, func(t *testing.T) {
			r := recordtest.TextRecord("abc", c.reply, "unrelated", "")
			r.Item.Want = verbatim.TextAnswer(c.want)
			if strings.HasPrefix(c.want, "[") {
				r.Item.Want = verbatim.ListAnswer([]any{int64(1), int64(2), int64(3)})
			}
			var out bytes.Buffer
			if err := WriteText(&out, New(verbatim.Run{}, r), terminal.Style{}); err != nil {
				t.Fatal(err)
			}
			if out.Len() > 64<<10 {
				t.Errorf("%d bytes of output", out.Len())
			}
			if bad := terminaltest.Unsafe(out.String()); bad != "" {
				t.Errorf("lets %s through", bad)
			}
		})
	}
}

// The view must explain every label that the graders give.
func TestEveryLabelIsExplained(t *testing.T) {
	seen := make(map[string]bool)
	for _, l := range grade.AllLabels() {
		if seen[l.Name] {
			t.Errorf("%s is explained twice", l.Name)
		}
		seen[l.Name] = true
		if !strings.HasSuffix(l.Meaning, ".") || !utf8.ValidString(l.Meaning) || len(l.Meaning) > 110 {
			t.Errorf("%s: %q is not one short sentence", l.Name, l.Meaning)
		}
		if Explain(l.Name) != l.Meaning {
			t.Errorf("Explain(%s) = %q", l.Name, Explain(l.Name))
		}
	}
	if Explain("a label of tomorrow") != "" {
		t.Error("an unknown label is explained")
	}
	names := grade.Names()
	if len(names) == 0 {
		t.Fatal("there are no graders")
	}
	for _, name := range names {
		for _, label := range grade.Labels(name) {
			if !seen[label] {
				t.Errorf("nothing explains %s of the grader %s", label, name)
			}
		}
	}
	if !seen["pass"] || !seen[exchange.ScoreOnly] {
		t.Error("nothing explains pass and " + exchange.ScoreOnly)
	}
}

// What JSON says of a hostile reply must be the reply, and nothing a terminal obeys.
func TestShowJSONIsSafeAndLossless(t *testing.T) {
	reply := "a\u009b31m\u202eb\u007f\U000e0041\u00e9"
	var out bytes.Buffer
	if err := terminal.WriteJSON(&out, New(verbatim.Run{}, recordtest.TextRecord("ab", reply, "corrupted", ""))); err != nil {
		t.Fatal(err)
	}
	if bad := terminaltest.Unsafe(out.String()); bad != "" {
		t.Errorf("lets %s through", bad)
	}
	var back struct{ Reply struct{ Text string } }
	if err := json.Unmarshal(out.Bytes(), &back); err != nil {
		t.Fatal(err)
	}
	if back.Reply.Text != reply {
		t.Errorf("%q became %q", reply, back.Reply.Text)
	}
}

func FuzzShow(f *testing.F) {
	for _, n := range recordtest.Records() {
		if n.Rec.Reply != nil {
			f.Add(AnswerText(n.Rec.Item.Want), n.Rec.Reply.Text, n.Rec.Item.Want.IsList(), 80)
		}
	}
	f.Fuzz(func(t *testing.T, want, reply string, list bool, width int) {
		r := recordtest.TextRecord(want, reply, "corrupted", want)
		if list {
			r.Item.Want = verbatim.ListAnswer([]any{want, int64(3), want + "x"})
		}
		r.Reply.Reasoning, r.Reply.ServedModel, r.Item.ID = reply, want, want
		v := New(verbatim.Run{Name: want, Model: reply}, r)
		s := terminal.Style{Width: width % 400, Color: width%2 == 0}
		var out bytes.Buffer
		if err := WriteText(&out, v, s); err != nil {
			t.Fatal(err)
		}
		if bad := terminaltest.Unsafe(out.String()); bad != "" {
			t.Fatalf("text lets %s through", bad)
		}
		out.Reset()
		if err := terminal.WriteJSON(&out, v); err != nil {
			t.Fatal(err)
		}
		if bad := terminaltest.Unsafe(out.String()); bad != "" {
			t.Fatalf("JSON lets %s through", bad)
		}
	})
}

// Positions count lone surrogates as one character each, also in text that is not shown.
func TestPositionsAfterSurrogates(t *testing.T) {
	const surrogate = "\xed\xa0\x80" // as WTF-8
	before := strings.Repeat(surrogate, 10) + strings.Repeat("x", 1000)
	d := textDifference("K9mX7Ba", before+"K9mX7Ba"+strings.Repeat(surrogate, 1000))
	if len(d.Edits) != 2 || d.Edits[0].ReplyAt+d.Edits[0].N != 1010 || d.Edits[1].ReplyAt != 1017 {
		t.Errorf("%+v", d.Edits)
	}
	if last := d.chars[len(d.chars)-1].want; !strings.Contains(last, " more after") || strings.Contains(last, "…2,") {
		t.Errorf("the end is %q", last)
	}
}

// A sample of a reply with many tokens and alternatives stays small.
func TestTruncateTokens(t *testing.T) {
	r := recordtest.TextRecord("abcd", strings.Repeat("ab", 500), "unrelated", "")
	for range 500 {
		token := verbatim.Token{Text: "ab", Logprob: -1}
		for range 30 {
			token.Top = append(token.Top, verbatim.Token{Text: strings.Repeat("z", 1000), Logprob: -2})
		}
		r.Reply.Tokens = append(r.Reply.Tokens, token)
	}
	v := New(verbatim.Run{}, r)
	cut := v.Truncate()
	if !slices.Contains(cut, "reply.tokens") || !slices.Contains(cut, "departure") {
		t.Errorf("cut: %v", cut)
	}
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	if len(data) > 200<<10 {
		t.Errorf("%d bytes", len(data))
	}
}

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

// Pieces hold what the terminal shows, cut where lines may break: nothing is lost, and
// the two sides of a piece take the same number of columns.
func TestPieces(t *testing.T) {
	found := 0
	hidden := recordtest.Named{Name: "hidden", Rec: recordtest.TextRecord("K9m\u200bX7BaQ2pL0sT4v", "K9mxX7BaQ2pL0sT4v", "confusable", "")} // wide only where it is wanted
	for _, n := range append(recordtest.Records(), hidden) {
		d := New(verbatim.Run{}, n.Rec).Difference
		if d == nil || len(d.chars) == 0 {
			continue
		}
		found++
		var want, reply strings.Builder
		for _, c := range d.chars {
			want.WriteString(strings.TrimSpace(c.want))
			reply.WriteString(strings.TrimSpace(c.reply))
		}
		var gotWant, gotReply strings.Builder
		for _, p := range d.Segments() {
			gotWant.WriteString(p.Want)
			gotReply.WriteString(p.Reply)
			if p.Op != opSkipped && terminal.Width(p.Want) != terminal.Width(p.Reply) {
				t.Errorf("%s: %q and %q are not as wide", n.Name, p.Want, p.Reply)
			}
			if cells := characters(strings.ReplaceAll(p.Want, " ", "")); p.Op == opSame && cells > 8*maxSegment {
				t.Errorf("%s: a piece of %d characters", n.Name, cells)
			}
		}
		bare := func(s string) string { return strings.ReplaceAll(s, " ", "") }
		if bare(gotWant.String()) != bare(want.String()) || bare(gotReply.String()) != bare(reply.String()) {
			t.Errorf("%s: the pieces are %q and %q, want %q and %q", n.Name, gotWant.String(), gotReply.String(), want.String(), reply.String())
		}
	}
	if found < 5 {
		t.Fatalf("only %d records have aligned texts", found)
	}
}

func TestPairs(t *testing.T) {
	d := New(verbatim.Run{}, recordtest.ListRecord(recordtest.Words("a b c d e"), "['b', 'x', 'd', 'e', 'a']", "mixed", "")).Difference
	var got []string
	for _, p := range d.Pairs() {
		got = append(got, p.Op+" "+p.Want+" "+p.Reply+" "+p.Note)
	}
	want := "moved 'a'  given at 4|same 'b' 'b' |changed 'c' 'x' |same 'd' 'd' |same 'e' 'e' |moved  'a' expected at 0"
	if strings.Join(got, "|") != want {
		t.Errorf("the pairs are %q, want %q", strings.Join(got, "|"), want)
	}
}

// Lines are safe, and their number is that of the text's lines.
func TestLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"a  \n\nb\n\n", "\n", "", "\x1b[31m\r\n\u202e"})).Draw(t, "text")
		lines := Lines(text)
		if n := strings.Count(strings.TrimRight(text, "\n"), "\n") + 1; len(lines) != n {
			t.Fatalf("%d lines of %q, want %d", len(lines), text, n)
		}
		for _, line := range lines {
			if terminal.Visible(line) != line && !strings.ContainsAny(line, "␀␁␂␃␄␅␆␇␈␉␊␋␌␍␎␏␐␑␒␓␔␕␖␗␘␙␚␛␜␝␞␟␠␡") {
				t.Fatalf("%q holds what cannot be seen", line)
			}
		}
	})
	if got := strings.Join(Lines("a  \n\nb\n\n"), "|"); got != "a␠␠||b␊␊" {
		t.Errorf("the lines are %q", got)
	}
}

// TestDetailTerms: terms in the details of failures are explained once each; other
// details need no explanation.
func TestDetailTerms(t *testing.T) {
	got := DetailTerms([]string{"ned 0.18 first error @12", "diverged", "ned 0.08", "prefix", "bold", "1 chars", ""})
	want := []string{"ned: normalized edit distance: 0 is equal, 1 entirely different", "diverged: what it wrote was wrong before that", "prefix: what it wrote was right so far"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
