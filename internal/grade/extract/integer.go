package extract

import (
	"slices"
	"strings"
	"unicode/utf8"

	"verbatim/internal/grade/runes"
)

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
		if a, b, names, ok := s.peel(p.start, p.end, s.isNumber); ok {
			n.lone(i, a, b, len(names) > 0)
			continue
		}
		if s.on("code") && isCode(outsideCode(line)) {
			continue
		}
		if n.counts = nil; n.on("count") && p.end-p.start <= 1<<14 {
			n.counts = numeralCounts(n.text, p.start, p.end, betweenCounted)
		}
		for from := 0; from < len(line); from = nextSentence(line, from) {
			n.sentence(p.start+from, p.start+sentenceEnd(line, from))
		}
	}
	s.tables(s.isNumber, func(a, b int, r role) { n.offer(a, b, s.strengthOf(r, true), ruleOf(r, ""), true) })
	n.foreignDigits()
	if len(n.others) == 1 && n.only.End > 0 && n.sized(n.only.Start, n.only.End) && s.on("only number") {
		s.found = append([]candidate{{Answer: n.only, strength: weak}}, s.found...)
	}
}

// foreignDigits notes the only number of a reply without ASCII digits.
func (n *numbers) foreignDigits() {
	if strings.ContainsAny(n.text[n.from:n.to], "0123456789") || !n.on("foreign digits") {
		return
	}
	for a, b := range foreignDigits(n.text[n.from:n.to]) {
		a, b = n.from+a, n.from+b
		if digits := FromForeign(n.text[a:b]); !n.operand(strings.TrimLeft(digits, "0")) {
			n.others[digits], n.only = true, Answer{Start: a, End: b, Rule: "only number"}
		}
	}
}

// fence offers the number of a fence with one number, or with one equation.
func (n *numbers) fence(i int) {
	p := n.parts[i]
	a, b := trim(n.text, p.start, p.end)
	if a == b || !n.on("code block") || !p.closed && n.on("truncated") {
		return
	}
	a, b, _, ok := n.peel(a, b, n.isNumber)
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
		if a, b = trim(n.text, a+at+1, b); !isNumber(n.q, n.text[a:b]) {
			return
		}
	}
	r := n.roleAbove(i)
	n.offer(a, b, n.strengthOf(r, true), ruleOf(r, "code block"), true)
}

// lone offers text[a:b], the number of a line that is nothing else.
func (n *numbers) lone(i, a, b int, wrapped bool) {
	r := n.roleAbove(i)
	if r == asInput && b == n.to && !n.isOperand(a, b) {
		r = unnamed // the last line, which is not one of the input numbers
	}
	if r.excludes() {
		return
	}
	n.other(a, b)
	if strength := n.strengthOf(r, wrapped); strength > 0 {
		n.offer(a, b, strength, ruleOf(r, RuleAlone), wrapped)
	} else if n.on(RuleAlone) {
		n.offer(a, b, alone, RuleAlone, wrapped)
	}
}

// sentence collects the numbers of a sentence.
func (n *numbers) sentence(from, to int) {
	last, operands := from, 0
	n.role = unnamed
	for i := from; i < to; {
		c := n.text[i]
		signed := !isDigit(c)
		if signed && numberEnd(n.q, n.text[:to], i) == i {
			i++
			continue
		}
		end := numberEnd(n.q, n.text[:to], i)
		before, k := utf8.DecodeLastRuneInString(n.text[from:i])
		if signed && (operandBefore(n.text[from:i]) || isPrefix(n.text[from:i])) { // an operator, or a hyphen
			i++
			continue
		}
		next, m := utf8.DecodeRuneInString(n.text[end:to])
		if hyphenated(n.text[end:to]) {
			i = end
			continue
		}
		if k > 0 && letter(before) || m > 0 && (letter(next) || next == '%') && !n.ordinal(n.text[end:to]) && !(len(n.q.Operands) == 0 && startsWithPhrase(n.text[end:to], timesWords)) {
			i = DigitsEnd(n.text, max(i+1, end))
			continue
		}
		n.number(from, last, i, end, to, &operands)
		last, i = end, end
	}
}

// ordinal reports whether t, the text behind a number, makes it an ordinal such as "3rd", and a position is asked
// for.
func (n *numbers) ordinal(t string) bool {
	if n.q.nouns() == 0 || len(t) < 2 || wordAt(t, 2) {
		return false
	}
	return slices.Contains([]string{"st", "nd", "rd", "th"}, t[:2])
}

// letter reports whether r next to a digit makes both one word, as letters of scripts with spaces do.
func letter(r rune) bool { return runes.IsWord(r) && r < 0x2e80 }

