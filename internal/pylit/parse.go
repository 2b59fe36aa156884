package pylit

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Parse reads a text that is one Python literal, as eval reads an expression.
// Spaces and tabs may be before it, blank lines and comments around it, and nothing else.
// Top-level commas make a tuple. Parse runs nothing: a name, a call, an operator other
// than a sign before a number, an f-string or a comprehension is an error. So
// is all that CPython 3.11 does not compile, such as brackets nested deeper than
// 200, an int of more than 4,300 decimal digits, a NUL or text that is not UTF-8.
// One thing that CPython reads is also an error: \N{…} in strings.
//
// A Set keeps the order of the text; Python's order is arbitrary. The error is a
// *SyntaxError. Time and memory are linear in the length of the text.
func Parse(text string) (Value, error) {
	v, err := new(Parser).Parse(text)
	if err != nil {
		return Value{}, err
	}
	return v, nil
}

// Parse is the function Parse with the buffers of p. Its Value and its error are valid until the next call.
// Until then, the caller may change the items of the value.
func (p *Parser) Parse(text string) (Value, *SyntaxError) {
	p.start(text)
	if p.text() && p.clean(p.t) {
		return *p.top(), nil
	}
	p.err.Offset = p.place(text, p.err.Offset)
	switch {
	case !p.crlf:
		p.err.Seen += p.cut
	case p.err.Seen < len(p.t):
		p.err.Seen = p.place(text, p.err.Seen) + 1 // and what tells "\r" from "\r\n"
	default:
		p.err.Seen = len(text) + 1 // which is more than it need be
	}
	return Value{}, &p.err
}

// Prefix reads the literal that a text starts with, whatever follows it, and
// returns it and its length; false without one. A comma outside
// brackets ends it. The value is valid as long as that of Parse.
//
// Time is linear in the length of what is read, however long the text is.
func (p *Parser) Prefix(text string) (v Value, n int, ok bool) {
	p.begin(text)
	ok = p.expr()
	if strings.IndexByte(p.t[:p.Seen()], '\r') >= 0 {
		ok = p.prefixOfLines(text)
	}
	if !ok || !p.clean(p.t[:p.i]) {
		return Value{}, 0, false
	}
	return *p.top(), p.place(text, p.i), true
}

// prefixOfLines reads the literal at the start of a text with carriage returns. It takes more and more of the text
// until that decides.
func (p *Parser) prefixOfLines(text string) bool {
	for n := 1 << 12; ; n *= 4 {
		p.start(text[:min(n, len(text))])
		if ok := p.expr(); n >= len(text) || p.Seen() < len(p.t) {
			return ok
		}
	}
}

// Unclosed returns where the lists begin that were open when Prefix failed, outermost first, as
// places in the text. A text that begins at one of them does not start with a literal either. tooDeep is the exception:
// the brackets were nested too deeply, and the inner lists may be literals. places is nil if
// the reason of the failure is only in the text before the lists.
func (p *Parser) Unclosed(text string) (places []int, tooDeep bool) {
	if p.err.Reason == tooManySigns {
		return nil, false
	}
	for _, at := range p.lists {
		places = append(places, p.place(text, at))
	}
	return places, p.err.Reason == tooManyBrackets
}

// Keep returns v, the last value of Parse or Prefix, so that it stays valid after the next call.
func (p *Parser) Keep(v Value) Value {
	switch items := v.Items(); {
	case len(items) == 0:
	case len(items) == len(p.closed): // of a list of plain items
		v.more.items = slices.Clone(items)
	default: // other containers are in the same buffer
		p.stack, p.closed = p.stack[:0], nil
	}
	return v
}

// clean reports whether a text that was read has neither a NUL nor bytes that are
// not UTF-8. Both can only be in strings and comments, so one check at the end
// is enough.
func (p *Parser) clean(read string) bool {
	if strings.IndexByte(read, 0) < 0 && utf8.ValidString(read) {
		return true
	}
	p.i = len(read)
	return p.fail("a NUL or bytes that are not UTF-8")
}

// text reads the whole text.
func (p *Parser) text() bool {
	if !p.lines() || !p.tuple() || !p.space() {
		return false
	}
	if p.peek() == '\n' {
		p.i++
		if !p.lines() {
			return false
		}
	}
	if p.i < len(p.t) {
		return p.fail("something after the literal")
	}
	return true
}

// lines skips blank lines and lines of comments outside brackets, up to a line
// that must not be indented. A last line of blanks without a newline counts as
// indented, as in CPython.
func (p *Parser) lines() bool {
	for {
		column, continued := 0, 0
	blanks:
		for ; ; p.i++ {
			switch p.peek() {
			case ' ', '\t':
				column++ // any number but 0 would do
			case '\f':
				column = 0
			case '\\':
				if continued == 0 {
					continued = column
				}
				if !p.continuation() {
					return false
				}
			default:
				break blanks
			}
		}
		if p.peek() == '#' {
			p.comment()
			if p.i == len(p.t) {
				return true
			}
		}
		if p.peek() != '\n' {
			if continued > 0 {
				column = continued
			}
			if column > 0 {
				return p.fail("an indented line")
			}
			return true
		}
		p.i++
	}
}
