package pylit

import (
	"math"
	"math/big"
	"math/bits"
	"strconv"
	"strings"
	"sync"
)

// parseFloat converts decimal digits with an optional sign, point and exponent, and
// rounds to even. Beyond the range of float64 it returns an infinity, as Python does.
//
// strconv does the same. But for numbers near the ends of the range, and
// for some with more than 19 digits, it takes up to 20 µs, and a text of ten megabytes
// has room for a million of those.
func parseFloat(text string) float64 {
	mantissa, exp := text, 0
	if e := strings.LastIndexAny(text, "eE"); e >= 0 {
		// For an exponent beyond int, Atoi returns the largest or the smallest one.
		exp, _ = strconv.Atoi(text[e+1:])
		exp = min(max(exp, -1<<40), 1<<40)
		mantissa = text[:e]
	}
	digits, exp, negative := significant(mantissa, exp)
	f := positiveFloat(digits, exp)
	if negative {
		return -f
	}
	return f
}

// significant returns the digits of a mantissa without zeros at either end ("" for zero), and the power of ten to
// multiply them by.
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

// positiveFloat returns the float64 nearest to digits·10^exp.
func positiveFloat(digits string, exp int) float64 {
	const most = 19 // digits that a uint64 holds
	head := digits[:min(len(digits), most)]
	n, _ := strconv.ParseUint("0"+head, 10, 64)
	exp += len(digits) - len(head)
	f, ok := nearest(n, exp)
	if ok && len(head) < len(digits) {
		var above float64
		above, ok = nearest(n+1, exp)
		ok = ok && above == f
	}
	if ok {
		return f
	}
	return exactFloat(digits, exp-len(digits)+len(head))
}

// nearest returns the float64 nearest to n·10^exp. It is false if the 128 bits of
// the power of ten do not decide, because the number is very close to halfway between
// two floats. The idea is Lemire's ("Number parsing at a gigabyte per second").
func nearest(n uint64, exp int) (float64, bool) {
	switch {
	case n == 0 || exp < minPower:
		return 0, true
	case exp > maxPower:
		return math.Inf(1), true
	}
	power := &powersOfFive()[exp-minPower]
	shift := bits.LeadingZeros64(n)
	n <<= shift
	// n·power without the lowest of three words. The error of the power
	// adds less than 2 to the lower word.
	hi, mid := bits.Mul64(n, power.hi)
	carry, _ := bits.Mul64(n, power.lo)
	lo, overflow := bits.Add64(mid, carry, 0)
	hi += overflow
	two := power.exp + exp - shift + 64 // the number is hi:lo·2^two
	drop := max(75-bits.LeadingZeros64(hi), -1074-two)
	if drop > 128 { // less than half of the smallest float64
		return 0, hi < math.MaxUint64
	}
	m := shiftRight(hi, lo, drop)
	above, overflow := bits.Add64(lo, 2, 0)
	if m != shiftRight(hi+overflow, above, drop) {
		return 0, false
	}
	return math.Ldexp(float64(m), two+drop), true
}

// shiftRight returns hi:lo/2^n, rounded to even, for n from 64 to 128.
func shiftRight(hi, lo uint64, n int) uint64 {
	n -= 64
	m, rest := hi>>n, hi<<(64-n)
	if n == 0 {
		rest = lo
	} else if lo > 0 {
		rest |= 1
	}
	const half = 1 << 63
	if rest > half || rest == half && m&1 == 1 {
		m++
	}
	return m
}

// The powers of ten whose product with a uint64 can be a float64 other than 0
// and infinity.
const minPower, maxPower = -342, 308

// A powerOfFive is the first 128 bits of a power of five: hi:lo·2^exp or a little
// more.
type powerOfFive struct {
	hi, lo uint64
	exp    int
}

// powersOfFive returns the powers from minPower on. They are calculated once, when the first float is read.
var powersOfFive = sync.OnceValue(func() *[maxPower - minPower + 1]powerOfFive {
	var table [maxPower - minPower + 1]powerOfFive
	five, p := big.NewInt(5), big.NewInt(1)
	for k := 0; k <= max(maxPower, -minPower); k++ {
		if k <= maxPower {
			table[k-minPower] = first128(p, 0)
		}
		if k > 0 && k <= -minPower {
			scale := p.BitLen() + 128
			inverse := new(big.Int).Lsh(big.NewInt(1), uint(scale))
			table[-k-minPower] = first128(inverse.Quo(inverse, p), -scale)
		}
		p.Mul(p, five)
	}
	return &table
})

// first128 returns the first 128 bits of n·2^exp.
func first128(n *big.Int, exp int) powerOfFive {
	shift := n.BitLen() - 128
	if shift > 0 {
		n = new(big.Int).Rsh(n, uint(shift))
	} else {
		n = new(big.Int).Lsh(n, uint(-shift))
	}
	lo := new(big.Int).And(n, new(big.Int).SetUint64(math.MaxUint64))
	return powerOfFive{new(big.Int).Rsh(n, 64).Uint64(), lo.Uint64(), exp + shift}
}

// exactFloat returns the float64 nearest to digits·10^exp, by whole numbers.
func exactFloat(digits string, exp int) float64 {
	// No float64, and no number halfway between two, has more than 768 digits. All digits beyond
	// only show that the number is a little larger.
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
	// The number is now num/den·2^exp. Scale it so that the quotient has 64 bits or 65.
	shift := 64 - (num.BitLen() - den.BitLen())
	if shift >= 0 {
		num.Lsh(num, uint(shift))
	} else {
		den.Lsh(den, uint(-shift))
	}
	quotient, rest := num.QuoRem(num, den, new(big.Int))
	// One bit more says whether there was a rest.
	quotient.Lsh(quotient, 1)
	if rest.Sign() != 0 {
		quotient.SetBit(quotient, 0, 1)
	}
	f, _ := new(big.Float).SetMantExp(new(big.Float).SetInt(quotient), exp-shift-1).Float64()
	return f
}
