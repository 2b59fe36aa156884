package task

import (
	"math/rand/v2"
	"strconv"

	"verbatim"
	"verbatim/internal/draw"
)

// copying is simpE's string rehearsal: repeat this string.
func copying() verbatim.Family {
	return verbatim.Family{
		Name: "copy", Version: 1, Doc: "repeat a random string exactly (simpE's string rehearsal)",
		Unit: "characters", Min: 1, Max: 100_000, Ladder: []int{8, 16, 32, 64, 128, 256, 512},
		Item: func(r *rand.Rand, k verbatim.Knobs) (verbatim.Item, error) {
			n := drawLength(r, k.Length)
			text := draw.String(r, draw.Alphanumeric, n)
			return simpE("copy", n, k.Edition, copyWordings()[0].prompt(text), text, verbatim.TextAnswer(text)), nil
		},
	}
}

// reversal is simpE's string reversal.
func reversal() verbatim.Family {
	return verbatim.Family{
		Name: "reverse", Version: 1, Doc: "write a random string backwards (simpE's string reversal)",
		Unit: "characters", Min: 1, Max: 100_000, Ladder: []int{4, 8, 16, 32, 64, 128},
		Item: func(r *rand.Rand, k verbatim.Knobs) (verbatim.Item, error) {
			n := drawLength(r, k.Length)
			text := draw.String(r, draw.Alphanumeric, n)
			reversed := make([]byte, n)
			for i := range n {
				reversed[n-1-i] = text[i]
			}
			return simpE("reverse", n, k.Edition, reverseWordings()[0].prompt(text), string(reversed), verbatim.TextAnswer(text)), nil
		},
	}
}

// simpE makes an item with a text as its answer.
func simpE(family string, length int, edition verbatim.Edition, prompt verbatim.Prompt, want string, source verbatim.Answer) verbatim.Item {
	return verbatim.Item{
		Prompt: prompt,
		Want:   verbatim.TextAnswer(want),
		Source: &source,
		Facts: map[string]string{
			verbatim.FactFamily:  family,
			verbatim.FactLength:  strconv.Itoa(length),
			verbatim.FactEdition: string(edition),
		},
	}
}

func message(role, text string) verbatim.Message {
	return verbatim.Message{Role: role, Content: []verbatim.Part{{Text: text}}}
}

// drawLength returns a length of the range, uniformly. A fixed length takes
// nothing from r.
func drawLength(r *rand.Rand, l verbatim.Lengths) int {
	if l.Min == l.Max {
		return l.Min
	}
	return l.Min + r.IntN(l.Max-l.Min+1)
}
