package grade_test

import (
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/grade"
)

// textItem is an item about a text.
func textItem(source, want string) *verbatim.Item {
	s := verbatim.TextAnswer(source)
	return &verbatim.Item{Want: verbatim.TextAnswer(want), Source: &s}
}

// asked adds a prompt to an item.
func asked(it *verbatim.Item, prompt string) *verbatim.Item {
	it.Prompt = verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: prompt}}}}
	return it
}

// listItem is an item about a list with a prompt that shows it.
func listItem(prompt string, source, want []any) *verbatim.Item {
	s := verbatim.ListAnswer(source)
	return asked(&verbatim.Item{Want: verbatim.ListAnswer(want), Source: &s}, prompt)
}

// TestLoopsOfReaders: a loop of wide characters, of lines with numbers, and of another piece than the
// expected text repeats are loops.
func TestLoopsOfReaders(t *testing.T) {
	apple := verbatim.ListAnswer([]any{"🍎", int64(16), " "})
	apples := &verbatim.Item{Want: verbatim.TextAnswer(strings.TrimSpace(strings.Repeat("🍎 ", 16))), Source: &apple}
	edits := textItem("one two\nthree four", "one two\nthree four five")
	edit := func(n int) string { return string(rune('0'+n%10)) + ". Replace \"two\" with \"two\".\n" }
	pair := "1. Delete \"two\".\n2. Add \"five\" behind \"four\".\n"
	reverse := textItem("K83dhQzT", "TzQhd38K")
	for _, c := range []labelCase{
		{apples, "🍏 🌟🎌🌈💡🎭👦👧👧👦👧👦👦👦👦👦👦👦👦👦👦👦👦👦👦", "looped"},
		{apples, "🍎🍏" + strings.Repeat("🍵", 20), "looped"},
		{apples, strings.TrimSpace(strings.Repeat("🍎 ", 40)), "inserted_run"},
		{reverse, "Great! 🎉🎉🎉🎉🎉🎉", "talk"},
		{edits, "The edits:\n" + edit(1) + edit(2) + edit(3) + edit(4) + edit(5) + "6", "looped"},
		{edits, "The edits:\n" + edit(1) + edit(2) + edit(3) + edit(4) + edit(5) + "6. Repl", "looped"},
		{edits, "The edits:\n" + strings.Repeat(pair, 3) + "7. Del", "looped"},
		{edits, "The edits:\n" + edit(1) + edit(2), "talk"},
	} {
		c.check(t)
	}
	g := grade.Of(edits, "The edits:\n"+strings.Repeat(edit(1), 6), verbatim.FinishStop)
	if len(g.Flags) == 0 || g.Flags[len(g.Flags)-1] != "loop" {
		t.Errorf("flags %q, want loop", g.Flags)
	}
}

// TestEchoesOfReaders: the question, its text or most of a reply's words given back are an echo, and a
// calculation is no echo.
func TestEchoesOfReaders(t *testing.T) {
	name := verbatim.ListAnswer([]any{"nemnas-743"})
	twin := asked(&verbatim.Item{Want: verbatim.TextAnswer("QWuQndTGmqdO"), Source: &name}, "Output the identifier of the name.\n\nkumdem-016: QWuQnoTG3qdO\nnemnas-743: QWuQndTGmqdO\n\nThe name: nemnas-743")
	tree := listItem("Sort the list by the tree below: ['shaw', 'turp']\n\nThe tree: hypocrite is a kind of shaw; loverlike is a kind of traversal; shaw is a kind of turp.",
		[]any{"shaw", "turp"}, []any{"turp", "shaw"})
	nine := verbatim.ListAnswer([]any{"13821139"})
	root := asked(&verbatim.Item{Want: verbatim.TextAnswer("239"), Source: &nine, Grader: "integer"}, "Compute the cube root of 13821139, rounded down to a whole number.")
	letter := verbatim.ListAnswer([]any{"BTDI4nYK"})
	char := asked(&verbatim.Item{Want: verbatim.TextAnswer("4"), Source: &letter, Grader: "integer"}, "At which position is \"I\" in \"BTDI4nYK\"?")
	for _, c := range []labelCase{
		{twin, "nemnas-743", "echo"},
		{twin, "The name is nemnas-743.", "echo"},
		{twin, "kumdem-016 is a name that somebody gave to it.", "talk"},
		{twin, "nemnas-743: QWuQndTGmqdO", "explained"},
		{char, "BTDI4nYK", "echo"},
		{tree, "The tree: hypocrite is a kind of shaw; loverlike is a kind of traversal; no", "echo"},
		{tree, "The tree is not easy to read, and it has many words in it.", "talk"},
		{root, "You want the cube root of 13821139.", "echo"},
		{root, "13821139 ≡ 3 × 18 × 55 × 211 ≡ 419763125 ≡ 419763125 × 1 ≡", "talk"},
	} {
		c.check(t)
	}
}

// TestCutListsOfReaders: a list that the limit ended is described as far as it came, also behind words.
func TestCutListsOfReaders(t *testing.T) {
	numbers := listItem("Sort [20, 3, 1, 5, 12]", []any{int64(20), int64(3), int64(1), int64(5), int64(12)}, []any{int64(1), int64(3), int64(5), int64(12), int64(20)})
	rows := listItem("Sort [['b', 1], ['a', 2]]", []any{[]any{"b", int64(1)}, []any{"a", int64(2)}}, []any{[]any{"a", int64(2)}, []any{"b", int64(1)}})
	for _, c := range []labelCase{
		{numbers, "Sorted list in Python: [1, 4, 5, 12, 2", "unparsed"},
		{numbers, "Sorted list in Python: [1, 3, 5, 1", "cut_short"},
		{numbers, "The list is [20, 3, 1, 5, 12]. Let me sort it: it begins with [20, 3, 1,", "echo"},
		{numbers, "We use `sorted()` with a key such as x[1], which compares one item with", "talk"},
		{rows, "The rows:\n\n[['a', 2], " + strings.Repeat("['c', 3], ", 9) + "['c", "looped"},
	} {
		if g := grade.Of(c.item, c.reply, verbatim.FinishLength); grade.Older(g.Label) != c.label || g.Extracted {
			t.Errorf("%q: label %s (extracted %v), want %s", c.reply, g.Label, g.Extracted, c.label)
		}
	}
	sorted := listItem("Sort [1, 2, 3]", []any{int64(1), int64(2), int64(3)}, []any{int64(1), int64(2), int64(3)})
	labelCase{sorted, "List: [1, 2, 3]\n\nSorted: [1, 2", "echo"}.checkCut(t)
	labelCase{root1300(), "We need it.\n\nEstimate: 30^2 = 900, so it is above 30.\nTry 35: 35^2 = 1225\nTry 3", "talk"}.checkCut(t)
}

func root1300() *verbatim.Item {
	n := verbatim.ListAnswer([]any{"1300"})
	return &verbatim.Item{Want: verbatim.TextAnswer("36"), Source: &n, Grader: "integer"}
}

func (c labelCase) checkCut(t *testing.T) {
	t.Helper()
	if g := grade.Of(c.item, c.reply, verbatim.FinishLength); grade.Older(g.Label) != c.label {
		t.Errorf("%q: label %s (rule %q), want %s", c.reply, g.Label, g.Rule, c.label)
	}
}

