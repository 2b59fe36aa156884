package grade

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"verbatim"
	"verbatim/internal/grade/runes"
	"verbatim/internal/testmain"
)

func textItem(want string) *verbatim.Item {
	return &verbatim.Item{Want: verbatim.TextAnswer(want)}
}

func reversal(source string) *verbatim.Item {
	it := textItem(encoded(reversedRunes(runes.Decode(source))))
	it.Source = &verbatim.Answer{Text: source}
	return it
}

// encoded returns the text whose code points runes.Decode returned.
func encoded(text []rune) string {
	var out []byte
	for _, r := range text {
		if 0xDC80 <= r && r <= 0xDCFF {
			out = append(out, byte(r-0xDC00))
		} else {
			out = utf8.AppendRune(out, r)
		}
	}
	return string(out)
}

// An outcome is the first that holds.
func TestOutcome(t *testing.T) {
	const want = "K9mX7Ba"
	for _, c := range []struct {
		reply     string
		finish    verbatim.Finish
		outcome   verbatim.Outcome
		label     string
		detail    string
		extracted bool
	}{
		{want, "", verbatim.Pass, "pass", "", true},
		{"\x1c\u00a0" + want + "\n\n", verbatim.FinishStop, verbatim.Pass, "pass", "", true},
		{want, verbatim.FinishLength, verbatim.Pass, "pass", "", true},
		{want, verbatim.FinishFilter, verbatim.Pass, "pass", "", true},
		{want, verbatim.FinishRefusal, verbatim.Pass, "pass", "", true},
		{"K9m", verbatim.FinishFilter, verbatim.Refused, "cut_short", "4 missing", false},
		{"K9m", verbatim.FinishRefusal, verbatim.Refused, "cut_short", "4 missing", false},
		{"", verbatim.FinishFilter, verbatim.Refused, "empty", "", false},
		{"I'm sorry, no.", verbatim.FinishStop, verbatim.Refused, "refusal", "", false},
		{"I'm sorry, no.", verbatim.FinishLength, verbatim.Refused, "refusal", "", false},
		{"", verbatim.FinishLength, verbatim.Truncated, "empty", "prefix", false},
		{"K9m", verbatim.FinishLength, verbatim.Truncated, "cut_short", "prefix", false},
		{"K9mXY", verbatim.FinishLength, verbatim.Truncated, "corrupted", "diverged", false},
		{`"` + want + `"`, verbatim.FinishLength, verbatim.Truncated, "quoted", `"`, true},
		{"<think>x</think>K9", verbatim.FinishLength, verbatim.Truncated, "reasoning_leak", "prefix", false},
		{"<think>x</think>", verbatim.FinishLength, verbatim.Truncated, "reasoning_leak", "prefix", false},
		{"<think>K9", verbatim.FinishLength, verbatim.Truncated, "reasoning_leak", "prefix", false},
		{"<think>a</think>b<think>K9", verbatim.FinishLength, verbatim.Truncated, "reasoning_leak", "diverged", false},
		{`"` + want + `"`, verbatim.FinishStop, verbatim.Wrapped, "quoted", `"`, true},
		{"```\n" + want + "\n```", verbatim.FinishOther, verbatim.Wrapped, "fenced", "", true},
		{"It is " + want, "", verbatim.Wrapped, "explained", "preamble", true},
		{"x</think>" + want, "", verbatim.Wrapped, "reasoning_leak", "pass", true},
		{"x</think> '" + want + "'", "", verbatim.Wrapped, "reasoning_leak", "quoted", true},
		{"x</think>" + want + "8", "", verbatim.Wrong, "reasoning_leak", "inserted_char", false},
		{"", "", verbatim.Wrong, "empty", "", false},
		{"k9mx7ba", "", verbatim.Wrong, "case", "lower", false},
	} {
		g := Of(textItem(want), c.reply, c.finish)
		if g.Outcome != c.outcome || Older(g.Label) != c.label || g.Detail != c.detail || g.Extracted != c.extracted {
			t.Errorf("%q, finish %q: %s %s (%s) extracted %v, want %s %s (%s) extracted %v", c.reply, c.finish,
				g.Outcome, g.Label, g.Detail, g.Extracted, c.outcome, c.label, c.detail, c.extracted)
		}
		score := 0.0
		if g.Exact {
			score = 1
		}
		if g.Exact != (c.outcome == verbatim.Pass) || g.Score == nil || *g.Score != score || g.Grader != Current("text") {
			t.Errorf("%q: exact %v, score %v, grader %s", c.reply, g.Exact, g.Score, g.Grader)
		}
	}
}

