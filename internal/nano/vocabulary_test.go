package nano

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/task"
)

// TestInstruction scans instructions with the words a (269), don't (270), reverse
// (271) and the (272), and with the phrases "Reverse it." (273), "Reverse it. Now:"
// (274) and "Sort the following list:" (275).
func TestInstruction(t *testing.T) {
	n := tiny(t)
	for _, c := range []struct {
		text string
		want []token
	}{
		{"", nil},
		{" .,:?!\n\t\x00", nil},
		{"a", []token{269}},
		{"The THE the", []token{272, 272, 272}},
		{"Don't", []token{270}},
		{"don’t", []token{268}}, // its apostrophe is a letter beyond ASCII
		{"don't'", []token{268}},
		{"Reverse it.", []token{273}},
		{"Reverse it. Now:", []token{274}}, // the longest one
		{"Reverse it. now:", []token{273, 268}},
		{"reverse it.", []token{271, 268}}, // another case is another phrase
		{"Reverse  it.", []token{271, 268}},
		{"xReverse it.", []token{268, 268}}, // not inside a word
		{"the-Reverse it.the", []token{272, 273, 272}},
		{"(Sort the following list: a)", []token{275, 269}},
		{"Sort the following list", []token{268, 272, 268, 268}},
		{"a1 1 23 naïve\xff", []token{268, 268, 268, 268}},
		{"ÀThe", []token{268}},
	} {
		s := sequence{vocabulary: n.vocabulary}
		if s.instruction(c.text); !slices.Equal(s.tokens, c.want) {
			t.Errorf("%q: %d, want %d", c.text, s.tokens, c.want)
		}
	}
}

// TestListed reads lists with the longest marks, and writes them again.
func TestListed(t *testing.T) {
	for _, c := range []struct {
		text string
		want []token
	}{
		{"[]", []token{256, 257}},
		{"[1, 2]", []token{256, '1', 258, '2', 257}},
		{"['a', 'b']", []token{259, 'a', 260, 'b', 261}},
		{`['a', "b"]`, []token{259, 'a', '\'', 258, '"', 'b', '"', 257}},
		{"[1,2 ,  3", []token{256, '1', ',', '2', ' ', 258, ' ', '3'}},
		{"[[1], [2]]", []token{256, 256, '1', 257, 258, 256, '2', 257, 257}},
		{"']'", []token{261, '\''}},
		{"', ", []token{'\'', 258}},
		{"[é\x00", []token{256, 0xc3, 0xa9, 0}},
	} {
		var s sequence
		var written []byte
		s.marked(c.text)
		if !slices.Equal(s.tokens, c.want) {
			t.Errorf("%q: %d, want %d", c.text, s.tokens, c.want)
		}
		for _, t := range s.tokens {
			written = t.appendTo(written)
		}
		if string(written) != c.text {
			t.Errorf("%q is written as %q", c.text, written)
		}
	}
}

// String returns the tokens, and in parentheses the places that are not zero.
func (s *sequence) String() string {
	names := map[token]string{
		endToken: "END", systemToken: "SYSTEM", userToken: "USER", assistantToken: "ASSISTANT",
		textToken: "TEXT", listToken: "LIST", unknownToken: "?",
	}
	var b strings.Builder
	for i, t := range s.tokens {
		name, ok := names[t]
		switch {
		case !ok && t < endToken:
			name = fmt.Sprintf("%q", t.appendTo(nil))
		case !ok:
			name = fmt.Sprint(t)
		}
		fmt.Fprintf(&b, " %s", name)
		if at := s.places[i]; at != (place{}) {
			fmt.Fprintf(&b, "(%d %d %d)", at.index, at.field, at.rest)
		}
	}
	return strings.TrimSpace(b.String())
}

