package task

import (
	"cmp"
	"fmt"

	"verbatim"
	"verbatim/internal/draw"
	"verbatim/internal/pylit"
)

// ID returns the id of an item: family, version, parameters, seed and index. The standard edition is
// left out.
func ID(f verbatim.Family, k verbatim.Parameters, seed uint64, index int) string {
	return fmt.Sprintf("%s@%d/%s/seed=%d/%d", f.Name, f.Version, parameterText(k), seed, index)
}

// parameterText returns the part of an id for the parameters: "len=16/edition=paper".
func parameterText(k verbatim.Parameters) string {
	s := "len=" + k.Length.String()
	if k.Edition != "" && k.Edition != verbatim.Standard {
		s += "/edition=" + string(k.Edition)
	}
	return s
}

// drawItem draws the item that ID names.
func drawItem(f verbatim.Family, k verbatim.Parameters, seed uint64, index int) (verbatim.Item, error) {
	k.Edition = cmp.Or(k.Edition, verbatim.Standard)
	it, err := f.Item(draw.Rand(f.Name, f.Version, parameterText(k), seed, uint64(index)), k)
	it.ID = ID(f, k, seed, index)
	return it, err
}

// MaxTokens returns the token limit of an item: one token for each byte of the expected answer, 64
// for text around it, and those for reasoning. No tokenizer needs more than a token for a byte.
func MaxTokens(it *verbatim.Item, reasoning int) int {
	return 64 + len(pylit.Answer(it.Want)) + reasoning
}

// single returns the range of one length.
func single(n int) verbatim.Lengths { return verbatim.Lengths{Min: n, Max: n} }
