package extract

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// isNumeral reports whether all of t is one number as End reads it.
func isNumeral(t string) bool { return t != "" && numeralEnd(t, 0) == len(t) }

// IsForeign reports whether t is nothing but digits of any script.
func IsForeign(t string) bool {
	return t != "" && strings.IndexFunc(t, func(r rune) bool { return !unicode.IsDigit(r) }) < 0
}

// foreignDigits yields where the digits of any script begin and end in a text, run by run.
func foreignDigits(t string) iter.Seq2[int, int] {
	return func(yield func(a, b int) bool) {
		from := -1
		for i, r := range t + " " {
			switch digit := unicode.IsDigit(r); {
			case digit && from < 0:
				from = i
			case !digit && from >= 0:
				if !yield(from, i) {
					return
				}
				from = -1
			}
		}
	}
}

// FromForeign returns digits of any script as digits of ASCII.
func FromForeign(t string) string {
	b := make([]byte, 0, len(t))
	for _, r := range t {
		if d, ok := DecimalDigit(r); ok {
			b = append(b, '0'+d)
		}
	}
	return string(b)
}

// DecimalDigit returns the value of a decimal digit of any script. Unicode keeps
// the ten digits of a script together, in order, from a multiple of ten within
// each range of category Nd.
func DecimalDigit(r rune) (byte, bool) {
	if '0' <= r && r <= '9' {
		return byte(r - '0'), true
	}
	if r < utf8.RuneSelf {
		return 0, false
	}
	for _, x := range unicode.Nd.R16 {
		if rune(x.Lo) <= r && r <= rune(x.Hi) {
			return byte((r - rune(x.Lo)) % 10), true
		}
	}
	for _, x := range unicode.Nd.R32 {
		if rune(x.Lo) <= r && r <= rune(x.Hi) {
			return byte((r - rune(x.Lo)) % 10), true
		}
	}
	return 0, false
}

// separators are those of thousands.
var separators = [...]string{",", ".", "'", "’", " ", "\u00a0", "\u202f", "\u2009", "{,}", `\,`}

// numeralEnd returns where the number that starts at t[i] ends, or i where none starts. A
// number is digits with a sign, separators of thousands, underscores and a fraction.
func numeralEnd(t string, i int) int {
	at := i
	if at < len(t) && (t[at] == '-' || t[at] == '+') {
		at++
	} else if strings.HasPrefix(t[at:], "−") {
		at += len("−")
	}
	start := at
	if at = DigitsEnd(t, at); at == start {
		return i
	}
	if at-start <= 3 {
		for _, sep := range separators {
			end := at
			for strings.HasPrefix(t[end:], sep) && DigitsEnd(t, end+len(sep)) == end+len(sep)+3 {
				end += len(sep) + 3
			}
			if end > at {
				at = end
				break
			}
		}
	}
	for at+1 < len(t) && t[at] == '_' && isDigit(t[at+1]) {
		at = DigitsEnd(t, at+1)
	}
	if at+1 < len(t) && t[at] == '.' && isDigit(t[at+1]) {
		at = DigitsEnd(t, at+1)
	}
	return at
}

// DigitsEnd returns where the ASCII digits that begin at t[at] end; at without any.
func DigitsEnd(t string, at int) int {
	for at < len(t) && isDigit(t[at]) {
		at++
	}
	return at
}

// isDigit reports whether a byte is an ASCII digit.
func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// digitsOf returns the minus sign and the ASCII digits of a number, without leading zeros.
func digitsOf(t string) string {
	b := make([]byte, 0, len(t))
	for i := 0; i < len(t); i++ {
		if isDigit(t[i]) {
			b = append(b, t[i])
		}
	}
	digits := strings.TrimLeft(string(b), "0")
	if strings.HasPrefix(t, "-") || strings.HasPrefix(t, "−") {
		digits = "-" + digits
	}
	return digits
}

// underRule returns where the result of a written addition begins: the number that is the last line of t,
// below a drawn line with a number above it. It is 0 without one.
func underRule(t string) int {
	at := strings.LastIndexByte(t, '\n')
	if at < 0 || !isNumeral(strings.TrimSpace(t[at:])) {
		return 0
	}
	above := strings.TrimRight(t[:at], " \n")
	rule := strings.LastIndexByte(above, '\n')
	if rule < 0 || len(above) < rule+3 || strings.Trim(above[rule:], "-=_─━—| \n") != "" {
		return 0
	}
	above = strings.TrimRight(above[:rule], " \n")
	if operand := above[strings.LastIndexByte(above, '\n')+1:]; !isNumeral(strings.TrimLeft(operand, "+ |")) {
		return 0
	}
	return len(t) - len(strings.TrimSpace(t[at:]))
}