// TestSequence reads prompts with the vocabulary of TestInstruction. A place is
// written (index field rest).
func TestSequence(t *testing.T) {
	n := tiny(t)
	for _, c := range []struct {
		name   string
		prompt verbatim.Prompt
		want   string
	}{
		{"nothing", nil, `ASSISTANT`},
		{"an empty question", userSays(""), `USER TEXT(0 0 1) ASSISTANT`},
		{"a text", userSays(`Reverse it. "ab"`), `USER 273 TEXT(0 0 3) "a"(1 0 2) "b"(2 0 1) ASSISTANT`},
		{"an empty text", userSays(`""`), `USER TEXT(0 0 1) ASSISTANT`},
		{"one quotation mark", userSays(`the "ab`), `USER 272 TEXT(0 0 3) "a"(1 0 2) "b"(2 0 1) ASSISTANT`},
		{"quotation marks inside", userSays(`the "a"b" a`), `USER 272 269 TEXT(0 0 4) "a"(1 0 3) "\""(2 0 2) "b"(3 0 1) ASSISTANT`},
		{"words after the text", userSays("a \"x\"\nReverse it."), `USER 269 273 TEXT(0 0 2) "x"(1 0 1) ASSISTANT`},
		// What is before and after is no word and no phrase together.
		{"before and after apart", userSays(`Reverse "x" it.`), `USER 271 ? TEXT(0 0 2) "x"(1 0 1) ASSISTANT`},
		{"a word cut by the text", userSays(`rev"x"erse`), `USER ? ? TEXT(0 0 2) "x"(1 0 1) ASSISTANT`},
		{"a quotation mark before a bracket", userSays(`"[1]"`), `USER TEXT(0 0 4) "["(1 0 3) "1"(2 0 2) "]"(3 0 1) ASSISTANT`},
		{"a colon", userSays("the: a: bc"), `USER 272 269 TEXT(0 0 3) "b"(1 0 2) "c"(2 0 1) ASSISTANT`},
		{"a colon without a space", userSays("the:a"), `USER 272 269 TEXT(0 0 1) ASSISTANT`},
		{"a colon and a line", userSays("the:\na"), `USER 272 269 TEXT(0 0 1) ASSISTANT`},
		{"a colon at the end", userSays("the: "), `USER 272 TEXT(0 0 1) ASSISTANT`},
		{"a list", userSays("Sort the following list: [12, 3]"),
			`USER 275 LIST(0 0 1) "["(1 1 3) "1"(2 1 2) "2"(3 1 1) ", "(4 2 2) "3"(5 2 1) "]"(6 3 1) ASSISTANT`},
		{"a list of strings", userSays("['a', 'b'] the"),
			`USER 272 LIST(0 0 1) "['"(1 1 2) "a"(2 1 1) "', '"(3 2 2) "b"(4 2 1) "']"(5 3 1) ASSISTANT`},
		{"a list with quotation marks", userSays(`the ['a', "b'"] "`),
			`USER 272 LIST(0 0 1) "['"(1 1 3) "a"(2 1 2) "'"(3 1 1) ", "(4 2 5) "\""(5 2 4) "b"(6 2 3) "'"(7 2 2) "\""(8 2 1) "]"(9 3 1) ASSISTANT`},
		{"a list that does not end", userSays("a [1, 2"), `USER 269 LIST(0 0 1) "["(1 1 2) "1"(2 1 1) ", "(3 2 2) "2"(4 2 1) ASSISTANT`},
		{"a bracket that closes before", userSays("] a [1"), `USER 269 LIST(0 0 1) "["(1 1 2) "1"(2 1 1) ASSISTANT`},
		{"a list in a list", userSays("[[1], the] a"),
			`USER 269 LIST(0 0 1) "["(1 1 1) "["(2 2 2) "1"(3 2 1) "]"(4 3 1) ", "(5 4 4) "t"(6 4 3) "h"(7 4 2) "e"(8 4 1) "]"(9 5 1) ASSISTANT`},
		{"a sum", userSays(`the "12" "-3" a`), `USER 272 269 TEXT(0 0 3) "1"(1 0 2) "2"(2 0 1) TEXT(0 1 3) "-"(1 1 2) "3"(2 1 1) ASSISTANT`},
		{"three numbers", userSays(`"1" "2" "3"`),
			`USER TEXT(0 0 10) "1"(1 0 9) "\""(2 0 8) " "(3 0 7) "\""(4 0 6) "2"(5 0 5) "\""(6 0 4) " "(7 0 3) "\""(8 0 2) "3"(9 0 1) ASSISTANT`},
		{"no sum", userSays(`"1" "b"`), `USER TEXT(0 0 6) "1"(1 0 5) "\""(2 0 4) " "(3 0 3) "\""(4 0 2) "b"(5 0 1) ASSISTANT`},
		{"no sum: signs", userSays(`"-" "--1"`),
			`USER TEXT(0 0 8) "-"(1 0 7) "\""(2 0 6) " "(3 0 5) "\""(4 0 4) "-"(5 0 3) "-"(6 0 2) "1"(7 0 1) ASSISTANT`},
		{"no sum: a line", userSays("\"1\" \"2\n\""), `USER TEXT(0 0 7) "1"(1 0 6) "\""(2 0 5) " "(3 0 4) "\""(4 0 3) "2"(5 0 2) "\n"(6 0 1) ASSISTANT`},
		{"no sum: a list", userSays(`[1" "2`), `USER LIST(0 0 1) "["(1 1 6) "1"(2 1 5) "\""(3 1 4) " "(4 1 3) "\""(5 1 2) "2"(6 1 1) ASSISTANT`},
		{"a system prompt", verbatim.Prompt{message("system", `the "a" [1]: x`), message("user", `"y"`)},
			`SYSTEM 272 269 ? ? USER TEXT(0 0 2) "y"(1 0 1) ASSISTANT`},
		{"an answer", verbatim.Prompt{message("user", `"y"`), message("assistant", "a, ["), message("user", "")},
			`USER TEXT(0 0 2) "y"(1 0 1) ASSISTANT "a"(1 0 0) ","(2 0 0) " "(3 0 0) "["(4 0 0) END USER TEXT(0 0 1) ASSISTANT`},
		{"a list for an answer", verbatim.Prompt{message("assistant", "[1, 2]!")},
			`ASSISTANT "["(1 1 0) "1"(2 1 0) ", "(3 2 0) "2"(4 2 0) "]"(5 3 0) "!"(6 3 0) END ASSISTANT`},
		{"an empty answer", verbatim.Prompt{message("assistant", "")}, `ASSISTANT END ASSISTANT`},
		{"another role", verbatim.Prompt{message("tool", `"y"`)}, `USER TEXT(0 0 2) "y"(1 0 1) ASSISTANT`},
		{"no content", verbatim.Prompt{{Role: "user"}}, `USER TEXT(0 0 1) ASSISTANT`},
		{"several parts", verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: `th`}, {Image: &verbatim.Image{}}, {Text: `e "x`}, {Text: `y"`}}}},
			`USER 272 TEXT(0 0 3) "x"(1 0 2) "y"(2 0 1) ASSISTANT`},
		{"bytes", userSays("\"é\xff\""), `USER TEXT(0 0 4) "\xc3"(1 0 3) "\xa9"(2 0 2) "\xff"(3 0 1) ASSISTANT`},
	} {
		s := n.sequence(c.prompt)
		if got := s.String(); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
		if got := n.Count(c.prompt); got != len(s.tokens) {
			t.Errorf("%s: counted %d tokens of %d", c.name, got, len(s.tokens))
		}
	}
}