// TestAnswersOfReaders: what is given as an answer has the label of the answer.
func TestAnswersOfReaders(t *testing.T) {
	rows := listItem("Sort [['b', 1], ['a', 2]]", []any{[]any{"b", int64(1)}, []any{"a", int64(2)}}, []any{[]any{"a", int64(2)}, []any{"b", int64(1)}})
	words := listItem("Sort ['pear', 'apple', 'fig']", []any{"pear", "apple", "fig"}, []any{"apple", "fig", "pear"})
	sum := verbatim.ListAnswer([]any{int64(47), int64(36)})
	add := &verbatim.Item{Want: verbatim.TextAnswer("83"), Source: &sum, Grader: "integer"}
	letters := verbatim.ListAnswer([]any{"D", int64(8), ""})
	emit := &verbatim.Item{Want: verbatim.TextAnswer("DDDDDDDD"), Source: &letters}
	reverse := textItem("r2D2c3P0", "0P3c2D2r")
	ids := textItem("7355fca0-d162\n83dce589-418c", "7355fca0-d162\n83dce589-418c")
	for _, c := range []labelCase{
		// A row alone is a list of one row.
		{rows, "['b', 1]", "missing"},
		{rows, "The answer is ['a', 2].", "cut_short"},
		{rows, "First comes ['a', 2], I think.", "talk"},
		// Items in another order are not the input, whatever they are called.
		{words, "Sure, here are the items in alphabetical order:\n\n1. apple\n2. fig\n3. pear\n\nLet me know if you want them in another format.", "reformatted"},
		{words, "This is a list of the characters in their order:\n\n['fig', 'apple', 'pear']", "misordered"},
		{words, "The original items:\n\n['pear', 'apple', 'fig']", "echo"},
		{words, "I merged them, resulting in the list ['apple', 'fig', 'pear'].", "explained"},
		{add, "Reading the digits from bottom to top:\n\n93", "carry"},
		{add, "The numbers:\n\n47", "talk"},
		// A sum that is stated, and then explained.
		{add, "The sum of the numbers is 83.\n\nExplanation: 47 + 36 = 83", "explained"},
		{add, "47 + 36 = 83", "equation"},
		{add, "83 + 0 = 83", "equation"},
		{add, "So 47 + 36 = 78.", "unrelated"},
		// How often something is to be written.
		{emit, "Output \"D\" 8 times with no other text.", "talk"},
		// Braces within a box, a word above the input, and lines with separators between them.
		{reverse, "Thus the reversed string is \\( \\boxed{\\texttt{0P3c2D2r}} \\).", "explained"},
		{reverse, "nothin'\n\nr2D2c3P0\n", "not_reversed"},
		{ids, "7355fca0-d162 - 7355fca0-d162\n\nI will only output the identifiers.", "corrupted"},
		{ids, "I\nI2\nI\nOIa0\nOIa1\nI\nOIa2\nOIa3\nI\n4", "unrelated"},
		// The name of a function is no program.
		{words, "To sort a list in Python you can use the `sorted()` function, which returns a new list.", "talk"},
		{words, "To sort a list in Python you can use `sorted(items)`.", "code"},
	} {
		c.check(t)
	}
}

// TestBrokenAnswersOfReaders: an answer in the wrong format has the label of what is wrong with it.
func TestBrokenAnswersOfReaders(t *testing.T) {
	word := textItem("iqrpd1", "iqrpd1")
	letter := verbatim.ListAnswer([]any{"demilitarize"})
	char := &verbatim.Item{Want: verbatim.TextAnswer("e"), Source: &letter}
	const long = "Harshness narcolepsy exon mischievously undependability resale. Astute fosterling influence mayhap neoclassic dtic moorland."
	copied := textItem(long, long)
	first, rest, _ := strings.Cut(long, ". ")
	marks := textItem("ta bé‒a b't", "ta bé‒a b't")
	for _, c := range []labelCase{
		{word, "\"Ruine, iqrpd1\"", "inserted_run"},
		{word, "\"rpd 1 or 2\"", "unrelated"},
		{word, "Here is the corrected string: \"iq rpd 1\"", "whitespace"},
		{word, "I will not output anything else.\n\nThis is a string.", "talk"},
		{word, "I won't add any other text.", "talk"},
		{word, "I will not output it.", "refusal"},
		{char, "The first one is number 2, which is a special case. In other words, 2 * 2 is always 4.", "talk"},
		{char, "Position 2 is t.", "substituted_char"},
		{char, "Demiltarize\n\nDemiltarize is a number 1.", "talk"},
		{copied, "Here is the text:\n\n" + first + ".\n" + rest, "whitespace"},
		{copied, "Here is the text:\n\n" + first + ".\n" + rest[:30] + rest[35:], "corrupted"},
		{copied, "Here is the text:\n\n" + first + ".\n\nAnything else that I can do?", "cut_short"},
	} {
		c.check(t)
	}
	labelCase{marks, "<<<TABAL A BINGA‒ABL A BINGA‒A BINGA TABAL A", "unrelated"}.checkCut(t)
	labelCase{marks, "I will look at the text and then repeat all of", "talk"}.checkCut(t)
}

// TestMarksOfReaders: a text between the marks of the question has the label of quotation marks around it,
// also below or behind words. Where their number is another one, they are characters of the answer.
func TestMarksOfReaders(t *testing.T) {
	const bare = "jﬁa\u3000b①él"
	between := asked(textItem(bare, bare), "Repeat the text between <<< and >>> exactly. Only output the text, without the marks.\n\n<<<"+bare+">>>")
	plain := textItem("K83dhQzT", "K83dhQzT")
	const whole = "<<<lYn🙂🙂🙂🙂ndx>>>"
	own := asked(textItem(whole, whole), "Repeat the following string exactly, including the marks <<< and >>>.\n\n"+whole)
	own.Mistakes = []verbatim.Mistake{{Label: "off_by_one", Detail: "one more", Answer: verbatim.TextAnswer("<<<lYn🙂🙂🙂🙂🙂ndx>>>")}}
	const spaced = "<<<SIY. . . . xLe>>>"
	dots := asked(textItem(spaced, spaced), "Repeat the following string exactly, including the marks <<< and >>>.\n\n"+spaced)
	for _, c := range []labelCase{
		{between, "<<<" + bare + ">>>", "quoted"},
		{between, "Here it is:\n<<<" + bare + ">>>", "explained"},
		{between, "好的，原文如下：\n<<<" + bare + ">>>", "explained"},
		{between, "好的，原文如下：<<<" + bare + ">>>", "explained"},
		{between, "Ecco la stringa completa: <<<" + bare + ">>>", "explained"},
		{plain, "<<<K83dhQzT>>>", "quoted"},
		{plain, "<<<K83dhQzT>>>>", "quoted"},
		{plain, "Voici : <<<K83dhQzT>>>", "explained"},
		{own, "好的，原文如下：\n" + whole, "explained"},
		{own, "好的，原文如下：\n<<<lYn🙂🙂🙂🙂🙂ndx>>>", "off_by_one"},
		{own, "はい、以下のとおりです。\n<<<lYn🙂🙂🙂🙂🙂ndx>>>", "off_by_one"},
		{own, "<<<lYn🙂🙂🙂🙂ndx>>>>>", "duplicated_run"},
		{dots, "Ecco la stringa completa, segni compresi: " + spaced, "explained"},
		{dots, "完整的字符串（包括标记）：" + spaced, "explained"},
		{dots, "Hier ist alles, auch die Zeichen davor: <<<SIY. . . xLe>>>", "dropped_run"},
		{dots, "<<<SIY. . . . x>>>>>>\n\nWhat to expect:\n\n* You will receive a sentence with the mark <<< and >> and <<< and >>...>>", "corrupted"},
	} {
		c.check(t)
	}
}

