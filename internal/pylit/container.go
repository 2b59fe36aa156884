package pylit

import "slices"

// open steps into brackets.
func (p *Parser) open() bool {
	if p.depth == maxBrackets {
		return p.fail(tooManyBrackets)
	}
	p.i++
	p.depth++
	return true
}

// close steps out of brackets and puts the values on the stack from base on into a container.
func (p *Parser) close(k Kind, base int) bool {
	p.i++
	p.depth--
	return p.pack(k, base)
}

// pack replaces the values on the stack from base on by a container of them.
func (p *Parser) pack(k Kind, base int) bool {
	if base == 0 && len(p.closed) == 0 { // a list of plain items, which need not be copied
		p.closed, p.stack = p.stack, p.closed
		return p.push(container(k, p.closed[:len(p.closed):len(p.closed)]))
	}
	if n := len(p.stack) - base; cap(p.closed)-len(p.closed) < n {
		// A new block instead of a longer one: containers refer to the old one,
		// and millions of small containers would be copied again and again.
		p.closed = make([]Value, 0, max(n, min(2*cap(p.closed), 1<<14), 64))
	}
	start := len(p.closed)
	p.closed = append(p.closed, p.stack[base:]...)
	p.stack = p.stack[:base]
	return p.push(container(k, p.closed[start:len(p.closed):len(p.closed)]))
}

// tuple reads an expression, or several with commas between them, up to the end
// of the line or a closing parenthesis.
func (p *Parser) tuple() bool {
	base := len(p.stack)
	if !p.next() || !p.space() {
		return false
	}
	if p.peek() != ',' {
		return true
	}
	for p.peek() == ',' {
		p.i++
		if !p.space() {
			return false
		}
		if c := p.peek(); c == ')' || c == '\n' || p.i == len(p.t) {
			break
		}
		if !p.expr() || !p.space() {
			return false
		}
	}
	return p.pack(Tuple, base)
}

// list reads [ ] and its items.
func (p *Parser) list() bool {
	at := p.i
	if !p.open() {
		return false
	}
	p.lists = append(p.lists, at)
	base := len(p.stack)
	for p.space() {
		if p.peek() == ']' {
			p.lists = p.lists[:len(p.lists)-1]
			return p.close(List, base)
		}
		if !p.expr() || !p.separator(']') {
			return false
		}
	}
	return false
}

// separator reads the comma behind an item, unless the closing bracket is there.
func (p *Parser) separator(closing byte) bool {
	if !p.space() {
		return false
	}
	switch p.peek() {
	case ',':
		p.i++
	case closing:
	default:
		return p.fail("neither a comma nor the closing bracket")
	}
	return true
}

// group reads ( ): a tuple, or a value in parentheses.
func (p *Parser) group() bool {
	base := len(p.stack)
	if !p.open() || !p.space() {
		return false
	}
	if p.peek() == ')' {
		return p.close(Tuple, base)
	}
	if !p.tuple() || !p.space() {
		return false
	}
	if p.peek() != ')' {
		return p.fail("neither a comma nor the closing bracket")
	}
	p.i++
	p.depth--
	return true
}

// braces reads { }: a set or a dict, as its first member says.
func (p *Parser) braces() bool {
	base, kind := len(p.stack), Dict
	if !p.open() {
		return false
	}
	for first := true; p.space(); first = false {
		if p.peek() == '}' {
			p.unique(kind, base)
			return p.close(kind, base)
		}
		if !p.member(&kind, first) || !p.separator('}') {
			return false
		}
	}
	return false
}

// member reads a member of a set, or a key and value of a dict. The first one sets the kind.
func (p *Parser) member(kind *Kind, first bool) bool {
	if !p.expr() || !p.space() {
		return false
	}
	if !hashable(*p.top()) {
		return p.fail("a list, set or dict in a set or as a key")
	}
	colon := p.peek() == ':'
	if first && !colon {
		*kind = Set
	}
	switch {
	case *kind == Set:
		return true
	case !colon:
		return p.fail("a dict's key without its value")
	}
	p.i++
	return p.next()
}

// unique removes duplicates in a set or dict, whose members are on the stack from base on. Of equal members the first
// stays, with the last value.
func (p *Parser) unique(kind Kind, base int) {
	width := 1
	if kind == Dict {
		width = 2
	}
	items := p.stack[base:]
	if len(items) <= width {
		return
	}
	at := make(map[string]int, len(items)/width)
	rest := items[:0]
	for chunk := range slices.Chunk(items, width) {
		p.scratch = AppendKey(p.scratch[:0], chunk[0])
		if i, double := at[string(p.scratch)]; double {
			copy(rest[i+1:i+width], chunk[1:])
			continue
		}
		at[string(p.scratch)] = len(rest)
		rest = append(rest, chunk...)
	}
	p.stack = p.stack[:base+len(rest)]
}

// hashable reports whether Python takes v as a member of a set or a key of a dict.
func hashable(v Value) bool {
	if v.kind == Tuple {
		return !slices.ContainsFunc(v.Items(), func(item Value) bool { return !hashable(item) })
	}
	return v.kind < List
}
