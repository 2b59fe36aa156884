package task

import (
	"math/rand/v2"

	"verbatim"
	"verbatim/internal/draw"
)

// copying is simpE's string rehearsal: repeat this string.
func copying() verbatim.Family {
	return verbatim.Family{
		Name: "copy", Version: 1, Doc: "repeat a random string exactly (simpE's string rehearsal)",
		Aliases: []string{"rehearsal", "string-rehearsal", "string_rehearsal"},
		Unit:    "characters", Min: 1, Max: 100_000,
		DefaultLengths: []int{8, 16, 32, 64, 128, 256, 512},
		Wordings:       copyWordings(),
		Item: func(r *rand.Rand, k verbatim.Parameters) (verbatim.Item, error) {
			n := drawLength(r, k.Length)
			text := draw.String(r, draw.Alphanumeric, n)
			return newItem("copy", k, n, copyWordings()[0], verbatim.Inputs{"text": text}, verbatim.TextAnswer(text), verbatim.TextAnswer(text)), nil
		},
	}
}

func copyWordings() []verbatim.Wording {
	return []verbatim.Wording{
		{Text: `Repeat the following string exactly without modifying it. Don't output anything else. Only output the string without anything additional, not even quotes: "{text}"`},
		{Text: `Copy the text between the quotation marks character by character. Your answer must be that text alone, unchanged: no quotation marks, no comment, no other words. "{text}"`},
		{Text: `Here is a string: "{text}" Write this string once more, exactly as it stands. Answer with the string only, without quotes, without an explanation and without anything else.`},
		{Text: `What is the content of the quotes below? Give it back letter for letter, without changing anything. Leave out the quotes and add nothing.` + "\n\n\"{text}" + `"`},
	}
}
