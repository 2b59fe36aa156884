package task

import (
	"math/rand/v2"
	"strconv"
	"strings"

	"verbatim"
	"verbatim/internal/draw"
)

// copyLong asks for a long text of words and numbers. It has no meaning, so that only the text itself
// shows how it continues.
func copyLong() verbatim.Family {
	return verbatim.Family{
		Name: "copy-long", Version: 1, Doc: "copy a long text of random words and numbers",
		About: "The words have no meaning together, so that only the text itself tells how it goes on. Models leave out, repeat or end early.",
		Unit:  "characters", Min: 20, Max: 1_000_000, Few: 32, DefaultLengths: []int{1000, 4000, 16_000, 64_000},
		Wordings: copyLongWordings(),
		Item: func(r *rand.Rand, k verbatim.Parameters) (verbatim.Item, error) {
			n := drawLength(r, k.Length)
			text := sentences(r, n)
			return newItem("copy-long", k, n, copyLongWordings()[0], verbatim.Inputs{"text": text}, verbatim.TextAnswer(text), verbatim.TextAnswer(text)), nil
		},
	}
}

// sentences draws a text of n characters, in sentences. The last one ends with a full stop.
func sentences(r *rand.Rand, n int) string {
	words := draw.MildWords()
	var b strings.Builder
	for left := 0; b.Len() < n-1; left-- {
		word := words.Draw(r)
		if r.IntN(12) == 0 {
			word = strconv.Itoa(r.IntN(100_000))
		}
		if left == 0 { // words until the end of the sentence
			left = 6 + r.IntN(12)
			word = strings.ToUpper(word[:1]) + word[1:]
		}
		b.WriteString(word)
		if left == 1 {
			b.WriteByte('.')
		}
		b.WriteByte(' ')
	}
	text := strings.TrimRight(b.String()[:n-1], " .")
	return text + strings.Repeat("x", n-1-len(text)) + "."
}

func copyLongWordings() []verbatim.Wording {
	return []verbatim.Wording{
		{Text: "Repeat the following text exactly, from the first word to the last, without leaving anything out. Only output the text, without any comment.\n\n{text}"},
		{Text: "Copy the text below character by character. Your answer must be that text alone, whole and unchanged: no comment, no quotation marks.\n\n{text}"},
		{Text: "Here is a text:\n\n{text}\n\nWrite it once more, exactly as it stands. Answer with the text only."},
		{Text: "What does the text below say? Give all of it back word for word, and add nothing.\n\n{text}"},
	}
}
