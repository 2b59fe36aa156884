package extract

import (
	"slices"
	"strings"
)

// LeadClause returns the last clause of a lead, which is the words before a value: the text behind a semicolon or a
// contrast, or behind a comma after which an answer is named. in are the sets in the lead and ends those at its end.
func LeadClause(lead string, in, ends PhraseSet) string {
	lead = withoutAside(lead[strings.LastIndex(lead, "; ")+1:])
	if strings.Contains(lead, ", ") {
		for _, so := range Conclusions {
			if i := strings.LastIndex(lead, so); i >= 0 {
				lead = lead[i+len(so)-1:]
			}
		}
	}
	if in&Contrasts != 0 {
		lead = afterContrast(lead)
	}
	if in&(AnswersSure|Presentings) == 0 && ends&Pronouns == 0 {
		return lead
	}
	if i := strings.LastIndex(lead, ", "); i >= 0 && (ends&Pronouns != 0 || HasPhrase(lead[i:], AnswersSure|Presentings)) {
		lead = lead[i+2:]
	}
	return lead
}

// withoutAside removes the text between two commas before the verb of a lead: "the root of 2, rounded down, is".
func withoutAside(lead string) string {
	end := strings.LastIndex(lead, ", ")
	if end < 0 || strings.Contains(lead[end+2:], " ") || Endings().AtEnd(lead)&Links == 0 {
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
	var buffer [16]Mention
	at := 0
	for _, m := range InsidePhrases().Mentions(lead, buffer[:0]) {
		if m.Apart && m.Sets&Contrasts != 0 && strings.Trim(lead[m.End:], " ,") != "" {
			at = int(m.End)
		}
	}
	return lead[at:]
}

// HasOpener reports whether a lead is only a word that begins a conclusion, such as "So", or one that
// takes back what was said.
func HasOpener(lead string) bool {
	clause := strings.Trim(lead, " ,")
	clause = clause[strings.LastIndex(clause, ", ")+1:]
	return slices.Contains(Openers, strings.Trim(clause, " ,")) || len(lead) < 24 && StartsWithPhrase(lead, Withdrawals)
}

// EndsInLink reports whether a lead ends in a link such as "is", apart from marks and adverbs.
func EndsInLink(lead string) bool { return SetsOfOffer(lead)&Links != 0 }

// SetsOfOffer returns the sets of the phrases that a lead ends with, without
// marks and adverbs behind them.
func SetsOfOffer(lead string) (sets PhraseSet) {
	lead = strings.TrimRight(lead, " ($[{\\'«„‘<\ufe0f")
	for range 4 {
		ends := Endings().AtEnd(lead)
		sets |= ends
		if t := strings.TrimRight(lead, ","); len(t) < len(lead) {
			ends |= Endings().AtEnd(t) & Adverbs
		}
		i := strings.LastIndexByte(lead, ' ')
		if i <= 0 || ends&Adverbs == 0 {
			break
		}
		lead = strings.TrimRight(lead[:i], ", ")
	}
	return sets
}

// BeforeNoun returns what is before a noun such as "the string" at the end of a lead. ok says that it is such a noun and
// that a link is before it.
func BeforeNoun(lead string) (before string, ok bool) {
	lead = strings.TrimRight(lead, " ($[{\\'«„‘<")
	i := strings.LastIndexByte(lead, ' ')
	if i < 0 || !IsPhrase(lead[i+1:], TextNouns) {
		return "", false
	}
	return lead[:i], EndsInLink(lead[:i])
}

// LastClause returns where the last clause of a sentence begins: behind a colon, behind
// "but", or behind a comma after which an answer is named.
func LastClause(t string) int {
	at, n := 0, len(t)
	for end := n; end >= 0 && at == 0; end-- {
		if (end == n || t[end] == ' ') && Endings().AtEnd(t[:end])&ClauseStarts != 0 {
			at = min(n, end+1)
		}
	}
	if strings.HasSuffix(t, ",") {
		return at
	}
	if i := strings.LastIndex(t, ", "); i >= at && HasPhrase(t[i+2:], Answers) {
		at = i + 2
	}
	return at
}

// IsAbout reports whether a sentence begins with a heading such as "Explanation:".
func IsAbout(sentence string) bool {
	i := strings.IndexByte(sentence, ':')
	return i > 0 && IsPhrase(sentence[:i], AboutAnswers)
}

// StartsWord reports whether t begins with a word in lower case and a space.
func StartsWord(t string) bool {
	n := 0
	for n < len(t) && 'a' <= t[n] && t[n] <= 'z' {
		n++
	}
	return n >= 2 && n < len(t) && t[n] == ' '
}
