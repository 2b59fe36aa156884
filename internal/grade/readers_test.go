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
