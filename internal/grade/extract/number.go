package extract

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// A numbers collects the candidates for a number.
type numbers struct {
	*scan
	others map[string]bool // the numbers that are not operands, while few
	only   Answer
	counts []numeralCount // of the line
	role   role           // of the last number
	whole  string         // the whole part of the last number with a fraction; "" after another number
}

// isNumber reports whether all of t is one number, as numberEnd reads it.
func isNumber(q *Question, t string) bool { return t != "" && numberEnd(q, t, 0) == len(t) }

// numberEnd is numeralEnd, but if a root is asked for, it reads fractions behind any decimal mark.
func numberEnd(q *Question, t string, i int) int {
	end := numeralEnd(t, i)
	if len(q.Operands) != 1 || end == i || i > 1 && t[i-1] == ',' && isDigit(t[i-2]) {
		return end
	}
	for _, mark := range decimalMarks {
		at := end + len(mark)
		if !strings.HasPrefix(t[end:], mark) || strings.Contains(t[i:end], mark) {
			continue
		}
		to := DigitsEnd(t, at)
		if enumerated := strings.HasPrefix(t[to:], mark) && DigitsEnd(t, to+len(mark)) > to+len(mark); to > at && !enumerated {
			return to
		}
	}
	return end
}

// decimalMarks are before a fraction; numberEnd knows the point.
var decimalMarks = [...]string{",", "{,}", "'"}

// operand reports whether the digits are those of an input number.
func (s *scan) operand(digits string) bool {
	return slices.ContainsFunc(s.q.Operands, func(o string) bool { return strings.TrimLeft(o, "0") == digits })
}

// isOperand reports whether the number text[a:b] is an input number.
func (s *scan) isOperand(a, b int) bool {
	return len(s.q.Operands) > 0 && !s.hasFraction(a, b) && s.operand(digitsOf(s.text[a:b]))
}

// sized reports whether the number text[a:b] has as many digits as a sum of the input numbers, or fewer than
// the only one. Another number, which no words offer, is a step of the calculation or counts something.
func (n *numbers) sized(a, b int) bool {
	if len(n.q.Operands) == 0 {
		return true
	}
	if n.hasFraction(a, b) {
		b = a + max(strings.LastIndexAny(n.text[a:b], ".,'"), 0) // without the fraction
	}
	digits, most := len(strings.TrimLeft(digitsOf(n.text[a:b]), "-")), 0
	if digits == 0 {
		digits = len(FromForeign(n.text[a:b]))
	}
	for _, o := range n.q.Operands {
		most = max(most, len(strings.TrimLeft(o, "0-")))
	}
	if len(n.q.Operands) == 1 {
		return digits < most || most < 3
	}
	lost := 0 // a digit of a long number may be lost
	if most >= 8 {
		lost = 1
	}
	return most-lost <= digits && digits <= most+len(n.q.Operands)
}

// other notes a number that is not an operand, up to three of them.
func (n *numbers) other(a, b int) {
	if len(n.others) < 3 && !n.isOperand(a, b) {
		n.others[digitsOf(n.text[a:b])] = true
		n.only = Answer{Start: a, End: b, Rule: "only number"}
	}
}

// otherBetween notes a number between two texts. A part of a calculation is not noted as the only number.
func (n *numbers) otherBetween(before string, a, b int, after string) {
	only := n.only
	n.other(a, b)
	if endsInOperator(before) || only.End > 0 && startsOperator(after) {
		n.only = only
	}
}

// offer adds the number text[a:b].
func (n *numbers) offer(a, b, strength int, rule string, closed bool) {
	if strength > weak && n.hasFraction(a, b) {
		strength = weak // the whole part may follow: "√11 ≈ 3.3166, so 3"
	}
	n.add(candidate{Answer: Answer{Start: a, End: b, Rule: rule}, strength: strength, closed: closed, echo: n.isOperand(a, b)})
}

// isQuoted reports whether a number that no words call the answer is in quotation marks: then it is a character of the
// text in which something is counted.
func (n *numbers) isQuoted(a, b int, r role) bool {
	before, _ := utf8.DecodeLastRuneInString(n.text[n.from:a])
	after, _ := utf8.DecodeRuneInString(n.text[b:n.to])
	return r == unnamed && len(n.q.Operands) == 0 && strings.ContainsRune(`"'„“«»‘‚「`, before) && strings.ContainsRune(`"'”“«»’‘」`, after)
}

// hasFraction reports whether the number text[a:b] has a fraction, not separators of thousands, and a root is asked for.
func (s *scan) hasFraction(a, b int) bool {
	t := s.text[a:b]
	at := strings.LastIndexAny(t, ".,'")
	if at < 0 || len(s.q.Operands) != 1 {
		return false
	}
	whole, fraction := strings.TrimRight(t[:at], "{"), strings.TrimLeft(t[at+1:], "}")
	if strings.ContainsAny(whole, ".,'") {
		return !strings.Contains(whole, t[at:at+1]) // "1,234.5"
	}
	tooLong := 2*len(whole+fraction) > len(s.q.Operands[0])+1 // for a root, with thousands
	return len(fraction) != 3 || len(whole) > 3 || tooLong
}

// counted reports whether the number text[a:b] is part of a count and no words call it the answer. It
// offers the last number of the count.
func (n *numbers) counted(a, b int, r role) bool {
	if r.named() || r == denied {
		return false
	}
	i := slices.IndexFunc(n.counts, func(c numeralCount) bool { return c.Start <= a && a <= c.Last })
	if i < 0 {
		return false
	}
	if c := n.counts[i]; a == c.Last && !countsThings(tail(n.text[n.from:c.Start], maxLead)) {
		n.other(a, b)
		n.offer(a, b, marked, "last of a count", false)
	}
	return true
}

// countsThings reports whether the words before a count say what its numbers are, such as positions: then the last
// one is not an answer.
func countsThings(before string) bool {
	last := strings.TrimRight(before, " \r\n[]()") // no phrase ends in a digit
	if endsInColon(before) || last != "" && isDigit(last[len(last)-1]) {
		return false
	}
	return endsInPhrase(NormalText(before), inputEnds|numberNouns|numberLabels)
}