// TestLongSequence counts the tokens of a prompt that is too long, and keeps no
// more of them than can be read.
func TestLongSequence(t *testing.T) {
	n := tiny(t)
	for _, text := range []string{strings.Repeat("the ", 5000), `"` + strings.Repeat("x", 5000), "[" + strings.Repeat("x", 4999)} {
		s := n.sequence(userSays(text))
		if s.count < 5000 || s.count > 5003 || len(s.tokens) != Context || len(s.places) != Context {
			t.Errorf("%.5q: %d tokens, %d of them in memory, and %d positions", text, s.count, len(s.tokens), len(s.places))
		}
	}
}

// FuzzSequence wants the pieces of a message to be the message, and the tokens of a
// payload to spell it.
func FuzzSequence(f *testing.F) {
	for _, text := range []string{"", `the "a" b`, `"1" "2"`, "x: y", "[1, ['a', 'b']] c", `"`, "[", "a ]["} {
		f.Add(text)
	}
	n := tiny(f)
	f.Fuzz(func(t *testing.T, text string) {
		q := divide(text)
		open, shut := "", ""
		if q.mark == '"' {
			open = `"`
			if len(q.before)+len(q.input)+len(q.after) == len(text)-2 {
				shut = `"`
			}
		}
		if got := q.before + open + q.input + shut + q.after; got != text {
			t.Fatalf("the pieces of %q make %q", text, got)
		}
		s := n.sequence(userSays(text))
		if s.count > Context {
			return
		}
		if s.count != len(s.tokens) || s.count != len(s.places) || s.count > len(text)+3 {
			t.Fatalf("%d tokens, %d in memory, of %d bytes", s.count, len(s.tokens), len(text))
		}
		var spelt []byte
		for i, tok := range s.tokens {
			spelt = tok.appendTo(spelt)
			if at := s.places[i]; at.index < 0 || at.field < 0 || at.rest < 0 {
				t.Fatalf("token %d has the place %v", i, at)
			}
		}
		want := q.input
		if a, b, ok := addends(q); ok {
			want = a + b
		}
		if string(spelt) != want {
			t.Fatalf("the payload %q is spelt %q", want, spelt)
		}
	})
}