// The worked examples of the specification that are not among the oracle's.
func TestWorkedExamples(t *testing.T) {
	for _, c := range []struct {
		it            *verbatim.Item
		reply         string
		label, detail string
	}{
		{reversal("aB7Xm9K"), "aB7Xm9K", "not_reversed", ""},
		{reversal("aB7Xm9K"), "aB7KmX9", "permuted", "7 positions"},
		{reversal("aB7Xm9K"), "K9mXBa7", "segment_moved", "@4 len 3"},
		{reversal("abcDEFghiJKL"), "JKLghiDEFabc", "chunk_reversed", "order 4 chunks"},
		{reversal("abcDEFghiJKL"), "cbaFEDihgLKJ", "chunk_reversed", "contents 4 chunks"},
		{textItem("rfid501.go"), "rfid5o1.go", "confusable", "0>o@5"},
		{textItem("ninety-four"), "ninety‐four", "unicode_norm", "dash/quote/space"},
		{textItem("9988776655"), strings.Repeat("9", 30), "looped", "period 1"},
		{textItem("x480d"), "x408d", "transposed", "@2"},
		{textItem("/Users/seiwe"), "/Usern/seine", "substitutions", "2"},
	} {
		if g := Of(c.it, c.reply, ""); Older(g.Label) != c.label || g.Detail != c.detail {
			t.Errorf("%q for %q: %s (%s), want %s (%s)", c.reply, c.it.Want.Text, g.Label, g.Detail, c.label, c.detail)
		}
	}
}

// A copy whose source is given as well is not taken for a reversal.
func TestSourceOfACopy(t *testing.T) {
	it := textItem("abcdefgh")
	it.Source = &verbatim.Answer{Text: "abcdefgh"}
	if g := Of(it, "efghabcd", ""); Older(g.Label) != "segment_moved" {
		t.Error(g.Label)
	}
	if g := Of(it, "efgh", ""); g.Measures["source_index"] != 0 {
		t.Error("a copy has an index into its reversal")
	}
}

func TestInvalidUTF8(t *testing.T) {
	g := Of(textItem("naïve"), "na\xefve", "")
	if g.Label != "mojibake" || g.Detail != "invalid UTF-8" || !slices.Equal(g.Flags, []string{"invalid_utf8"}) {
		t.Error(g.Label, g.Detail, g.Flags)
	}
	if g.Measures["length"] != 5 || g.Measures["hamming"] != 1 {
		t.Error(g.Measures)
	}
	// Different bytes stay different, and are put out as they came.
	if g := Of(textItem("a\xff"), "a\xfe", ""); g.Exact || g.Measures["distance"] != 1 {
		t.Error(g)
	}
	for _, s := range []string{"a\xffb", "\xed\xa0\x80", "é\xc3", "\x80\x80"} {
		if encoded(runes.Decode(s)) != s {
			t.Errorf("%q became %q", s, encoded(runes.Decode(s)))
		}
	}
}

