package grade

import (
	"html"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"verbatim/internal/grade/runes"
)

// The rules by which the reply is the expected text, written in another way:
// other spaces, escapes, normal form, encoding. Letter case is in lettercase.go.

// blank reports whether r is white space or a code point without width.
func blank(r rune) bool {
	if r < 0x7f {
		return r == ' ' || '\t' <= r && r <= '\r' || 0x1c <= r && r <= 0x1f
	}
	switch r {
	case '\u200b', '\u200c', '\u200d', '\u2060', '\ufeff', '\u00ad', '\u034f', '\u180e':
		return true
	}
	return runes.IsSpace(r) || unicode.Is(unicode.Bidi_Control, r)
}

// whitespace: equal once everything blank is deleted.
func (p *pair) whitespace() (string, bool) {
	if !p.sameBut(blank) {
		return "", false
	}
	if strings.Contains(p.got, "\n") {
		return "newline", true
	}
	return "space/zero-width", true
}

// escaped: equal once HTML references, backslashes before characters, or the
// escapes of JSON and Python are undone.
func (p *pair) escaped() (string, bool) {
	if strings.Contains(p.got, "&") && html.UnescapeString(p.got) == p.want {
		return "html", true
	}
	if !strings.Contains(p.got, `\`) {
		return "", false
	}
	if unslashed(p.g, p.e) {
		return "backslash", true
	}
	if unescaped(p.g, p.e) {
		return "json", true
	}
	return "", false
}

// unslashed reports whether g is e with backslashes before some characters. A
// backslash at the end of a line or of the text stands for itself.
func unslashed(g, e []rune) bool {
	n := 0
	for i := 0; i < len(g); i++ {
		if g[i] == '\\' && i+1 < len(g) && g[i+1] != '\n' {
			i++
		}
		if n == len(e) || g[i] != e[n] {
			return false
		}
		n++
	}
	return n == len(e)
}

// unescaped reports whether g is e with escapes as in JSON and Python strings. A
// malformed escape stands for no character, an unknown one for itself.
func unescaped(g, e []rune) bool {
	n := 0
	for len(g) > 0 {
		r, size, ok := unescape(g)
		g = g[size:]
		if !ok {
			continue
		}
		if n == len(e) || r != e[n] {
			return false
		}
		n++
	}
	return n == len(e)
}

// unescape reads one character of g and returns how many code points it took. ok is
// false if they stand for no character.
func unescape(g []rune) (r rune, size int, ok bool) {
	if g[0] != '\\' {
		return g[0], 1, true
	}
	if len(g) == 1 {
		return 0, 1, false
	}
	if i := strings.IndexRune(`abfnrtv\'"`, g[1]); i >= 0 {
		return rune("\a\b\f\n\r\t\v\\'\""[i]), 2, true
	}
	switch g[1] {
	case '\n':
		return 0, 2, false
	case '0', '1', '2', '3', '4', '5', '6', '7':
		v, n := digits(g[1:], 8, 3)
		return v, 1 + n, true
	case 'x':
		v, n := digits(g[2:], 16, 2)
		return v, 2 + n, n == 2
	case 'u':
		return unescapeUTF16(g)
	case 'U':
		v, n := digits(g[2:], 16, 8)
		return v, 2 + n, n == 8 && 0 <= v && v <= utf8.MaxRune
	}
	return '\\', 1, true
}

// unescapeUTF16 reads \uXXXX, or two of them that are a surrogate pair.
func unescapeUTF16(g []rune) (r rune, size int, ok bool) {
	v, n := digits(g[2:], 16, 4)
	if n < 4 {
		return 0, 2 + n, false
	}
	if 0xD800 <= v && v < 0xDC00 && len(g) >= 12 && g[6] == '\\' && g[7] == 'u' {
		if low, n := digits(g[8:], 16, 4); n == 4 && 0xDC00 <= low && low < 0xE000 {
			return 0x10000 + (v-0xD800)<<10 + low - 0xDC00, 12, true
		}
	}
	return v, 6, true
}

