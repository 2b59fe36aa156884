package extract

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"verbatim"
	"verbatim/internal/pylit"
)

var (
	textQuestion     = OfText("aB7Xm9K", "aB7Xm9K")
	sumQuestion      = &Question{Kind: Integer, Operands: []string{"570", "686"}}
	sentenceQuestion = OfText("At 7, we left.", "")
	idsQuestion      = OfText("0a1b-9\n77c2-0\n1f1f-3", "0a1b-9\n77c2-0\n1f1f-3")
	codeQuestion     = OfText("func a() {\n\tb := 1 // tset\n\n\treturn b\n}", "")
	charQuestion     = OfText("V", "")
	copyQuestion     = &Question{Kind: AskedText, Source: "aB7Xm9K", ASCII: true, Copy: true}
	rootQuestion     = &Question{Kind: Integer, Operands: []string{"1296"}}
	listQuestion     = OfList(ints(30, -4, 200), ints(30, -4, 200))
)

func ints(values ...int64) (out []pylit.Value) {
	for _, v := range values {
		out = append(out, pylit.MakeInt(v))
	}
	return out
}

// TestRules: each rule has a reply that is read otherwise when the rule is off.
func TestRules(t *testing.T) {
	for _, c := range []struct {
		rule   string
		q      *Question
		reply  string
		finish verbatim.Finish
		want   string // "" if no answer is found
	}{
		{"whole reply", textQuestion, "Done", "", "Done"},
		{"fence", OfText("a b", ""), "```\nK9mX7Ba\n```", "", "K9mX7Ba"},
		{"answer tags", textQuestion, "<result>K9mX7Ba</result>", "", "K9mX7Ba"},
		{"boxed", listQuestion, `\boxed{[1, 2]}`, "", "[1, 2]"},
		{"type", textQuestion, `\text{K9mX7Ba}`, "", "K9mX7Ba"},
		{"JSON", textQuestion, `{"answer":"K9mX7Ba","length":7}`, "", "K9mX7Ba"},
		{"bold", textQuestion, "***K9mX7Ba***", "", "K9mX7Ba"},
		{"quotes", textQuestion, `"K9mX7Ba"`, "", "K9mX7Ba"},
		{"bullet", textQuestion, "> K9mX7Ba", "", "K9mX7Ba"},
		{"assignment", textQuestion, "x=12", "", "12"},
		{"full stop", textQuestion, "K9mX7Ba.", "", "K9mX7Ba"},
		{"final answer", sumQuestion, "Final answer: 1256. The sum is 1255.", "", "1256"},
		{"named", sumQuestion, "The sum is 1256. It is 9.", "", "1256"},
		{"marked", textQuestion, "Here you go: K9mX7Ba, friend: K9mX7Ba", "", "K9mX7Ba"},
		{"equation", sumQuestion, "570 + 686 = 1256\nIt is 12", "", "1256"},
		{"only number", sumQuestion, "As far as I know 1256 comes out.", "", "1256"},
		{"alone on a line", textQuestion, "I look at it.\nK9mX7Ba\nIt ends here.", "", "K9mX7Ba"},
		{"code block", textQuestion, "I look at it.\n```\nK9mX7Ba\n```\nIt ends here.", "", "K9mX7Ba"},
		{"code", listQuestion, "```python\nx = 1\ny = [3, 4]\nprint(sorted(y))\n```", "", ""},
		{"loose list", OfList([]pylit.Value{pylit.MakeStr("a")}, nil), "[b, c]", "", "[b, c]"},
		{"plain list", listQuestion, "-4, 30, 200", "", "-4, 30, 200"},
		{"plain list", listQuestion, "The list is 30, -4, 200.\n\nThe output will be -4, 30, 200.", "", "-4, 30, 200."},
		{"qualifier", OfText("ba b−zu", "ba b−zu"), "<<<ba b−zu>>>\n\nThe text is written in the \"la\" character set.", "", "ba b−zu"},
		{"copied input", copyQuestion, "The original text is \"aB7Xm9K\".", "", "aB7Xm9K"},
		{"whole part", rootQuestion, "It comes out at 36.06, down to 36.", "", "36"},
		{"purpose", listQuestion, "To sort the given list by value:\n\n[3, 4, 5]\n\nIt is sorted.", "", "[3, 4, 5]"},
		{"noun of a text", textQuestion, "It is now the string K9mX7Ba.", "", "K9mX7Ba"},
		{"name in code", textQuestion, "It is the output of the method named so, the `reverse` one, and that is all.", "", ""},
		{"half quotes", textQuestion, "K9mX7Ba\"", "", "K9mX7Ba"},
		{"question", textQuestion, `Is it "K9mX7Ba"?`, "", ""},
		{"negation", textQuestion, `The answer is not "K9mX7Ba".`, "", ""},
		{"negation", textQuestion, `The answer: "K9mX7Ba" are not visible characters.`, "", ""},
		{"alternatives", textQuestion, `The answer is either "K9mX7Ba" or "K9mXBa7".`, "", ""},
		{"example", textQuestion, `For example, the answer is "cba".`, "", ""},
		{"input", textQuestion, `The original text is "Wxyz7k3".`, "", ""},
		{"echo", textQuestion, "Reversed: K9mX7Ba\nanswer: aB7Xm9K", "", "K9mX7Ba"},
		{"withdrawn", textQuestion, "The answer is K9mX7B1.\nWait, no.\nK9mX7Ba", "", "K9mX7Ba"},
		{"marked lines", idsQuestion, "1. 0a1b-9\n2. 77c2-0", "", "1. 0a1b-9\n2. 77c2-0"},
		{"code block", codeQuestion, "Here is the code:\n```go\nfunc x() {\n\n}\n```\nDone.", "", "func x() {\n\n}"},
		{"alone on a line", idsQuestion, "0a1b-9\n77c2-0\n\nAll of them are copied.", "", "0a1b-9\n77c2-0"},
		{"named", idsQuestion, "The answer:\n\n0a1b-9\n77c2-0\n\nI began with these.\n\n0a1b-8\n77c2-0", "", "0a1b-9\n77c2-0"},
		{"example", idsQuestion, "0a1b-9\n77c2-0\n\nChanges:\n- none-1\n- none-2", "", "0a1b-9\n77c2-0"},
		{"noun", charQuestion, "The character is V.", "", "V"},
		{"noun", rootQuestion, "The length of the list is 4, and the root is 36. It has 2 digits.", "", "36"},
		{"table", textQuestion, "| Text | Reversed |\n|---|---|\n| aB7Xm9K | K9mX7Ba |", "", "K9mX7Ba"},
		{"table", sumQuestion, "| step | value |\n|---|---|\n| ones | 6 |\n| sum | 1256 |\n\nI am done with 7 steps.", "", "1256"},
		{"truncated", sumQuestion, "The sum is 125", verbatim.FinishLength, ""},
		{"produced", textQuestion, "Taking the characters one by one gives K9mX7Ba", "", "K9mX7Ba"},
		{"produced", OfList(ints(1, 2), ints(1, 2)), "By hand we get [1, 2], as it was.", "", "[1, 2]"},
		{"unclosed list", listQuestion, "[-4, 30, 200", "", "[-4, 30, 200"},
		{"unread list", OfList([]pylit.Value{pylit.MakeStr("3XL-86"), pylit.MakeStr("5XL-19")}, nil), "1. 3XL-86\n2. 5XL-19\n\nThe output should be:\n[3, 5, 3XL-86, 5XL-19]", "", ""},
		{"written sum", sumQuestion, "```\n  570\n+ 686\n-----\n 1256\n```", "", "1256"},
		{"heading", sentenceQuestion, "Text: We left, at 7.", "", "We left, at 7."},
		{"title", idsQuestion, "**Codes**\n\n0a1b-9\n77c2-0", "", "0a1b-9\n77c2-0"},
		{"symbols", textQuestion, "🔄 K9mX7Ba", "", "K9mX7Ba"},
		{"interjection", OfText("cba de", "cba de"), "Okay, ed abc", "", "ed abc"},
		{"parentheses", OfText("a b", ""), "(ed cba)", "", "ed cba"},
		{"count", sumQuestion, "Counting on: 1254, 1255, 1256.", "", "1256"},
		{"copied", textQuestion, "The string you asked me to repeat is: aB7Xm9K", "", "aB7Xm9K"},
		{"like the input", OfText("marble", "marble"), "It reads elbram from the right, and that is a name of no thing that I know.", "", "elbram"},
		{"block after words", idsQuestion, "Here you go: 0a1b-9\n77c2-0\nThat is all I have to say.", "", "0a1b-9\n77c2-0"},
		{"only word", textQuestion, "Flipped, K9mX7Ba pops out.", "", "K9mX7Ba"},
		{"joined characters", textQuestion, "Když jdeme postupně od konce: K, 9, m, X, 7, B. Dohromady tedy K9mX7B", "", "K9mX7B"},
		{"copied input", &Question{Kind: AskedText, Source: "aB7Xm9K", Copy: true}, "السلسلة كما وردت، أي aB7Xm9K، دون أي تغيير.", "", "aB7Xm9K"},
		{"foreign digits", sumQuestion, "حاصل جمع دو عدد برابر با ۱۲۵۶ است.", "", "۱۲۵۶"},
		{"same characters", OfText("aB7", "aB7"), "Odzadu je z „aB7“ slovo 7Ba.", "", "7Ba"},
	} {
		on, _ := Find(c.reply, c.finish, c.q)
		if got := c.reply[on.Start:on.End]; got != c.want {
			t.Errorf("%s: %q gives %q, want %q", c.rule, c.reply, got, c.want)
		}
		off, _ := newScan(c.reply, c.finish == verbatim.FinishLength, c.q, rules{off: c.rule}).find()
		if on.Start == off.Start && on.End == off.End && on.Rule == off.Rule && on.Text == off.Text {
			t.Errorf("%s: %q gives %q also without the rule", c.rule, c.reply, c.want)
		}
	}
}

