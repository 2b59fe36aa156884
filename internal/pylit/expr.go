package pylit

import "math/big"

// expr reads one expression without white space before it, and
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

// next skips white space and reads an expression.
func (p *Parser) next() bool { return p.space() && p.expr() }

// signed reads a number with its signs. It loops over the signs, because a text may
// have millions of them.
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