// roleOfNumber returns the role of the number text[a:b]. before are the words before it in the sentence, and lead
// those since the last number.
func (n *numbers) roleOfNumber(from, last, a, b, to int, before, lead string) role {
	r := n.roleOf(from, last, a, b, to)
	switch pair := slices.Contains(andWords, strings.TrimSpace(lead)); {
	case pair && r == unnamed && (n.role == asInput || n.role == denied):
		return n.role // the second of two
	case (r == unnamed || r == asInput) && n.hasFraction(a, b) && endsInWord(lead, approximations):
		return linked
	case strings.HasSuffix(strings.TrimRight(before, " "), `\boxed{`) && r != denied:
		return asFinal
	}
	return r
}

// number offers the number text[a:b] of the sentence text[from:to], or notes why it is not offered. last is the end
// of the number before it. operands counts the operands in the sentence.
func (n *numbers) number(from, last, a, b, to int, operands *int) {
	operand := n.isOperand(a, b)
	if operand {
		*operands++
	}
	if !n.near(a) {
		n.other(a, b)
		return
	}
	before, lead, after := tail(n.text[from:a], 4*maxLead), tail(n.text[last:a], 4*maxLead), Head(n.text[b:to], 4*maxLead)
	if b < to && (after[0] == '.' || after[0] == ')') && len(after) > 1 && strings.TrimRight(before, " *-#") == "" && !n.hasFraction(a, b) {
		return // "1. …"
	}
	open := strings.TrimRight(lead, " *`\"'$\\({~")
	r := n.roleOfNumber(from, last, a, b, to, before, lead)
	if n.role = r; r == asAnswer && strings.Count(before, "(") > strings.Count(before, ")") && len(n.found) > 0 && n.found[len(n.found)-1].Start >= from {
		return // an aside: "1 time (at position 18)"
	}
	whole := n.whole
	if n.whole = ""; n.hasFraction(a, b) {
		n.whole = strings.TrimRight(n.text[a:b][:strings.LastIndexAny(n.text[a:b], ".,'")], "{")
	}
	if n.counted(a, b, r) {
		return
	}
	if aside := r == unnamed && endsInWord(lead, asides); r != denied && r != asInput && !aside && !n.isQuoted(a, b, r) {
		n.otherBetween(open, a, b, after)
	}
	if r == denied || startsOperator(after) || operand && len(n.q.Operands) == 1 && strings.HasSuffix(open, "=") { // the proof of a root
		return
	}
	apart := a > from && b < to && strings.IndexByte("*`\"'$", n.text[a-1]) >= 0 && strings.IndexByte("*`\"'$.", n.text[b]) >= 0 && !n.isQuoted(a, b, r)
	sum := *operands >= 2 && !operand
	switch equation := strings.HasSuffix(open, "=") || strings.HasSuffix(open, "≈") || strings.HasSuffix(open, "= boxed"); {
	case equation && r != asFinal:
		if !n.on(RuleEquation) {
			return
		}
		if strength := n.equation(before); strength > weak || n.sized(a, b) {
			n.offer(a, b, strength, RuleEquation, apart)
		}
	case sum && r == linked, r == linked && operand && n.isSum(from, last): // 3 plus 4 is 7
		n.offer(a, b, named, "sum of the operands", apart)
		n.found[len(n.found)-1].echo = false // even if it is one of them
	case r == unnamed && whole == n.text[a:b] && n.on("whole part"):
		n.offer(a, b, weak, "whole part", apart)
	case r == linked && !apart && !endsInColon(lead) && !startsWithPhrase(strings.TrimLeft(after, ", "), reasonWords):
		n.offer(a, b, weak, "after is", apart)
	case r == unnamed && !apart && len(n.q.Operands) > 0 && !operand && n.sized(a, b) && endsReply(open, n.text[b:n.to], last > from) && n.on("ends the reply"):
		n.offer(a, b, weak, "ends the reply", apart)
	case r == unnamed && !apart && strings.TrimRight(before, " *") == "" && startsWithPhrase(after, reasonWords) && n.on(RuleAlone):
		n.offer(a, b, alone, "first in its line", apart)
	default:
		n.offer(a, b, n.strengthOf(r, apart), ruleOf(r, "set apart"), apart)
		if operand && (r == asFinal || (r == linked || r == asAnswer) && HasPhrase(NormalText(tail(lead, maxLead)), justAnswer)) && n.on("named") {
			n.found[len(n.found)-1].echo = false // the reply calls it the answer
		}
	}
}
