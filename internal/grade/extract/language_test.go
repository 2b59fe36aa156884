package extract

import (
	"strings"
	"testing"

	"verbatim/internal/pylit"
)

// A languageCase is a reply and the answer that a reader takes from it; "" if it gives none.
type languageCase struct {
	question    *Question
	reply, want string
}

func (c languageCase) check(t *testing.T) {
	t.Helper()
	a, ok := Find(c.reply, "", c.question)
	if ok != (c.want != "") || ok && a.Of(c.reply) != c.want {
		t.Errorf("%q gives %q by %q, want %q", c.reply, a.Of(c.reply), a.Rule, c.want)
	}
}

// TestCopula: "is" that is written behind a word is no part of an answer, unless texts may end so.
func TestCopula(t *testing.T) {
	flower := OfText("해바라기", "해바라기")
	tree := OfText("りんごの木", "りんごの木")
	student := OfText("학생입니다", "학생입니다")
	for _, c := range []languageCase{
		{flower, "해바라기입니다.", "해바라기"},
		{flower, "해바라기예요", "해바라기"},
		{flower, "정답은 해바라기입니다.", "해바라기"},
		{flower, "기라바해이에요.", "기라바해"},
		{tree, "木のごんりです。", "木のごんり"},
		{student, "학생입니다.", "학생입니다"},
		{student, "다니입생학", "다니입생학"},
		{OfText("학생입니다", ""), "학생입니다.", "학생입니다"},
	} {
		c.check(t)
	}
}

// TestInterjections: a word such as "Sure!" is no answer, in any language.
func TestInterjections(t *testing.T) {
	dotted := OfText("Lk9.Lk8.Lk7", "Lk9.Lk8.Lk7")
	for _, c := range []languageCase{
		{dotted, "¡Claro! La clave es:\n\n```text\nLk9.Lk8.Lk7\n```", "Lk9.Lk8.Lk7"},
		{dotted, "¡Claro!\n\n```\nLk9.Lk8.Lk7\n```", "Lk9.Lk8.Lk7"},
		{dotted, "Natürlich!\n\n```\nLk9.Lk8.Lk7\n```", "Lk9.Lk8.Lk7"},
		{dotted, "Voilà :\n\nLk9.Lk8.Lk7", "Lk9.Lk8.Lk7"},
	} {
		c.check(t)
	}
}

// TestHeadings: words that hand over a text, and a colon, are no part of it.
func TestHeadings(t *testing.T) {
	repeated := OfText("<<<cNl. . . KXd>>>", "<<<cNl. . . KXd>>>")
	for _, heading := range []string{"Ecco la stringa:", "Voici la chaîne :", "Aquí está la cadena:", "Hier ist die Zeichenfolge:", "Вот строка:", "Here is the string:"} {
		languageCase{repeated, heading + " <<<cNl. . . KXd>>>", "<<<cNl. . . KXd>>>"}.check(t)
	}
}

// TestMarksOfInput: marks around a text that has one of them itself are not its own.
func TestMarksOfInput(t *testing.T) {
	quoted := OfText(`i"xyz`, `i"xyz`)
	for _, c := range []languageCase{
		{quoted, `"i"xyz"`, `i"xyz`},
		{quoted, "`i\"xyz`", `i"xyz`},
		{quoted, `"i"x"yz"`, `"i"x"yz"`},
	} {
		c.check(t)
	}
}

// TestItemsJoinedByAnd: the last items of a list in a sentence have a word between them.
func TestItemsJoinedByAnd(t *testing.T) {
	numbers := OfList(ints(30, -4, 200), ints(30, -4, 200))
	for _, c := range []languageCase{
		{numbers, "The numbers in both lists are -4 and 30.", "-4 and 30."},
		{numbers, "I numeri in comune sono -4 e 30.", "-4 e 30."},
		{numbers, "Die gemeinsamen Zahlen sind -4 und 30.", "-4 und 30."},
		{numbers, "Les nombres communs sont -4, 30 et 200.", "-4, 30 et 200."},
		{numbers, "The sorted numbers are -4, 30, and 200.", "-4, 30, and 200."},
		{numbers, "Both lists have -4 and then something.", ""},
	} {
		c.check(t)
	}

	words := []pylit.Value{pylit.MakeStr("oak"), pylit.MakeStr("and"), pylit.MakeStr("elm")}
	a, _ := Find("Sorted: and elm oak", "", OfList(words, words))
	if len(a.Items) != 3 {
		t.Errorf("%d items where \"and\" is one, want 3: %+v", len(a.Items), a)
	}
	a, _ = Find("Sorted: elm and oak", "", OfList(words, words))
	if len(a.Items) != 3 {
		t.Errorf("%d items where \"and\" is the second, want 3: %+v", len(a.Items), a)
	}
}

// TestWordsForAnswer: the word for "answer" or "result" names one, in the languages of chat models.
func TestWordsForAnswer(t *testing.T) {
	for _, word := range []string{
		"Answer", "Ergebnis", "Endergebnis", "Résultat", "Resultado", "Risultato", "Antwoord", "Svar", "Resultat", "Wynik", "Odpowiedź", "Cevap", "Sonuç", "Kết quả", "Đáp án", "Jawaban", "Hasil akhir",
		"الإجابة", "النتيجة", "उत्तर", "परिणाम", "คำตอบ", "Відповідь", "Απάντηση", "תשובה", "Răspuns", "Eredmény", "Odpověď", "Vastaus", "최종 결과", "答案", "結果",
	} {
		languageCase{textQuestion, word + ": K9mX7Ba\n\n(`K9mX7ba`)", "K9mX7Ba"}.check(t)
		languageCase{rootQuestion, "√1300 ≈ 36.06\n\n" + word + ": 36", "36"}.check(t)
	}
}

