package pylit

import (
	"math/big"
	"slices"
	"strings"
)

// Depths at which CPython gives up. Its limit on signs in a row depends on how
// deep the caller is; for a program's first call it lies a little above this one.
const (
	maxBrackets = 200
	maxSigns    = 2980
)

// A class sorts the bytes of a text by what they can start.
type class uint8

const (
	other     class = iota
	digit           // 0 to 9
	letter          // a to z, A to Z, _ and all bytes beyond ASCII
	quotation       // ' and "
	blank           // white space, comments and continuations
)

// classes is the class of every byte.
var classes = func() (table [256]class) {
	for c := range table {
		switch {
		case c >= '0' && c <= '9':
			table[c] = digit
		case c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c >= 0x80:
			table[c] = letter
		case c == '\'' || c == '"':
			table[c] = quotation
		case c == ' ' || c == '\t' || c == '\f' || c == '\n' || c == '#' || c == '\\':
			table[c] = blank
		}
	}
	return table
}()

func isDigit(c byte) bool { return classes[c] == digit }

// inName reports whether c continues a name or, wrongly, a number. All bytes of
// characters beyond ASCII count: wherever they stand outside of strings, the text
// is refused.
func inName(c byte) bool { return classes[c] == digit || classes[c] == letter }

// expr reads one expression, before which the white space has been skipped, and
// puts its value on the stack.
func (p *Parser) expr() bool {
	c := p.peek()
	switch classes[c] {
	case digit:
		return p.number()
	case quotation:
		return p.strings("")
	case letter:
		return p.word()
	}
	switch c {
	case '-', '+':
		return p.signed()
	case '[':
		return p.list()
	case '.':
		return p.dot()
	case '(':
		return p.group()
	case '{':
		return p.braces()
	}
	return p.fail("no value")
}

// push puts a value on the stack.
func (p *Parser) push(v Value) bool {
	if len(p.stack) == cap(p.stack) {
		p.grow()
	}
	p.stack = append(p.stack, v)
	return true
}

// grow makes room on the stack. When there are many values already, it counts
// commas to know how many are to come: to copy them again and again costs more.
func (p *Parser) grow() {
	const many = 1 << 10
	n := max(64, len(p.stack))
	if n > many {
		n = strings.Count(p.t[p.i:], ",") + 2
	}
	p.stack = slices.Grow(p.stack, n)
}

// top returns the last value on the stack.
func (p *Parser) top() *Value { return &p.stack[len(p.stack)-1] }

// next skips white space and reads an expression.
func (p *Parser) next() bool { return p.space() && p.expr() }

// signed reads a number with its signs. It loops over the signs, for a text may
// hold millions of them.
func (p *Parser) signed() bool {
	if p.i+1 < len(p.t) && p.t[p.i] == '-' && isDigit(p.t[p.i+1]) { // nearly always
		p.i++
		if !p.number() {
			return false
		}
		negate(p.top())
		return true
	}
	negative, before := false, p.signs
	for c := p.peek(); c == '-' || c == '+'; c = p.peek() {
		negative = negative != (c == '-')
		if p.signs++; p.signs > maxSigns {
			return p.fail(tooManySigns)
		}
		p.i++
		if !p.space() {
			return false
		}
	}
	if !p.expr() {
		return false
	}
	p.signs = before
	switch v := p.top(); {
	case v.kind == Bool:
		v.kind = Int
	case v.kind < Bool || v.kind > Complex:
		return p.fail("a sign before something else than a number")
	}
	if negative {
		negate(p.top())
	}
	return true
}

func negate(v *Value) {
	switch {
	case v.kind == Float:
		v.num ^= 1 << 63
	case v.kind == Complex:
		*v = makeComplex(-v.complex())
	case v.more == nil && v.num != 1<<63:
		v.num = -v.num
	default:
		*v = MakeBig(new(big.Int).Neg(v.Big()))
	}
}

// dot reads the ellipsis or a number that starts with its point.
func (p *Parser) dot() bool {
	if rest := p.t[p.i:]; len(rest) >= 2 && isDigit(rest[1]) {
		return p.number()
	}
	for range 3 {
		if p.peek() != '.' {
			return p.fail("no value")
		}
		p.i++
	}
	return p.push(Value{kind: Ellipsis})
}

// word reads True, False, None, or a string with its prefix.
func (p *Parser) word() bool {
	start := p.i
	for p.i < len(p.t) && inName(p.t[p.i]) {
		p.i++
	}
	word := p.t[start:p.i]
	if classes[p.peek()] == quotation && isPrefix(word) {
		return p.strings(word)
	}
	switch word {
	case "True":
		return p.push(MakeBool(true))
	case "False":
		return p.push(MakeBool(false))
	case "None":
		return p.push(Value{})
	}
	return p.fail("a name")
}