// repeatedUnits are what long replies repeat, to lead the finder to many candidates.
func repeatedUnits() []string {
	return []string{"a", "[", "[1, ", "['a ", "1 ", "\"x\" ", "= 1\n", "Wait. ", "`a` ", "**", "The answer is K9mX7Ba.\n", "```\n", "'", "{\"a\":", "1,\n", "$1$ ", "a: b\n", "ab. ", "\\boxed{", "1 + 1 = 2\n", "[1]\n", "« ", "- a\n", "| a | 1 |\n", "1. a\n", "The answer:\na\nb\n\n", "```\na\nb\n```\n", "Well done.\n", "1\n", "x[1] ", "1 < 2\n", "| 1 | 2 |\n", "[1, 2], "}
}

// everyKind has a question of each kind that the finder treats in a way of its own.
func everyKind() []*Question {
	return []*Question{textQuestion, sumQuestion, listQuestion, OfText("a b.", ""), idsQuestion, codeQuestion, charQuestion}
}

// TestFarSentences: marks in sentences that are far from both ends of a long line are passed over,
// and those near its end are read.
func TestFarSentences(t *testing.T) {
	text := strings.Repeat("The \"abc\" is padded with very long words here. ", 6000)
	if a, ok := Find(text, "", textQuestion); ok && a.Start > 1<<15 {
		t.Errorf("an answer far from the start: %+v", a)
	}
}