// TestHeadingsOfReaders: a heading of one word, or of a few that end in a colon, is no part of a text.
func TestHeadingsOfReaders(t *testing.T) {
	const want = "jﬁa\u3000b①él"
	text := textItem(want, want)
	for _, heading := range []string{"テキスト：", "文字列：", "文本：", "Text: ", "Texto: ", "Testo: ", "Текст: ", "Tekst: ", "텍스트: ", "Texte : "} {
		labelCase{text, heading + want, "explained"}.check(t)
		labelCase{text, heading + "jfia\u3000b①él", "unicode_norm"}.check(t)
	}
	labelCase{textItem("해-바라기", "기라바-해"), "기라바-해\n\n説明：", "explained"}.check(t)
	ids := textItem("35fea24e-49a4\n66abdf02-1b6d", "35fea24e-49a4\n66abdf02-1b6d")
	six := verbatim.ListAnswer([]any{"6", int64(8), " "})
	sixes := &verbatim.Item{Want: verbatim.TextAnswer("6 6 6 6 6 6 6 6"), Source: &six}
	sixes.Mistakes = []verbatim.Mistake{{Label: "off_by_one", Detail: "one less", Answer: verbatim.TextAnswer("6 6 6 6 6 6 6")}}
	for _, c := range []labelCase{
		{ids, "The identifiers were: 35fea24e-49a4", "cut_short"},
		{ids, "Die Kennungen: 35fea24e-49a4", "cut_short"},
		{ids, "The identifiers were: not what I expected", "talk"},
		{sixes, "Hier zijn acht zessen, gescheiden door spaties: 6 6 6 6 6 6 6", "off_by_one"},
		{sixes, "Hier zijn acht zessen, gescheiden door spaties: 6 6 6 6 6 6 6 6", "explained"},
		{sixes, "用空格分隔的八个六：6 6 6 6 6 6 6 6", "explained"},
		{sixes, "I wrote them with spaces: as you asked", "talk"},
	} {
		c.check(t)
	}
}

// TestTalkWithoutSpaces: prose of a script without spaces is talk, as other prose is. One word is no prose.
func TestTalkWithoutSpaces(t *testing.T) {
	words := listItem("Sort ['pear', 'apple', 'fig']", []any{"pear", "apple", "fig"}, []any{"apple", "fig", "pear"})
	for _, c := range []labelCase{
		{words, "置換と隣接文字の入れ替えは別々に数えますか？確認できれば並べ替えます。", "talk"},
		{words, "これは三つの列を順番に比較する問題ですね。まず第一列で分けます。", "talk"},
		{words, "请问要按什么顺序排序？", "talk"},
		{words, "Really sorted?", "talk"},
		{words, "apple", "unparsed"},
		{words, "苹果", "unparsed"},
	} {
		c.check(t)
	}
}

// TestCopulasOfReaders: a word for "is" before the last word of a sentence offers it, in many languages.
func TestCopulasOfReaders(t *testing.T) {
	letter := verbatim.ListAnswer([]any{"unbelted"})
	char := &verbatim.Item{Want: verbatim.TextAnswer("t"), Source: &letter}
	for _, sentence := range []string{
		"u-n-b-e-l-t-e-d, znak numer 6 to l.", "Szósty znak jest l.", "Šestý znak je l.", "O sexto caractere é l.", "Det sjätte tecknet är l.", "Det sjette tegnet er l.",
		"Шестой символ — это l.", "Шестой символ — l.",
	} {
		labelCase{char, sentence, "substituted_char"}.check(t)
	}
	labelCase{char, "Idę to zrobić.", "talk"}.check(t)
}

// TestStretchesOfThePrompt: a reply that is nothing but a stretch of the prompt is an echo.
func TestStretchesOfThePrompt(t *testing.T) {
	const source = "one two\nthree four"
	prompt := "Apply the edits below the text to the text.\n\n" + source + "\n\nThe edits:\n1. Add a line with the word \"wncsb\" below the line that holds \"four\".\n2. Insert \"bpeokvt\" directly behind \"two\"."
	edited := asked(textItem(source, "one two bpeokvt\nthree four\nwncsb"), prompt)
	const question = "Sort the following list by number of characters, the shortest first, and equal lengths by code point, ascending: ['5_conO', '65_q', 'abI', 'kayaW']"
	length := listItem("Your task is to sort a list by the rule that is given with it.\n\n"+question, []any{"5_conO", "65_q", "abI", "kayaW"}, []any{"abI", "65_q", "kayaW", "5_conO"})
	for _, c := range []labelCase{
		{edited, "The edits:\n1. Add a line with the word \"bpek\" above the line that holds \"four\".\n2. Insert \"bpekv\" directly behind \"two\".", "echo"},
		{edited, "1. Add a line with the word \"wncsb\" below the line that holds \"four\".", "echo"},
		{edited, "The edits:\n1. I put the new word below the last line, as you have asked me to do.", "talk"},
		{length, question, "echo"},
		{length, "Sort the following list by number of characters: ['5_conO', '65_q', 'abI', 'kayaW']", "echo"},
		{length, "['5_conO', '65_q', 'abI', 'kayaW']", "unchanged"},
		{length, "The sorted list: ['5_conO', '65_q', 'abI', 'kayaW']", "unchanged"},
	} {
		c.check(t)
	}
}

// TestLoopsOfSeparators: a piece that the question wants again and again is a loop
// where the limit ended it, or where it is there far more often.
func TestLoopsOfSeparators(t *testing.T) {
	source := verbatim.ListAnswer([]any{"Z", int64(16), "\n"})
	lines := &verbatim.Item{Want: verbatim.TextAnswer(strings.TrimSpace(strings.Repeat("Z\n", 16))), Source: &source}
	labelCase{lines, strings.TrimSpace(strings.Repeat("Z\n", 200)), "looped"}.checkCut(t)
	labelCase{lines, strings.TrimSpace(strings.Repeat("Z\n", 40)), "inserted_run"}.check(t)
}

