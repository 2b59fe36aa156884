package grade

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// span reads a string and returns what stands between its quotation marks, and
// whether there are escapes in it.
func (t *jsonText) span() (raw []byte, escapes bool, err error) {
	if err := t.expect('"'); err != nil {
		return nil, false, err
	}
	start := t.at
	for t.at < len(t.line) {
		switch c := t.line[t.at]; {
		case c == '"':
			raw = t.line[start:t.at]
			t.at++
			return raw, escapes, nil
		case c == '\\':
			escapes = true
			if err := t.checkEscape(); err != nil {
				return nil, false, err
			}
		case c < ' ':
			return nil, false, t.errorf("a bare control character in a string")
		default:
			t.at++
		}
	}
	return nil, false, t.errorf("a string without an end")
}

// checkEscape takes one escape.
func (t *jsonText) checkEscape() error {
	rest := t.line[t.at+1:]
	if len(rest) == 0 || strings.IndexByte(`"\/bfnrtu`, rest[0]) < 0 {
		return t.errorf("no escape: %s", t.here())
	}
	if rest[0] != 'u' {
		t.at += 2
		return nil
	}
	if len(rest) < 5 {
		return t.errorf("no escape: %s", t.here())
	}
	if _, ok := hex4(rest[1:]); !ok {
		return t.errorf("no escape: %s", t.here())
	}
	t.at += 6
	return nil
}

// hex4 reads four hexadecimal digits.
func hex4(s []byte) (v rune, ok bool) {
	if len(s) < 4 {
		return 0, false
	}
	for _, c := range s[:4] {
		switch {
		case '0' <= c && c <= '9':
			v = v<<4 + rune(c-'0')
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			v = v<<4 + rune(c|0x20-'a'+10)
		default:
			return 0, false
		}
	}
	return v, true
}

// text reads a string.
func (t *jsonText) text() (string, error) {
	raw, escapes, err := t.span()
	if escapes {
		raw = replaceEscapes(raw)
	}
	return string(raw), err
}

// replaceEscapes replaces the escapes in the inside of a string that span has read.
func replaceEscapes(raw []byte) []byte {
	out := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); {
		c := raw[i]
		if c != '\\' {
			out = append(out, c)
			i++
			continue
		}
		c = raw[i+1]
		i += 2
		if n := strings.IndexByte("bfnrt", c); n >= 0 {
			c = "\b\f\n\r\t"[n]
		} else if c == 'u' {
			var r rune
			r, i = unicodeEscape(raw, i)
			out = appendWTF8(out, r)
			continue
		}
		out = append(out, c)
	}
	return out
}

// unicodeEscape reads the digits of \uXXXX at i, and a second escape where the
// two are a surrogate pair. It returns where it stopped.
func unicodeEscape(raw []byte, i int) (rune, int) {
	r, _ := hex4(raw[i:])
	i += 4
	if i+6 <= len(raw) && raw[i] == '\\' && raw[i+1] == 'u' {
		low, _ := hex4(raw[i+2:])
		if both := utf16.DecodeRune(r, low); both != utf8.RuneError {
			return both, i + 6
		}
	}
	return r, i
}

// appendWTF8 appends r as UTF-8 does, and a lone surrogate in the same manner.
func appendWTF8(dst []byte, r rune) []byte {
	if utf16.IsSurrogate(r) {
		return append(dst, 0xe0|byte(r>>12), 0x80|byte(r>>6)&0x3f, 0x80|byte(r)&0x3f)
	}
	return utf8.AppendRune(dst, r)
}
