package extract

import (
	"slices"
	"strings"

	"verbatim/internal/grade/phrases"
)

// isSum reports whether text[from:to], up to the link of a number, speaks of the sum of two
// numbers.
func (n *numbers) isSum(from, to int) bool {
	if len(n.q.Operands) < 2 {
		return false
	}
	before, numbers := phrases.Tail(n.text[from:to], maxLead), 0
	for i := 0; i < len(before); {
		if end := numberEnd(before, i); end > i && digit(before[i]) {
			numbers++
			i = end
			continue
		}
		i++
	}
	return numbers == 2 && phrases.Has(phrases.Normal(before), phrases.Answers)
}

// equation returns the strength of the number behind an equation: named where it is one of
// the operands, or has no numbers but a name; weak where it is one of other numbers, such as
// a sum of digits.
func (n *numbers) equation(before string) int {
	left := equationStart(before)
	left, _, _ = strings.Cut(left, "=")
	var found []string
	for i := 0; i < len(left); {
		if !digit(left[i]) {
			i++
			continue
		}
		end := numberEnd(left, i)
		found = append(found, digitsOf(left[i:end]))
		i = end
	}
	known := len(n.q.Operands)
	switch {
	case len(found) == 0 && phrases.Has(phrases.Normal(phrases.Tail(before, maxLead)), phrases.Answers):
		return named
	case len(found) == 0 || known == 0:
		return alone
	case len(found) < known:
		return weak
	}
	for _, o := range n.q.Operands {
		if !slices.Contains(found[len(found)-known:], strings.TrimLeft(o, "0")) {
			return weak
		}
	}
	return named
}

// equationStart returns the equation at the end of t: what is behind a comma, a semicolon, a
// colon, the word "and", or a parenthesis that is not closed.
func equationStart(t string) string {
	for _, cut := range [...]string{", ", "; ", ": ", " and ", " und ", " et ", " y ", "\n"} {
		if i := strings.LastIndex(t, cut); i >= 0 {
			t = t[i+len(cut):]
		}
	}
	depth := 0
	for i := len(t) - 1; i >= 0; i-- {
		switch t[i] {
		case ')':
			depth++
		case '(':
			if depth--; depth < 0 {
				return t[i+1:]
			}
		}
	}
	return t
}

// startsOperator reports whether a calculation goes on with t.
func startsOperator(t string) bool {
	t = strings.TrimLeft(t, " \"*`'”)$\\")
	for _, op := range [...]string{"+", "-", "*", "/", "×", "÷", "=", "plus ", "minus ", "and ", "−"} {
		if rest, ok := strings.CutPrefix(t, op); ok {
			if rest = strings.TrimLeft(rest, " \"'`*$"); rest != "" && (digit(rest[0]) || rest[0] == '(') {
				return true
			}
		}
	}
	return false
}
