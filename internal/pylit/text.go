package pylit

import "strings"

// isPrefix reports whether word may be before a string's quote: r, u, b, br or
// rb in any letter case. Strings with an f are not literals.
func isPrefix(word string) bool {
	switch len(word) {
	case 1:
		return strings.IndexByte("rRuUbB", word[0]) >= 0
	case 2:
		c, d := word[0]|0x20, word[1]|0x20
		return c == 'b' && d == 'r' || c == 'r' && d == 'b'
	}
	return false
}

// strings reads a string and all strings directly behind it, which Python joins. The prefix of the first
// one is read already.
func (p *Parser) strings(prefix string) bool {
	if !p.string(prefix) {
		return false
	}
	if c := p.peek(); c == ',' || c == ']' {
		return true
	}
	var joined []byte
	for more := true; more; {
		if !p.space() {
			return false
		}
		if prefix, more = p.anotherString(); !more {
			break
		}
		p.i += len(prefix)
		if !p.string(prefix) {
			return false
		}
		last := *p.top()
		p.stack = p.stack[:len(p.stack)-1]
		if last.kind != p.top().kind {
			return p.fail("bytes joined to a string")
		}
		if joined == nil {
			joined = append(joined, p.top().text...)
		}
		joined = append(joined, last.text...)
	}
	if inName(p.peek()) {
		return p.fail("a name after a string")
	}
	if joined != nil {
		p.top().text = string(joined)
	}
	return true
}

// anotherString reports whether a string starts at p.i, and its prefix.
func (p *Parser) anotherString() (prefix string, ok bool) {
	for n := 0; n < 3 && p.i+n < len(p.t); n++ {
		switch c := p.t[p.i+n]; {
		case c == '\'' || c == '"':
			prefix = p.t[p.i : p.i+n]
			return prefix, n == 0 || isPrefix(prefix)
		case c|0x20 < 'a' || c|0x20 > 'z':
			return "", false
		}
	}
	return "", false
}

// string reads one string, whose prefix is read already.
func (p *Parser) string(prefix string) bool {
	t, q := p.t, p.t[p.i]
	// Most strings are short and plain.
	i := p.i + 1
	for i < len(t) && t[i] != q && t[i] != '\\' && t[i] != '\n' {
		i++
	}
	if i < len(t) && t[i] == q && i > p.i+1 && prefix == "" {
		text := t[p.i+1 : i]
		p.i = i + 1
		return p.push(MakeStr(text))
	}
	return p.oddString(prefix)
}

// oddString reads a string of any form.
func (p *Parser) oddString(prefix string) bool {
	q := p.t[p.i]
	triple := p.i+2 < len(p.t) && p.t[p.i+1] == q && p.t[p.i+2] == q
	text, escaped, ok := p.quoted(q, triple)
	if !ok {
		return false
	}
	v := Value{kind: Str, text: text}
	if strings.ContainsAny(prefix, "bB") {
		v.kind = Bytes
		if !isASCII(text) {
			return p.fail("bytes beyond ASCII")
		}
	}
	if escaped && !strings.ContainsAny(prefix, "rR") {
		return p.unescape(v)
	}
	return p.push(v)
}

// quoted reads the text between quotes. escaped: it has a backslash.
func (p *Parser) quoted(q byte, triple bool) (text string, escaped, ok bool) {
	p.i++
	if triple {
		p.i += 2
	}
	t, start, i := p.t, p.i, p.i
	for ; i < len(t); i++ {
		switch c := t[i]; {
		case c == q:
			if !triple {
				p.i = i + 1
				return t[start:i], escaped, true
			}
			if i+2 < len(t) && t[i+1] == q && t[i+2] == q {
				p.i = i + 3
				return t[start:i], escaped, true
			}
		case c == '\\':
			escaped = true
			i++
		case c == '\n' && !triple:
			p.i = i
			p.fail("a line that ends in a string")
			return "", false, false
		}
	}
	p.i = len(t)
	p.fail("a string without its closing quote")
	return "", false, false
}

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// unescape replaces the escapes of v, which ends at p.i.
func (p *Parser) unescape(v Value) bool {
	in, out := v.text, p.scratch[:0]
	for {
		n := strings.IndexByte(in, '\\')
		if n < 0 {
			break
		}
		out = append(out, in[:n]...)
		var ok bool
		if out, in, ok = escape(out, in[n+1:], v.kind); !ok {
			return p.fail("an escape that is not one")
		}
	}
	out = append(out, in...)
	p.scratch = out
	v.text = string(out)
	return p.push(v)
}

// escape appends the character of the escape that in starts with, without its backslash, and returns the rest of
// in. An unknown escape keeps its backslash.
func escape(out []byte, in string, kind Kind) ([]byte, string, bool) {
	c, in := in[0], in[1:]
	if at := strings.IndexByte("\nntrabfv\\'\"", c); at >= 0 {
		if at > 0 { // a newline is dropped
			out = append(out, "\n\n\t\r\a\b\f\v\\'\""[at])
		}
		return out, in, true
	}
	r, digits, ok := rune(0), 0, true
	switch {
	case c >= '0' && c <= '7':
		r = rune(c - '0')
		for digits < 2 && digits < len(in) && in[digits]&^7 == '0' {
			r = r<<3 | rune(in[digits]-'0')
			digits++
		}
	case c == 'x':
		digits = 2
		r, ok = hexRune(in, digits)
	case c == 'u' && kind == Str:
		digits = 4
		r, ok = hexRune(in, digits)
	case c == 'U' && kind == Str:
		digits = 8
		r, ok = hexRune(in, digits)
	case c == 'N' && kind == Str:
		return nil, "", false // needs the names of all characters
	default:
		return append(out, '\\', c), in, true
	}
	if !ok || r > 0x10ffff {
		return nil, "", false
	}
	if kind == Bytes {
		return append(out, byte(r)), in[digits:], true
	}
	return appendCodePoint(out, r), in[digits:], true
}

// hexRune reads exactly so many hexadecimal digits.
func hexRune(in string, digits int) (rune, bool) {
	if len(in) < digits {
		return 0, false
	}
	r := rune(0)
	for i := range digits {
		d := hexDigit(in[i])
		if d > 0xf || r > 0x10ffff {
			return 0, false
		}
		r = r<<4 | rune(d)
	}
	return r, true
}
