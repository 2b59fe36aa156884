package task

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"verbatim"
	"verbatim/internal/draw"
)

// charOps asks about single characters of a text: which is the n-th, how often one occurs, and where
// the first is. The fact "operation" names the question, and "text" the kind of text: a random string,
// a word or a sentence.
func charOps() verbatim.Family {
	return verbatim.Family{
		Name: "char-ops", Version: 2, Doc: "name the n-th character, count a character, or say where it is",
		About: "The fact operation is nth, count or position, and text what it is about: a random string, a word or a sentence. The neighbour of the right character, or of the right number, is off_by_one. The answer to another question, such as the last place for the first, is other_operation. Any further number is other_number.",
		Unit:  "characters", Min: 4, Max: 100_000, Few: 16, DefaultLengths: []int{8, 16, 32, 64, 128},
		Knobs:    []verbatim.Knob{{Fact: "text", Values: []string{"word", "sentence", "string"}}},
		Wordings: charOpsWordings(),
		Item: func(r *rand.Rand, k verbatim.Parameters) (verbatim.Item, error) {
			n := drawLength(r, k.Length)
			kind, text := aboutText(r, n)
			op := []func(*rand.Rand, string) charQuestion{nthCharacter, countCharacter, findCharacter}[r.IntN(3)]
			q := op(r, text)
			asked := fmt.Sprintf("%s in %q?", q.words, text)
			it := newItem("char-ops", k, n, charOpsWordings()[0], verbatim.Inputs{"question": asked}, verbatim.TextAnswer(q.want), verbatim.ListAnswer([]any{text}))
			if q.name != "nth" {
				it.Grader = "integer"
			}
			for _, wrong := range q.wrong {
				foresee(&it, wrong.label, wrong.detail, verbatim.TextAnswer(wrong.answer))
			}
			it.Facts["operation"], it.Facts["text"] = q.name, kind
			return it, nil
		},
	}
}

// A charQuestion is a question about a text and its answer.
type charQuestion struct {
	name, words, want string
	wrong             []wrongAnswer
}

// A wrongAnswer is a mistake that a question foresees.
type wrongAnswer struct{ label, detail, answer string }

// offByOne adds a number or character next to the right one.
func (q *charQuestion) offByOne(detail, answer string) {
	q.wrong = append(q.wrong, wrongAnswer{"off_by_one", detail, answer})
}

// otherOperation adds the answer to another question.
func (q *charQuestion) otherOperation(detail, answer string) {
	q.wrong = append(q.wrong, wrongAnswer{"other_operation", detail, answer})
}

// aboutText draws a text of n characters, ASCII without quotation marks, and its kind.
func aboutText(r *rand.Rand, n int) (kind, text string) {
	switch r.IntN(3) {
	case 0:
		if word := wordOf(r, n); word != "" {
			return "word", word
		}
	case 1:
		if n >= 20 {
			return "sentence", sentences(r, n)
		}
	}
	return "string", draw.String(r, draw.Alphanumeric, n)
}

// wordOf draws a word of n letters; "" for lengths of which there are few.
func wordOf(r *rand.Rand, n int) string {
	if n > 14 {
		return ""
	}
	words := draw.MildWords()
	for {
		if word := words.Draw(r); len(word) == n {
			return word
		}
	}
}

// visible draws the index of a character that is no space.
func visible(r *rand.Rand, text string) int {
	for {
		if i := r.IntN(len(text)); text[i] != ' ' {
			return i
		}
	}
}

// nthCharacter asks for the character at a position.
func nthCharacter(r *rand.Rand, text string) charQuestion {
	i := visible(r, text)
	q := charQuestion{name: "nth", words: "What is character number " + strconv.Itoa(i+1) + " (the first one is number 1, spaces count)", want: text[i : i+1]}
	for _, at := range []struct {
		detail string
		i      int
	}{{"the one behind it", i + 1}, {"the one before it", i - 1}} {
		if at.i >= 0 && at.i < len(text) && text[at.i] != ' ' {
			q.offByOne(at.detail, text[at.i:at.i+1])
		}
	}
	if end := len(text) - 1 - i; text[end] != ' ' {
		q.otherOperation("counted from the end", text[end:end+1])
	}
	return q
}

// countCharacter asks how often a character occurs.
func countCharacter(r *rand.Rand, text string) charQuestion {
	c := text[visible(r, text)]
	n := strings.Count(text, string(c))
	q := charQuestion{name: "count", words: fmt.Sprintf("How many times is the character %q (upper and lower case are different)", string(c)), want: strconv.Itoa(n)}
	q.offByOne("one more", strconv.Itoa(n+1))
	q.offByOne("one less", strconv.Itoa(n-1))
	q.otherOperation("upper and lower case together", strconv.Itoa(strings.Count(strings.ToLower(text), strings.ToLower(string(c)))))
	return q
}

// findCharacter asks for the first position of a character.
func findCharacter(r *rand.Rand, text string) charQuestion {
	c := text[visible(r, text)]
	i := strings.IndexByte(text, c)
	q := charQuestion{name: "position", words: fmt.Sprintf("At which position is the first character %q (the first position is 1, spaces count, upper and lower case are different)", string(c)), want: strconv.Itoa(i + 1)}
	q.offByOne("one more", strconv.Itoa(i+2))
	q.offByOne("counted from 0", strconv.Itoa(i))
	q.otherOperation("the last one", strconv.Itoa(strings.LastIndexByte(text, c)+1))
	q.otherOperation("counted from the end", strconv.Itoa(len(text)-i))
	q.otherOperation("without spaces", strconv.Itoa(i+1-strings.Count(text[:i], " ")))
	return q
}

func charOpsWordings() []verbatim.Wording {
	return []verbatim.Wording{
		{Text: "Answer with the character or the number alone, without quotes and without any other text. {question}"},
		{Text: "Your answer must be one character or one number in digits: no comment, no quotation marks, no working. {question}"},
		{Text: "Here is a question about a text. {question} Answer with the character or number only."},
		{Text: "Look at each character and answer without any word around it. {question}"},
	}
}
