package extract

import (
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
