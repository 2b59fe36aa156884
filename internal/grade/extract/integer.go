package extract

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"verbatim/internal/grade/runes"
)

// isNumber reports whether all of t is one number as numberEnd reads it.
func isNumber(t string) bool { return t != "" && numberEnd(t, 0) == len(t) }

// foreignNumber reports whether t is nothing but digits of any script.
func foreignNumber(t string) bool {
	return t != "" && strings.IndexFunc(t, func(r rune) bool { return !unicode.IsDigit(r) }) < 0
}

// separators of thousands.
var separators = [...]string{",", ".", "'", "’", " ", "\u00a0", "\u202f", "\u2009", "{,}", `\,`}

// numberEnd returns where the number that starts at t[i] ends, or i where none starts. A
// number is digits with a sign, separators of thousands, underscores and a fraction.
func numberEnd(t string, i int) int {
	at := i
	if at < len(t) && (t[at] == '-' || t[at] == '+') {
		at++
	} else if strings.HasPrefix(t[at:], "−") {
		at += len("−")
	}
	start := at
	if at = digitsEnd(t, at); at == start {
		return i
	}
	if at-start <= 3 {
		for _, sep := range separators {
			end := at
			for strings.HasPrefix(t[end:], sep) && digitsEnd(t, end+len(sep)) == end+len(sep)+3 {
				end += len(sep) + 3
			}
			if end > at {
				at = end
				break
			}
		}
	}
	for at+1 < len(t) && t[at] == '_' && digit(t[at+1]) {
		at = digitsEnd(t, at+1)
	}
	if at+1 < len(t) && t[at] == '.' && digit(t[at+1]) {
		at = digitsEnd(t, at+1)
	}
	return at
}

func digitsEnd(t string, at int) int {
	for at < len(t) && digit(t[at]) {
		at++
	}
	return at
}

func digit(c byte) bool { return '0' <= c && c <= '9' }

// digitsOf returns the sign and the digits of a number, without leading zeros.
func digitsOf(t string) string {
	b := make([]byte, 0, len(t))
	for i := 0; i < len(t); i++ {
		if digit(t[i]) {
			b = append(b, t[i])
		}
	}
	digits := strings.TrimLeft(string(b), "0")
	if strings.HasPrefix(t, "-") || strings.HasPrefix(t, "−") {
		digits = "-" + digits
	}
	return digits
}

// A numbers collects the candidates for a number.
type numbers struct {
	*scan
	others map[string]bool // the numbers that are not operands, while few
	only   Answer
}

// integers collects the candidates for a number.
func (s *scan) integers() {
	n := numbers{scan: s, others: map[string]bool{}}
	for i, p := range s.parts {
		line := s.text[p.start:p.end]
		switch {
		case p.fence:
			n.fence(i)
			continue
		case !s.near(p.start):
			continue
		}
		if a, b, names, ok := s.peel(p.start, p.end, func(from, to int) bool { return isNumber(s.text[from:to]) }); ok {
			n.lone(i, a, b, len(names) > 0)
			continue
		}
		if s.on("code") && isCode(talkOf(line)) {
			continue
		}
		for from := 0; from < len(line); from = nextSentence(line, from) {
			n.sentence(p.start+from, p.start+sentenceEnd(line, from))
		}
	}
	s.tables(func(from, to int) bool { return isNumber(s.text[from:to]) }, func(a, b int, r role) { n.offer(a, b, s.strengthOf(r, true), ruleOf(r, ""), true) })
	if len(n.others) == 1 && n.only.End > 0 && s.on("only number") {
		s.found = append([]candidate{{Answer: n.only, strength: weak}}, s.found...)
	}
}

// operand reports whether the digits are those of an input number.
func (s *scan) operand(digits string) bool {
	for _, o := range s.q.Operands {
		if strings.TrimLeft(o, "0") == digits {
			return true
		}
	}
	return false
}

// isOperand reports whether the number text[a:b] is one of the input.
func (s *scan) isOperand(a, b int) bool {
	return len(s.q.Operands) > 0 && s.operand(digitsOf(s.text[a:b]))
}

// other notes a number that is not an operand.
func (n *numbers) other(a, b int) {
	if len(n.others) >= 3 {
		return
	}
	if t := digitsOf(n.text[a:b]); !n.operand(t) {
		n.others[t] = true
		n.only = Answer{Start: a, End: b, Rule: "only number"}
	}
}

func (n *numbers) offer(a, b, strength int, rule string, closed bool) {
	n.add(candidate{Answer: Answer{Start: a, End: b, Rule: rule}, strength: strength, closed: closed, echo: n.isOperand(a, b)})
}

// fence: a fence with one number, or one equation.
func (n *numbers) fence(i int) {
	p := n.parts[i]
	a, b := trim(n.text, p.start, p.end)
	if a == b || !n.on("code block") || !p.closed && n.on("truncated") {
		return
	}
	a, b, _, ok := n.peel(a, b, func(from, to int) bool { return isNumber(n.text[from:to]) })
	if !ok {
		t := n.text[a:b]
		if at := underRule(t); at > 0 && n.on("written sum") {
			n.offer(a+at, b, named, "under a line", true)
			return
		}
		at := strings.LastIndexByte(t, '=')
		if at < 0 || strings.Contains(t, "\n") || isCode(t) {
			return
		}
		if a, b = trim(n.text, a+at+1, b); !isNumber(n.text[a:b]) {
			return
		}
	}
	r := n.roleAbove(i)
	n.offer(a, b, n.strengthOf(r, true), ruleOf(r, "code block"), true)
}

