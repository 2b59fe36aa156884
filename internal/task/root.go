package task

import (
	"math/big"
	"math/rand/v2"

	"verbatim"
	"verbatim/internal/draw"
)

// root asks for the square or cube root of a whole number. simpE's documents name it as a future task.
// The fact "exact" says whether the root is whole; otherwise it is to be rounded down. The fact "root"
// is square or cube.
func root() verbatim.Family {
	return verbatim.Family{
		Name: "root", Version: 2, Doc: "the whole part of a square or cube root",
		About: "The fact root is square or cube. Half of the numbers are powers, so that the root is whole (exact is yes); the others are rounded down. The next number up or down is off_by_one, and a root with a fraction decimal. The cube root for the square root is other_operation, and the number itself echo. Any further number is other_number.",
		Unit:  "digits", Min: 2, Max: 1000, Few: 24, DefaultLengths: []int{2, 4, 8, 16, 32, 60},
		Knobs:    []verbatim.Knob{{Fact: "root", Values: []string{"square", "cube"}}, {Fact: "exact", Values: []string{"yes", "no"}}},
		Wordings: rootWordings(),
		Item: func(r *rand.Rand, k verbatim.Parameters) (verbatim.Item, error) {
			n := drawLength(r, k.Length)
			power, name := 2, "square"
			if r.IntN(2) == 0 {
				power, name = 3, "cube"
			}
			exact := r.IntN(2) == 0
			number, whole := powerOf(r, n, power, exact)
			asked := "the " + name + " root of " + number.String()
			if !exact {
				asked += ", rounded down to a whole number"
			}
			it := newItem("root", k, n, rootWordings()[0], verbatim.Inputs{"number": asked}, verbatim.TextAnswer(whole.String()), verbatim.ListAnswer([]any{number.String()}))
			it.Grader = "integer"
			it.Facts["root"], it.Facts["exact"] = name, "no"
			if exact {
				it.Facts["exact"] = "yes"
			}
			foreseeRoot(&it, number, whole, power)
			return it, nil
		},
	}
}

// foreseeRoot adds frequent wrong answers: the neighbours of the root, the root that is not rounded, the
// other root, and the number itself.
func foreseeRoot(it *verbatim.Item, number, whole *big.Int, power int) {
	up, other, exact := "rounded up", "the cube root", it.Facts["exact"] == "yes"
	if exact {
		up = "one more"
	}
	if power == 3 {
		other = "the square root"
	}
	one := big.NewInt(1)
	foresee(it, "off_by_one", up, verbatim.TextAnswer(new(big.Int).Add(whole, one).String()))
	foresee(it, "off_by_one", "one less", verbatim.TextAnswer(new(big.Int).Sub(whole, one).String()))
	if !exact {
		foresee(it, "decimal", "not rounded", verbatim.TextAnswer(hundredths(number, power)))
	}
	foresee(it, "other_operation", other, verbatim.TextAnswer(rootOf(number, 5-power).String()))
	foresee(it, "echo", "the number itself", verbatim.TextAnswer(number.String()))
}

// hundredths returns a root with two decimal places, rounded.
func hundredths(number *big.Int, power int) string {
	const places = 3
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(places*power)), nil)
	n := rootOf(scale.Mul(scale, number), power) // thousandths, rounded down
	n.Quo(n.Add(n, big.NewInt(5)), big.NewInt(10))
	return new(big.Rat).SetFrac(n, big.NewInt(100)).FloatString(2)
}

// powerOf draws a number of n digits, and returns it with the whole part of its root. Exact says
// whether the number is the power of a whole number.
func powerOf(r *rand.Rand, n, power int, exact bool) (number, whole *big.Int) {
	exponent := big.NewInt(int64(power))
	for {
		text := draw.String(r, draw.Digits[1:], 1) + draw.String(r, draw.Digits, n-1)
		number, _ = new(big.Int).SetString(text, 10)
		whole = rootOf(number, power)
		below := new(big.Int).Exp(whole, exponent, nil)
		if !exact && below.Cmp(number) != 0 {
			return number, whole
		}
		if exact && len(below.String()) == n {
			return below, whole
		}
	}
}

// rootOf returns the whole part of a root, by Newton's method from above.
func rootOf(number *big.Int, power int) *big.Int {
	if power == 2 {
		return new(big.Int).Sqrt(number)
	}
	x := new(big.Int).Lsh(big.NewInt(1), uint(number.BitLen()/power+1)) // above the root
	for {
		// next = ((power-1)·x + number/x^(power-1)) / power
		next := new(big.Int).Exp(x, big.NewInt(int64(power-1)), nil)
		next.Quo(number, next)
		next.Add(next, new(big.Int).Mul(x, big.NewInt(int64(power-1))))
		next.Quo(next, big.NewInt(int64(power)))
		if next.Cmp(x) >= 0 {
			return x
		}
		x = next
	}
}

func rootWordings() []verbatim.Wording {
	return []verbatim.Wording{
		{Text: "Compute {number}. Only output the number in digits, without any calculation and without any other text."},
		{Text: "What is {number}? Your answer must be that number alone, written in digits: no comment, no units, no working."},
		{Text: "Give {number}. Answer with the resulting whole number only."},
		{Text: "I need {number}. Write its digits and add nothing."},
	}
}
