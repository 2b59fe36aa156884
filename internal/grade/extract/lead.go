package extract

import (
	"slices"
	"strings"
)

// leadClause returns the last clause of a lead, which is the words before a value: the text behind a semicolon or a
// contrast, or behind a comma after which an answer is named. in are the sets in the lead and ends those at its end.
func leadClause(lead string, in, ends phraseSet) string {
	lead = withoutAside(lead[strings.LastIndex(lead, "; ")+1:])
	if strings.Contains(lead, ", ") {
		for _, so := range conclusions {
			if i := strings.LastIndex(lead, so); i >= 0 {
				lead = lead[i+len(so)-1:]
			}
		}
	}
	if in&contrasts != 0 {
		lead = afterContrast(lead)
	}
	if in&(AnswersSure|presentings) == 0 && ends&pronouns == 0 {
		return lead
	}
	if i := strings.LastIndex(lead, ", "); i >= 0 && (ends&pronouns != 0 || HasPhrase(lead[i:], AnswersSure|presentings)) {
		lead = lead[i+2:]
	}
	return lead
}

// withoutAside removes the text between two commas before the verb of a lead: "the root of 2, rounded down, is".
func withoutAside(lead string) string {
	end := strings.LastIndex(lead, ", ")
	if end < 0 || strings.Contains(lead[end+2:], " ") || endings().atEnd(lead)&links == 0 {
		return lead
	}
	start := strings.LastIndex(lead[:end], ", ")
	if start < 0 {
		return lead
	}
	return lead[:start] + lead[end+1:]
}

// afterContrast returns what follows the last contrast in a lead.
func afterContrast(lead string) string {
	var buffer [16]mention
	at := 0
	for _, m := range insidePhrases().mentions(lead, buffer[:0]) {
		if m.Apart && m.Sets&contrasts != 0 && strings.Trim(lead[m.End:], " ,") != "" {
			at = int(m.End)
		}
	}
	return lead[at:]
}

// hasOpener reports whether a lead is only a word that begins a conclusion, such as "So", or one that
// takes back what was said.
func hasOpener(lead string) bool {
	clause := strings.Trim(lead, " ,")
	clause = clause[strings.LastIndex(clause, ", ")+1:]
	return slices.Contains(openers, strings.Trim(clause, " ,")) || len(lead) < 24 && startsWithPhrase(lead, withdrawals)
}

// endsInLink reports whether a lead ends in a link such as "is", apart from marks and adverbs.
func endsInLink(lead string) bool { return setsOfOffer(lead)&links != 0 }

// setsOfOffer returns the sets of the phrases that a lead ends with, without
// marks and adverbs behind them.
func setsOfOffer(lead string) (sets phraseSet) {
	lead = strings.TrimRight(lead, " ($[{\\'«„‘<\ufe0f")
	for range 4 {
		ends := endings().atEnd(lead)
		sets |= ends
		if t := strings.TrimRight(lead, ","); len(t) < len(lead) {
			ends |= endings().atEnd(t) & adverbs
		}
		i := strings.LastIndexByte(lead, ' ')
		if i <= 0 || ends&adverbs == 0 {
			break
		}
		lead = strings.TrimRight(lead[:i], ", ")
	}
	return sets
}

// beforeNoun returns what is before a noun such as "the string" at the end of a lead. ok says that it is such a noun and
// that a link is before it.
func beforeNoun(lead string) (before string, ok bool) {
	lead = strings.TrimRight(lead, " ($[{\\'«„‘<")
	i := strings.LastIndexByte(lead, ' ')
	if i < 0 || !isPhrase(lead[i+1:], textNouns) {
		return "", false
	}
	return lead[:i], endsInLink(lead[:i])
}

// lastClause returns where the last clause of a sentence begins: behind a colon, behind
// "but", or behind a comma after which an answer is named.
func lastClause(t string) int {
	at, n := 0, len(t)
	for end := n; end >= 0 && at == 0; end-- {
		if (end == n || t[end] == ' ') && endings().atEnd(t[:end])&clauseStarts != 0 {
			at = min(n, end+1)
		}
	}
	if strings.HasSuffix(t, ",") {
		return at
	}
	if i := strings.LastIndex(t, ", "); i >= at && HasPhrase(t[i+2:], answers) {
		at = i + 2
	}
	return at
}

// isAbout reports whether a sentence begins with a heading such as "Explanation:".
func isAbout(sentence string) bool {
	i := strings.IndexByte(sentence, ':')
	return i > 0 && isPhrase(sentence[:i], aboutAnswers)
}

// startsWord reports whether t begins with a word in lower case and a space.
func startsWord(t string) bool {
	n := 0
	for n < len(t) && 'a' <= t[n] && t[n] <= 'z' {
		n++
	}
	return n >= 2 && n < len(t) && t[n] == ' '
}