// TestWordings wants the network to know how this program asks: the official
// wordings phrase by phrase, the first paraphrases word by word, and nearly all
// words of those that the training never showed.
func TestWordings(t *testing.T) {
	n := load(t)
	trained := trainedFamilies(t)
	mostUnknown := map[string]int{"": 0, "1": 0, "2": 2, "3": 2}
	for _, family := range task.Families() {
		if !trained[family.Name] {
			continue
		}
		for i := range family.Wordings {
			name := task.WordingName(i)
			most, ok := mostUnknown[name]
			if !ok {
				t.Errorf("%s: nothing is text of wording %q", family.Name, name)
				continue
			}
			unknown, words := n.spell(draw(t, family.Name, 4, 1, name)[0].prompt)
			switch {
			case name == "" && len(words)+len(unknown) > 0:
				t.Errorf("%s: %q are in no phrase: add the sentence to PHRASES of training/nano/wordings.py, train again and export", family.Name, append(unknown, words...))
			case len(unknown) > most:
				t.Errorf("%s, wording %q: the words %q are not known: add the sentence to training/nano/wordings.py, train again and export", family.Name, name, unknown)
			}
		}
	}
}

// trainedFamilies returns the families that the network was trained on, as the
// training declares them. Other families are not supported: the network has never seen their questions.
func trainedFamilies(t *testing.T) map[string]bool {
	t.Helper()
	source, err := os.ReadFile("../../training/nano/data.py")
	if err != nil {
		t.Fatal(err)
	}
	trained := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^\s+Kind\("([a-z-]+)"`).FindAllStringSubmatch(string(source), -1) {
		trained[m[1]] = true
	}
	for _, name := range []string{"copy", "reverse", "add", "sort-word-duplicate"} {
		if !trained[name] {
			t.Fatalf("training/nano/data.py does not train on %s: %v", name, trained)
		}
	}
	return trained
}

// spell lists the words of a prompt's instructions: those that the network does not
// know, and those that it knows. Phrases are left out.
func (n *Network) spell(p verbatim.Prompt) (unknown, known []string) {
	firstPhrase := firstWord + token(len(n.words))
	for _, m := range p {
		q := question{before: textOf(m)}
		if m.Role == "user" {
			q = divide(q.before)
		}
		for _, text := range []string{q.before, q.after} {
			for len(text) > 0 {
				t, size, ok := n.vocabulary.instruction(text)
				switch {
				case ok && t == unknownToken:
					unknown = append(unknown, text[:size])
				case ok && t < firstPhrase:
					known = append(known, text[:size])
				}
				text = text[size:]
			}
		}
	}
	slices.Sort(unknown)
	return slices.Compact(unknown), known
}
