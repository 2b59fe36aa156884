package exchange

import (
	"bufio"
	"io"
)

// pythonJSON returns a reader of JSON as Python writes it. The numbers NaN, Infinity and
// -Infinity, which JSON lacks, become null; everything else is unchanged.
func pythonJSON(r *bufio.Reader) io.Reader { return &pythonReader{r: r} }

type pythonReader struct {
	r     *bufio.Reader
	state pythonState
	rest  string // of "null", what did not fit into the last p
}

// A pythonState is the state of a pythonReader within the JSON text.
type pythonState byte

const (
	outsideText    pythonState = iota // outside of strings
	insideText                        // in a string
	afterBackslash                    // in a string, after a backslash
)

// Read fills p as far as it can, because the JSON decoder scans white space again after each read.
func (l *pythonReader) Read(p []byte) (n int, err error) {
	for n < len(p) {
		m, err := l.some(p[n:])
		if n += m; err == io.EOF && n > 0 {
			return n, nil
		} else if err != nil {
			return n, err
		}
	}
	return n, nil
}

// some reads up to the next number to replace, or what is buffered. It may return 0 without an
// error.
func (l *pythonReader) some(p []byte) (int, error) {
	if l.rest != "" {
		n := copy(p, l.rest)
		l.rest = l.rest[n:]
		return n, nil
	}
	if _, err := l.r.Peek(1); err != nil {
		return 0, err
	}
	ahead, _ := l.r.Peek(min(l.r.Buffered(), len(p)))
	n := l.plain(ahead)
	if n == 0 {
		if word := l.word(); word != "" {
			_, err := l.r.Discard(len(word))
			l.rest = "null"
			return 0, err
		}
		ahead, _ = l.r.Peek(1) // a minus, or no JSON; the Peek in word has moved the buffer
		n = 1
	}
	n = copy(p, ahead[:n])
	_, err := l.r.Discard(n)
	return n, err
}

// plain returns the number of bytes before the first one that can begin a number to replace.
func (l *pythonReader) plain(ahead []byte) int {
	for i, c := range ahead {
		switch {
		case l.state == afterBackslash:
			l.state = insideText
		case l.state == insideText && c == '\\':
			l.state = afterBackslash
		case c == '"':
			l.state ^= insideText
		case l.state == outsideText && (c == 'N' || c == 'I' || c == '-'):
			return i
		}
	}
	return len(ahead)
}

// word returns the number to replace that is next, "" if there is no such number.
func (l *pythonReader) word() string {
	for _, word := range []string{"NaN", "Infinity", "-Infinity"} {
		if next, _ := l.r.Peek(len(word)); string(next) == word {
			return word
		}
	}
	return ""
}