func TestFlags(t *testing.T) {
	reference := textItem("abcdefghij")
	reference.Facts = map[string]string{verbatim.FactEdition: string(verbatim.Reference)}
	paper := textItem("abcdefghij")
	paper.Facts = map[string]string{verbatim.FactEdition: string(verbatim.Paper)}
	for _, c := range []struct {
		it     *verbatim.Item
		reply  string
		finish verbatim.Finish
		want   string
	}{
		{textItem("abcdefghij"), "abcdefghij", "", ""},
		{textItem("abcdefghij"), "abcdefghij", verbatim.FinishLength, "truncated"},
		{textItem("abcdefghij"), "abcdefghij" + strings.Repeat("xyzuvw", 2) + "1234", "", ""},
		{textItem("abcdefghij"), "abcdefghij" + strings.Repeat("xyzuvw", 2) + "12345", "", "critical"},
		{textItem(strings.Repeat("abcdefghij", 10)), strings.Repeat("abcdefghij", 12), "", ""},
		{textItem(strings.Repeat("abcdefghij", 10)), strings.Repeat("abcdefghij", 12) + "x", "", "critical"},
		{reference, "abcdefghijkl", "", ""},
		{reference, "abcdefghijklm", "", "critical"},
		{paper, "abcdefghijklm", "", "critical"},
		{textItem("äöüäöüäöü"), "äöüäöüäöü" + strings.Repeat("ä", 2), "", ""},
		{textItem("abcdefghij"), "абв", "", "foreign_script"},
		{textItem("где"), "абв", "", ""},
		{textItem("я"), "яяく", "", "foreign_script"}, // U+044F and U+304F
		{textItem("где"), "The text is: где, ça va", "", "critical"},
		{textItem("где日"), "ひ", "", "foreign_script"},
		{textItem("12345"), "1µª", "", ""}, // letters that all scripts share
		{textItem("12345"), "١٢٣", "", ""}, // digits belong to no script
		{textItem("abcdefghij"), "abab" + strings.Repeat("xyz", 7), "", ""},
		{textItem("abcdefghij"), "ab" + strings.Repeat("xyz", 8), "", "loop"},
		{textItem("abcdefghij"), "x" + strings.Repeat("ж", 40), "", "critical foreign_script loop"},
		{textItem(strings.Repeat("xyz", 9)), strings.Repeat("xyz", 8), "", ""},
		{textItem("abcdefghij"), "abc\xffdefghij", "", "invalid_utf8"},
		{textItem("abcdefghij"), "abc\ufffddefghij", "", "replacement_char"},
		{textItem("abc\ufffddefghij"), "abc\ufffd", "", ""},
		{textItem("abcdefghij"), "<think>hm", verbatim.FinishLength, "truncated open_reasoning"},
		{textItem("abcdefghij"), "<think>hm</think>a", verbatim.FinishLength, "truncated"},
	} {
		g := Of(c.it, c.reply, c.finish)
		if got := strings.Join(g.Flags, " "); got != c.want {
			t.Errorf("%q for %q: flags %q, want %q", c.reply, c.it.Want.Text, got, c.want)
		}
	}
}

// Lists have the flags that do not depend on the kind of answer, each once.
func TestFlagsOfLists(t *testing.T) {
	it := &verbatim.Item{Want: verbatim.ListAnswer([]any{"a", "b"})}
	for reply, want := range map[string]string{
		"['a', 'b']":                     "truncated",
		"<think>a \ufffd\xff":            "invalid_utf8 open_reasoning replacement_char truncated",
		"<think></think>['a', '\ufffd']": "replacement_char truncated",
	} {
		flags := slices.Sorted(slices.Values(Of(it, reply, verbatim.FinishLength).Flags))
		flags = slices.DeleteFunc(flags, func(f string) bool { return f == "critical" })
		if got := strings.Join(flags, " "); got != want {
			t.Errorf("%q: flags %q, want %q", reply, got, want)
		}
	}
	it.Want.List[0] = "\ufffd"
	if flags := Of(it, "['\ufffd']", "").Flags; len(flags) > 0 {
		t.Error(flags)
	}
}

