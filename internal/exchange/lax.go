package exchange

import (
	"bufio"
	"io"
)

// lax reads JSON as Python writes it: the numbers NaN, Infinity and -Infinity,
// which JSON does not have, become null. Everything else passes as it is.
func lax(r *bufio.Reader) io.Reader { return &laxReader{r: r} }

type laxReader struct {
	r    *bufio.Reader
	text bool   // inside of a string
	rest string // of a null that did not fit
}

func (l *laxReader) Read(p []byte) (int, error) {
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	for n < len(p) {
		c, err := l.r.ReadByte()
		if err != nil {
			if n > 0 && err == io.EOF {
				return n, nil
			}
			return n, err
		}
		switch {
		case c == '"':
			l.text = !l.text
		case l.text && c == '\\':
			p[n] = c
			n++
			if c, err = l.r.ReadByte(); err != nil {
				return n, err
			}
			if n == len(p) {
				// The byte after the backslash is no quote that ends the string.
				l.rest = string(c)
				return n, nil
			}
		case !l.text && (c == 'N' || c == 'I' || c == '-'):
			if word := l.word(c); word != "" {
				_, _ = l.r.Discard(len(word) - 1)
				l.rest = "null"
				m := copy(p[n:], l.rest)
				n, l.rest = n+m, l.rest[m:]
				continue
			}
		}
		p[n] = c
		n++
	}
	return n, nil
}

// word returns the number that starts with c and goes on with what follows; ""
// when it is none of the three.
func (l *laxReader) word(c byte) string {
	for _, word := range []string{"NaN", "Infinity", "-Infinity"} {
		if word[0] != c {
			continue
		}
		if next, _ := l.r.Peek(len(word) - 1); string(next) == word[1:] {
			return word
		}
	}
	return ""
}
