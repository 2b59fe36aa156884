package pylit

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
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

// Strip returns s without the white space at both ends, as Python's str.strip()
// does. Unlike strings.TrimSpace it also removes U+001C to U+001F, which are
// separators to Python.
func Strip(s string) string { return strings.TrimFunc(s, isSpace) }

// isSpace reports whether r is white space to Python's str.isspace().
func isSpace(r rune) bool { return unicode.IsSpace(r) || 0x1c <= r && r <= 0x1f }

// codePoints counts the code points of a WTF-8 string, a lone surrogate as one.
func codePoints(s string) int {
	n := 0
	for i := 0; i < len(s); i++ {
		if s[i]&0xc0 != 0x80 {
			n++
		}
	}
	return n
}

// codePoint decodes the first code point of a string that is not empty: a rune, or
// a lone surrogate from its three bytes. A byte of neither becomes
// a surrogate from U+DC80 to U+DCFF, as with Python's surrogateescape.
func codePoint(s string) (r rune, size int) {
	r, size = utf8.DecodeRuneInString(s)
	if r != utf8.RuneError || size != 1 {
		return r, size
	}
	if len(s) >= 3 && s[0] == 0xed && s[1]&0xe0 == 0xa0 && s[2]&0xc0 == 0x80 {
		return 0xd000 | rune(s[1]&0x3f)<<6 | rune(s[2]&0x3f), 3
	}
	return 0xdc00 | rune(s[0]), 1
}

// appendCodePoint is the reverse of codePoint for code points up to U+10FFFF.
func appendCodePoint(dst []byte, r rune) []byte {
	if r >= 0xd800 && r <= 0xdfff {
		return append(dst, 0xed, 0x80|byte(r>>6)&0x3f, 0x80|byte(r)&0x3f)
	}
	return utf8.AppendRune(dst, r)
}

// DropLast returns s without its last code point: Python's s[:-1].
func DropLast(s string) string {
	for n := min(utf8.UTFMax, len(s)); n > 1; n-- {
		if _, size := codePoint(s[len(s)-n:]); size == n {
			return s[:len(s)-n]
		}
	}
	return s[:max(0, len(s)-1)]
}

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
