package task

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"verbatim"
	"verbatim/internal/draw"
)

// emitN asks for a letter, word or emoji a number of times, with something in between. simpE's
// documents name it as a future task.
func emitN() verbatim.Family {
	return verbatim.Family{
		Name: "emit-n", Version: 2, Doc: "write a letter, word or emoji a given number of times",
		About: "The facts kind and between say what is written, and what is between. One too many or too few is off_by_one.",
		Unit:  "times", Min: 1, Max: 20_000, Few: 20_000, DefaultLengths: []int{8, 16, 32, 64, 128},
		Wordings: emitNWordings(),
		Item: func(r *rand.Rand, k verbatim.Parameters) (verbatim.Item, error) {
			n := drawLength(r, k.Length)
			kind, token := emitted(r)
			between := betweens[r.IntN(len(betweens))]
			text := func(n int) verbatim.Answer {
				return verbatim.TextAnswer(strings.TrimSuffix(strings.Repeat(token+between.text, max(n, 0)), between.text))
			}
			asked := fmt.Sprintf("the %s %q %d times with %s", kind, token, n, between.words)
			if n == 1 {
				asked = fmt.Sprintf("the %s %q once", kind, token)
			}
			it := newItem("emit-n", k, n, emitNWordings()[0], verbatim.Inputs{"output": asked}, text(n), verbatim.ListAnswer([]any{token, int64(n), between.text}))
			foresee(&it, "off_by_one", "one more", text(n+1))
			if n > 1 {
				foresee(&it, "off_by_one", "one less", text(n-1))
			}
			it.Facts["kind"], it.Facts["between"] = kind, between.name
			return it, nil
		},
	}
}

// betweens are the texts between two repetitions.
var betweens = []struct{ name, text, words string }{
	{"space", " ", "a space between each of them, but no spaces at the start or end"},
	{"nothing", "", "nothing between them"},
	{"comma", ", ", "a comma and a space between each of them, but nothing at the start or end"},
	{"line", "\n", "each of them on a line of its own"},
}

// emitted draws what is to be written.
func emitted(r *rand.Rand) (kind, token string) {
	switch r.IntN(4) {
	case 0:
		return "letter", draw.String(r, draw.Letters, 1)
	case 1:
		return "digit", draw.String(r, draw.Digits, 1)
	case 2:
		words := draw.MildWords()
		for {
			if word := words.Draw(r); len(word) >= 2 && len(word) <= 8 {
				return "word", word
			}
		}
	}
	return "emoji", []string{"🙂", "🍎", "🚀", "🐢", "🎈"}[r.IntN(5)]
}

func emitNWordings() []verbatim.Wording {
	return []verbatim.Wording{
		{Text: "Output {output}. Only output this, without quotes and without any other text."},
		{Text: "Write {output}. Your answer must be that alone: no quotation marks, no count, no comment."},
		{Text: "Your whole answer is to be {output}, and nothing else."},
		{Text: "Please type {output}. Add no word before or after it."},
	}
}
