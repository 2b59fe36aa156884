package terminal

import (
	"crypto/rand"
	"io"
	"strings"
	"sync"
	"unicode/utf8"
)

// A Seal marks the terminal sequences that the program itself writes. It is drawn at
// random for every process, so that no text from outside can imitate it.
type Seal string

// NewSeal returns a Seal of 128 random bits.
func NewSeal() Seal { return Seal("\x00" + rand.Text()) }

// ClearLine returns what moves the cursor to the start of the line and clears the
// line, for a Filter with this Seal.
func (s Seal) ClearLine() string { return string(s) + clearLine }

const clearLine = "\r\x1b[K"

// A Filter is a writer through which text goes to a terminal, a pipe or a file: what
// a terminal could obey, or a reader overlook, is made visible as by SafeLine. Line
// feeds and tabs pass. Of terminal sequences those pass that the Seal stands before,
// without it, if they set colours and weights or are Seal.ClearLine.
//
// Parts of a character, or of a sealed sequence, that end a Write wait for the next
// one or for Flush. A Filter may be used by several goroutines.
type Filter struct {
	mu   sync.Mutex
	w    io.Writer
	seal Seal
	name func(rune) string // writes what is not printable
	rest []byte            // waits for the next Write
}

// NewFilter returns a Filter that lets sequences with the seal through; the empty
// Seal is that of none.
func NewFilter(w io.Writer, seal Seal) *Filter { return &Filter{w: w, seal: seal, name: Symbol} }

// NewJSONFilter returns a Filter for JSON: what is not printable is escaped as JSON
// does, so that the values are the same.
func NewJSONFilter(w io.Writer) *Filter { return &Filter{w: w, name: jsonEscape} }

// Write implements io.Writer.
func (f *Filter) Write(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.rest) == 0 && plainRun(p) == len(p) {
		return f.w.Write(p)
	}
	f.rest = append(f.rest, p...)
	if err := f.pass(false); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Flush writes what waits for the rest of a character or of a sequence.
func (f *Filter) Flush() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.pass(true)
}

// pass writes what of rest is complete; at the end, all of it.
func (f *Filter) pass(end bool) error {
	out := make([]byte, 0, len(f.rest)+len(f.rest)/8)
	s := string(f.rest)
	for len(s) > 0 {
		if n := plainRun(s); n > 0 {
			out, s = append(out, s[:n]...), s[n:]
			continue
		}
		if n := f.sequence(s); n > 0 {
			out = append(out, s[len(f.seal):n]...)
			s = s[n:]
			continue
		}
		if !end && (!utf8.FullRuneInString(s) || halfSurrogate(s) || f.unfinished(s)) {
			break
		}
		r, size := DecodeRune(s)
		if printable(r) || r == '\n' || r == '\t' {
			out = append(out, s[:size]...)
		} else {
			out = append(out, f.name(r)...)
		}
		s = s[size:]
	}
	f.rest = append(f.rest[:0], s...)
	if len(out) == 0 {
		return nil
	}
	_, err := f.w.Write(out)
	return err
}

// sequence returns the length of the sealed sequence at the start of s with its seal;
// 0 without one.
func (f *Filter) sequence(s string) int {
	if f.seal == "" || !strings.HasPrefix(s, string(f.seal)) {
		return 0
	}
	own := s[len(f.seal):]
	if strings.HasPrefix(own, clearLine) {
		return len(f.seal) + len(clearLine)
	}
	if n := colour(own); n > 0 {
		return len(f.seal) + n
	}
	return 0
}

// longestColour bounds the sequences that set colours and weights.
const longestColour = 8

// colour returns the length of the SGR sequence at the start of s; 0 without
// one.
func colour(s string) int {
	if !strings.HasPrefix(s, "\x1b[") {
		return 0
	}
	for i := 2; i < min(len(s), longestColour); i++ {
		switch c := s[i]; {
		case c == 'm':
			return i + 1
		case c != ';' && (c < '0' || c > '9'):
			return 0
		}
	}
	return 0
}

// unfinished reports whether s may be the start of a sealed sequence.
func (f *Filter) unfinished(s string) bool {
	if f.seal == "" || s[0] != f.seal[0] {
		return false
	}
	seal := string(f.seal)
	if len(s) < len(seal) {
		return strings.HasPrefix(seal, s)
	}
	return strings.HasPrefix(s, seal) && len(s) < len(seal)+longestColour
}

// halfSurrogate reports whether s is the first two bytes of a surrogate, which decode
// reads although it is no character.
func halfSurrogate(s string) bool {
	return len(s) == 2 && s[0] == 0xed && s[1] >= 0xa0 && s[1] <= 0xbf
}

// plainRun returns how many bytes at the start of text are printable ASCII, line feeds
// and tabs.
func plainRun[T string | []byte](text T) int {
	for i := range len(text) {
		if c := text[i]; (c < ' ' || c > '~') && c != '\n' && c != '\t' {
			return i
		}
	}
	return len(text)
}
