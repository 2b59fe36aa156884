package extract

import (
	"strings"
)

// surroundings are the words around a value, as normal returns them.
type surroundings struct {
	sentence string // the words of its sentence before it
	lead     string // the words since the value before it
	after    string // the words behind it

	inSentence, inLead  phraseSet
	leadEnds, afterHead phraseSet // of phrases at the end of lead, and at the start of after
	asked               bool      // the sentence is a question
	like                bool      // the value is made of the characters of the input, but is not the input
}

// roleOf returns the role of the value text[a:b] of the sentence text[from:to], by the words around it. last
// is the end of the value before it.
func (s *scan) roleOf(from, last, a, b, to int) role {
	c := s.around(from, last, a, b, to)
	return s.roleIn(&c)
}

// around returns the words around the value text[a:b]. The other arguments are those of roleOf.
func (s *scan) around(from, last, a, b, to int) (c surroundings) {
	start, end := from, to
	if a-from > maxLead {
		start = a - len(tail(s.text[from:a], maxLead))
	}
	if to-b > maxLead {
		end = b + len(Head(s.text[b:to], maxLead))
	}
	w := &s.words
	if b-a > maxLead { // a long value is no context
		w.cover(s.text, start, a, a)
	} else {
		w.cover(s.text, start, end, s.to)
	}
	x, y := w.Span(start, a)
	z := x
	if last > start {
		z, _ = w.Span(last, a)
	}
	c.sentence, c.lead = w.Text[x:y], w.Text[min(z, y):y]
	c.inSentence, c.inLead = w.setsBefore(x, min(z, y), y)
	if b < end {
		w.cover(s.text, b, end, s.to)
		x, y := w.Span(b, end)
		c.after = w.Text[x:y]
		c.asked = w.Asked(x, y)
	}
	return c
}

// roleOfLead returns the role of a value by the words before it alone.
func (s *scan) roleOfLead(lead string) role {
	lead = NormalText(tail(lead, maxLead))
	sets := phrasesIn(lead)
	return s.roleIn(&surroundings{sentence: lead, lead: lead, inSentence: sets, inLead: sets})
}

// roleIn returns the role of a value by its surroundings.
func (s *scan) roleIn(c *surroundings) role {
	c.leadEnds, c.afterHead = phrasesAtEnd(c.lead), phrasesAtStart(c.after)
	if s.denies(c) {
		return denied
	}
	if s.q.Kind == AskedText && s.on("number of times") && countsAfter(c.after) {
		return asInput // "D" 8 times
	}
	if s.q.Kind == AskedText && c.leadEnds&inputEnds != 0 && s.on("noun of a text") {
		if lead, ok := beforeNoun(c.lead); ok { // "it is the string …"
			c.lead, c.leadEnds = lead, phrasesAtEnd(lead)
		}
	}
	if c.leadEnds&butWords != 0 { // "not … but"
		c.lead, c.inLead = c.sentence, c.inSentence
	}
	if lead := leadClause(c.lead, c.inLead, c.leadEnds); len(lead) < len(c.lead) {
		c.lead, c.inLead = lead, phrasesIn(lead)
		c.leadEnds = phrasesAtEnd(lead)
	}
	ends := c.leadEnds
	if n := len(c.lead); ends&adverbs != 0 || n > 0 && (c.lead[n-1] < 'a' || c.lead[n-1] > 'z') {
		ends = setsOfOffer(c.lead)
	}
	if s.q.Kind == AskedText && c.inSentence&toNouns != 0 && (strings.HasSuffix(c.lead, " to") || strings.HasSuffix(c.lead, " je")) {
		ends |= links
	}
	if s.q.Kind == AskedText && !s.q.Char && (ends&havings != 0 || c.leadEnds&manners != 0 && !endsInColon(c.lead)) {
		return unnamed // it says what is in a text, or how it is left
	}
	if c.leadEnds&butWords != 0 || ends&links != 0 {
		if r, ok := s.roleOfLinked(c); ok {
			return r
		}
	}
	return s.roleOfNamed(c)
}

