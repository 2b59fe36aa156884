package task

import (
	"math/rand/v2"
	"strconv"

	"verbatim"
)

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
