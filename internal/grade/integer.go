package grade

import (
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"verbatim"
	"verbatim/internal/grade/extract"
	"verbatim/internal/pylit"
)

// wholeNumber reports whether s is ASCII digits, after a minus sign or none.
func wholeNumber(s string) bool {
	s = strings.TrimPrefix(s, "-")
	return s != "" && onlyDigits(s)
}

// onlyDigits reports whether s is nothing but ASCII digits; so is an empty text.
func onlyDigits(s string) bool { return extract.DigitsEnd(s, 0) == len(s) }

// sameNumber reports whether Python's int() reads both texts, stripped, as the
// same number.
func sameNumber(got, want string) bool {
	if got == want {
		return wholeNumber(got)
	}
	a, ok := pythonInt(got)
	if !ok {
		return false
	}
	b, ok := pythonInt(want)
	return ok && a == b
}

// pythonInt reads s as Python's int(s) does: a sign, then decimal digits of any
// script, single underscores between them, white space around it all (which
// pylit.Strip also removes where int alone would not), at most 4,300 digits. It
// returns the number in plain digits, without leading zeros.
func pythonInt(s string) (string, bool) {
	const mostDigits = 4300
	s = pylit.Strip(s)
	sign := ""
	if s != "" && (s[0] == '+' || s[0] == '-') {
		sign, s = strings.TrimPrefix(s[:1], "+"), s[1:]
	}
	var digits []byte
	n, underscore := 0, true // a leading underscore is as wrong as a second one
	for _, r := range s {
		if r == '_' {
			if underscore {
				return "", false
			}
			underscore = true
			continue
		}
		d, ok := extract.DecimalDigit(r)
		if n++; !ok || n > mostDigits {
			return "", false
		}
		if underscore = false; d > 0 || len(digits) > 0 {
			digits = append(digits, '0'+d)
		}
	}
	if underscore {
		return "", false // nothing at all, or a trailing underscore
	}
	if len(digits) == 0 {
		return "0", true
	}
	return sign + string(digits), true
}

// grouped: right but for separators between groups of three digits. All separators are the same.
func (p *pair) grouped() (string, bool) {
	unsigned := strings.TrimPrefix(p.got, "-")
	i := extract.DigitsEnd(unsigned, 0)
	if i < 1 || i > 3 {
		return "", false
	}
	head, rest := unsigned[:i], unsigned[i:]
	for _, separator := range [...]string{",", ".", "_", "'", "’", " ", "\u00a0", "\u202f", "\u2009"} {
		if !strings.HasPrefix(rest, separator) {
			continue
		}
		groups := strings.Split(rest[len(separator):], separator)
		if slices.ContainsFunc(groups, func(group string) bool { return len(group) != 3 }) {
			return "", false
		}
		return separator, head+strings.Join(groups, "") == strings.TrimPrefix(p.want, "-") &&
			strings.HasPrefix(p.got, "-") == strings.HasPrefix(p.want, "-")
	}
	return "", false
}

// decimal: right but for a fraction, which is zeros or which the item foresees.
func (p *pair) decimal() (string, bool) {
	rest, ok := strings.CutPrefix(p.got, p.want+".")
	if !ok && p.fraction {
		rest, ok = strings.CutPrefix(strings.NewReplacer("{,}", ".", ",", ".", "'", ".").Replace(p.got), p.want+".")
	}
	switch {
	case !ok || rest == "":
		return "", false
	case strings.Trim(rest, "0") == "":
		return "", true
	}
	return "not rounded", p.fraction && onlyDigits(rest)
}

// isNumber reports whether s is a whole number, or one with a point and a fraction.
func isNumber(s string) bool {
	whole, fraction, point := strings.Cut(s, ".")
	return wholeNumber(whole) && (!point || fraction != "" && onlyDigits(fraction))
}

// plainNumber returns a number without separators of thousands and with a point before its fraction.
func plainNumber(s string) string {
	s = strings.NewReplacer("{,}", ",", `\,`, " ", "’", "'", "\u00a0", " ", "\u202f", " ", "\u2009", " ").Replace(s)
	for _, separator := range [...]string{",", ".", "'", " "} {
		groups := strings.Split(s, separator)
		if !slices.ContainsFunc(groups[1:], func(g string) bool { return len(g) < 3 || !onlyDigits(g[:3]) || len(g) > 3 && onlyDigits(g[3:4]) }) {
			s = strings.Join(groups, "")
		}
	}
	return strings.NewReplacer(",", ".", "'", ".").Replace(s)
}