// digits reads at most most digits of the base at the start of g, and returns their value and number.
func digits(g []rune, base, most int) (v rune, n int) {
	for n < min(most, len(g)) {
		d := rune(99)
		switch c := g[n]; {
		case '0' <= c && c <= '9':
			d = c - '0'
		case 'a' <= c && c <= 'f':
			d = c - 'a' + 10
		case 'A' <= c && c <= 'F':
			d = c - 'A' + 10
		}
		if int(d) >= base {
			break
		}
		v = v*rune(base) + d
		n++
	}
	return v, n
}

// unicodeNorm: equal in a Unicode normal form, or but for the kind of dashes,
// quotation marks and spaces.
func (p *pair) unicodeNorm() (string, bool) {
	if runes.IsASCII(p.got) && runes.IsASCII(p.want) {
		return "", false
	}
	// Texts that are equal in any normal form are equal in NFKD. Their common start can
	// be left out.
	i := 0
	for i < len(p.want) && i < len(p.got) && p.want[i] == p.got[i] {
		i++
	}
	for i > 0 && i < len(p.want) && !utf8.RuneStart(p.want[i]) {
		i--
	}
	if equalUnder(norm.NFKD, p.want[i:], p.got[i:]) {
		return "normal form", true
	}
	if p.found {
		return "dash/quote/space", equalUnder(norm.NFKD, strings.Map(plain, p.want[i:]), strings.Map(plain, p.got[i:]))
	}
	if len(p.e) != len(p.g) {
		return "", false
	}
	for i := p.head; i < len(p.e); i++ {
		if p.e[i] != p.g[i] && plain(p.e[i]) != plain(p.g[i]) {
			return "", false
		}
	}
	return "dash/quote/space", true
}

// equalUnder reports whether a and b have the same normal form. It stops at the
// first segment that differs.
func equalUnder(form norm.Form, a, b string) bool {
	var x, y norm.Iter
	x.InitString(form, a)
	y.InitString(form, b)
	var s, t []byte
	for {
		for len(s) == 0 && !x.Done() {
			s = x.Next()
		}
		for len(t) == 0 && !y.Done() {
			t = y.Next()
		}
		n := min(len(s), len(t))
		if string(s[:n]) != string(t[:n]) {
			return false
		}
		if n == 0 {
			return len(s) == len(t)
		}
		s, t = s[n:], t[n:]
	}
}

// plain replaces typographic dashes, quotation marks and spaces by those of ASCII.
func plain(r rune) rune {
	switch r {
	case '‐', '‑', '‒', '–', '—', '―', '−':
		return '-'
	case '‘', '’', '‚', '′':
		return '\''
	case '“', '”', '„', '″':
		return '"'
	case '\u00a0', '\u2007', '\u202f', '\u2009', '\u3000':
		return ' '
	}
	return r
}

// mojibake: UTF-8 that was read as Windows-1252; or lost characters, which are U+FFFD or
// bytes that are not UTF-8 where the expected text has none.
func (p *pair) mojibake() (string, bool) {
	if misread(p.got, p.want) {
		return "utf8-as-cp1252", true
	}
	if strings.Contains(p.got, "\ufffd") && !strings.Contains(p.want, "\ufffd") {
		return "U+FFFD", true
	}
	if !utf8.ValidString(p.got) && utf8.ValidString(p.want) {
		return "invalid UTF-8", true
	}
	return "", false
}

// misread reports whether got is the bytes of want, each read as a character of Windows-1252.
func misread(got, want string) bool {
	n := 0
	for _, r := range got {
		c, ok := cp1252(r)
		if !ok || n == len(want) || want[n] != c {
			return false
		}
		n++
	}
	return n == len(want)
}

// cp1252 returns the byte for r in Windows-1252, as browsers read it:
// the five bytes without a character are the control codes of their number.
func cp1252(r rune) (byte, bool) {
	if r < 0x80 || 0xa0 <= r && r <= 0xff {
		return byte(r), true
	}
	for i, x := range [...]rune{
		'€', 0x81, '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', 0x8d, 'Ž', 0x8f,
		0x90, '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', 0x9d, 'ž', 'Ÿ',
	} {
		if r == x {
			return byte(0x80 + i), true
		}
	}
	return 0, false
}