// TestEquations: an equation counts if it is about the operands, or if it is all that
// there is.
func TestEquations(t *testing.T) {
	q := &Question{Kind: Integer, Operands: []string{"57", "74"}}
	for reply, want := range map[string]string{
		"57 + 74 = 131":                                                         "131",
		"Sum = 131, and 7 + 4 = 11":                                             "131",
		"131 (7 + 4 = 11, carry 1)":                                             "131",
		"The sum is 131 (7 + 4 = 11, carry 1).":                                 "131",
		"131\n\n**Explanation:** 57 + 74: 7+4 = 11, 5+7+1 = 13":                 "131",
		"57 + 74 is 131, because 50 + 70 = 120 and 7 + 4 = 11.":                 "131",
		"50 + 70 = 120, 7 + 4 = 11, 120 + 11 = 131":                             "131",
		"57 + 74 = 50 + 70 + 7 + 4 = 131. As a check, 13 + 1 = 14.":             "131",
		"57 + 74 = (50 + 70) + (7 + 4) = 131":                                   "131",
		"74 + 57 = 131\n7 + 4 = 11":                                             "131",
		"057 + 74 = 131\n7 + 4 = 11":                                            "131",
		"7 + 4 = 11":                                                            "11",
		"Adding the tens gives 50 + 70 = 120. So the answer is 120 + 11 = 131.": "131",
	} {
		if a, ok := Find(reply, "", q); !ok || a.Of(reply) != want {
			t.Errorf("%q gives %q, want %q", reply, a.Of(reply), want)
		}
	}
}

