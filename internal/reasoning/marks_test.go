package reasoning

import (
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"verbatim"
)

func TestMeasure(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want verbatim.ReasoningMarks // without Characters, Words and Phrases
	}{
		"empty":            {"", verbatim.ReasoningMarks{}},
		"plain":            {"The list has four numbers. First I need to find the smallest.", verbatim.ReasoningMarks{}},
		"second thoughts":  {"Wait, 12 is smaller. Actually, no: hmm. Let me double-check: I made a mistake!", verbatim.ReasoningMarks{SecondThoughts: 5}},
		"longest phrase":   {"On second thought, let me check.", verbatim.ReasoningMarks{SecondThoughts: 2}},
		"words of its own": {"The waiter awaits actuality, and he was waiting.", verbatim.ReasoningMarks{}},
		"curly apostrophe": {"That’s wrong.", verbatim.ReasoningMarks{SecondThoughts: 1}},
		"Chinese":          {"等等，这个不对。我需要重新检查一下列表的顺序。", verbatim.ReasoningMarks{SecondThoughts: 3}},
		"repeated lines":   {"1, 2, 3, 4, 5\nthen\n  1, 2, 3, 4, 5  \r\nthen\n1, 2, 3, 4, 5", verbatim.ReasoningMarks{RepeatedLines: 2}},
		"English, German, English": {"I need to sort the words in the list. The first of them is ape.\n\n" +
			"Ich werde die Liste nach den ersten Buchstaben prüfen. Das ist nicht so einfach.\n\nNow I have to check the rest of the list, and it is long.", verbatim.ReasoningMarks{LanguageSwitches: 2}},
		"English, Chinese": {"I need to sort the words in the list. 我需要对列表进行排序，从小到大。", verbatim.ReasoningMarks{LanguageSwitches: 1}},
		"Japanese":         {"リストを小さい順に並べ替えます。次に最初の数字を確認します。", verbatim.ReasoningMarks{}},
		"list of a task":   {"The list is: ['der', 'die', 'und', 'apple'] and I need to sort it.", verbatim.ReasoningMarks{}},
		"no language":      {"Zebra, ape, bison. Haus, Maus, Laus. 7 8 9", verbatim.ReasoningMarks{}},
		"not UTF-8":        {"wait \xff\xfe wait", verbatim.ReasoningMarks{SecondThoughts: 2}},
	} {
		c.want.Characters = int64(utf8.RuneCountInString(c.text))
		got := MeasureMarks(c.text)
		var all int64
		for phrase, n := range got.Phrases {
			if slices.Index(Phrases(), phrase) < phraseCounters().thoughts {
				all += n
			}
		}
		if all != c.want.SecondThoughts {
			t.Errorf("%s: the phrases are %v", name, got.Phrases)
		}
		got.Phrases, got.Words = nil, 0
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

// TestPhrasesFound wants every documented phrase found once in a sentence of its own.
func TestPhrasesFound(t *testing.T) {
	for _, language := range append(secondThoughts(), Patterns()...) {
		for _, phrase := range language.List {
			if phrase != strings.ToLower(phrase) {
				t.Errorf("%q is not in lower case", phrase)
			}
			marks := MeasureMarks("X 1: " + phrase + ", y.")
			if isThought := slices.Index(Phrases(), phrase) < phraseCounters().thoughts; len(marks.Phrases) != 1 || marks.Phrases[phrase] != 1 || (marks.SecondThoughts == 1) != isThought {
				t.Errorf("%s: %q counts as %+v", language.Name, phrase, marks)
			}
		}
	}
}

// TestPatterns tells the three patterns apart by what models wrote, and counts words.
func TestPatterns(t *testing.T) {
	for text, want := range map[string]string{
		"Hold on. Let me start over: I will go through the list again from the beginning.":                       "starting over",
		"Is there an arithmetic progression with a common difference? Maybe a formula or a pattern of 12 terms.": "equation or rule",
		"The first letter of both is a, so I compare the second letter, then the third letter, as in bat, bar.":  "letter by letter",
		"The input is a list of strings. I sort them: ape, bee. No number is left, no, none.":                    "",
	} {
		m := MeasureMarks(text)
		var shown []string
		for _, p := range Patterns() {
			if slices.ContainsFunc(p.List, func(phrase string) bool { return m.Phrases[phrase] > 0 }) {
				shown = append(shown, p.Name)
			}
		}
		if got := strings.Join(shown, ", "); got != want {
			t.Errorf("%q shows %q by %v, want %q", text, got, m.Phrases, want)
		}
	}
	m := MeasureMarks("It's 7: no, wait. Nein, äpfel! 我是\nno more")
	if m.Words != 9 || m.SecondThoughts != 2 || m.Phrases["no,"] != 1 || m.Phrases["wait"] != 1 {
		t.Errorf("%+v", m)
	}
}

// TestLanguages wants sentences of each language known as such.
func TestLanguages(t *testing.T) {
	f := newLanguageFinder()
	for want, sentence := range map[string]string{
		"English":    "So the first word that we have in the list is banana.",
		"German":     "Dann muss ich die Liste noch einmal von vorne prüfen und sortieren.",
		"French":     "Je dois donc trier les mots de la liste dans le bon ordre.",
		"Spanish":    "Primero tengo que ordenar las palabras de la lista por la primera letra.",
		"Italian":    "Adesso ordino le parole della lista con la prima lettera che è più piccola.",
		"Portuguese": "Primeiro eu preciso ordenar as palavras da lista, mas não são muitas.",
		"Dutch":      "Eerst moet ik de woorden van het alfabet sorteren, dat is niet moeilijk.",
		"Chinese":    "首先我需要对这个列表进行排序。",
		"Japanese":   "まず、このリストを並べ替えます。",
		"Korean":     "먼저 목록을 정렬해야 합니다.",
		"Cyrillic":   "Сначала нужно отсортировать список.",
		"Arabic":     "أولا يجب ترتيب القائمة.",
		"":           "ape, bee, cat",
	} {
		if got := f.language(appendWords(nil, sentence)); got != want {
			t.Errorf("%q is taken for %q, want %q", sentence, got, want)
		}
	}
}

// TestUnclear wants no language for words that two languages share.
func TestUnclear(t *testing.T) {
	if got := newLanguageFinder().language(strings.Fields("el la de que para se")); got != "" {
		t.Errorf("words that are Portuguese too, but for two, are taken for %s", got)
	}
}

func FuzzMeasure(f *testing.F) {
	f.Add("Wait, let me check.\nWait, let me check.\n等等。Das ist nicht die Liste.")
	f.Fuzz(func(t *testing.T, text string) {
		m := MeasureMarks(text)
		if m.Characters != int64(utf8.RuneCountInString(text)) || m.SecondThoughts > m.Characters || m.RepeatedLines > m.Characters || m.LanguageSwitches > m.Characters || min(m.SecondThoughts, m.RepeatedLines, m.LanguageSwitches) < 0 {
			t.Errorf("%+v", m)
		}
	})
}

// TestDocumented wants the phrases on the page that explains them.
func TestDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/report.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, list := range append(secondThoughts(), Patterns()...) {
		if line := "\n    " + list.Name + ": " + strings.Join(list.List, "; ") + "\n"; !strings.Contains(string(page), line) {
			t.Errorf("the page lacks %q", line)
		}
	}
	if line := "fewer than " + strconv.Itoa(shortestLine) + " characters"; !strings.Contains(string(page), line) {
		t.Errorf("the page lacks %q", line)
	}
}

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
