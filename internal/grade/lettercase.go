package grade

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"

	"verbatim/internal/grade/runes"
)

// The rules for letter case and for characters that look alike.

// letterCase: equal but for letter case, in the sense of Unicode's full case folding.
func (p *pair) letterCase() (string, bool) {
	if !equalFold(p.want, p.got) {
		return "", false
	}
	if _, ok := p.unicodeNorm(); ok && p.found {
		return "", false // a ligature and its letters
	}
	switch {
	case p.got == cases.Upper(language.Und).String(p.got):
		return "upper", true
	case p.got == cases.Lower(language.Und).String(p.got):
		return "lower", true
	}
	n := 0
	for i := range min(len(p.e), len(p.g)) {
		if p.e[i] != p.g[i] {
			n++
		}
	}
	return strconv.Itoa(n) + " chars", true
}

// equalFold compares under full case folding (ß is ss), which strings.EqualFold
// does not. Only where simple folding finds a difference it folds, in blocks, so
// as to stop soon after the first real one.
func equalFold(a, b string) bool {
	for a != "" && b != "" {
		x, m := utf8.DecodeRuneInString(a)
		y, n := utf8.DecodeRuneInString(b)
		if x != y && !sameLetter(x, y) {
			if x < utf8.RuneSelf && y < utf8.RuneSelf {
				return false
			}
			return equalFolded(a, b)
		}
		a, b = a[m:], b[n:]
	}
	return a == b
}

// sameLetter reports whether simple folding makes x and y equal.
func sameLetter(x, y rune) bool {
	if x < utf8.RuneSelf && y < utf8.RuneSelf {
		return runes.Lower(byte(x)) == runes.Lower(byte(y))
	}
	for r := unicode.SimpleFold(x); r != x; r = unicode.SimpleFold(r) {
		if r == y {
			return true
		}
	}
	return x == y
}

func equalFolded(a, b string) bool {
	fold := cases.Fold()
	var x, y string // folded, not yet compared
	for {
		if x == "" {
			x, a = foldBlock(fold, a)
		}
		if y == "" {
			y, b = foldBlock(fold, b)
		}
		n := min(len(x), len(y))
		if x[:n] != y[:n] {
			return false
		}
		if n == 0 {
			return len(x) == len(y)
		}
		x, y = x[n:], y[n:]
	}
}

// foldBlock folds the beginning of s and returns the rest.
func foldBlock(fold cases.Caser, s string) (folded, rest string) {
	const size = 1 << 10
	n := min(size, len(s))
	for n < len(s) && n > size-utf8.UTFMax && !utf8.RuneStart(s[n]) {
		n--
	}
	return fold.String(s[:n]), s[n:]
}

// lookalikes are the characters that a reader, or a model, takes for each other.
var lookalikes = [...]string{"0Oo", "1lI|i", "5Ss", "8B", "2Zz", "6bG", "9gq", "VvUu"}

func alike(a, b rune) bool {
	if sameLetter(a, b) {
		return true
	}
	for _, set := range lookalikes {
		if strings.ContainsRune(set, a) {
			return strings.ContainsRune(set, b)
		}
	}
	return (a >= utf8.RuneSelf || b >= utf8.RuneSelf) && equalFold(string(a), string(b))
}

// confusable: characters that look alike, or differ in case, have been exchanged.
func (p *pair) confusable() (string, bool) {
	if p.differ <= 0 {
		return "", false
	}
	for i := p.head; i < len(p.e); i++ {
		if p.e[i] != p.g[i] && !alike(p.e[i], p.g[i]) {
			return "", false
		}
	}
	const shown = 3
	var b strings.Builder
	for i, n := p.head, 0; i < len(p.e) && n < shown; i++ {
		if p.e[i] == p.g[i] {
			continue
		}
		if n > 0 {
			b.WriteString(", ")
		}
		b.WriteString(exchange(p.e[i], p.g[i], i))
		n++
	}
	return b.String(), true
}

// exchange writes "0>o@5".
func exchange(e, g rune, at int) string {
	return string(e) + ">" + string(g) + "@" + strconv.Itoa(at)
}