// TestBlocks: texts of several lines are found whole, and nothing around them.
func TestBlocks(t *testing.T) {
	const text, code, words = "0a1b-9\n77c2-0", "func a() {\n\n\treturn nil\n}", "one two three\nfour five six"
	wordsQuestion := OfText("seven eight nine\nten eleven", "")
	for _, c := range []struct {
		q                 *Question
		before, in, after string
		want              string
	}{
		{idsQuestion, "Here is the result:\n\n", text, "", text},
		{idsQuestion, "", text, "\n\nLet me know!", text},
		{idsQuestion, "Sure!\n\n```\n", text, "\n```\nDone.", text},
		{idsQuestion, "Sure!\n\n```text\n", text, "\n```", text},
		{idsQuestion, "Here:\n", "- `0a1b-9`\n- `77c2-0`", "\n\nAll are there.", text},
		{idsQuestion, "Here:\n", "1. 0a1b-9\n\n2. 77c2-0", "", text},
		{idsQuestion, "", `["0a1b-9", "77c2-0"]`, "", text},
		{idsQuestion, "{\"ids\": ", `["0a1b-9", "77c2-0"]`, "}", text},
		{idsQuestion, "Wrong first:\n0a1b-8\n77c2-8\n\nWait, that is wrong. Again:\n", text, "", text},
		{idsQuestion, "Here:\n", "0a1b-9", "\n", "0a1b-9"},
		{codeQuestion, "Here is the code:\n\n", code, "", code},
		{codeQuestion, "Here is the code:\n\n```go\n", code, "\n```", code},
		{codeQuestion, "", code, "\n\nNote that nothing is changed.", code},
		{wordsQuestion, "Original text:\n```\none two\nfour\n```\n\nNew text:\n```\n", words, "\n```", words},
		{wordsQuestion, "```\n", words, "\n```\n\nChanges made:\n- Replaced one by two\n- Deleted six", words},
		{wordsQuestion, "Here it is:\n", words, "\n\nChanges made:\n- Replaced one by two\n- Deleted six", words},
		{wordsQuestion, "", words, "", words},
	} {
		reply := c.before + c.in + c.after
		if a, ok := Find(reply, "", c.q); !ok || a.Of(reply) != c.want || reply[a.Start:a.End] != c.in {
			t.Errorf("%q gives %q from %q, want %q", reply, a.Of(reply), reply[a.Start:a.End], c.want)
		}
	}
	for _, reply := range []string{"I will copy them.", "Which ones?", "Changes made:\n- 0a1b-9\n- 77c2-0", "Original text:\n0a1b-9\n77c2-0"} {
		if a, ok := Find(reply, "", idsQuestion); ok {
			t.Errorf("%q gives %q", reply, a.Of(reply))
		}
	}
}

// TestForms: what a sample shows of the form of answers decides what is taken off a reply.
func TestForms(t *testing.T) {
	copyQuestion := OfText("naïve — x ½", "naïve — x ½")
	for _, c := range []struct {
		q           *Question
		reply, want string
	}{
		{OfText("é👩x", "é👩x"), "<<<é👩x>>>", "é👩x"},
		{OfText("<<<é👩x>>>", ""), "```\n<<<é👩x>>>\n```", "<<<é👩x>>>"},
		{OfText(`"a-b"`, ""), `"c-d"`, `"c-d"`},
		{OfText("a-b", ""), `"c-d"`, "c-d"},
		{OfText("- a\n- b", ""), "- c\n- d", "- c\n- d"},
		{OfText("a\nb", ""), `{"answer": "c\nd"}`, "c\nd"},
		{OfText(`a "b"`, ""), `{"answer": "c \"d\""}`, `c "d"`},
		{copyQuestion, "The answer is:\n\nnaïve — x ½\n\nI hope this helps.", "naïve — x ½"},
		{copyQuestion, "Sure!\n\nnaïve — x ½\n\nI hope this helps.", "naïve — x ½"},
		{OfText("s❤️d", "s❤️d"), "Wrong one first:\n\ns❤️x\n\nWait, that is wrong. The correct result is:\n\ns❤️d", "s❤️d"},
	} {
		if a, ok := Find(c.reply, "", c.q); !ok || a.Of(c.reply) != c.want {
			t.Errorf("%q gives %q, want %q", c.reply, a.Of(c.reply), c.want)
		}
	}
}