// TestMarkupWithoutWords: markup around a right answer is no explanation, and words are.
func TestMarkupWithoutWords(t *testing.T) {
	six := rootItem("36", "6", "6.0")
	list := listItem("Sort [3, 1]", []any{int64(3), int64(1)}, []any{int64(1), int64(3)})
	for _, c := range []labelCase{
		{six, `$$\sqrt{36} = \boxed{6}$$`, "marked_up"},
		{six, `\[ \left\lfloor \sqrt{36} \right\rfloor = \boxed{6} \]`, "marked_up"},
		{six, "<|begin_of_box|>6<|end_of_box|>", "marked_up"},
		{six, "6<|eot_id|>", "marked_up"},
		{six, `The root is $\boxed{6}$.`, "explained"},
		{six, `所以 $$\boxed{6}$$`, "explained"},
		{six, "6 × 6 = 36, √36 = 6", "equation"},
		{list, "<|begin_of_box|>[1, 3]<|end_of_box|>", "marked_up"},
		{list, "<|begin_of_box|>Sorted: [1, 3]<|end_of_box|>", "explained"},
		{textItem("aB7Xm9K", "K9mX7Ba"), "> K9mX7Ba", "marked_up"},
		{six, "<answer type=\"final\">6</answer><br/>", "marked_up"},
		{six, "<<<x'y>>>\n<<<6>>>", "explained"},
	} {
		c.check(t)
	}
}

// TestCopiedInputs: where a text is to be copied, it is an answer, whatever it is
// called. Where another text is wanted, it is an echo.
func TestCopiedInputs(t *testing.T) {
	const text = "WLavjdr8MhWE"
	reversed := asked(textItem(text, "EWhM8rdjvaLW"), "Provide the following text in reverse order: \""+text+"\"")
	for _, prompt := range []string{
		"Repeat the following string exactly without modifying it: \"" + text + "\"",
		"Copy the text between the quotation marks character by character. \"" + text + "\"",
		"Here is a string: \"" + text + "\" Write this string once more, exactly as it stands.",
		"What is the content of the quotes below? Give it back letter for letter. \"" + text + "\"",
	} {
		it := asked(textItem(text, text), prompt)
		labelCase{it, "The original string is \"" + text + "\". I will not output anything else.", "explained"}.check(t)
		labelCase{it, "The given text is: " + text, "explained"}.check(t)
		labelCase{it, "I can't repeat the original string \"" + text + "\".", "refusal"}.check(t)
		labelCase{it, "The word \"" + text + "\" is a name that consists of many letters.", "echo"}.check(t)
	}
	labelCase{reversed, "The original string is \"" + text + "\".", "echo"}.check(t)
	ids := asked(textItem("0a1b-9\n77c2-0", "0a1b-9\n77c2-0"), "Copy the following identifiers exactly, one on each line.\n\n0a1b-9\n77c2-0")
	labelCase{ids, "0a1b-9\n\nThe identifiers are:\n- 0a1b-9\n- 77c2-0", "explained"}.check(t)
}

// TestMentionedParts: a part of the text between quotation marks is no answer, where a line of its own is.
func TestMentionedParts(t *testing.T) {
	const text = "méåıa bxyå‒İ’q"
	it := asked(textItem(text, text), "Repeat the text between <<< and >>> exactly. Only output the text, without the marks.\n\n<<<"+text+">>>")
	for _, after := range []string{
		"The text is written in the Latin alphabet, with the characters \"méåıa\" and \"bx\" being invisible.",
		"Les caractères «méåıa» et «bx» sont invisibles.",
		"Die Zeichen „méåıa“ und „bx“ sind unsichtbar.",
	} {
		labelCase{it, "<<<" + text + ">>>\n\n" + after, "explained"}.check(t)
	}
}

// TestWholeParts: the whole part of a fraction, which follows it, is the answer in any language.
func TestWholeParts(t *testing.T) {
	root, cube := rootItem("9805", "99", "99.02"), rootItem("4070325830404625", "159665", "159665.9")
	for _, reply := range []string{
		"Akar kuadrat dari 9805 kira-kira 99,02, sehingga setelah dibulatkan ke bawah hasilnya 99.",
		"Akar kuadrat dari 9805 kira-kira 99,02, dibulatkan ke bawah menjadi 99.",
		"9805'in karekökü yaklaşık 99,02, aşağı yuvarlanınca 99.",
		"A 9805 négyzetgyöke kb. 99,02, lefelé kerekítve 99.",
		"9805:n neliöjuuri on noin 99,02, alaspäin pyöristettynä 99.",
		"√9805 ≈ 99.02, rounded down 99.",
	} {
		labelCase{root, reply, "explained"}.check(t)
	}
	for _, c := range []labelCase{
		{root, "The root is about 99.02.", "decimal"},
		{root, "It is 99.02, which lies between 99 and 100.", "decimal"},
		{root, "It is a simple operation: 9805 is equal to the result of 9805 / 1.", "echo"},
		{root, "√9805 is 41, since 41 × 41 = 9805.", "other_number"},
		{cube, "The cube root of 4070325830404625, when expressed with only digits, is 410103176.", "other_number"},
		{root, "La racine carrée de 9805, arrondie en dessous, est 41.", "other_number"},
	} {
		c.check(t)
	}
}

// TestStretchesInOtherOrder: the words of the question, most of them in their order,
// are an echo.
func TestStretchesInOtherOrder(t *testing.T) {
	source := verbatim.ListAnswer([]any{"8", int64(16), ""})
	emit := asked(&verbatim.Item{Want: verbatim.TextAnswer(strings.Repeat("8", 16)), Source: &source},
		"Output the digit \"8\" 16 times with nothing between them. Only output this, without quotes and without any other text.")
	for _, c := range []labelCase{
		{emit, "The digit \"8\" 16 times with nothing.", "echo"},
		{emit, "You want the digit \"8\" 16 times with nothing between them.", "echo"},
		{emit, "The digits 8 and 16 are written many times here, with nothing else.", "talk"},
		{emit, "The output has digits, and this is why I need more time for them.", "talk"},
	} {
		c.check(t)
	}
}