// otherNumber: another number, of a kind whose digits say nothing about the mistake. The detail is the
// difference of short numbers, and the number of right digits of long ones.
func (p *pair) otherNumber() (string, bool) {
	read := plainNumber(p.got)
	if !p.counted || !isNumber(read) || sameNumber(p.got, p.want) {
		return "", false
	}
	const short = 15
	whole, fraction, _ := strings.Cut(read, ".")
	got, err := strconv.ParseInt(whole, 10, 64)
	want, err2 := strconv.ParseInt(p.want, 10, 64)
	switch {
	case fraction != "" && strings.Trim(fraction, "0") != "":
		return "with a fraction", true
	case len(read) > short || len(p.want) > short || err != nil || err2 != nil:
		if len(whole) != len(p.want) {
			return fmt.Sprintf("%d digits, expected %d", len(whole), len(p.want)), true
		}
		return fmt.Sprintf("the first %d of %d digits are right", p.head, len(p.want)), true
	case got > want:
		return strconv.FormatInt(got-want, 10) + " too large", true
	}
	return strconv.FormatInt(want-got, 10) + " too small", true
}

// equation: the reply ends in an equals sign and the right sum.
func (p *pair) equation() (string, bool) {
	left, ok := strings.CutSuffix(p.got, p.want)
	return "", ok && strings.HasSuffix(pylit.Strip(left), "=")
}

// carry: every wrong digit is off by one and at a place that a carry enters.
func (p *pair) carry() (string, bool) {
	if len(p.addends) != 2 || p.differ < 1 || !onlyDigits(p.got) || !onlyDigits(p.want) {
		return "", false
	}
	entered := carries(p.addends[0], p.addends[1])
	for i := p.head; i < len(p.e); i++ {
		off := (p.g[i] - p.e[i] + 10) % 10
		if place := len(p.e) - 1 - i; off != 0 && (off != 1 && off != 9 || place >= len(entered) || !entered[place]) {
			return "", false
		}
	}
	return at(p.head), isSum(p.addends, p.want)
}

// isSum reports whether two whole numbers have the sum. All are digits only.
func isSum(addends []string, sum string) bool {
	var total, n big.Int
	for _, addend := range addends {
		n.SetString(addend, 10)
		total.Add(&total, &n)
	}
	_, ok := n.SetString(sum, 10)
	return ok && total.Cmp(&n) == 0
}

// carries returns for every place, from the last digit on, whether a carry enters
// it when a and b are added.
func carries(a, b string) []bool {
	out := make([]bool, max(len(a), len(b))+1)
	for place := 0; place+1 < len(out); place++ {
		sum := 0
		if out[place] {
			sum = 1
		}
		for _, s := range [...]string{a, b} {
			if place < len(s) {
				sum += int(s[len(s)-1-place] - '0')
			}
		}
		out[place+1] = sum > 9
	}
	return out
}

func (p *pair) offByDigit() (string, bool) {
	if p.differ != 1 || !onlyDigits(p.got) || !onlyDigits(p.want) {
		return "", false
	}
	return exchange(p.e[p.head], p.g[p.head], p.head), true
}

var number = regexp.MustCompile(`[0-9]+`)

// inputNumbers returns the numbers that a question is about: two addends, or the one number of
// the source.
func inputNumbers(source verbatim.Answer) []string {
	if len(source.List) == 1 {
		text, ok := source.List[0].(string)
		if !ok {
			text = pylit.Format(source.List[0])
		}
		if text != "" && onlyDigits(text) {
			return []string{text}
		}
	}
	return addendsOf(source)
}

// addendsOf returns the two whole numbers of a source: a list of two, or a
// text with two runs of digits. It is nil for any other source.
func addendsOf(source verbatim.Answer) []string {
	var out []string
	for _, v := range source.List {
		switch v := v.(type) {
		case int64, *big.Int:
			out = append(out, pylit.Format(v))
		case string:
			out = append(out, v)
		default:
			return nil
		}
	}
	if !source.IsList() {
		out = number.FindAllString(source.Text, 3)
	}
	if len(out) != 2 || !onlyDigits(out[0]) || !onlyDigits(out[1]) {
		return nil
	}
	return out
}
