package task

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strconv"

	"verbatim"
)

// drawLength draws a length of the range, uniformly. A fixed length draws nothing from r.
func drawLength(r *rand.Rand, l verbatim.Lengths) int {
	if l.Min == l.Max {
		return l.Min
	}
	return l.Min + r.IntN(l.Max-l.Min+1)
}

// newItem returns an item of a family: the official wording with its inputs, the one right answer, and the source
// from which the question was made. length is the length that was drawn, in the unit of the family.
func newItem(family string, k verbatim.Parameters, length int, official verbatim.Wording, in verbatim.Inputs, want, source verbatim.Answer) verbatim.Item {
	return verbatim.Item{
		Prompt: official.Prompt(in),
		Inputs: in,
		Want:   want,
		Source: &source,
		Facts: map[string]string{
			verbatim.FactFamily:  family,
			verbatim.FactLength:  strconv.Itoa(length),
			verbatim.FactEdition: string(k.Edition),
		},
	}
}

// foresee adds a mistake to an item, unless its answer is right or belongs to an earlier mistake.
func foresee(it *verbatim.Item, label, detail string, answer verbatim.Answer) {
	known := append([]verbatim.Answer{it.Want}, it.Accept...)
	for _, m := range it.Mistakes {
		known = append(known, m.Answer)
	}
	if slices.ContainsFunc(known, func(a verbatim.Answer) bool { return same(a, answer) }) {
		return
	}
	it.Mistakes = append(it.Mistakes, verbatim.Mistake{Label: label, Detail: detail, Answer: answer})
}

func same(a, b verbatim.Answer) bool {
	if !a.IsList() && !b.IsList() {
		return a.Text == b.Text
	}
	x, _ := a.MarshalJSON()
	y, _ := b.MarshalJSON()
	return bytes.Equal(x, y)
}