// TestBabbleOfCutReplies: a reply that the limit ended has the label of what came last.
func TestBabbleOfCutReplies(t *testing.T) {
	numbers := listItem("Sort [20, 3, 1, 5, 12]", []any{int64(20), int64(3), int64(1), int64(5), int64(12)}, []any{int64(1), int64(3), int64(5), int64(12), int64(20)})
	ids := textItem("0a1b-97ce\n77c2-03de", "0a1b-97ce\n77c2-03de")
	digits := verbatim.ListAnswer([]any{"3", int64(16), ""})
	emit := &verbatim.Item{Want: verbatim.TextAnswer(strings.Repeat("3", 16)), Source: &digits}
	const inOrder = "['mandarin', 'apple', 'pineapple', 'cherry', 'apricot', 'banana', 'elderberry', 'fig']"
	long := listItem("Sort "+inOrder, []any{"mandarin", "apple", "pineapple", "cherry", "apricot", "banana", "elderberry", "fig"}, []any{"apple", "apricot", "banana", "cherry", "elderberry", "fig", "mandarin", "pineapple"})
	const marked = "r—a b👍🏽eñ漢жk"
	copied := asked(textItem(marked, marked), "Repeat the text between <<< and >>> exactly.\n\n<<<"+marked+">>>")
	pair := listItem("Sort [3, 8]", []any{int64(3), int64(8)}, []any{int64(3), int64(8)})
	rows := listItem("Sort [['b', 1], ['a', 2]]", []any{[]any{"b", int64(1)}, []any{"a", int64(2)}}, []any{[]any{"a", int64(2)}, []any{"b", int64(1)}})
	cube := rootItem("8622944014298328", "205062", "205062.8")
	reverse := textItem("arnpvQL87XgmuhhTdygJ", "JgydThhumgX78LQvpnra")
	for _, c := range []labelCase{
		{copied, "<<<r–a b👍🏽eñ漢жk>>\n\ndef find_text():\n    code_points = [\n        (0x0000, 0x0000, 'b', 'b', 1),", "unicode_norm"},
		{ids, "0a1b-97ce\n\nThe identifiers are:\n0a1b-97ce\n\nThe output is:\n0a1b-97", "cut_short"},
		{emit, strings.Repeat("\"3\" \n", 16), "looped"},
		{ids, "0a1b-97ce77c2-03de45ce81\n\nI made the following changes:\n1. I changed the identifier", "corrupted"},
		{pair, "List of lists: [3, 8, 9, 91, 10", "added"},
		{numbers, "The list to be sorted is: [20, 3, 1, 5, 12]\n\nThe list to be sorted is: [20, 3, 1, 5, 12]\n\nThe list to be sorted is: [20, 3,", "echo"},
		{long, strings.Repeat("The list to be sorted is: "+inOrder+"\n\n", 3) + "The list to be sorted is: " + inOrder[:30], "echo"},
		{rows, "The list to be sorted is: [['b', 1], ['a', 2]]\n\nThe list to be sorted is: [['b', 1], ['a',", "echo"},
		{rows, "To sort a list by the first column, ascending, and then by the second, ascending, and rows that are still equal as they were before, of which there are none:\n\n[['b', 1], ['c', 2]]\n\nThe list is sorted by the", "altered"},
		{cube, "Okay, so I need the cube root of 8622944014298328. Let me think. 200000^3 = 8 × 10^15, and 210000^3 = 9.261 × 10^15, so it is between. The root so far is 205000: 205000^2 = 42025000000, and", "talk"},
		{reverse, "Para invertir \"arnpvQL87XgmuhhTdygJ\" escribo los caracteres del último al primero:\n\n1. J\n2. g\n3. y\n4. d\n5. T\n6. h\n7. h\n8. u\n9. m\n10. g\n11", "talk"},
	} {
		c.checkCut(t)
	}
}

// TestBabbleWithoutAnswers: what a small model writes in place of an answer has the label that a reader gives it.
func TestBabbleWithoutAnswers(t *testing.T) {
	words := listItem("Sort ['nine', 'seven', 'six', 'one']", []any{"nine", "seven", "six", "one"}, []any{"nine", "one", "seven", "six"})
	ids := asked(textItem("0a1b-97ce\n77c2-03de", "0a1b-97ce\n77c2-03de"), "Copy the following identifiers exactly, one on each line.\n\n0a1b-97ce\n77c2-03de")
	reverse := textItem("K83dhQzT", "TzQhd38K")
	letter := verbatim.ListAnswer([]any{"ta.bc"})
	char := &verbatim.Item{Want: verbatim.TextAnswer("."), Source: &letter}
	letters := verbatim.ListAnswer([]any{"f", int64(4), " "})
	emit := &verbatim.Item{Want: verbatim.TextAnswer("f f f f"), Source: &letters}
	for _, c := range []labelCase{
		// What is in a program, or named next to one, is no answer.
		{emit, "Here's a more Pythonic way:\n```python\nprint([f\"{word}f{space}f\"])\n```\n\nThis code uses the `join` method to", "code"},
		{reverse, "This text is written to the console in the **<<<<** format. The code above is the output of the `print` function, which does nothing.", "talk"},
		// Lines without words are a list of other items.
		{words, "13\n15\n17\n19\n23", "altered"},
		// Names of functions within sentences are no program.
		{words, "We use the built-in sorted() function, and the sorted() function returns a new list.", "talk"},
		{words, "items.sort()\nprint(items)", "code"},
		// Introductions and promises are no refusals.
		{reverse, "I am an AI designed to assist with digital tasks. Here are some examples.", "talk"},
		{reverse, "I am an AI, so I can't do that.", "refusal"},
		{reverse, "As an AI, I like to look at such a text first.", "talk"},
		{reverse, "As an AI, I don't do that.", "refusal"},
		{reverse, "It seems I'm unable to display any additional text. Please provide the text.", "talk"},
		{reverse, "I'm unable to display this text.", "refusal"},
		// Identifiers behind words and a colon.
		{ids, "0a1b-97ce\n\nThe identifiers are: 0a1b-97ce", "cut_short"},
		{ids, "0a1b-97ce\n\nThe identifier is 0a1b-97ce", "cut_short"},
		{ids, "0a1b-97ce\n\nDie Kennung lautet 0a1b-97ce.", "cut_short"},
		{ids, "0a1b-97ce\n\nThe identifiers are: 0a1b-97ce, 77c2-03de", "separators"},
		{ids, "Les identifiants sont : 0a1b-97ce, 77c2-03de", "separators"},
		{ids, "The identifiers in this document are 0a1b-97ce and 77c2-03de.", "corrupted"},
		{ids, "The identifiers are not what I expected", "talk"},
		{ids, "Your input was: 0a1b-97ce\n\nYour output was: 77c2-03de", "head_missing"},
		// One quotation mark.
		{reverse, "K83dhQzT\"", "not_reversed"},
		{reverse, "TzQhd38K`", "quoted"},
		// A sign that is the answer.
		{char, "Znak numer 3 w tym napisie to kropka: .", "explained"},
		{char, "Character 3 is: .", "explained"},
		{char, "The third character is: ,", "substituted_char"},
	} {
		c.check(t)
	}
}

// TestCombinedForms: a text in another normal form, with other dashes, is in another Unicode form.
func TestCombinedForms(t *testing.T) {
	const want = "e−x yžçﬁ“‒a bg"
	labelCase{textItem(want, want), "e-x yžçfi\"-a bg", "unicode_norm"}.check(t)
	labelCase{textItem(want, want), "e-x yžçfo\"-a bg", "corrupted"}.check(t)
}

// TestOffersOfReaders: answers behind a noun for a text, behind words of more scripts without spaces, and lists
// with other minus signs and commas.
func TestOffersOfReaders(t *testing.T) {
	reverse := textItem("aB7Xm9K", "K9mX7Ba")
	copied := asked(textItem("aB7Xm9K", "aB7Xm9K"), "Repeat the following string exactly without modifying it: \"aB7Xm9K\"")
	list := listItem("Sort [30, -4, 200, 17]", []any{int64(30), int64(-4), int64(200), int64(17)}, []any{int64(-4), int64(17), int64(30), int64(200)})
	source := verbatim.ListAnswer([]any{"k", int64(5), " "})
	emit := &verbatim.Item{Want: verbatim.TextAnswer("k k k k k"), Source: &source}
	for _, c := range []labelCase{
		{reverse, "The result is the string \"K9mX7Ba\".", "explained"},
		{reverse, "It is now just the string K9mX7Ba.", "explained"},
		{reverse, "Reversed, that gives you the string `K9mX7Ba`.", "explained"},
		{reverse, "The input is the string \"aB7Xm9K\".", "echo"},
		{reverse, "You gave me the string \"aB7Xm9K\".", "echo"},
		{copied, "Just like that, it is now just the string \"aB7Xm9K\".", "explained"},
		{reverse, "ข้อความกลับด้านคือ K9mX7Ba", "explained"},
		{reverse, "ຂໍ້ຄວາມແມ່ນ K9mX7Ba", "explained"},
		{list, "Lista ordenada: −4, 17, 30, 200", "reformatted"},
		{list, "[−4, 17, 30, 200]", "reformatted"},
		{list, "排序后：-4、17、30、200", "reformatted"},
		{list, "排序后：-4，17，30，200", "reformatted"},
		{list, "-4；17；30；200", "reformatted"},
		{list, "排序结果为：-4，17，30，200。", "reformatted"},
		{emit, "k k k k k\n\n(5 times)", "explained"},
	} {
		c.check(t)
	}
}