// denies reports whether a value is not an answer: it is in a question, negated, one of several, or part of
// an example.
func (s *scan) denies(c *surroundings) bool {
	return s.on("question") && c.asked ||
		s.on("negation") && c.negates() ||
		s.on("alternatives") && (c.inSentence&alternatives != 0 || (c.afterHead|c.leadEnds)&orWords != 0) ||
		s.on("example") && c.inSentence&Examples != 0
}

// negates reports whether words behind a value, or in its clause, negate it.
func (c *surroundings) negates() bool {
	if c.afterHead&deniedAfter != 0 && !strings.HasPrefix(c.after, ",") {
		return true
	}
	if c.inSentence&(exclusions|negations) == 0 {
		return false
	}
	clause := c.inSentence
	if at := lastClause(c.sentence); at > 0 {
		clause = phrasesIn(c.sentence[at:])
	}
	return clause&exclusions != 0 && !endsInLink(c.lead) || clause&negations != 0 && clause&harmless == 0
}

// countsAfter reports whether a sentence continues with how many times something is to be done.
func countsAfter(after string) bool {
	after = strings.TrimLeft(after, " \"'`")
	n := DigitsEnd(after, 0)
	return n > 0 && startsWithPhrase(strings.TrimLeft(after[n:], " "), timesWords)
}

// hasCount reports whether words such as "there are" are before a value, and the answer is a count or a root.
func (s *scan) hasCount(c *surroundings) bool {
	return s.q.Kind == Integer && len(s.q.Operands) < 2 && s.on("noun") && c.leadEnds&havings != 0 && c.afterHead&inputAfter == 0
}

// timesAfter reports whether a word for times or occurrences follows a value, and the answer is a count.
func (s *scan) timesAfter(c *surroundings) bool {
	return s.q.Kind == Integer && len(s.q.Operands) == 0 && s.on("noun") && startsWithPhrase(strings.TrimPrefix(c.after, "-"), timesWords)
}

// roleOfLinked returns the role of a value behind a link such as "is"; false if roleOfNamed decides.
func (s *scan) roleOfLinked(c *surroundings) (r role, ok bool) {
	in := c.inLead
	switch {
	case in&Finals != 0:
		return asFinal, true
	case s.q.Kind == List && s.on("named") && (c.afterHead&sortedWords != 0 || in&listAnswers != 0):
		return asAnswer, true
	case s.on("input") && in&earlier != 0 && !s.copiesIn(in):
		return asInput, true
	case s.on("noun") && s.q.nouns() != 0 && in&conditions != 0 && (in&subordinates != 0 || strings.Count(c.lead, "(") > strings.Count(c.lead, ")")):
		return asInput, true
	case s.timesAfter(c):
		return linked, true
	case s.on("noun") && in&s.q.nouns() != 0:
		return asAnswer, true
	case s.hasCount(c), s.q.Kind == Integer && len(s.q.Operands) == 0 && s.on("noun") && in&characterNouns != 0:
		return linked, true
	case s.on("input") && in&inputSubjects != 0 && in&AnswersSure == 0 && !s.copiesIn(in):
		return asInput, true
	case in&answers != 0:
		return asAnswer, true
	case in&omissions != 0, c.leadEnds&pronouns != 0, s.q.Kind != Integer && s.on("produced") && c.leadEnds&producing != 0:
		return linked, true
	case s.on("input") && in&inputs != 0 && !s.copies():
		return asInput, true
	case isAbout(c.sentence):
		return unnamed, true
	case c.afterHead&inputAfter == 0 || c.like || !s.on("input"):
		return linked, true
	}
	return unnamed, false
}