// TestNouns: words name a character, a count, a position or a root, in several languages.
func TestNouns(t *testing.T) {
	count := &Question{Kind: Integer}
	for _, c := range []struct {
		q       *Question
		want    string
		replies []string
	}{
		{charQuestion, "4", []string{"The character is 4", "The 2nd character in \"k4Vx\" is 4.", "Das Zeichen ist 4.", "第2个字符是4。", "Второй символ — 4."}},
		{charQuestion, "V", []string{
			"The character is V.", "is \"V\".", "is **V**.", "Character number 2 is V.", "The letter at position 2 is V.", "The letter V", "V is the second character.", "Letter: V",
			"The character at position 2 is V, an uppercase letter.", "The character at position 2 is `V`, as there are 4 characters.", "Le deuxième caractère est V.", "El carácter es «V».",
			"두 번째 문자는 V입니다.", "V\n\nExplanation: k is 1, V is 2.", "So V.",
		}},
		{charQuestion, "", []string{"The character is unknown.", "The text has 8 characters.", "The character is not V.", "It could be V or x.", "Which character?"}},
		{count, "3", []string{
			"Count: 3", "The count is 3.", "The letter 'a' appears 3 times.", "There are 3 occurrences of 'a'.", "The number of a's is 3", "I count 3.", "Das Zeichen kommt 3 Mal vor.",
			"La lettre a apparaît 3 fois.", "La letra a aparece 3 veces.", "字符出现了3次。", "The character \"a\" (upper and lower case are different) is 3.", "Position 2, 4 and 6, so 3.",
			"The first z is at position 3.", "Position: 3", "位置是3。", "La posición es 3.",
		}},
		{count, "", []string{"The first character \"o\" (the first position is 1) in the word is \"O\"."}},
		{rootQuestion, "36", []string{
			"The square root of 1296 is 36.", "36 * 36 = 1296, so the root is 36.", "√1296 = 36, because 36 × 36 = 1296.", "Square root: 36", "The whole part is 36.", "36 (because 36² = 1296)",
			"Die Wurzel aus 1296 ist 36.", "1296的平方根是36。", "30 × 30 = 900, 40 × 40 = 1600. The root is 36.",
		}},
		{sumQuestion, "1256", []string{
			"La somme est de 1256.", "La suma de 570 y 686 es de 1256.", "Die Summe beträgt 1256.", "Le total est donc 1256.", "答案是:1256", "합은 1256입니다.", "The sum is always 1256.", "1256, since 600 + 656 = 1256.", "So 1256.",
		}},
		{textQuestion, "K9mX7Ba", []string{
			"K9mXB7a; the correct one is K9mX7Ba", "So K9mX7Ba.", "Donc K9mX7Ba.", "答案是:K9mX7Ba", "答え:K9mX7Ba", "Ответ:K9mX7Ba", "Answer:K9mX7Ba", "정답은 K9mX7Ba입니다.", "결과는 K9mX7Ba 입니다.",
			"逆順にするとK9mX7Baです。", "Le résultat est donc K9mX7Ba.", "Der Text lautet also K9mX7Ba.", "The string reversed is K9mX7Ba, which has 7 characters.", "K9mX7Ba is what you get when you reverse it.",
			"The characters in reverse: K, 9, m, X → K9mX7Ba", "| | |\n|---|---|\n| Input | aB7Xm9K |\n| Output | K9mX7Ba |",
		}},
		{textQuestion, "", []string{"So what.", "So far so good.", "The string has seven characters.", "| Original | Length |\n|---|---|\n| aB7Xm9K | 7 |"}},
	} {
		for _, reply := range c.replies {
			a, ok := Find(reply, "", c.q)
			if ok != (c.want != "") || ok && a.Of(reply) != c.want {
				t.Errorf("%q gives %q by %q, want %q", reply, a.Of(reply), a.Rule, c.want)
			}
		}
	}
}

// Find is Finder.Find for one reply.
func Find(reply string, finish verbatim.Finish, q *Question) (Answer, bool) {
	return new(Finder).Find(reply, finish, q)
}

// randomTalk are words with marks, some of them
func randomTalk(r *rand.Rand) string {
	words := strings.Fields("the final answer is Answer: not İs sum of é 不是 答案是 3 ``x`` **b** ? no, wait. z.B. 1 result — “q” it's reversed")
	marks := []string{" ", "", ", ", ". ", ": ", "’", "\"", "* ", "。"}
	var b strings.Builder
	for range 1 + r.IntN(12) {
		b.WriteString(words[r.IntN(len(words))] + marks[r.IntN(len(marks))])
	}
	return b.String()
}

