package exchange

import (
	"bufio"
	"io"
)

// lax reads JSON as Python writes it: the numbers NaN, Infinity and -Infinity,
// which JSON does not have, become null. Everything else passes as it is.
func lax(r *bufio.Reader) io.Reader { return &laxReader{r: r} }

type laxReader struct {
	r     *bufio.Reader
	state laxState
	rest  string // of a null that did not fit
}

type laxState byte

const (
	laxBare   laxState = iota // outside of texts
	laxText                   // inside of one
	laxEscape                 // after a backslash inside of one
)

// Read fills p as far as it can: the JSON decoder looks at all white space again
// after every read.
func (l *laxReader) Read(p []byte) (n int, err error) {
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

// some reads up to the next word, or what is in the buffer.
func (l *laxReader) some(p []byte) (int, error) {
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
		ahead, _ = l.r.Peek(1) // a minus, or what is no JSON; looking further has moved the buffer
		n = 1
	}
	n = copy(p, ahead[:n])
	_, err := l.r.Discard(n)
	return n, err
}

// plain is the number of bytes before the first that could begin a word.
func (l *laxReader) plain(ahead []byte) int {
	for i, c := range ahead {
		switch {
		case l.state == laxEscape:
			l.state = laxText
		case l.state == laxText && c == '\\':
			l.state = laxEscape
		case c == '"':
			l.state ^= laxText
		case l.state == laxBare && (c == 'N' || c == 'I' || c == '-'):
			return i
		}
	}
	return len(ahead)
}

// word returns the number that starts with c and stands next; "" when it is none of
// the three.
func (l *laxReader) word() string {
	for _, word := range []string{"NaN", "Infinity", "-Infinity"} {
		if next, _ := l.r.Peek(len(word)); string(next) == word {
			return word
		}
	}
	return ""
}
