package pylit

import (
	"fmt"
	"slices"
	"strings"
)

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

// Reasons that depend on what is around a value.
const (
	tooManyBrackets = "too many brackets in brackets"
	tooManySigns    = "too many signs"
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

// Comments reports whether the last text held a comment.
func (p *Parser) Comments() bool { return p.comments }

// Seen returns about how many bytes of the last text decided what it is.
func (p *Parser) Seen() int { return min(p.i+3, len(p.t)) }

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

// peek returns the byte at p.i, or 0 at the end. A NUL in the text is refused
// wherever the parser meets it, so the two need no distinction.
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
