package task

import (
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"

	"verbatim"
)

// notations asks for fractions, decimals and numbers with exponents by their values. The fact "gap" is
// the smallest relative difference of neighbours.
func notations() verbatim.Family {
	return family(verbatim.Family{
		Name: "hard-notations", Doc: "sort fractions, decimals and numbers with exponents by value",
		About: "The fact gap is the least relative difference of neighbours, from 1e-1 to 1e-4. No two values are equal.",
		Knobs: []verbatim.Knob{{Fact: "gap", Values: []string{"1e-1", "1e-2", "1e-3", "1e-4"}}},
		Task:  "Notations", Max: 512, Few: 8,
	}, func(r *rand.Rand, k verbatim.Parameters, n int) verbatim.Item {
		digits := 1 + r.IntN(4)
		want := notedNumbers(r, n, digits)
		given := shuffled(r, want)
		it := ask("hard-notations", k, rule{words: "by numeric value, ascending, and keep every item as it is written", given: boxed(given), want: boxed(want)})
		foreseeText(&it, given)
		foreseeReverse(&it)
		it.Facts["gap"] = "1e-" + strconv.Itoa(digits)
		return it
	})
}

// notedNumbers draws numbers in ascending order. The relative difference of neighbours is 10^-digits to
// about four times that.
func notedNumbers(r *rand.Rand, n, digits int) []string {
	gap := new(big.Rat).SetFrac64(1, pow10(digits))
	one := big.NewRat(1, 1)
	value := big.NewRat(int64(1+r.IntN(99)), pow10(1+r.IntN(3)))
	out := make([]string, n)
	for i := range out {
		least := new(big.Rat).Mul(value, new(big.Rat).Add(one, gap))
		room := new(big.Rat).Mul(least, new(big.Rat).Mul(gap, big.NewRat(3, 1)))
		out[i], value = noted(r, least, room)
	}
	return out
}

// pow10 returns 10^n.
func pow10(n int) int64 {
	p := int64(1)
	for range n {
		p *= 10
	}
	return p
}

// noted draws a number from least to least plus room, in one of the notations.
func noted(r *rand.Rand, least, room *big.Rat) (text string, value *big.Rat) {
	if r.IntN(3) == 0 && least.Cmp(big.NewRat(1_000_000, 1)) < 0 { // larger ones would be long
		return fraction(r, least, room)
	}
	// A decimal with as many digits as the room needs.
	mantissa, exponent := decimal(least, room)
	value = new(big.Rat).SetInt(mantissa)
	scale := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(exponent, -exponent))), nil))
	if exponent < 0 {
		value.Quo(value, scale)
	} else {
		value.Mul(value, scale)
	}
	digits := mantissa.String()
	plain := exponent <= 0 && exponent > -7 && len(digits)+exponent > -4
	if plain && r.IntN(3) > 0 {
		return value.FloatString(-exponent), value
	}
	e := exponent + len(digits) - 1
	text = digits[:1]
	if len(digits) > 1 {
		text += "." + digits[1:]
	}
	return text + "e" + strconv.Itoa(e), value
}

// decimal returns the mantissa and the decimal exponent of a number from least to least plus room. It
// has as few digits as possible.
func decimal(least, room *big.Rat) (mantissa *big.Int, exponent int) {
	unit := big.NewRat(1, 1)
	ten := big.NewRat(10, 1)
	for unit.Cmp(room) > 0 {
		unit.Quo(unit, ten)
		exponent--
	}
	for {
		next := new(big.Rat).Mul(unit, ten)
		if next.Cmp(room) > 0 {
			break
		}
		unit = next
		exponent++
	}
	return roundedUp(new(big.Rat).Quo(least, unit)), exponent
}

// roundedUp returns the smallest whole number that is not below a positive one.
func roundedUp(q *big.Rat) *big.Int {
	n := new(big.Int).Quo(q.Num(), q.Denom())
	if !q.IsInt() {
		n.Add(n, big.NewInt(1))
	}
	return n
}

// fraction draws a fraction from least to least plus room, in lowest terms. A whole number is written
// with the denominator 2.
func fraction(r *rand.Rand, least, room *big.Rat) (string, *big.Rat) {
	// With a denominator above 1/room there is a fraction in the range.
	inverse := new(big.Rat).Inv(room)
	bottom := new(big.Int).Quo(inverse.Num(), inverse.Denom())
	bottom.Add(bottom, big.NewInt(int64(2+r.IntN(40))))
	top := roundedUp(new(big.Rat).Mul(least, new(big.Rat).SetInt(bottom)))
	value := new(big.Rat).SetFrac(top, bottom)
	text := value.String()
	if strings.HasSuffix(text, "/1") { // decimals look like this
		text = new(big.Int).Mul(value.Num(), big.NewInt(2)).String() + "/2"
	}
	return text, value
}
