package pylit

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Parse reads a text that is one Python literal, as eval reads an expression:
// spaces and tabs before it, blank lines and comments around it, and nothing else.
// Top-level commas make a tuple. It runs nothing: a name, a call, an operator other
// than a sign before a number, an f-string or a comprehension is an error, and so
// is whatever CPython 3.11 does not compile, such as brackets nested deeper than
// 200, an int of more than 4,300 decimal digits, a NUL or text that is not UTF-8.
// One thing that CPython reads is refused: \N{…} in strings.
//
// A Set keeps the order of writing, where Python's is arbitrary. The error is a
// *SyntaxError. Time and memory are linear in the length of the text.
func Parse(text string) (Value, error) {
	v, err := new(Parser).Parse(text)
	if err != nil {
		return Value{}, err
	}
	return v, nil
}

// A SyntaxError says where a text stops being a literal, and why.
type SyntaxError struct {
	Offset int // bytes before the offence
	Reason string
	// Seen is how many bytes at the start of the text decided: every text that
	// starts with them is refused for the same reason. It is more than the length
	// of the text where its end had a part in the decision.
	Seen int
}

// Error names the reason and the place.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("not a Python literal: %s at byte %d", e.Reason, e.Offset)
}

// A Parser reads one literal after the other and keeps its memory between them.
// The zero Parser is ready. A Parser is for one goroutine.
type Parser struct {
	t        string
	i        int
	depth    int     // of brackets
	signs    int     // of signs before the number that is being read
	stack    []Value // what was read and is in no container yet
	closed   []Value // items of the containers that are closed
	lists    []int   // where the lists begin that are open
	scratch  []byte
	comments bool // there were some
	cut      int  // bytes of the text that come before t
	crlf     bool // the text had carriage returns, which t has not
	err      SyntaxError
}

// Comments reports whether the last text held a comment.
func (p *Parser) Comments() bool { return p.comments }

// Parse does what the function Parse does. What it returns, Value and error alike, holds until the next call.
// Until then the items of the value are the caller's and may be changed.
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
// returns it and its length; false when the text starts with none. Commas outside
// of brackets do not belong to it. The value holds as long as that of Parse.
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

// prefixOfLines reads the literal at the start of a text with carriage returns, of which it takes as
// much as decides.
func (p *Parser) prefixOfLines(text string) bool {
	for n := 1 << 12; ; n *= 4 {
		p.start(text[:min(n, len(text))])
		if ok := p.expr(); n >= len(text) || p.Seen() < len(p.t) {
			return ok
		}
	}
}

// Seen returns about how many bytes of the last text decided what it is.
func (p *Parser) Seen() int { return min(p.i+3, len(p.t)) }

// Unclosed returns where the lists begin that were open when Prefix gave up, outermost first, as
// places in the text. A text that begins at one of them does not start with a literal either, unless
// Prefix found too many brackets in brackets: then the inner ones may be fine. It is nil where
// Prefix gave up for a reason that only the text before them gives.
func (p *Parser) Unclosed(text string) (places []int, tooDeep bool) {
	if p.err.Reason == tooManySigns {
		return nil, false
	}
	for _, at := range p.lists {
		places = append(places, p.place(text, at))
	}
	return places, p.err.Reason == tooManyBrackets
}

// Keep returns v, the last value of Parse or Prefix, so that it holds after the next call.
func (p *Parser) Keep(v Value) Value {
	switch items := v.Items(); {
	case len(items) == 0:
	case len(items) == len(p.closed): // of a list of plain items
		v.more.items = slices.Clone(items)
	default: // other containers are in the same memory
		p.stack, p.closed = p.stack[:0], nil
	}
	return v
}

// start prepares the parser for a text.
func (p *Parser) start(text string) {
	p.begin(text)
	p.crlf = strings.IndexByte(p.t, '\r') >= 0
	if p.crlf { // as the tokenizer does, in strings too
		p.t = strings.ReplaceAll(strings.ReplaceAll(p.t, "\r\n", "\n"), "\r", "\n")
	}
}

// begin is start for a text without carriage returns.
func (p *Parser) begin(text string) {
	p.t = strings.TrimLeft(text, " \t")
	p.cut = len(text) - len(p.t)
	p.i, p.depth, p.signs, p.comments, p.crlf = 0, 0, 0, false, false
	p.stack, p.closed, p.lists = p.stack[:0], p.closed[:0], p.lists[:0]
}

// clean reports whether a text that was read has neither a NUL nor bytes that are
// not UTF-8. Both can only have hidden in strings and comments, so it is enough to
// look after everything else.
func (p *Parser) clean(read string) bool {
	if strings.IndexByte(read, 0) < 0 && utf8.ValidString(read) {
		return true
	}
	p.i = len(read)
	return p.fail("a NUL or bytes that are not UTF-8")
}

// place returns where in the text the place is that is at p.t[i].
func (p *Parser) place(text string, i int) int {
	i += p.cut
	if p.crlf {
		i = withReturns(text[:min(len(text), 2*i+2)], i) // at most all of it are pairs
	}
	return i
}

// withReturns returns where in the text the place is that is at offset once every
// \r\n counts as one byte.
func withReturns(text string, offset int) int {
	at := 0
	for n := strings.Index(text, "\r\n"); n >= 0 && n < offset; n = strings.Index(text[at:], "\r\n") {
		at += n + 2
		offset -= n + 1
	}
	return at + offset
}

// fail notes why the text is refused. No decision looks further than two bytes
// past p.i, or the end of the text where that is nearer.
func (p *Parser) fail(reason string) bool {
	p.err = SyntaxError{Offset: min(p.i, len(p.t)), Reason: reason, Seen: p.i + 3}
	return false
}

// peek returns the byte at p.i, or 0 at the end. A NUL in the text is refused
// wherever the parser meets it, so the two need no distinction.
func (p *Parser) peek() byte {
	if p.i < len(p.t) {
		return p.t[p.i]
	}
	return 0
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

// lines skips blank lines and lines of comments outside of brackets, up to a line
// that must not be indented. A last line of blanks without its newline counts as
// indented, as it does in CPython.
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

// space skips what may stand between tokens.
func (p *Parser) space() bool {
	if p.i < len(p.t) && classes[p.t[p.i]] != blank {
		return true
	}
	return p.blanks()
}

func (p *Parser) blanks() bool {
	for ; p.i < len(p.t) && classes[p.t[p.i]] == blank; p.i++ {
		switch p.t[p.i] {
		case '\n':
			if p.depth == 0 {
				return true
			}
		case '#':
			p.comment()
			p.i--
		case '\\':
			if !p.continuation() {
				return false
			}
		}
	}
	return true
}

// comment skips to the end of the line.
func (p *Parser) comment() {
	p.comments = true
	if n := strings.IndexByte(p.t[p.i:], '\n'); n >= 0 {
		p.i += n
	} else {
		p.i = len(p.t)
	}
}

// continuation steps from a backslash to the newline that it undoes, which must
// not be the end of the text.
func (p *Parser) continuation() bool {
	p.i++
	if p.peek() != '\n' {
		return p.fail("a backslash before something else than a newline")
	}
	if p.i+1 == len(p.t) {
		return p.fail("the end after a backslash")
	}
	return true
}
