package extract

import (
	"slices"
	"strings"
)

// isSum reports whether text[from:to], the words before a number, speaks of the sum of two
// numbers.
func (n *numbers) isSum(from, to int) bool {
	if len(n.q.Operands) < 2 {
		return false
	}
	before, numbers := tail(n.text[from:to], maxLead), 0
	for i := 0; i < len(before); {
		if end := numeralEnd(before, i); end > i && isDigit(before[i]) {
			numbers++
			i = end
			continue
		}
		i++
	}
	return numbers == 2 && HasPhrase(NormalText(before), answers)
}

// equation returns the strength of the result of an equation. It is named if the left side has the
// operands of the question, or if it names an answer and has no numbers. It is weak if the left side has other
// numbers, as in a sum of digits.
func (n *numbers) equation(before string) int {
	left := equationStart(before)
	left, _, _ = strings.Cut(left, "=")
	var found []string
	rest, known := "", len(n.q.Operands)
	for i := 0; i < len(left); {
		if !isDigit(left[i]) {
			i++
			continue
		}
		end := numeralEnd(left, i)
		if known == 1 && slices.Contains(found, n.q.Operands[0]) {
			break // an exponent
		}
		found, rest = append(found, digitsOf(left[i:end])), left[end:]
		i = end
	}
	switch {
	case len(found) == 0 && HasPhrase(NormalText(tail(before, maxLead)), answers):
		return named
	case len(found) == 0 || known == 0:
		return alone
	case len(found) < known, known == 1 && (isPower(rest) || startsOperator(rest) && !strings.HasPrefix(strings.TrimLeft(rest, " })$"), "^")):
		return weak
	}
	for _, o := range n.q.Operands {
		if !slices.Contains(found[len(found)-known:], strings.TrimLeft(o, "0")) {
			return weak
		}
	}
	return named
}
