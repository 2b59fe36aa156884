package hard

import (
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"

	"verbatim"
)

// notations asks for numbers that are written as fractions, as decimals and with exponents, by
// their values. Neighbours differ by the relative gap that the fact "gap" names, or more.
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
		foreseeReverse(&it, want)
		it.Facts["gap"] = "1e-" + strconv.Itoa(digits)
		return it
	})
}

// notedNumbers draws numbers in ascending order, each above the one before by a relative gap of
// 10^-digits to four times that.
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
	mantissa, exponent := decimal(r, least, room)
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

// decimal returns the mantissa and the decimal exponent of a number in the range.
func decimal(r *rand.Rand, least, room *big.Rat) (mantissa *big.Int, exponent int) {
	unit := big.NewRat(1, 1)
	ten := big.NewRat(10, 1)
	for unit.Cmp(room) > 0 {
		unit.Quo(unit, ten)
		exponent--
	}
	for {
		if next := new(big.Rat).Mul(unit, ten); next.Cmp(room) <= 0 {
			unit = next
			exponent++
			continue
		}
		break
	}
	// The multiples of unit in the range: at least one.
	q := new(big.Rat).Quo(least, unit)
	mantissa = new(big.Int).Quo(q.Num(), q.Denom())
	if !q.IsInt() {
		mantissa.Add(mantissa, big.NewInt(1))
	}
	return mantissa, exponent
}

// fraction returns a fraction in the range, of integers without a common divisor.
func fraction(r *rand.Rand, least, room *big.Rat) (string, *big.Rat) {
	// A denominator beyond 1/room has a multiple in the range.
	inverse := new(big.Rat).Inv(room)
	bottom := new(big.Int).Quo(inverse.Num(), inverse.Denom())
	bottom.Add(bottom, big.NewInt(int64(2+r.IntN(40))))
	q := new(big.Rat).Mul(least, new(big.Rat).SetInt(bottom))
	top := new(big.Int).Quo(q.Num(), q.Denom())
	if !q.IsInt() {
		top.Add(top, big.NewInt(1))
	}
	value := new(big.Rat).SetFrac(top, bottom)
	text := value.String()
	if strings.HasSuffix(text, "/1") { // a whole number would look like a decimal
		text = new(big.Int).Mul(value.Num(), big.NewInt(2)).String() + "/2"
	}
	return text, value
}
