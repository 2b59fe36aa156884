package damage

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"verbatim"
	"verbatim/internal/pylit"
)

// The spoilers of this file are for numbers of ASCII digits.

// grouped puts a separator between groups of three digits.
func grouped(r *rand.Rand, t text) (string, bool) {
	if len(t.runes) < 4 {
		return "", false
	}
	separator := pick(r, ",", ",", " ", ".", "'")
	var b strings.Builder
	for i, c := range t.runes {
		if i > 0 && (len(t.runes)-i)%3 == 0 {
			b.WriteString(separator)
		}
		b.WriteRune(c)
	}
	return b.String(), true
}

// decimal adds a fraction of zeros.
func decimal(r *rand.Rand, t text) (string, bool) {
	return t.want + pick(r, ".0", ".00"), t.want != ""
}

// equation writes a calculation before the number.
func equation(_ *rand.Rand, t text) (string, bool) {
	if len(t.addend) == 2 {
		return t.addend[0] + " + " + t.addend[1] + " = " + t.want, true
	}
	return t.want + " * 1 = " + t.want, t.want != ""
}

// carry forgets a carry, or adds one too many.
func carry(r *rand.Rand, t text) (string, bool) {
	if len(t.addend) != 2 {
		return "", false
	}
	carries := entering(t.addend[0], t.addend[1])
	i := t.position(r, func(i int) bool { place := len(t.runes) - 1 - i; return place < len(carries) && carries[place] })
	if i < 0 {
		return "", false
	}
	g := []rune(t.want)
	g[i] = '0' + (g[i]-'0'+rune([]int{1, 9, 9}[r.IntN(3)]))%10
	return string(g), true
}

// otherNumber draws a number near the expected one, or one with as many digits if that is long.
func otherNumber(r *rand.Rand, t text) (string, bool) {
	if !t.counted || len(t.want) == 0 {
		return "", false
	}
	if n, err := strconv.Atoi(t.want); err == nil && len(t.want) < 9 {
		return strconv.Itoa(n + 2 + r.IntN(max(4, n/2))), true
	}
	g := []byte(t.want)
	for i := 1 + r.IntN(len(g)-1); i < len(g); i++ {
		g[i] = digits[r.IntN(len(digits))]
	}
	return string(g), true
}

// isCount reports whether a reply is any other number where one was to be counted or computed: no
// answer of a mistake that the item foresees.
func (t text) isCount(reply string) bool {
	return t.counted && reply != "" && strings.Trim(reply, digits) == "" && !slices.ContainsFunc(t.mistakes, func(m verbatim.Mistake) bool { return pylit.Answer(m.Answer) == reply })
}

// offByDigit replaces a digit by one that is not next to it.
func offByDigit(r *rand.Rand, t text) (string, bool) {
	i := t.position(r, func(i int) bool { return '0' <= t.runes[i] && t.runes[i] <= '9' })
	if i < 0 {
		return "", false
	}
	g := []rune(t.want)
	g[i] = '0' + (g[i]-'0'+2+rune(r.IntN(7)))%10 // never one off: that may be a carry
	return string(g), true
}

// near reports whether two digits are one apart, 9 and 0 included.
func near(a, b rune) bool {
	d := (a - b + 10) % 10
	return d == 1 || d == 9
}

// entering returns, for each place from the last one on, whether a carry enters it if a and b are
// added.
func entering(a, b string) []bool {
	out := make([]bool, max(len(a), len(b))+1)
	for place := range len(out) - 1 {
		sum := 0
		for _, s := range []string{a, b} {
			if place < len(s) {
				sum += int(s[len(s)-1-place] - '0')
			}
		}
		out[place+1] = sum > 9 || sum == 9 && out[place]
	}
	return out
}
