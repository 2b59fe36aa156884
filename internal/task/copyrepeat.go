package task

import (
	"math/rand/v2"
	"strings"

	"verbatim"
	"verbatim/internal/draw"
)

// copyRepeat asks for a text with many repetitions of a piece. Servers that penalise or cut repetition
// change it, and so do damaged caches.
func copyRepeat() verbatim.Family {
	return verbatim.Family{
		Name: "copy-repeat", Version: 1, Doc: "copy a text in which a piece is repeated",
		About: "The fact piece is what is repeated. Servers that punish or cut repetition spoil it, and so do damaged caches. One repetition too many or too few is off_by_one.",
		Unit:  "repetitions", Min: 1, Max: 20_000, DefaultLengths: []int{8, 16, 32, 64, 128},
		Wordings: copyRepeatWordings(),
		Item: func(r *rand.Rand, k verbatim.Parameters) (verbatim.Item, error) {
			n := drawLength(r, k.Length)
			piece := repeatedPieces[r.IntN(len(repeatedPieces))]
			before, after := draw.String(r, draw.Letters, 3), draw.String(r, draw.Letters, 3)
			text := func(n int) verbatim.Answer {
				return verbatim.TextAnswer("<<<" + before + strings.Repeat(piece, n) + after + ">>>")
			}
			it := newItem("copy-repeat", k, n, copyRepeatWordings()[0], verbatim.Inputs{"text": text(n).Text}, text(n), text(n))
			foresee(&it, "off_by_one", "one more", text(n+1))
			foresee(&it, "off_by_one", "one less", text(n-1))
			it.Facts["piece"] = piece
			return it, nil
		},
	}
}

// repeatedPieces are short pieces. Many tokenizers have tokens for several repetitions of one.
var repeatedPieces = []string{"0", "9", "=", "-", "ha", "la ", "  ", "🙂", "🍎", "ab", ". ", "na-", "()", "\\", "10", "é"}

func copyRepeatWordings() []verbatim.Wording {
	return []verbatim.Wording{
		{Text: "Repeat the following string exactly, including the marks <<< and >>>. It holds the same piece many times: do not shorten it. Only output the string.\n\n{text}"},
		{Text: "Copy this string character by character, with <<< and >>>. Your answer must be the string alone, with every repetition.\n\n{text}"},
		{Text: "Here is a string: {text}\n\nWrite it once more, as long as it is, marks included. Answer with the string only."},
		{Text: "What is the string below, from <<< to >>>? Give it back letter for letter, and add nothing.\n\n{text}"},
	}
}