func TestNames(t *testing.T) {
	if len(Names()) != 8 {
		t.Error(Names())
	}
	for _, name := range Names() {
		if base, _, ok := strings.Cut(Current(name), "/"); base != name || !ok {
			t.Errorf("%s is now %q", name, Current(name))
		}
		labels := Labels(name)
		if len(labels) == 0 || slices.Contains(labels, "pass") {
			t.Errorf("%s: labels %v", name, labels)
		}
		seen := map[string]bool{}
		for _, l := range labels {
			if seen[l] {
				t.Errorf("%s: %s twice", name, l)
			}
			seen[l] = true
		}
	}
	if Current("judge") != "" || Labels("judge") != nil {
		t.Error("an unknown grader has a version or labels")
	}
	Labels("list")[0] = "spoilt"
	if Labels("list")[0] == "spoilt" {
		t.Error("Labels hands out its own table")
	}
}

// Of judges what Check refuses by the kind of answer, and says so.
func TestCheck(t *testing.T) {
	list := verbatim.ListAnswer([]any{int64(1)})
	for _, c := range []struct {
		it     verbatim.Item
		ok     bool
		grader string
	}{
		{verbatim.Item{Want: verbatim.TextAnswer("a")}, true, "text"},
		{verbatim.Item{Want: list}, true, "list"},
		{verbatim.Item{Want: list, Grader: "text"}, true, "text"},
		{verbatim.Item{Want: list, Grader: "sortbench"}, true, "sortbench"},
		{verbatim.Item{Want: list, Grader: "sortbench-reference"}, true, "sortbench-reference"},
		{verbatim.Item{Want: verbatim.TextAnswer("12"), Grader: "integer"}, true, "integer"},
		{verbatim.Item{Want: verbatim.TextAnswer("-12"), Grader: "integer-reference"}, true, "integer-reference"},
		{verbatim.Item{Want: verbatim.TextAnswer("a"), Grader: "judge"}, false, "text"},
		{verbatim.Item{Want: list, Grader: "judge"}, false, "list"},
		{verbatim.Item{Want: verbatim.TextAnswer("a"), Grader: "sortbench"}, false, "text"},
		{verbatim.Item{Want: verbatim.TextAnswer("1.5"), Grader: "integer"}, false, "text"},
		{verbatim.Item{Want: verbatim.TextAnswer("-"), Grader: "integer"}, false, "text"},
		{verbatim.Item{Want: list, Grader: "integer"}, false, "list"},
	} {
		if err := Check(&c.it); (err == nil) != c.ok {
			t.Errorf("%+v: %v", c.it, err)
		}
		if g := Of(&c.it, "[1]", ""); g.Grader != Current(c.grader) {
			t.Errorf("%+v was judged by %s, want %s", c.it, g.Grader, Current(c.grader))
		}
	}
	wrongGrader := verbatim.Item{Want: verbatim.TextAnswer("fb3c"), Grader: "integer", Source: &verbatim.Answer{Text: "c3bf"}}
	if g := Of(&wrongGrader, "The answer is \"fb3c\".", verbatim.FinishStop); !g.Extracted {
		t.Errorf("a text is looked for as a number: %+v", g)
	}
	it := verbatim.Item{Want: list, Grader: "text"}
	if g := Of(&it, " [1]\n", ""); !g.Exact {
		t.Error("a list wanted as a text is wanted as Python prints it")
	}
}

