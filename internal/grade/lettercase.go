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

// letterCase: equal under Unicode's full case folding.
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
// does not. It starts with simple folding, which is faster. Where that finds a difference, the rest is
// folded in blocks, to stop soon after the first real difference.
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

// equalFolded is equalFold without simple folding.
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

// foldBlock returns the beginning of s, folded, and the rest.
func foldBlock(fold cases.Caser, s string) (folded, rest string) {
	const size = 1 << 10
	n := min(size, len(s))
	for n < len(s) && n > size-utf8.UTFMax && !utf8.RuneStart(s[n]) {
		n--
	}
	return fold.String(s[:n]), s[n:]
}

// lookalikes are the sets of characters that readers and models mistake for each other.
var lookalikes = [...]string{"0Oo", "1lI|i", "5Ss", "8B", "2Zz", "6bG", "9gq", "VvUu"}

// alike reports whether two characters look alike or differ only in case.
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

// confusable: every wrong character looks like the right one, or differs from it in case. The detail is the
// first three.
func (p *pair) confusable() (string, bool) {
	if p.differ <= 0 {
		return "", false
	}
	for i := p.head; i < len(p.e); i++ {
		if p.e[i] != p.g[i] && !alike(p.e[i], p.g[i]) {
			return "", false
		}
	}
	const most = 3
	var shown []string
	for i := p.head; i < len(p.e) && len(shown) < most; i++ {
		if p.e[i] != p.g[i] {
			shown = append(shown, exchange(p.e[i], p.g[i], i))
		}
	}
	return strings.Join(shown, ", "), true
}

// exchange says which character is wrong, and where: "0>o@5".
func exchange(e, g rune, at int) string {
	return string(e) + ">" + string(g) + "@" + strconv.Itoa(at)
}
