package extract

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"
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

// normal returns words in lower case with single spaces, without the marks of Markdown.
func normal(t string) string {
	b := make([]byte, 0, len(t))
	for i := range len(t) {
		switch c := t[i]; {
		case c >= utf8.RuneSelf:
			return normalAny(t)
		case c == '*' || c == '#' || c == '`' || c == '"' || c == '_':
		case blank(rune(c)):
			if len(b) > 0 && b[len(b)-1] != ' ' {
				b = append(b, ' ')
			}
		case 'A' <= c && c <= 'Z':
			b = append(b, c+'a'-'A')
		default:
			b = append(b, c)
		}
	}
	return string(bytes.TrimSuffix(b, []byte(" ")))
}

// normalAny is normal for a text that is not ASCII.
func normalAny(t string) string {
	var b strings.Builder
	space := true
	for _, r := range t {
		switch {
		case r == '*' || r == '#' || r == '`' || r == '"' || r == '“' || r == '”' || r == '_':
			continue
		case blank(r):
			if !space {
				b.WriteByte(' ')
			}
			space = true
			continue
		case r == '’' || r == '‘':
			r = '\''
		}
		b.WriteRune(r)
		space = false
	}
	return strings.ToLower(strings.TrimSuffix(b.String(), " "))
}

// tail returns at most n bytes at the end of t, in whole characters.
func tail(t string, n int) string {
	i := max(0, len(t)-n)
	for i > 0 && i < len(t) && !utf8.RuneStart(t[i]) {
		i++
	}
	return t[i:]
}

// head returns at most n bytes at the start of t, in whole characters.
func head(t string, n int) string {
	if len(t) <= n {
		return t
	}
	for n > 0 && !utf8.RuneStart(t[n]) {
		n--
	}
	return t[:n]
}

// roleOf judges a value by the words around it: all before it in its sentence, those of
// them since the last value (lead), and those after it.
func (s *scan) roleOf(sentence, lead, after string) role {
	sentence, lead, after = normal(tail(sentence, maxLead)), normal(tail(lead, maxLead)), normal(head(after, maxLead))
	clause := sentence[lastClause(sentence):]
	switch {
	case s.on("question") && endsInQuestion(after),
		s.on("negation") && (hasPhrase(clause, exclusions) && !endsInLink(lead) || hasPhrase(clause, negations) && !hasPhrase(clause, harmless) || startsPhrase(after, deniedAfter)),
		s.on("alternatives") && (hasPhrase(sentence, alternatives) || startsPhrase(after, orWords) || endsPhrase(lead, orWords)),
		s.on("example") && hasPhrase(sentence, examples):
		return denied
	}
	if endsPhrase(lead, butWords) { // "not … but"
		lead = sentence
	}
	lead = leadClause(lead)
	link := endsInLink(lead) || endsPhrase(lead, butWords)
	switch {
	case hasPhrase(lead, finals) && (link || endsPhrase(lead, finals)):
		return asFinal
	case s.q.Kind == List && s.on("named") && startsPhrase(after, sortedWords):
		return asAnswer
	case link && s.on("input") && hasPhrase(lead, earlier):
		return asInput
	case link && s.on("noun") && s.q.nouns() != nil && hasPhrase(lead, conditions) && strings.Count(lead, "(") > strings.Count(lead, ")"):
		return asInput
	case link && s.q.names(lead) && s.on("noun"):
		return asAnswer
	case s.q.Kind == Integer && len(s.q.Operands) < 2 && s.on("noun") && endsPhrase(lead, havings) && !startsPhrase(after, inputAfter):
		return linked
	case link && s.q.Kind == Integer && len(s.q.Operands) == 0 && s.on("noun") && hasPhrase(lead, characterNouns):
		return linked
	case link && s.on("input") && hasPhrase(lead, inputSubjects) && !hasPhrase(lead, answersSure):
		return asInput
	case link && hasPhrase(lead, answers):
		return asAnswer
	case link && hasPhrase(lead, omissions):
		return linked
	case link && s.q.Kind != Integer && s.on("produced") && endsPhrase(lead, producing):
		return linked
	case link && s.on("input") && hasPhrase(lead, inputs):
		return asInput
	case link && isAbout(sentence):
		return unnamed
	case link && !(startsPhrase(after, inputAfter) && s.on("input")):
		return linked
	case endsPhrase(lead, answerNouns):
		return asAnswer
	case s.on("noun") && (s.q.Kind == Integer && endsPhrase(lead, s.q.nouns()) && !goesOn(after) || s.q.nouns() != nil && startsPhrase(after, timesWords)):
		return asAnswer
	case s.on("noun") && s.q.Char && endsPhrase(lead, characterNouns):
		return linked
	case hasOpener(lead):
		return linked
	case s.on("input") && (endsPhrase(lead, inputEnds) || startsPhrase(after, inputAfter)):
		return asInput
	case startsPhrase(after, answerAfter):
		return asAnswer
	}
	return unnamed
}

