package extract

import (
	"slices"
	"strings"
)

// A role is what the words around a value make of it.
type role int

const (
	unnamed role = iota // nothing is said of it
	linked              // after a colon, "is" or an arrow
	asAnswer
	asFinal
	asInput
	denied // negated, asked, one of several, an example
)

// maxLead is the number of bytes before a value that are read for its role.
const maxLead = 200

// surroundings are the words around a value, as normal returns them.
type surroundings struct {
	sentence string // before it, in its sentence
	lead     string // those of them since the last value
	after    string

	inSentence, inLead  phraseSet
	leadEnds, afterHead phraseSet
	asked               bool // the sentence is a question
}

// roleOf judges the value text[a:b] of the sentence text[from:to] by the words around it. last
// is the end of the last value.
func (s *scan) roleOf(from, last, a, b, to int) role {
	start, end := from, to
	if a-from > maxLead {
		start = a - len(tail(s.text[from:a], maxLead))
	}
	if to-b > maxLead {
		end = b + len(head(s.text[b:to], maxLead))
	}
	w := &s.words
	var c surroundings
	if b-a > maxLead { // a long value is no context
		w.cover(s.text, start, a, a)
	} else {
		w.cover(s.text, start, end, s.to)
	}
	x, y := w.span(start, a)
	z := x
	if last > start {
		z, _ = w.span(last, a)
	}
	c.sentence, c.lead = w.text[x:y], w.text[min(z, y):y]
	c.inSentence, c.inLead = w.setsBefore(x, min(z, y), y)
	if b < end {
		w.cover(s.text, b, end, s.to)
		x, y := w.span(b, end)
		c.after = w.text[x:y]
		c.asked = w.asked(x, y)
	}
	return s.roleIn(&c)
}

// roleOfLead judges a value by the words before it.
func (s *scan) roleOfLead(lead string) role {
	lead = normal(tail(lead, maxLead))
	sets := setsIn(lead)
	return s.roleIn(&surroundings{sentence: lead, lead: lead, inSentence: sets, inLead: sets})
}

func (s *scan) roleIn(c *surroundings) role {
	c.leadEnds, c.afterHead = setsAtEnd(c.lead), setsAtStart(c.after)
	if s.denies(c) {
		return denied
	}
	if c.leadEnds&butWords != 0 { // "not … but"
		c.lead, c.inLead = c.sentence, c.inSentence
	}
	if lead := leadClause(c.lead, c.inLead); len(lead) < len(c.lead) {
		c.lead, c.inLead = lead, setsIn(lead)
	}
	c.leadEnds = setsAtEnd(c.lead)
	if c.leadEnds&butWords != 0 || endsInLink(c.lead) {
		if r, ok := s.roleOfLinked(c); ok {
			return r
		}
	}
	return s.roleOfNamed(c)
}

// denies reports whether a value is no answer: it is asked, negated, one of several, or part of
// an example.
func (s *scan) denies(c *surroundings) bool {
	if s.on("question") && c.asked {
		return true
	}
	if s.on("negation") && c.afterHead&deniedAfter != 0 {
		return true
	}
	if s.on("negation") && c.inSentence&(exclusions|negations) != 0 {
		clause := c.inSentence
		if at := lastClause(c.sentence); at > 0 {
			clause = setsIn(c.sentence[at:])
		}
		if clause&exclusions != 0 && !endsInLink(c.lead) || clause&negations != 0 && clause&harmless == 0 {
			return true
		}
	}
	return s.on("alternatives") && (c.inSentence&alternatives != 0 || c.afterHead&orWords != 0 || c.leadEnds&orWords != 0) ||
		s.on("example") && c.inSentence&examples != 0
}

// hasCount reports whether words say what a text has, where a count is the answer.
func (s *scan) hasCount(c *surroundings) bool {
	return s.q.Kind == Integer && len(s.q.Operands) < 2 && s.on("noun") && c.leadEnds&havings != 0 && c.afterHead&inputAfter == 0
}

// roleOfLinked is the role of a value behind a link such as "is".
func (s *scan) roleOfLinked(c *surroundings) (r role, ok bool) {
	in := c.inLead
	switch {
	case in&finals != 0:
		return asFinal, true
	case s.q.Kind == List && s.on("named") && c.afterHead&sortedWords != 0:
		return asAnswer, true
	case s.on("input") && in&earlier != 0:
		return asInput, true
	case s.on("noun") && s.q.nouns() != 0 && in&conditions != 0 && strings.Count(c.lead, "(") > strings.Count(c.lead, ")"):
		return asInput, true
	case s.on("noun") && in&s.q.nouns() != 0:
		return asAnswer, true
	case s.hasCount(c), s.q.Kind == Integer && len(s.q.Operands) == 0 && s.on("noun") && in&characterNouns != 0:
		return linked, true
	case s.on("input") && in&inputSubjects != 0 && in&answersSure == 0:
		return asInput, true
	case in&answers != 0:
		return asAnswer, true
	case in&omissions != 0, s.q.Kind != Integer && s.on("produced") && c.leadEnds&producing != 0:
		return linked, true
	case s.on("input") && in&inputs != 0:
		return asInput, true
	case isAbout(c.sentence):
		return unnamed, true
	case c.afterHead&inputAfter == 0 || !s.on("input"):
		return linked, true
	}
	return unnamed, false
}