// No reply makes the grader panic, break its promises, or pass when it is not the
// wanted text; the wanted text itself passes.
func FuzzText(f *testing.F) {
	for _, c := range edgeCases()[:200] {
		f.Add(c.E, c.G, deref(c.Source), "integer")
	}
	f.Add("a\xff", "\xed\xa0\x80", "", "text")
	f.Add("1234", "1,234", "1000 234", "integer")
	f.Fuzz(func(t *testing.T, want, reply, source, grader string) {
		it := &verbatim.Item{Want: verbatim.TextAnswer(want), Source: &verbatim.Answer{Text: source}, Grader: grader}
		right := strings.TrimFunc(reply, runes.IsSpace) == want
		for _, it := range []*verbatim.Item{it, textItem(want)} {
			g := Of(it, reply, verbatim.FinishStop)
			if it.Grader == "" && g.Exact != right {
				t.Fatalf("exact %v", g.Exact)
			}
			if g.Exact && (!g.Extracted || g.Outcome != verbatim.Pass || g.Label != "pass" || *g.Score != 1) {
				t.Fatalf("%+v", g)
			}
			if !g.Outcome.Answered() || !g.Exact && !slices.Contains(Labels("integer"), g.Label) {
				t.Fatalf("%+v", g)
			}
			if g.Outcome == verbatim.Wrapped && !g.Extracted {
				t.Fatalf("%+v", g)
			}
			if !utf8.ValidString(g.Detail) {
				t.Fatalf("detail %q", g.Detail)
			}
			m := g.Measures
			if d, ok := m["distance"]; ok && (d > max(m["length"], m["want_length"]) || m["ned"] > 1 ||
				d != m["insertions"]+m["deletions"]+m["substitutions"]+2*m["swaps"] || m["length"]-m["want_length"] != m["insertions"]-m["deletions"]) {
				t.Fatalf("%+v", m)
			}
		}
		if strings.TrimFunc(want, runes.IsSpace) == want {
			if g := Of(textItem(want), want, ""); g.Outcome != verbatim.Pass {
				t.Fatalf("the wanted text: %+v", g)
			}
		}
	})
}

func TestMain(m *testing.M) { testmain.Main(m) }

// Older returns the label that a label splits, or the label itself. Replies that were judged before a
// label was split are compared by the older one.
func Older(name string) string {
	for _, l := range AllLabels() {
		if l.Name == name && l.Splits != "" {
			return l.Splits
		}
	}
	return name
}

// TestRaw: white space at the ends counts.
func TestRaw(t *testing.T) {
	for _, c := range []struct {
		want, reply, label, detail string
		extracted                  bool
	}{
		{"\tx = 1  \n", "\tx = 1  \n", "pass", "", true},
		{"\tx = 1  \n", "x = 1", "whitespace", "at both ends", false},
		{"\tx = 1  \n", "\tx = 1", "whitespace", "at the end", false},
		{"\tx = 1", "x = 1", "whitespace", "at the start", false},
		{"\tx = 1  \n", "```\n\tx = 1  \n```", "fenced", "", true},
		{"\tx = 1  \n", "```go\n\tx = 1  \n\n```", "fenced", "", true},
		{"\tx = 1", "\"\tx = 1\"", "quoted", "", true},
		{"ab", "ab\n", "whitespace", "at the end", false},
		{"\tx = 1", "\u00a0\"\tx = 1\"", "quoted", "", true},
		{"\tab\n", "\tac\n", "substituted_char", "b>c@1", false},
		{"\tab\n", "<think>y</think>\tab\n", "reasoning_leak", "", true},
	} {
		g := Of(&verbatim.Item{Want: verbatim.TextAnswer(c.want), Grader: "text-raw"}, c.reply, verbatim.FinishStop)
		if Older(g.Label) != c.label || g.Detail != c.detail || g.Extracted != c.extracted || g.Exact != (c.label == "pass") || g.Grader != Current("text-raw") {
			t.Errorf("%q for %q: %s (%s), extracted %v, %s; want %s (%s), %v", c.reply, c.want, g.Label, g.Detail, g.Extracted, g.Grader, c.label, c.detail, c.extracted)
		}
		if g.Extracted && g.Span != nil && c.reply[g.Span.Start:g.Span.End] != c.want {
			t.Errorf("%q for %q: the answer is in %q", c.reply, c.want, c.reply[g.Span.Start:g.Span.End])
		}
	}
}

