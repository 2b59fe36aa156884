package grade

import (
	"strings"
	"testing"
	"unicode/utf8"

	"verbatim"
)

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