// roleOfNamed is the role of a value that no link is before.
func (s *scan) roleOfNamed(c *surroundings) role {
	switch {
	case c.inLead&finals != 0 && c.leadEnds&finals != 0:
		return asFinal
	case s.q.Kind == List && s.on("named") && c.afterHead&sortedWords != 0:
		return asAnswer
	case s.hasCount(c):
		return linked
	case c.leadEnds&answerNouns != 0:
		return asAnswer
	case s.on("noun") && (s.q.Kind == Integer && c.leadEnds&s.q.nouns() != 0 && !goesOn(c.after) || s.q.nouns() != 0 && c.afterHead&timesWords != 0):
		return asAnswer
	case s.on("noun") && s.q.Char && c.leadEnds&characterNouns != 0:
		return linked
	case hasOpener(c.lead):
		return linked
	case s.on("input") && (c.leadEnds&inputEnds != 0 || c.afterHead&inputAfter != 0):
		return asInput
	case c.afterHead&answerAfter != 0:
		return asAnswer
	}
	return unnamed
}

// leadClause returns the last clause of a lead: behind a semicolon, or behind a comma after
// which an answer is named.
func leadClause(lead string, in phraseSet) string {
	lead = lead[strings.LastIndex(lead, "; ")+1:]
	if in&answersSure == 0 {
		return lead
	}
	if i := strings.LastIndex(lead, ", "); i >= 0 && hasPhrase(lead[i:], answersSure) {
		lead = lead[i+2:]
	}
	return lead
}

// strengthOf returns the strength of a value with the role; 0 if it is no candidate. apart:
// marks set it apart.
func (s *scan) strengthOf(r role, apart bool) int {
	switch {
	case r == denied || r == asInput:
		return 0
	case r == asFinal && s.on("final answer"):
		return final
	case (r == asAnswer || r == asFinal) && s.on("named"):
		return named
	case (r == linked || apart) && s.on("marked"):
		return marked
	}
	return 0
}

// ruleOf names the rule of a value by its role, or by its marks.
func ruleOf(r role, marks string) string {
	switch r {
	case asFinal:
		return "final answer"
	case asAnswer:
		return "named as the answer"
	case linked:
		return "after a colon"
	}
	return marks
}

// roleAbove is the role that the line above part i gives to what begins it: a line that
// ends in a colon, or a short heading that names an answer.
func (s *scan) roleAbove(i int) role {
	up, ok := s.above(i)
	if !ok {
		return unnamed
	}
	t := s.normal(up.end-len(tail(s.text[up.start:up.end], maxLead)), up.end)
	colon := strings.HasSuffix(t, ":") || strings.HasSuffix(t, "：")
	if !colon && (len(t) > 60 || strings.ContainsAny(t, ".?!=") || !hasPhrase(t, answers)) {
		return unnamed
	}
	if j := strings.LastIndexAny(t, ".!?"); j >= 0 && j < len(t)-1 {
		t = t[j+1:]
	}
	if !colon {
		t += ":"
	}
	return s.roleOfLead(t)
}

// isAbout reports whether a sentence begins with a heading such as "Explanation:".
func isAbout(sentence string) bool {
	i := strings.IndexByte(sentence, ':')
	return i > 0 && isPhrase(sentence[:i], aboutAnswers)
}

// goesOn reports whether a number before t is one of several: "2, 4 and 6".
func goesOn(t string) bool {
	for _, next := range [...]string{", ", " and ", "and ", " und ", " et ", " y "} {
		if rest, ok := strings.CutPrefix(t, next); ok && rest != "" && digit(rest[0]) {
			return true
		}
	}
	return false
}

// hasOpener reports whether words are only one that begins a conclusion: "So".
func hasOpener(lead string) bool { return slices.Contains(openers, strings.Trim(lead, " ,")) }

// endsInLink reports whether words end as before an answer.
func endsInLink(lead string) bool {
	lead = strings.TrimRight(lead, " ($[{\\'«„‘<\ufe0f")
	if i := strings.LastIndexByte(lead, ' '); i > 0 && slices.Contains(adverbs, strings.TrimRight(lead[i+1:], ",")) {
		lead = lead[:i]
	}
	return endTable.atEnd(lead)&links != 0
}

// lastClause returns where the last clause of a sentence begins: behind a colon, behind
// "but", or behind a comma after which an answer is named.
func lastClause(t string) int {
	at, n := 0, len(t)
	for end := n; end >= 0 && at == 0; end-- {
		if (end == n || t[end] == ' ') && endTable.atEnd(t[:end])&clauseStarts != 0 {
			at = min(n, end+1)
		}
	}
	if strings.HasSuffix(t, ",") {
		return at
	}
	if i := strings.LastIndex(t, ", "); i >= at && hasPhrase(t[i+2:], answers) {
		at = i + 2
	}
	return at
}