// TestStretch: a stretch of the reply that was read for several values has for each of them the
// words and the phrases that reading them alone gives.
func TestStretch(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for range 300 {
		var b strings.Builder
		for range 1 + r.IntN(30) {
			b.WriteString(randomTalk(r) + []string{"\n", " ", "İ", "\xff", "“”", "\u00a0"}[r.IntN(6)])
		}
		text := b.String()
		var w stretch
		at := 0
		for range 20 {
			at += r.IntN(40)
			if r.IntN(8) == 0 {
				at = r.IntN(len(text))
			}
			end := at + r.IntN(minStretch)
			for at < len(text) && !utf8.RuneStart(text[at]) {
				at++
			}
			for end < len(text) && !utf8.RuneStart(text[end]) {
				end++
			}
			if end >= len(text) {
				at = 0
				continue
			}
			w.cover(text, at, end, len(text))
			x, y := w.Span(at, end)
			want := NormalText(text[at:end])
			if got := w.Text[x:y]; got != want {
				t.Fatalf("%q from %d to %d is %q, want %q", text, at, end, got, want)
			}
			if got, _ := w.setsBefore(x, x, y); got != phrasesIn(want) {
				t.Fatalf("%q: sets %b, want %b", want, got, phrasesIn(want))
			}
		}
	}
}

// TestNormal: one space between words, lower case, plain apostrophes, and no marks of Markdown.
func TestNormal(t *testing.T) {
	for text, want := range map[string]string{
		"": "", " \t\n": "", "*_`#\"": "",
		"  The **Answer**\t is:\n": "the answer is:",
		"a * b":                    "a b", "\x00a\x1cb\v": "\x00a b",
		"“É” İS\u00a0\u200b it’s ‘x’ ": "é is it's 'x'",
		"\xffA\xff": "\ufffda\ufffd", "答案 是": "答案 是",
	} {
		if got := NormalText(text); got != want {
			t.Errorf("Normal(%q) is %q, want %q", text, got, want)
		}
	}
}

// TestColon: the first colon of either kind.
func TestColon(t *testing.T) {
	for text, want := range map[string][2]int{"": {}, "ab": {}, "a: b": {1, 2}, "答案：3:": {6, 9}, "：": {0, 3}} {
		if at, end := findColon(text); [2]int{at, end} != want {
			t.Errorf("Colon(%q) is %d, %d, want %v", text, at, end, want)
		}
	}
}

// TestWordsAreReadOnce: however many values a reply has, what is around them is read a few times
// and not again for each of them, which would be a hundred times.
func TestWordsAreReadOnce(t *testing.T) {
	const most = 20
	units := append(repeatedUnits(), "3 ", "7, ", "3 = ", "not 3 ", "(3 + 4) = 7; ", "\"x\" ", "**x** ", "The answer is 42. ", "[1, 2], ", "1\n", "x: 3\n", "`a` or 'b', ")
	for _, unit := range units {
		text := strings.Repeat(unit, 1<<14/len(unit))
		for _, q := range []*Question{textQuestion, sumQuestion, listQuestion} {
			s := newScan(text, false, q, rules{})
			s.split()
			s.candidates()
			s.choose()
			if times := float64(s.words.Total()) / float64(len(text)); times > most {
				t.Errorf("%q, kind %d: each character is read %.0f times", unit, q.Kind, times)
			}
		}
	}
}

func TestMarks(t *testing.T) {
	for _, c := range []struct {
		off        func(string) (string, bool)
		line, rest string
		ok         bool
	}{
		{trimBullet, "• a b", "a b", true},
		{trimBullet, "1. a", "1. a", false},
		{trimNumber, "12) a", "a", true},
		{trimNumber, "12:a", "12:a", false},
		{trimItem, "3. a", "a", true},
		{trimItem, "- a", "a", true},
		{trimItem, "3: a", "3: a", false},
		{trimAround, `"a",`, "a", true},
		{trimAround, "**", "**", false},
	} {
		if rest, ok := c.off(c.line); rest != c.rest || ok != c.ok {
			t.Errorf("of %q: %q, %t; want %q, %t", c.line, rest, ok, c.rest, c.ok)
		}
	}
}

func TestOffAll(t *testing.T) {
	all := []string{"- a", "- b"}
	if !trimAll(all, trimBullet) || all[0] != "a" || all[1] != "b" {
		t.Errorf("lines with bullets are %q", all)
	}
	some := []string{"- a", "b"}
	if trimAll(some, trimBullet) || some[0] != "- a" {
		t.Errorf("lines of which one has no bullet are %q", some)
	}
}