// TestEndsReply: in any language, a number that ends the reply behind words is the answer of a
// calculation, unless it is one of several or of the question.
func TestEndsReply(t *testing.T) {
	numbers, letters := verbatim.ListAnswer([]any{"57", "46"}), verbatim.TextAnswer("ein Hund und ein Rad")
	sum, root := &verbatim.Item{Want: verbatim.TextAnswer("103"), Source: &numbers, Grader: "integer"}, rootItem("63", "3", "3.979")
	count := &verbatim.Item{Want: verbatim.TextAnswer("2"), Source: &letters, Grader: "integer"}
	for _, c := range []labelCase{
		{sum, "Sumando decenas y unidades: 90 + 13, o sea, 103.", "explained"},
		{sum, "Liidame kümnelised ja ühelised: saame 103.", "explained"},
		{sum, "Kwa hiyo, tukijumlisha hizi mbili, tunapata 103", "explained"},
		{sum, "Liidame kümnelised ja ühelised: saame 104.", "off_by_digit"},
		{root, "1. 3³ = 27 ≤ 63\n2. 4³ = 64 > 63\n\nΆρα το ακέραιο μέρος της κυβικής ρίζας είναι το 3.", "explained"},
		{root, "Kuubid on 27 ja 64, seega jääb alles 3.", "explained"},
		{root, "Juur jääb arvude vahele 3 ja 4.", "talk"},
		{sum, "Liidan arvud 57 ja 46.", "echo"},
		{sum, "Liidan, kuid tulemus ei ole mulle teada; arvus on 3 kohta.", "talk"},
	} {
		c.check(t)
	}
	labelCase{sum, "Adding them column by column gives **103** (3 digits).", "explained"}.check(t)
	labelCase{textItem("YhX", "XhY"), "Sure thing. Reading the three letters from the back to the front yields YhX.", "not_reversed"}.check(t)
	for _, reply := range []string{"Der Buchstabe „d“ kommt hier **2**-mal vor (Positionen 5 und 10).", "Der Buchstabe „d“ kommt hier 2-mal vor (Positionen 5 und 10)."} {
		labelCase{count, reply, "explained"}.check(t)
	}
}

// TestAngleMarks: the marks of the question around an answer are marks, whatever their number of
// brackets. Brackets of the text itself are not.
func TestAngleMarks(t *testing.T) {
	ask := func(text string) *verbatim.Item {
		return asked(textItem(text, text), "Repeat the text between <<< and >>> exactly, without the marks.\n\n<<<"+text+">>>")
	}
	plain, own := ask("mç‘xyn a"), ask("a -> b>")
	for _, c := range []labelCase{
		{plain, "<<<mç‘xyn a>>>>", "quoted"},
		{plain, "<<<mç‘xyn a>>", "quoted"},
		{plain, "<<mç‘xyn a>>>", "quoted"},
		{plain, "<<<<mç‘xyn a>>>>", "quoted"},
		{plain, "<<<mç‘xyn a>>>>\n\nThe text is written in the Latin alphabet.", "explained"},
		{plain, "<<<mç‘xy a>>>>", "dropped_char"},
		{plain, "<mç‘xyn a>", "corrupted"},
		{own, "<<<a -> b>>>>", "quoted"},
		{own, "<<<a -> b>>>", "dropped_char"},
	} {
		c.check(t)
	}
}

// TestBelowLinks: what follows below "the answer is", without a colon, is the answer, and in a task of
// copying also where it is the input.
func TestBelowLinks(t *testing.T) {
	const wrong, right = "<<<qdV()()()VQw>>>", "<<<qdV()()()()VQw>>>"
	it := asked(textItem(right, right), "Repeat the following string exactly, including the marks <<< and >>>.\n\n"+right)
	for _, lead := range []string{"Let me correct that. So the correct answer is", "Die richtige Antwort ist", "ดังนั้นคำตอบที่ถูกต้องคือ", "La réponse correcte est", "So the answer is:"} {
		labelCase{it, "First try: " + wrong + "\n" + lead + "\n" + right, "explained"}.check(t)
		labelCase{it, "First try: " + wrong + "\n" + lead + "\n\n" + right, "explained"}.check(t)
	}
	labelCase{rootItem("63", "3", "3.979"), "It is 4.\nNo: 4³ = 64 is too much. So the answer is\n\n3", "explained"}.check(t)
	labelCase{it, "First try: " + wrong + "\nA second one is\n\n" + right, "dropped_run"}.check(t)
}

// TestRefusalsInOtherLanguages: one sentence that declines, in languages that models are used in.
func TestRefusalsInOtherLanguages(t *testing.T) {
	it := textItem("aB7Xm9K", "K9mX7Ba")
	for _, reply := range []string{
		"Valitettavasti en voi auttaa tässä pyynnössä.", "Вибачте, але я не можу відтворювати такі рядки.", "Omlouvám se, ale s tímto textem pomoci nemohu.",
		"Sajnálom, ebben nem tudok segíteni.", "Îmi pare rău, dar nu pot reda acest text.", "Λυπάμαι, δεν μπορώ να το αναπαράγω.", "Xin lỗi, tôi không thể thực hiện yêu cầu này.",
		"Maaf, saya tidak dapat membantu dengan permintaan ini.", "ขออภัย ฉันไม่สามารถทำตามคำขอนี้ได้", "אני מצטער, אבל אני לא יכול לעזור בזה.", "Beklager, det kan jeg dessverre ikke hjelpe med.",
	} {
		labelCase{it, reply, "refusal"}.check(t)
	}
}

// TestWordlessReply: lines without words are a wrong answer, not talk.
func TestWordlessReply(t *testing.T) {
	labelCase{textItem("4xT9", "9Tx4"), "1. 9\n2. T\n3. x\n4. 4", "unrelated"}.check(t)
}

// TestDigitsOfOtherScripts: a right number in digits of another script has its own label where
// nothing is around it.
func TestDigitsOfOtherScripts(t *testing.T) {
	it := &verbatim.Item{Grader: "integer", Want: verbatim.TextAnswer("12")}
	for reply, label := range map[string]string{"१२": "unicode_norm", "**𝟏𝟐**": "unicode_norm", "उत्तर: १२": "explained", "उत्तर: १२ १३": "talk"} {
		labelCase{it, reply, label}.check(t)
	}
}