// underRule returns where the number below a drawn line begins, which is the last line of t
// and has a number above the line, as in a written addition; 0 without one.
func underRule(t string) int {
	at := strings.LastIndexByte(t, '\n')
	if at < 0 || !isNumber(strings.TrimSpace(t[at:])) {
		return 0
	}
	above := strings.TrimRight(t[:at], " \n")
	i := strings.LastIndexByte(above, '\n')
	if i < 0 || len(above) < i+3 || strings.Trim(above[i:], "-=_─━—| \n") != "" {
		return 0
	}
	above = strings.TrimRight(above[:i], " \n")
	operand := strings.TrimLeft(above[strings.LastIndexByte(above, '\n')+1:], "+ |")
	if !isNumber(operand) {
		return 0
	}
	return len(t) - len(strings.TrimSpace(t[at:]))
}

// lone: a line that is nothing but a number.
func (n *numbers) lone(i, a, b int, wrapped bool) {
	r := n.roleAbove(i)
	if r == denied || r == asInput {
		return
	}
	n.other(a, b)
	if strength := n.strengthOf(r, wrapped); strength > 0 {
		n.offer(a, b, strength, ruleOf(r, "alone on a line"), wrapped)
	} else if n.on("alone on a line") {
		n.offer(a, b, alone, "alone on a line", wrapped)
	}
}

// sentence collects the numbers of a sentence.
func (n *numbers) sentence(from, to int) {
	last, operands := from, 0
	for i := from; i < to; {
		c := n.text[i]
		signed := !digit(c)
		if signed && numberEnd(n.text[:to], i) == i {
			i++
			continue
		}
		end := numberEnd(n.text[:to], i)
		before, k := utf8.DecodeLastRuneInString(n.text[from:i])
		if signed && operandBefore(n.text[from:i]) { // an operator
			i++
			continue
		}
		next, m := utf8.DecodeRuneInString(n.text[end:to])
		if k > 0 && letter(before) || m > 0 && (letter(next) || next == '%') {
			i = digitsEnd(n.text, max(i+1, end))
			continue
		}
		n.number(from, last, i, end, to, &operands)
		last, i = end, end
	}
}

// letter reports whether a letter next to a digit makes both one word. Scripts without
// spaces do not.
func letter(r rune) bool { return runes.IsWord(r) && r < 0x2e80 }

// operandBefore reports whether a sign after t is an operator.
func operandBefore(t string) bool {
	t = strings.TrimRight(t, " \"'`*")
	return t != "" && (digit(t[len(t)-1]) || t[len(t)-1] == ')')
}

// number judges the number text[a:b] of the sentence text[from:to].
func (n *numbers) number(from, last, a, b, to int, operands *int) {
	operand := n.isOperand(a, b)
	if operand {
		*operands++
	}
	if !n.near(a) {
		n.other(a, b)
		return
	}
	before, lead, after := tail(n.text[from:a], 4*maxLead), tail(n.text[last:a], 4*maxLead), head(n.text[b:to], 4*maxLead)
	if b < to && (after[0] == '.' || after[0] == ')') && len(after) > 1 && strings.TrimRight(before, " *-#") == "" {
		return // "1. …"
	}
	open := strings.TrimRight(lead, " *`\"'$\\({~")
	r := n.roleOf(from, last, a, b, to)
	if strings.HasSuffix(strings.TrimRight(before, " "), `\boxed{`) && r != denied {
		r = asFinal
	}
	if r != denied && r != asInput {
		n.other(a, b)
	}
	if r == denied || startsOperator(after) {
		return
	}
	apart := a > from && b < to && strings.IndexByte("*`\"'$", n.text[a-1]) >= 0 && strings.IndexByte("*`\"'$.", n.text[b]) >= 0
	equation := strings.HasSuffix(open, "=") || strings.HasSuffix(open, "≈") || strings.HasSuffix(open, "= boxed")
	sum := *operands >= 2 && !operand
	switch {
	case equation && r != asFinal:
		if !n.on("equation") {
			return
		}
		n.offer(a, b, n.equation(before), "equation", apart)
	case sum && r == linked, r == linked && operand && n.isSum(from, last): // 3 plus 4 is 7
		n.offer(a, b, named, "sum of the operands", apart)
		n.found[len(n.found)-1].echo = false // even if it is one of them
	case r == linked && !apart && !endsInColon(lead):
		n.offer(a, b, weak, "after is", apart)
	case r == unnamed && !apart && strings.TrimRight(before, " *") == "" && startsPhrase(after, reasonWords) && n.on("alone on a line"):
		n.offer(a, b, alone, "first in its line", apart)
	default:
		n.offer(a, b, n.strengthOf(r, apart), ruleOf(r, "set apart"), apart)
		if operand && (r == asFinal || r == asAnswer && hasPhrase(normal(tail(lead, maxLead)), justAnswer)) && n.on("named") {
			n.found[len(n.found)-1].echo = false // the reply calls it the answer
		}
	}
}

// isSum reports whether text[from:to], up to the link of a number, speaks of the sum of two
// numbers.
func (n *numbers) isSum(from, to int) bool {
	if len(n.q.Operands) < 2 {
		return false
	}
	before, numbers := tail(n.text[from:to], maxLead), 0
	for i := 0; i < len(before); {
		if end := numberEnd(before, i); end > i && digit(before[i]) {
			numbers++
			i = end
			continue
		}
		i++
	}
	return numbers == 2 && hasPhrase(normal(before), answers)
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
	case len(found) == 0 && hasPhrase(normal(tail(before, maxLead)), answers):
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