// TestForeseen: a reply that gives the answer of a foreseen mistake gets its label,
// alone and with text around it; the first that fits counts.
func TestForeseen(t *testing.T) {
	it := &verbatim.Item{Want: verbatim.TextAnswer("K7mQp2Zx"), Mistakes: []verbatim.Mistake{
		{Label: "twin_taken", Detail: "line 3", Answer: verbatim.TextAnswer("K7mQp2Zy")},
		{Label: "step_missing", Answer: verbatim.TextAnswer("K7mQp2Zy")},
	}}
	for reply, want := range map[string]string{
		"K7mQp2Zy": "twin_taken", " K7mQp2Zy\n": "twin_taken", "The ID is `K7mQp2Zy`.": "twin_taken",
		"K7mQp2Zz": "substituted_char", "K7mQp2Zx": "pass",
	} {
		g := Of(it, reply, verbatim.FinishStop)
		if g.Label != want || (want == "twin_taken") != (g.Detail == "line 3") {
			t.Errorf("%q: %s (%s), want %s", reply, g.Label, g.Detail, want)
		}
	}
	count := &verbatim.Item{Grader: "integer", Want: verbatim.TextAnswer("12"), Mistakes: []verbatim.Mistake{{Label: "off_by_one", Detail: "one more", Answer: verbatim.TextAnswer("13")}}}
	if g := Of(count, "There are 13.", verbatim.FinishStop); g.Label != "off_by_one" {
		t.Errorf("a count: %s", g.Label)
	}
}

// TestInvisible: what cannot be seen is named.
func TestInvisible(t *testing.T) {
	for _, c := range []struct{ want, reply, detail string }{
		{"a👩\u200d💻b\u200dc", "a👩💻bc", "2 zero-width joiner missing"},
		{"x\u00ady z", "xyz", "1 soft hyphen missing, 1 space missing"},
		{"ab", "a\nb", "1 newline added"},
		{"a\tb\u00a0c", "a b c", "1 tab missing, 2 space added, 1 other space missing"},
		{"a b c", "ab  c", "moved"},
		{"a\u061cbc", "ab\u034fc", "1 zero-width character added, 1 direction mark missing"},
	} {
		g := Of(&verbatim.Item{Want: verbatim.TextAnswer(c.want)}, c.reply, verbatim.FinishStop)
		if Older(g.Label) != "whitespace" || g.Detail != c.detail {
			t.Errorf("%q for %q: %s (%s), want %s", c.reply, c.want, g.Label, g.Detail, c.detail)
		}
	}
}

// TestInvisiblesAreBlank: every blank character has one name.
func TestInvisiblesAreBlank(t *testing.T) {
	for r := range rune(0x110000) {
		names := 0
		for _, kind := range invisibles {
			names += strings.Count(kind.characters, string(r))
		}
		if utf8.ValidRune(r) && r != utf8.RuneError && (names == 1) != blank(r) || names > 1 {
			t.Errorf("%U: blank is %v, and it has %d names", r, blank(r), names)
		}
	}
}