// TestLabelsOfReaders: each reply has the label that a careful reader gives it.
func TestLabelsOfReaders(t *testing.T) {
	text := func(source, want string) *verbatim.Item {
		s := verbatim.TextAnswer(source)
		return &verbatim.Item{Want: verbatim.TextAnswer(want), Source: &s}
	}
	reverse := text("K83dhQzT", "TzQhd38K")
	phrase := text("Open the door; close the lid.", "Open the door; close the lid.")
	numbers := verbatim.Answer{List: []any{int64(10), int64(1)}}
	sum := &verbatim.Item{Want: verbatim.TextAnswer("11"), Source: &numbers, Grader: "integer"}
	factors := verbatim.Answer{List: []any{int64(78), int64(46)}}
	product := &verbatim.Item{Want: verbatim.TextAnswer("3588"), Source: &factors, Grader: "integer"}
	total := &verbatim.Item{Want: verbatim.TextAnswer("124"), Source: &factors, Grader: "integer"}
	vowels := text("pineapple", "pnppl")
	nine := verbatim.Answer{List: []any{"9011"}}
	root := &verbatim.Item{Want: verbatim.TextAnswer("94"), Source: &nine, Grader: "integer"}
	two := verbatim.Answer{List: []any{int64(2), int64(1)}}
	list := &verbatim.Item{Want: verbatim.Answer{List: []any{int64(1), int64(2)}}, Source: &two}
	for _, c := range []labelCase{
		// Doubts and apologies are no refusals.
		{reverse, "It could be TzQh38dK, or maybe TzQ38hdK. I can't tell.", "talk"},
		{reverse, "It could be one or the other, and I cannot be sure which.", "talk"},
		{reverse, "I’m not able to tell which of them it is.", "talk"},
		{reverse, "I'm sorry for the confusion. Let me look at it again.", "talk"},
		{reverse, "I can't wait to see what you do with it!", "talk"},
		{reverse, "I'm unable to decide between them.", "talk"},
		{reverse, "I can't tell you that.", "refusal"},
		{reverse, "I'm sorry, I can't do that.", "refusal"},
		{reverse, "I cannot help with this request.", "refusal"},
		// A word in quotation marks that no words call the answer.
		{reverse, "The word \"palindrome\" names a text that reads the same both ways.", "talk"},
		{reverse, "This text has a \"K\" in front of the \"83\" and needs some thought.", "talk"},
		{reverse, "In many languages the method \"reverse\" does that for you.", "talk"},
		// A program in a fence.
		{reverse, "```python\nprint(\"tUvWxYz1\"[::-1])\n```", "code"},
		{reverse, "```ruby\nputs(\"K83dhQzT\".reverse)\n```", "code"},
		{reverse, "```php\necho(strrev('K83dhQzT'));\n```", "code"},
		{reverse, "print(\"K83dhQzT\"[::-1])", "code"},
		// Wrong answers within sentences.
		{phrase, "The door is open. The lid is closed.", "unrelated"},
		{phrase, "The door opens and the lid closes.", "unrelated"},
		{phrase, "I would have to open the door before that.", "talk"},
		{sum, "The sum of 1 and 1 is 1.", "dropped_char"},
		{sum, "The sum of 10 and 1 is 10.", "off_by_digit"},
		// Labels that say what was to be done hold only where it was.
		{product, "3578", "off_by_digit"},
		{total, "114", "carry"},
		{vowels, "pineapple", "corrupted"},
		{reverse, "K83dhQzT", "not_reversed"},
		{phrase, "¡Claro!", "talk"},
		// The input is given back, or talked about.
		{sum, "You want the sum of 10 and 1.", "echo"},
		{root, "To compute the square root of 9011, you would use a calculator that has no rounding options, but it would be 9011/1230 rounded down to a whole number.", "talk"},
		{reverse, "You gave me K83dhQzT.", "echo"},
		{reverse, "The word K83dhQzT is a compound word that combines letters, digits and nothing else, and it is used by many people for many different things in everyday life.", "talk"},
		// A refusal in a language without spaces, and a value in the fence of a program.
		{root, "申し訳ありませんが、このような大きな数の立方根を正確に計算することはできません。", "refusal"},
		{list, "```python\n" + strings.Repeat("[2, 1], ", 30), "looped"},
		{list, "```python\nprint(sorted([2, 1]))\n```", "code"},
		{list, "```python\n[2, 1].sort()\n```", "code"},
		// Marks of the direction of writing are invisible.
		{text("zx\u200fy-a", "zx\u200fy-a"), "zxy-a", "whitespace"},
		{text("zxy-a", "zxy-a"), "zx\u2066y\u2069-a", "whitespace"},
	} {
		c.check(t)
	}
}

// A labelCase is a reply with the label that a reader gives it.
type labelCase struct {
	item         *verbatim.Item
	reply, label string
}

func (c labelCase) check(t *testing.T) {
	t.Helper()
	if g := grade.Of(c.item, c.reply, verbatim.FinishStop); grade.Older(g.Label) != c.label {
		t.Errorf("%q: label %s (extracted %v, rule %q, detail %q), want %s", c.reply, g.Label, g.Extracted, g.Rule, g.Detail, c.label)
	}
}

// TestItemsInOtherMarks: items in the quotation marks of any language, and a whole number before the
// full stop of a sentence, are the items.
func TestItemsInOtherMarks(t *testing.T) {
	words := &verbatim.Item{Want: verbatim.ListAnswer([]any{"due", "ext", "mal"}), Source: &verbatim.Answer{List: []any{"mal", "due", "ext"}}}
	numbers := &verbatim.Item{Want: verbatim.ListAnswer([]any{int64(-3), int64(20), int64(100)}), Source: &verbatim.Answer{List: []any{int64(20), int64(100), int64(-3)}}}
	for _, c := range []labelCase{
		{words, "[“due”, “ext”, “mal”]", "reformatted"},
		{words, "Sorted: [‘due’, ‘ext’, ‘mal’]", "reformatted"},
		{words, "Hier ist die Liste: [„due“, „ext“, „mal“]", "reformatted"},
		{words, "[«due», «ext», «mal»]", "reformatted"},
		{words, "「due」, 「ext」, 「mal」", "reformatted"},
		{words, "[&quot;due&quot;, &quot;ext&quot;, &quot;mal&quot;]", "reformatted"},
		{words, "[“due”, “mal”, “ext”]", "misordered"},
		{numbers, "In ascending order, the numbers are -3, 20 and 100.", "reformatted"},
		{numbers, "-3, 20, 100.", "reformatted"},
		{numbers, "-3, 20, 100.0", "coerced"},
		{numbers, "[-3, 20, 100.]", "coerced"},
	} {
		c.check(t)
	}
}

// TestGivesBack: a reply that is a piece of the question and no answer is an echo, and one that
// ends in a loop is looped, whatever it says before.
func TestGivesBack(t *testing.T) {
	text := "kempt caviler bungee camwood\nbengal thomism carry syphon\nlibby clv reecho vhf"
	edits := "The edits:\n1. Replace \"thomism\" by \"myixdmf\".\n2. Delete the word \"clv\"."
	it := &verbatim.Item{ID: "edit",
		Prompt: verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: "Apply the edits below the text to the text.\n\n" + text + "\n\n" + edits}}}},
		Want:   verbatim.TextAnswer("kempt caviler bungee camwood\nbengal myixdmf carry syphon\nlibby reecho vhf"),
	}
	for reply, want := range map[string]string{
		edits: "echo",
		"The edits:\n1. Insert \"thomism\" behind \"caviler\".\n2. Delete the word \"thomism\".": "talk",
		"I read the edits first. " + strings.Repeat("Then I edit the words. ", 8):                "looped",
	} {
		if g := grade.Of(it, reply, verbatim.FinishStop); grade.Older(g.Label) != want || g.Extracted {
			t.Errorf("%q is %s (%s), want %s", reply, g.Label, g.Detail, want)
		}
	}
}

