package grade_test

import (
	"strings"
	"testing"

	"verbatim"
)

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
