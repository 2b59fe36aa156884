package terminal

import (
	"crypto/rand"
	"io"
	"strings"
	"sync"
	"unicode/utf8"
)

// A Seal marks the terminal sequences that the program itself writes. It is random for every
// process, so that no text from outside can imitate it.
type Seal string

// NewSeal returns a Seal of 128 random bits.
func NewSeal() Seal { return Seal("\x00" + rand.Text()) }

// ClearLine returns the sequence that moves the cursor to the start of the line and clears the line,
// for a Filter with this Seal.
func (s Seal) ClearLine() string { return string(s) + clearLine }

const clearLine = "\r\x1b[K"

// A Filter is a writer through which text goes to a terminal, a pipe or a file. It makes characters
// visible, as SafeLine does, that a terminal could obey or a reader overlook. Line feeds and tabs
// pass. Terminal sequences pass only after the Seal, which is removed, and only if they set colours
// and weights or are Seal.ClearLine.
//
// A part of a character or of a sealed sequence at the end of a Write waits for the next Write or
// for Flush. A Filter may be used by several goroutines.
type Filter struct {
	mu   sync.Mutex
	w    io.Writer
	seal Seal
	name func(rune) string // returns the text for a character that is not printable
	rest []byte            // waits for the next Write
}

// NewFilter returns a Filter that lets sequences with the seal pass. With an empty Seal none pass.
func NewFilter(w io.Writer, seal Seal) *Filter { return &Filter{w: w, seal: seal, name: Symbol} }

// NewJSONFilter returns a Filter for JSON: characters that are not printable are escaped as in JSON,
// so that the values stay the same.
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

// Flush writes the part of a character or of a sequence that waits for its rest.
func (f *Filter) Flush() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.pass(true)
}

// pass writes the complete characters and sequences of rest; at the end, all of rest.
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

// sequence returns the length of the sealed sequence at the start of s, with its seal; 0 without one.
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

// colour returns the length of the SGR sequence at the start of s; 0 without one.
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

// halfSurrogate reports whether s is the first two bytes of a surrogate, which DecodeRune reads
// although it is no character.
func halfSurrogate(s string) bool {
	return len(s) == 2 && s[0] == 0xed && s[1] >= 0xa0 && s[1] <= 0xbf
}

// plainRun returns the number of bytes at the start of text that are printable ASCII, line feeds and
// tabs.
func plainRun[T string | []byte](text T) int {
	for i := range len(text) {
		if c := text[i]; (c < ' ' || c > '~') && c != '\n' && c != '\t' {
			return i
		}
	}
	return len(text)
}
