package extract

import (
	"strings"
	"testing"
)

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