// roleOfNamed returns the role of a value without a link before it.
func (s *scan) roleOfNamed(c *surroundings) role {
	switch {
	case c.inLead&Finals != 0 && c.leadEnds&Finals != 0:
		return asFinal
	case s.q.Kind == List && s.on("named") && c.afterHead&sortedWords != 0:
		return asAnswer
	case s.hasCount(c):
		return linked
	case s.on("input") && s.q.Kind == Integer && c.leadEnds&numberLabels != 0:
		return asInput
	case c.leadEnds&answerNouns != 0:
		return asAnswer
	case s.on("noun") && s.q.Kind == Integer && c.leadEnds&s.q.nouns() != 0 && !goesOn(c.after):
		return asAnswer
	case s.on("noun") && s.q.Char && c.leadEnds&characterNouns != 0:
		return linked
	case s.timesAfter(c), hasOpener(c.lead), c.afterHead&closers != 0:
		return linked
	case c.afterHead&answerAfter != 0 && !strings.HasSuffix(c.lead, " of"):
		return asAnswer
	case s.on("input") && s.q.Kind == List && c.inLead&inputSubjects != 0 && c.inLead&answers == 0:
		return asInput
	case s.on("input") && (c.leadEnds&inputEnds != 0 || c.afterHead&inputAfter != 0 && !c.like):
		return asInput
	}
	return unnamed
}

// copies reports whether the input is to be copied, so that it is an answer.
func (s *scan) copies() bool { return s.q.Copy && s.on("copied input") }

// copiesIn reports whether words with these sets call a text the one to copy.
func (s *scan) copiesIn(in phraseSet) bool {
	return s.copies() || s.q.Kind == AskedText && s.on("copied") && in&copyings != 0
}

// strengthOf returns the strength of a value with the role; 0 if it is not a candidate. apart:
// marks set it apart.
func (s *scan) strengthOf(r role, apart bool) int {
	switch {
	case r.excludes():
		return 0
	case r == asFinal && s.on(RuleFinal):
		return final
	case r.named() && s.on("named"):
		return named
	case (r == linked || apart) && s.on("marked"):
		return marked
	}
	return 0
}

// isInput reports whether a text is the input, and no answer therefore.
func (s *scan) isInput(t string) bool { return s.q.Source != "" && t == s.q.Source && !s.copies() }

// offer adds text[a:b] with the role, or with the marks around it. apart: marks set it apart.
func (s *scan) offer(a, b int, r role, marks string, apart bool) {
	s.add(candidate{
		Answer:   Answer{Start: a, End: b, Rule: ruleOf(r, marks)},
		strength: s.strengthOf(r, apart),
		closed:   apart,
		echo:     s.isInput(s.text[a:b]),
	})
}

// roleAbove returns the role of the start of part i by the line above it: one that
// ends in a colon or "the answer is", or a short heading that names an answer.
func (s *scan) roleAbove(i int) role {
	up, ok := s.above(i)
	if !ok {
		return unnamed
	}
	t := s.normal(up.end-len(tail(s.text[up.start:up.end], maxLead)), up.end)
	colon := strings.HasSuffix(t, ":") || strings.HasSuffix(t, "：")
	if colon && !s.q.Code && s.on("code") && isCode(outsideCode(s.text[up.start:up.end])) {
		return denied // a line of a program
	}
	link := !colon && endsInLink(t)
	if !colon && !link && (len(t) > 60 || strings.ContainsAny(t, ".?!=:：") || !HasPhrase(t, answers)) {
		return unnamed
	}
	if j := strings.LastIndexAny(t, ".!?"); j >= 0 && j < len(t)-1 {
		t = t[j+1:]
	}
	if link && !HasPhrase(t, answers) {
		return unnamed
	}
	if !colon {
		t += ":"
	}
	return s.roleOfLead(t)
}

// goesOn reports whether a number before t is one of several: "2, 4 and 6".
func goesOn(t string) bool {
	for _, next := range [...]string{", ", " and ", "and ", " und ", " et ", " y "} {
		if rest, ok := strings.CutPrefix(t, next); ok && rest != "" && isDigit(rest[0]) {
			return true
		}
	}
	return false
}
