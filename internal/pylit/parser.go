package pylit

import (
	"fmt"
	"slices"
	"strings"
)

// A Parser reads one literal after the other and keeps its buffers between them.
// The zero Parser is ready. A Parser is for one goroutine.
//
// Its methods that read part of a text return false after they called fail.
type Parser struct {
	t        string  // the text, without blanks before it and without carriage returns
	i        int     // the place in t that is read next
	depth    int     // the number of open brackets
	signs    int     // the number of signs before the number that is read
	stack    []Value // values that are in no container yet
	closed   []Value // the items of closed containers
	lists    []int   // where the open lists begin
	scratch  []byte
	comments bool // the text has comments
	cut      int  // the number of bytes of the text before t
	crlf     bool // the text has carriage returns
	err      SyntaxError
}

// A SyntaxError says where a text stops being a literal, and why.
type SyntaxError struct {
	Offset int // the place of the error
	Reason string
	// Seen is the number of bytes at the start of the text that decide: every text that
	// starts with them is refused for the same reason. It is more than the length
	// of the text if its end is part of the reason.
	Seen int
}

// Error names the reason and the place.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("not a Python literal: %s at byte %d", e.Reason, e.Offset)
}

// Reasons that depend on what is around a value.
const (
	tooManyBrackets = "too many brackets in brackets"
	tooManySigns    = "too many signs"
)

// Limits of CPython. Its limit on signs in a row depends on the depth of the
// caller's stack. For a program's first call it is a little above this one.
const (
	maxBrackets = 200
	maxSigns    = 2980
)

// A class says what a byte of a text can start.
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
// characters beyond ASCII count: outside strings they are an error anyway.
func inName(c byte) bool { return classes[c] == digit || classes[c] == letter }

// Comments reports whether the last text held a comment.
func (p *Parser) Comments() bool { return p.comments }

// Seen returns about how many bytes of the last text were read.
func (p *Parser) Seen() int { return min(p.i+3, len(p.t)) }

// start prepares the parser for a text.
func (p *Parser) start(text string) {
	p.begin(text)
	p.crlf = strings.IndexByte(p.t, '\r') >= 0
	if p.crlf { // as the tokenizer does, in strings too
		p.t = strings.ReplaceAll(strings.ReplaceAll(p.t, "\r\n", "\n"), "\r", "\n")
	}
}

// begin is start for a text whose carriage returns are not replaced.
func (p *Parser) begin(text string) {
	p.t = strings.TrimLeft(text, " \t")
	p.cut = len(text) - len(p.t)
	p.i, p.depth, p.signs, p.comments, p.crlf = 0, 0, 0, false, false
	p.stack, p.closed, p.lists = p.stack[:0], p.closed[:0], p.lists[:0]
}

// peek returns the byte at p.i, or 0 at the end. A NUL in the text is an error
// anyway, so both need no distinction.
func (p *Parser) peek() byte {
	if p.i < len(p.t) {
		return p.t[p.i]
	}
	return 0
}

// fail notes why the text is refused. No decision looks further than two bytes
// past p.i, or the end of the text where that is nearer.
func (p *Parser) fail(reason string) bool {
	p.err = SyntaxError{Offset: min(p.i, len(p.t)), Reason: reason, Seen: p.i + 3}
	return false
}

// push puts a value on the stack.
func (p *Parser) push(v Value) bool {
	if len(p.stack) == cap(p.stack) {
		p.grow()
	}
	p.stack = append(p.stack, v)
	return true
}

// grow makes room on the stack. If there are many values already, it counts
// commas to estimate how many will follow, which costs less than repeated copies.
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

// space skips white space, comments and continuations between tokens.
func (p *Parser) space() bool {
	if p.i < len(p.t) && classes[p.t[p.i]] != blank {
		return true
	}
	return p.blanks()
}

// blanks is space where there is something to skip.
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

// continuation steps from a backslash to the newline that it escapes, which must
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

// place returns the place in the text of p.t[i].
func (p *Parser) place(text string, i int) int {
	i += p.cut
	if p.crlf {
		i = withReturns(text[:min(len(text), 2*i+2)], i) // at most all of it are pairs
	}
	return i
}

// withReturns returns the place in a text that has the given offset if every
// \r\n counts as one byte.
func withReturns(text string, offset int) int {
	at := 0
	for n := strings.Index(text, "\r\n"); n >= 0 && n < offset; n = strings.Index(text[at:], "\r\n") {
		at += n + 2
		offset -= n + 1
	}
	return at + offset
}
