package pylit

import (
	"math"
	"math/big"
	"math/bits"
	"strconv"
	"strings"
)

// parseFloat converts decimal digits with an optional sign, point and exponent, and
// rounds to even; beyond float64 it returns an infinity, as Python does.
//
// strconv does this well but for numbers near the ends of the range of float64, or
// far from 1 with more digits than a uint64 holds: one of those can take it 20 µs,
// and a text of ten megabytes has room for a million of them.
func parseFloat(text string) float64 {
	mantissa, exp := text, 0
	if e := strings.LastIndexAny(text, "eE"); e >= 0 {
		// An exponent beyond int is as good as the largest one.
		exp, _ = strconv.Atoi(text[e+1:])
		exp = min(max(exp, -1<<40), 1<<40)
		mantissa = text[:e]
	}
	if len(mantissa) < 20 && exp > -260 && exp < 260 {
		f, _ := strconv.ParseFloat(text, 64)
		return f
	}
	digits, exp, negative := significant(mantissa, exp)
	f := 0.0
	switch magnitude := exp + len(digits); { // 10^magnitude is above the number
	case digits == "" || magnitude < -324:
	case magnitude > 310:
		f = math.Inf(1)
	case magnitude > -30 && magnitude < 30:
		f, _ = strconv.ParseFloat(text, 64)
		f = math.Abs(f)
	default:
		f = exactFloat(digits, exp)
	}
	if negative {
		return -f
	}
	return f
}

// significant returns the digits of a mantissa without zeros at either end, none
// for zero, and the power of ten to multiply them by.
func significant(mantissa string, exp int) (digits string, power int, negative bool) {
	if c := mantissa[0]; c == '-' || c == '+' {
		negative = c == '-'
		mantissa = mantissa[1:]
	}
	whole, part, _ := strings.Cut(mantissa, ".")
	digits = whole + part
	trimmed := strings.TrimRight(digits, "0")
	power = exp - len(part) + len(digits) - len(trimmed)
	return strings.TrimLeft(trimmed, "0"), power, negative
}

// quotient returns the float64 nearest to n/10^k; false where k is too large for
// it. It is exact: the quotient of two 64-bit numbers with its remainder.
func quotient(n uint64, k int) (float64, bool) {
	if n == 0 {
		return 0, true
	}
	if k >= len(fives) {
		return 0, false
	}
	// Both numbers get their top bit, so that the quotient has 63 bits or 64.
	shiftN, shiftD := bits.LeadingZeros64(n), bits.LeadingZeros64(fives[k])
	n <<= shiftN
	q, rest := bits.Div64(n>>1, n<<63, fives[k]<<shiftD)
	exp := shiftD - shiftN - k - 63
	if drop := bits.Len64(q) - 53; drop > 0 {
		half := uint64(1) << (drop - 1)
		low := q & (half<<1 - 1)
		q >>= drop
		exp += drop
		if low > half || low == half && (rest > 0 || q&1 == 1) {
			q++
		}
	}
	return math.Float64frombits(uint64(exp+1023)<<52) * float64(q), true
}

// fives are the powers of five that a uint64 holds.
var fives = [...]uint64{1, 5, 25, 125, 625, 3125, 15625, 78125, 390625, 1953125, 9765625, 48828125, 244140625,
	1220703125, 6103515625, 30517578125, 152587890625, 762939453125, 3814697265625, 19073486328125,
	95367431640625, 476837158203125, 2384185791015625, 11920928955078125, 59604644775390625,
	298023223876953125, 1490116119384765625, 7450580596923828125}

// exactFloat returns the float64 nearest to digits·10^exp, by whole numbers.
func exactFloat(digits string, exp int) float64 {
	// No float64 and no point halfway between two has more digits than 768: what
	// lies beyond decides only whether the number is above what is before it.
	if len(digits) > 768 {
		exp += len(digits) - 769
		digits = digits[:768] + "1"
	}
	num, _ := new(big.Int).SetString(digits, 10)
	den := big.NewInt(1)
	if five := new(big.Int).Exp(big.NewInt(5), big.NewInt(int64(max(exp, -exp))), nil); exp >= 0 {
		num.Mul(num, five)
	} else {
		den = five
	}
	// The number is now num/den·2^exp. Scale so that the quotient has 64 bits or 65.
	shift := 64 - (num.BitLen() - den.BitLen())
	if shift >= 0 {
		num.Lsh(num, uint(shift))
	} else {
		den.Lsh(den, uint(-shift))
	}
	quotient, rest := num.QuoRem(num, den, new(big.Int))
	return round(quotient, rest.Sign() != 0, exp-shift)
}

// round returns the float64 nearest to q·2^exp, or a little more where there is a
// rest.
func round(q *big.Int, rest bool, exp int) float64 {
	drop := max(q.BitLen()-53, -1074-exp)
	if drop > 0 {
		half := new(big.Int).Lsh(big.NewInt(1), uint(drop-1))
		low := new(big.Int).And(q, new(big.Int).Sub(new(big.Int).Lsh(half, 1), big.NewInt(1)))
		q.Rsh(q, uint(drop))
		exp += drop
		if c := low.Cmp(half); c > 0 || c == 0 && (rest || q.Bit(0) == 1) {
			q.Add(q, big.NewInt(1))
		}
	}
	return math.Ldexp(float64(q.Uint64()), exp)
}
