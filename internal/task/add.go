package task

import (
	"math/big"
	"math/rand/v2"

	"verbatim"
	"verbatim/internal/draw"
)

// addition is simpE's sum of two integers. At a fixed length both have that number of
// digits. In a range each draws its own length, and the longer one is the item's length.
func addition() verbatim.Family {
	return verbatim.Family{
		Name: "add", Version: 1, Doc: "add two integers (simpE's addition)",
		Aliases: []string{"addition", "sum", "add_two_ints"},
		Unit:    "digits", Min: 1, Max: 4000,
		DefaultLengths: []int{3, 6, 12, 24},
		Wordings:       addWordings(),
		Item: func(r *rand.Rand, k verbatim.Parameters) (verbatim.Item, error) {
			na, nb := drawLength(r, k.Length), drawLength(r, k.Length)
			a, b := operand(r, na, k.Edition), operand(r, nb, k.Edition)
			sum := new(big.Int).Add(a, b)
			source := verbatim.ListAnswer([]any{element(a), element(b)})
			it := newItem("add", k, max(na, nb), addWordings()[0], verbatim.Inputs{"a": a.String(), "b": b.String()}, verbatim.TextAnswer(sum.String()), source)
			it.Grader = "integer"
			if k.Edition == verbatim.Reference {
				it.Grader = "integer-reference"
			}
			return it, nil
		},
	}
}

// operand draws an integer of n digits. The reference edition draws every digit
// from 0 to 9, as the published code does, so its values may be shorter.
func operand(r *rand.Rand, n int, edition verbatim.Edition) *big.Int {
	digits := draw.String(r, draw.Digits, n)
	if edition != verbatim.Reference {
		digits = draw.String(r, draw.Digits[1:], 1) + digits[1:]
	}
	v, ok := new(big.Int).SetString(digits, 10)
	if !ok {
		panic("not a number: " + digits)
	}
	return v
}

// element returns v as an element of an Answer's list: an int64, if v fits.
func element(v *big.Int) any {
	if v.IsInt64() {
		return v.Int64()
	}
	return v
}

func addWordings() []verbatim.Wording {
	return []verbatim.Wording{
		{Text: `Provide the sum of the two numbers. Don't output anything else. Only output the sum of the two numbers without anything additional. Only output the final number, no calculation, no explanation, just the final number without any text.: "{a}" "{b}"`},
		{Text: `Add the two integers in the quotation marks. Your answer must be their sum alone, written in digits: no quotation marks, no calculation, no comment, no other words. "{a}" "{b}"`},
		{Text: `Here are two numbers: "{a}" "{b}" What do they add up to? Answer with the resulting number only, without a calculation, without an explanation and without anything else.`},
		{Text: `How much is the first number below plus the second one? Give the total in digits. Leave out the working and the quotes, and add no text.` + "\n\n\"{a}\" \"{b}\""},
	}
}
