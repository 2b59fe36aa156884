package pylit

import (
	"math/big"
	"strconv"
	"strings"
)

// number reads an int, a float or an imaginary number without a sign.
func (p *Parser) number() bool {
	start := p.i
	if p.t[p.i] == '0' && p.i+1 < len(p.t) {
		switch p.t[p.i+1] | 0x20 {
		case 'x':
			return p.radix(4)
		case 'o':
			return p.radix(3)
		case 'b':
			return p.radix(1)
		}
	}
	// Most numbers are ints of few digits, which are read in one loop.
	t, i, n := p.t, p.i, int64(0)
	for ; i < len(t) && isDigit(t[i]); i++ {
		n = 10*n + int64(t[i]-'0')
	}
	if i == start || i-start > 18 || i < len(t) && (t[i] == '.' || inName(t[i])) {
		return p.longNumber() // n may have wrapped around
	}
	p.i = i
	if n > 0 && t[start] == '0' {
		return p.fail("an int with leading zeros")
	}
	return p.push(MakeInt(n))
}

// longNumber reads a number of whatever form.
func (p *Parser) longNumber() bool {
	start := p.i
	p.digits()
	whole := true
	if p.peek() == '.' {
		whole = false
		p.i++
		if isDigit(p.peek()) {
			p.digits()
		}
	}
	if p.peek()|0x20 == 'e' && p.exponent() {
		whole = false
	}
	text := p.t[start:p.i]
	imaginary := p.peek()|0x20 == 'j'
	if imaginary {
		p.i++
	}
	if inName(p.peek()) {
		return p.fail("a number that is not one")
	}
	if strings.IndexByte(text, '_') >= 0 {
		text = strings.ReplaceAll(text, "_", "")
	}
	switch {
	case imaginary:
		return p.push(makeComplex(complex(0, parseFloat(text))))
	case !whole:
		return p.push(MakeFloat(parseFloat(text)))
	}
	return p.decimal(text)
}

// parseFloat converts decimal digits with an optional sign, point and exponent. Beyond the range of
// float64 it returns an infinity, as Python does.
func parseFloat(text string) float64 {
	f, _ := strconv.ParseFloat(text, 64)
	return f
}

// digits reads digits with single underscores between them; nothing if the first character is not a digit.
func (p *Parser) digits() {
	for p.i < len(p.t) {
		if c := p.t[p.i]; isDigit(c) {
			p.i++
		} else if c == '_' && p.i+1 < len(p.t) && isDigit(p.t[p.i+1]) {
			p.i += 2
		} else {
			return
		}
	}
}

// exponent reads an exponent, if the e at p.i starts one.
func (p *Parser) exponent() bool {
	at := p.i + 1
	if at < len(p.t) && (p.t[at] == '+' || p.t[at] == '-') {
		at++
	}
	if at == len(p.t) || !isDigit(p.t[at]) {
		return false
	}
	p.i = at
	p.digits()
	return true
}

// decimal converts the digits of an int. In Python, only zero may have leading zeros.
func (p *Parser) decimal(digits string) bool {
	if digits[0] == '0' {
		if strings.Trim(digits, "0") != "" {
			return p.fail("an int with leading zeros")
		}
		return p.push(MakeInt(0))
	}
	if n, err := strconv.ParseInt(digits, 10, 64); err == nil {
		return p.push(MakeInt(n))
	}
	if len(digits) > maxIntDigits {
		return p.fail("an int of too many digits")
	}
	n, _ := new(big.Int).SetString(digits, 10)
	return p.push(MakeBig(n))
}

// radix reads a hexadecimal, octal or binary int of any length. width is the
// number of bits of a digit.
func (p *Parser) radix(width int) bool {
	p.i += 2
	start := p.i
	for p.i < len(p.t) {
		at := p.i
		if p.t[at] == '_' && at+1 < len(p.t) {
			at++
		}
		if hexDigit(p.t[at])>>width != 0 {
			break
		}
		p.i = at + 1
	}
	if p.i == start || inName(p.peek()) {
		return p.fail("a number that is not one")
	}
	return p.push(MakeBig(fromDigits(p.t[start:p.i], width)))
}

// fromDigits converts digits of width bits each, and underscores. big.Int's own
// reader takes quadratic time, and there is no limit to the length here.
func fromDigits(digits string, width int) *big.Int {
	bytes := make([]byte, len(digits)*width/8+1)
	at, bits, acc := len(bytes), 0, 0
	for i := len(digits) - 1; i >= 0; i-- {
		if digits[i] == '_' {
			continue
		}
		acc |= hexDigit(digits[i]) << bits
		bits += width
		if bits >= 8 {
			at--
			bytes[at] = byte(acc)
			acc >>= 8
			bits -= 8
		}
	}
	if bits > 0 {
		at--
		bytes[at] = byte(acc)
	}
	return new(big.Int).SetBytes(bytes[at:])
}

// hexDigit returns the value of a hexadecimal digit, and 1<<8 for other bytes.
func hexDigit(c byte) int {
	switch {
	case isDigit(c):
		return int(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return 1 << 8
}

// ShortInt reads a text that is one int of few digits and nothing else, without a Parser.
func ShortInt(text string) (Value, bool) {
	digits := strings.TrimPrefix(text, "-")
	if digits == "" || len(digits) > 18 || digits[0] == '0' && len(digits) > 1 {
		return Value{}, false
	}
	n := int64(0)
	for i := 0; i < len(digits); i++ {
		if !isDigit(digits[i]) {
			return Value{}, false
		}
		n = 10*n + int64(digits[i]-'0')
	}
	if len(digits) < len(text) {
		n = -n
	}
	return MakeInt(n), true
}