// leadClause returns the last clause of a lead: behind a semicolon, or behind a comma after
// which an answer is named.
func leadClause(lead string) string {
	lead = lead[strings.LastIndex(lead, "; ")+1:]
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
	t := normal(tail(s.text[up.start:up.end], maxLead))
	colon := strings.HasSuffix(t, ":") || strings.HasSuffix(t, "：")
	if !colon && (len(t) > 60 || !hasPhrase(t, answers) || strings.ContainsAny(t, ".?!=")) {
		return unnamed
	}
	if j := strings.LastIndexAny(t, ".!?"); j >= 0 && j < len(t)-1 {
		t = t[j+1:]
	}
	if !colon {
		t += ":"
	}
	return s.roleOf(t, t, "")
}

// isAbout reports whether a sentence begins with a heading such as "Explanation:".
func isAbout(sentence string) bool {
	i := strings.IndexByte(sentence, ':')
	return i > 0 && slices.Contains(aboutAnswers, sentence[:i])
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
	for _, l := range links {
		if !strings.HasSuffix(lead, l) {
			continue
		}
		if wordStart(lead, len(lead)-len(l), l) {
			return true
		}
	}
	return false
}

func endsInQuestion(after string) bool {
	for i, r := range after {
		switch r {
		case '?', '？':
			return true
		case '.', '!', '\n', '。':
			if i+1 == len(after) || after[i+1] == ' ' || r == '。' {
				return false
			}
		}
	}
	return false
}

// lastClause returns where the last clause of a sentence begins: behind a colon, behind
// "but", or behind a comma after which an answer is named.
func lastClause(t string) int {
	at, n := 0, len(t)
	t += " "
	for _, cut := range clauseStarts {
		if i := strings.LastIndex(t, cut); i >= 0 {
			at = max(at, i+len(cut))
		}
	}
	if i := strings.LastIndex(t, ", "); i >= at && hasPhrase(t[i+2:], answers) {
		at = i + 2
	}
	return min(at, n)
}

// withdrawal returns the position before which answers are taken back: there is a
// candidate behind the words that do so, or they call the answer wrong.
func (s *scan) withdrawal() int {
	if !s.on("withdrawn") || s.q.Code {
		return 0
	}
	at := 0
	for _, p := range s.parts {
		if p.fence || !s.near(p.start) {
			continue
		}
		text := head(s.text[p.start:p.end], 1<<14)
		for from := 0; from < len(text); from = nextSentence(text, from) {
			if !startsPhrase(normal(head(text[from:], 40)), withdrawals) {
				continue
			}
			here := p.start + from
			behind := hasPhrase(normal(head(s.text[here:s.to], 200)), wrongs)
			for j := len(s.found) - 1; j >= 0 && !behind; j-- {
				behind = s.found[j].Start >= here && (!s.found[j].echo || s.q.Kind == Text && s.found[j].strength >= marked)
			}
			if behind {
				at = here
			}
		}
	}
	return at
}

// nextSentence returns where the sentence after the one that begins at from begins.
func nextSentence(t string, from int) int {
	at := sentenceEnd(t, from)
	for at < len(t) && (t[at] == ' ' || t[at] == '\t') {
		at++
	}
	return at
}

// sentenceEnd returns where the sentence of t that begins at from ends.
func sentenceEnd(t string, from int) int {
	for i := from; i < len(t); i++ {
		switch c := t[i]; c {
		case '.', '!', '?':
			j := i + 1
			for j < len(t) && strings.IndexByte("*_\"'`)", t[j]) >= 0 {
				j++
			}
			if j < len(t) && t[j] != ' ' && t[j] != '\t' || c == '.' && abbreviated(t[from:i]) {
				continue
			}
			return j
		case 0xe3, 0xef:
			for _, stop := range [...]string{"。", "！", "？"} {
				if strings.HasPrefix(t[i:], stop) {
					return i + len(stop)
				}
			}
		}
	}
	return len(t)
}

// abbreviated reports whether a full stop after t ends no sentence: "1." at its start, "e.g.".
func abbreviated(t string) bool {
	if u := strings.TrimLeft(tail(t, 8), " *-•\t#"); len(u) <= 3 && len(t) < 8 && strings.Trim(u, "0123456789") == "" {
		return true
	}
	for _, a := range [...]string{"e.g", "i.e", " vs", "z.B", " No", "approx"} {
		if strings.HasSuffix(t, a) {
			return true
		}
	}
	return false
}
