package task

import (
	"math/rand/v2"

	"verbatim"
	"verbatim/internal/draw"
)

// reversal is simpE's string reversal.
func reversal() verbatim.Family {
	return verbatim.Family{
		Name: "reverse", Version: 1, Doc: "write a random string backwards (simpE's string reversal)",
		Aliases: []string{"reversal", "string-reversal", "string_reversal"},
		Unit:    "characters", Min: 1, Max: 100_000,
		DefaultLengths: []int{4, 8, 16, 32, 64, 128},
		Wordings:       reverseWordings(),
		Item: func(r *rand.Rand, k verbatim.Parameters) (verbatim.Item, error) {
			n := drawLength(r, k.Length)
			text := draw.String(r, draw.Alphanumeric, n)
			reversed := make([]byte, n)
			for i := range n {
				reversed[n-1-i] = text[i]
			}
			return newItem("reverse", k, n, reverseWordings()[0], verbatim.Inputs{"text": text}, verbatim.TextAnswer(string(reversed)), verbatim.TextAnswer(text)), nil
		},
	}
}

func reverseWordings() []verbatim.Wording {
	return []verbatim.Wording{
		{Text: `Provide the following text in reverse order. Don't output anything else. Only output the reversed string without anything additional, not even quotes: "{text}"`},
		{Text: `Write the text between the quotation marks backwards, from its last character to its first. Your answer must be the reversed text alone: no quotation marks, no comment, no other words. "{text}"`},
		{Text: `Here is a string: "{text}" Reverse the order of its characters. Answer with the reversed string only, without quotes, without an explanation and without anything else.`},
		{Text: `How does the string in the quotes below read from right to left? Give the result letter for letter. Leave out the quotes and add nothing.` + "\n\n\"{text}" + `"`},
	}
}