// TestLastOfEqual: of steps and a list on the last line, the last line is the answer, though the
// steps have no brackets.
func TestLastOfEqual(t *testing.T) {
	numbers := OfList(ints(940, 79, -137, -303), ints(940, 79, -137, -303))
	for _, reply := range []string{
		"Step 1: sort the negatives: -303, -137\nStep 2: the others: 79, 940\n\n[-303, -137, 79, 940]",
		"Step 1: sort the negatives: -303, -137\n\n[-303, -137, 79, 940]",
		"1단계: 음수를 작은 순서로 정렬합니다: -303, -137\n2단계: 양수를 정렬합니다: 79, 940\n\n최종 결과:\n[-303, -137, 79, 940]",
		"Sorted negatives: -303, -137\nSorted positives: 79, 940\nResult: [-303, -137, 79, 940]",
	} {
		languageCase{numbers, reply, "[-303, -137, 79, 940]"}.check(t)
	}
	for _, so := range []string{"Wait, 79 comes before 940, so actually the order is:", "79 is before 940, therefore the order is:", "79 kommt vor 940, daher lautet die Reihenfolge:"} {
		languageCase{numbers, "[-303, -137, 940, 79]\n\n" + so + "\n\n[-303, -137, 79, 940]", "[-303, -137, 79, 940]"}.check(t)
	}
	languageCase{numbers, "Sorted: -303, -137, 79, 940\n\n[940, 79, -137, -303] is what you gave me.", "-303, -137, 79, 940"}.check(t)
}

// TestInputAfterCorrection: a list that was in order already is the answer where another one is taken back.
func TestInputAfterCorrection(t *testing.T) {
	sorted := OfList(ints(1, 2), ints(1, 2))
	for _, c := range []languageCase{
		{sorted, "[2, 1]\n\nWait, that puts the longest first. The shortest should come first:\n\n[1, 2]", "[1, 2]"},
		{sorted, "[2, 1]\n\nWait, that is the wrong way round. The right order is:\n\n[1, 2]", "[1, 2]"},
		{sorted, "[2, 1]\n\nYou gave me:\n\n[1, 2]", "[2, 1]"},
	} {
		c.check(t)
	}
}

// TestStepsOfCutReply: what is after a colon far into a reply that the limit ended is a step.
func TestStepsOfCutReply(t *testing.T) {
	steps := "We need the square root of 1300.\n\n" + strings.Repeat("Try 30: it is too small, since the square of it is not large enough.\n", 3) + "Try: 35\nThat is"
	if a, ok := Find(steps, "length", rootQuestion); ok {
		t.Errorf("%q by %q, want no answer", a.Of(steps), a.Rule)
	}
	if a, ok := Find(steps, "stop", rootQuestion); !ok || a.Of(steps) != "35" {
		t.Errorf("%q where the reply ended by itself, want 35", a.Of(steps))
	}
	early := "The number is: 36\n\nThis is how I found it. First I tried"
	if a, _ := Find(early, "length", rootQuestion); a.Of(early) != "36" {
		t.Errorf("%q, want 36", a.Of(early))
	}
}

// TestFractionOfRoot: the whole part that follows a root with a fraction is the answer.
func TestFractionOfRoot(t *testing.T) {
	root := &Question{Kind: Integer, Operands: []string{"11"}}
	for _, c := range []languageCase{
		{root, "√11 ≈ 3.3166\n\n3", "3"},
		{root, "√11 = 3.316...\n\n**3**", "3"},
		{root, "√11 ≈ 3.3166\n\nRounded down: 3", "3"},
		{root, "√11 ≈ 3.3166", "3.3166"},
		{root, "The square root of 11 is 3.3166.", "3.3166"},
	} {
		c.check(t)
	}
}

// TestNumbersThatAreNoAnswers: how large something is, and a digit of the text in which is counted.
func TestNumbersThatAreNoAnswers(t *testing.T) {
	count := &Question{Kind: Integer}
	for _, c := range []languageCase{
		{rootQuestion, "Ich kann die Wurzel einer 60-stelligen Zahl nicht bestimmen.", ""},
		{rootQuestion, "That is a 4-digit number.", ""},
		{rootQuestion, "The answer is 36 - that is all.", "36"},
		{count, "9 (upper case)\n\nThe first character \"8\" in the sequence is a special character named \"8\".", "9"},
		{count, "The answer is \"8\".", "8"},
		{count, "Der Buchstabe kommt 3-mal vor.", "3"},
	} {
		c.check(t)
	}
}

// TestListsInPrograms: a list that a program begins with is its input, with or without a fence.
func TestListsInPrograms(t *testing.T) {
	numbers := OfList(ints(3, 1, 2), ints(3, 1, 2))
	for _, c := range []languageCase{
		{numbers, "def f(x):\n    return sorted(x)\ndata = [3, 2, 1]\n\nprint(f(data))\n```\n\nThis sorts it.", ""},
		{numbers, "data = [3, 2, 1]\nprint(sorted(data))", ""},
		{numbers, "sorted_list = [1, 2, 3]", "[1, 2, 3]"},
		{numbers, "The code gives this.\n\nsorted_list = [1, 2, 3]\n\nThat is all.", "[1, 2, 3]"},
	} {
		c.check(t)
	}
}

// TestWordsThatEndSentences: a common word at the end of a sentence is no answer.
func TestWordsThatEndSentences(t *testing.T) {
	copied := OfText("yrAyWAek", "yrAyWAek")
	languageCase{copied, "The string \"yRYAYWEK\" is not possible without any additional strings that will output anything.", ""}.check(t)
}