// rootItem is an item about a root, rounded down, and what it is with a fraction.
func rootItem(number, want, fraction string) *verbatim.Item {
	n := verbatim.ListAnswer([]any{number})
	return &verbatim.Item{Want: verbatim.TextAnswer(want), Source: &n, Grader: "integer",
		Mistakes: []verbatim.Mistake{{Label: "decimal", Detail: "not rounded", Answer: verbatim.TextAnswer(fraction)}}}
}

// TestFractionsOfReaders: a number with a fraction never gives its whole part, whatever its decimal
// mark and what follows it; where no other answer follows, it is the answer, and a wrong one.
func TestFractionsOfReaders(t *testing.T) {
	root40, root3712, root50 := rootItem("40", "6", "6.32"), rootItem("3712", "60", "60.93"), rootItem("50", "3", "3.68")
	for _, c := range []labelCase{
		{root40, "La raíz cuadrada de 40 es 6,3245…, así que al número entero más cercano hacia arriba corresponde 7.", "other_number"},
		{root40, "La raíz cuadrada de 40 es 6,3245…", "decimal"},
		{root40, "The square root of 40 is 6.3245...", "decimal"},
		{root40, "The square root of 40 is 6.3245… and goes on without end.", "decimal"},
		{root40, "Die Quadratwurzel aus 40 ist 6,32….", "decimal"},
		{root40, "√40 ≈ 6,3245", "decimal"},
		{root40, "√40 ≈6{,}3245", "decimal"},
		{root40, "√40 = 6,324", "decimal"},
		{root40, "6,3245", "decimal"},
		{root40, "**6,3245…**", "decimal"},
		{root40, "6.3245...", "decimal"},
		{root40, "La racine carrée de 40 est **6,32**.", "decimal"},
		{root40, "Pierwiastek z 40 to około 6,32.", "decimal"},
		{root40, "The answer is \"6,32.\"", "decimal"},
		{root3712, "Die Quadratwurzel aus 3712 beträgt ungefähr 60,93.", "decimal"},
		{root3712, "The square root of 3712 is approximately 4.5979.", "other_number"},
		{root3712, "The square root of 3712 is approximately 45,979.", "other_number"},
		{root3712, "La racine carrée de 3712 vaut environ 60,93 (car 60² = 3600).", "decimal"},
		{root3712, "Квадратный корень из 3712 примерно равен 60,93.", "decimal"},
		{root50, "50'nin küp kökü yaklaşık olarak 3,68 değerindedir.", "decimal"},
		{root40, "√40 = 2√10 ≈ 6,32", "decimal"},
		{root3712, "3712'nin karekökü yaklaşık olarak 60,9262 değerindedir.", "decimal"},
		// The whole part follows.
		{root40, "√40 ≈ 6,32, abgerundet 6.", "explained"},
		{root40, "La raíz cuadrada de 40 es 6,3245, por lo tanto 6.", "explained"},
		{root40, "√40 ≈ 6.3245…, so 6.", "explained"},
		{root40, "√40 ≈ 6.3245, so 6.", "explained"},
		{root40, "√40 ≈ 6,3245…, also 6.", "explained"},
		{root40, "La raíz cuadrada de 40 es 6,3245…, así que la respuesta es 6.", "explained"},
		{root40, "The answer is 6.3245..., so the whole part is 6.", "explained"},
		{root40, "La racine carrée de 40 est environ 6,32, donc 6.", "explained"},
	} {
		c.check(t)
		if g := grade.Of(c.item, c.reply, verbatim.FinishStop); g.Extracted != (c.label == "explained") {
			t.Errorf("%q: extracted %v", c.reply, g.Extracted)
		}
	}
}

// TestCountsOfReaders: a number before a word for times or occurrences answers what is to be counted.
func TestCountsOfReaders(t *testing.T) {
	letter := verbatim.ListAnswer([]any{"Obtainment toffy dossel"})
	times := &verbatim.Item{Want: verbatim.TextAnswer("3"), Source: &letter, Grader: "integer"}
	for _, c := range []labelCase{
		{times, "Je compte le « O » initial de « Obtainment » et celui de « toffy » : cela donne 3 occurrences.", "explained"},
		{times, "Je compte le « O » initial de « Obtainment » et celui de « toffy » : cela donne 4 occurrences.", "other_number"},
		{times, "Cyfra „2” pojawia się w tym ciągu dokładnie 3 razy.", "explained"},
		{times, "W ciągu litera pojawia się 1 raz w pierwszym słowie i 2 razy dalej. Razem jest 3 razy.", "explained"},
		{times, "It appears 1 time in Obtainment and 2 times in the rest. That is 3.", "explained"},
		{times, "La lettera «o» della parola iniziale compare per 3 volte.", "explained"},
		{times, "Bokstaven förekommer 3 gånger.", "explained"},
		{times, "\"o\" harfi 3 kez geçiyor.", "explained"},
		{times, "Im ursprünglichen Text gibt es 3 Vorkommen.", "explained"},
	} {
		c.check(t)
	}
}

// TestNumbersOfReaders: a noun between a verb and a number, what is excluded behind it, separators in a
// wrong number, and powers, which are steps to a root.
func TestNumbersOfReaders(t *testing.T) {
	root := rootItem("73047630", "418", "418.02")
	cube := rootItem("27", "3", "3.5")
	for _, c := range []labelCase{
		{root, "Da 418³ = 73034632 und 419³ = 73560059, lautet der ganzzahlige Teil 418 (nicht 419).", "explained"},
		{root, "Comme 418³ = 73034632 et 419³ = 73560059, on retient la partie entière 418 (pas 419).", "explained"},
		{root, "418³ = 73034632 y 419³ = 73560059; por eso queda como parte entera 418 (no 419).", "explained"},
		{root, "Da 418³ = 73034632 und 419³ = 73560059, lautet der ganzzahlige Teil 419 (nicht 418).", "other_number"},
		{root, "The answer is \"7,353.\"", "other_number"},
		{root, "The answer is 7.353.480.", "other_number"},
		{root, "What we look at is 419^3 and so on.", "talk"},
		{root, "418", "pass"},
	} {
		c.check(t)
	}
	for _, c := range []labelCase{
		{cube, "To find the cube root of 27, we'll first find its cube with a calculator: 27 cubed = 851. Now we'll find the cube root of 851: 851 * (1/851)", "talk"},
		{cube, "We first look at it: 27^3 = 3. Now we'll find the cube root of 851: 851 * (1/851)", "talk"},
		{cube, "Wir rechnen: 27 zum Quadrat = 729. Davon ziehen wir 851 * (1/851) ab", "talk"},
		{cube, "We take it: 27 × 27 = 729. Now we'll find the root of 851 * (1/851)", "talk"},
		{cube, "We take it: 27^(1/3) = 3. Now we'll prove that 3 * 3 * 3 is", "equation"},
		{cube, "∛27 = 3. Now we'll prove it: 3 * 3 * 3 is", "equation"},
	} {
		c.checkCut(t)
	}
}
