package task

import (
	"fmt"

	"verbatim"
	"verbatim/internal/draw"
	"verbatim/internal/pylit"
)

// ID names an item: family, version, parameters, seed and index. The edition is a
// knob that is left out when it is the standard one.
func ID(f verbatim.Family, k verbatim.Parameters, seed uint64, index int) string {
	return fmt.Sprintf("%s@%d/%s/seed=%d/%d", f.Name, f.Version, parameterText(k), seed, index)
}

func parameterText(k verbatim.Parameters) string {
	s := "len=" + k.Length.String()
	if k.Edition != "" && k.Edition != verbatim.Standard {
		s += "/edition=" + string(k.Edition)
	}
	return s
}

// drawItem draws the item that ID names.
func drawItem(f verbatim.Family, k verbatim.Parameters, seed uint64, index int) (verbatim.Item, error) {
	if k.Edition == "" {
		k.Edition = verbatim.Standard
	}
	it, err := f.Item(draw.Rand(f.Name, f.Version, parameterText(k), seed, uint64(index)), k)
	it.ID = ID(f, k, seed, index)
	return it, err
}

// MaxTokens returns the token limit of an item: 64, one for each byte of the
// wanted text, and the allowance for thinking. No tokenizer needs more than a
// token for a byte; the rest is room for a wrapper.
func MaxTokens(it *verbatim.Item, reasoning int) int {
	n := len(it.Want.Text)
	if it.Want.IsList() {
		n = len(pylit.Format(it.Want.List))
	}
	return 64 + n + reasoning
}