// TestAccept: every accepted answer is right, alone and inside talk.
func TestAccept(t *testing.T) {
	it := &verbatim.Item{Want: verbatim.TextAnswer("Paris"), Accept: []verbatim.Answer{verbatim.TextAnswer("paris")}}
	for reply, exact := range map[string]bool{"Paris": true, "paris": true, "PARIS": false} {
		if g := Of(it, reply, verbatim.FinishStop); g.Exact != exact {
			t.Errorf("%q: %+v", reply, g)
		}
	}
	if g := Of(it, "\"paris\"", verbatim.FinishStop); g.Exact || !g.Extracted || g.Label != "quoted" {
		t.Errorf("in quotes: %+v", g)
	}
	for reply, distance := range map[string]float64{"paris": 0, "`paris`": 0, "pariz": 2} {
		if g := Of(it, reply, verbatim.FinishStop); g.Measures["distance"] != distance || (distance == 0) != (g.Measures["similarity"] == 1) {
			t.Errorf("%q is measured by an answer that it is not: %v", reply, g.Measures)
		}
	}
	long := &verbatim.Item{Want: verbatim.TextAnswer("a"), Accept: []verbatim.Answer{verbatim.TextAnswer("ответ длиннее, чем ожидали")}}
	if g := Of(long, long.Accept[0].Text, verbatim.FinishStop); !g.Exact || len(g.Flags) > 0 {
		t.Errorf("an accepted answer has flags: %+v", g)
	}
	raw := &verbatim.Item{Grader: "text-raw", Want: verbatim.TextAnswer("a "), Accept: []verbatim.Answer{verbatim.TextAnswer("a\t")}}
	for reply, exact := range map[string]bool{"a ": true, "a\t": true, "a": false} {
		if g := Of(raw, reply, verbatim.FinishStop); g.Exact != exact || exact != (g.Measures["distance"] == 0 && g.Label == "pass") {
			t.Errorf("raw %q: %+v", reply, g)
		}
	}
	number := &verbatim.Item{Grader: "integer", Want: verbatim.TextAnswer("12"), Accept: []verbatim.Answer{verbatim.TextAnswer("-12")}}
	if g := Of(number, "-12", verbatim.FinishStop); !g.Exact {
		t.Errorf("a number: %+v", g)
	}
}

// TestCheckOthers refuses other answers that no reply could be compared with.
func TestCheckOthers(t *testing.T) {
	text, list := verbatim.TextAnswer("x"), verbatim.ListAnswer([]any{"x"})
	for _, c := range []struct {
		item verbatim.Item
		says string
	}{
		{verbatim.Item{Want: text, Accept: []verbatim.Answer{text, list}}, "accepted answer 2: it is a list"},
		{verbatim.Item{Want: list, Accept: []verbatim.Answer{text}}, "accepted answer 1: it is a text"},
		{verbatim.Item{Want: verbatim.TextAnswer("1"), Grader: "integer", Accept: []verbatim.Answer{text}}, "not the digits"},
		{verbatim.Item{Want: text, Mistakes: []verbatim.Mistake{{Label: "talk", Answer: text}}}, `mistake 1 has the label "talk"; there are wrong_direction`},
		{verbatim.Item{Want: list, Mistakes: []verbatim.Mistake{{Label: "other_key", Answer: text}}}, "the answer of mistake 1: it is a text"},
		{verbatim.Item{Want: list, Accept: []verbatim.Answer{list}, Mistakes: []verbatim.Mistake{{Label: "other_key", Answer: list}}}, ""},
	} {
		err := Check(&c.item)
		if c.says == "" && err != nil || c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%+v: %v, want %q", c.item, err, c.says)
		}
	}
}

func BenchmarkOf(b *testing.B) {
	const want = "K9mX7BaqLz0TfR3wYp5sVn8c"
	source := verbatim.TextAnswer(string(reversedRunes([]rune(want))))
	sum := verbatim.TextAnswer("48213 90177")
	for _, x := range []struct{ name, grader, want, reply string }{
		{"pass", "", want, want},
		{"quoted", "", want, `"` + want + `"`},
		{"explained", "", want, "The reversed string is: " + want},
		{"transposed", "", want, "K9mX7BaqzL0TfR3wYp5sVn8c"},
		{"unrelated", "", want, "nothing like what is wanted"},
		{"pass500", "", strings.Repeat(want, 20), strings.Repeat(want, 20)},
		{"unrelated500", "", strings.Repeat(want, 20), strings.Repeat("xqpt", 120)},
		{"sum", "integer", "138390", "138390"},
		{"sumoff", "integer", "138390", "138490"},
		{"unicode", "", "naïve café über Straße", "naïve café über Straße"},
	} {
		it := &verbatim.Item{Want: verbatim.TextAnswer(x.want), Source: &source, Grader: x.grader}
		if x.grader != "" {
			it.Source = &sum
		}
		b.Run(x.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(x.reply)))
			for b.Loop() {
				Of(it, x.reply, verbatim.FinishStop)
			}
		})
	}
}
