package extract

import (
	"slices"
	"strings"
	"unicode/utf8"

	"verbatim/internal/grade/runes"
)

// bare looks for a value without marks in a sentence: its last word after words that name
// an answer, or its first word before "is the answer".
func (s *scan) bare(from, to int) {
	from, to = trim(s.text, from, to)
	if s.q.Spaces {
		return
	}
	from = s.afterInterjection(from, to)
	sentence := s.text[from:to]
	s.bareAfter(from, from, to)
	if i := strings.IndexFunc(sentence, blank); i > 0 {
		after := s.normal(from+i, from+i+len(head(sentence[i:], maxLead)))
		if startsPhrase(after, answerAfter) {
			s.bareValue(from, from, from, from+i, to)
		} else if startsAny(sentence[i:], appositions) {
			if t := sentence[:i]; s.q.fits(t) && s.q.plain(t) && (s.q.Char || !ordinary(t, linked)) && !isStopWord(t) && s.on("alone on a line") {
				s.add(candidate{Answer: Answer{Start: from, End: from + i, Rule: "first in its line"}, strength: alone, echo: t == s.q.Source})
			}
		} else if s.q.Char && s.on("noun") && strings.HasPrefix(after, "is the ") && hasPhrase(after, characterNouns) && s.q.fits(sentence[:i]) {
			s.offer(from, from+i, asAnswer, "", false)
		}
	}
	if i := strings.Index(sentence, ", "); i > 0 && startsWord(sentence[i+2:]) { // "The result is X, which …"
		a := from + strings.LastIndexFunc(sentence[:i], blank) + 1
		r := s.roleOf(from, from, a, from+i, to)
		if r == asAnswer || r == asFinal || r == linked && endsPhrase(normal(tail(s.text[from:a], maxLead)), pronouns) {
			s.bareValue(from, from, a, from+i, to)
		}
	}
}

// afterInterjection returns where text[from:to] goes on behind a word such as "Sure!" with its
// mark, which texts of the question do not begin with.
func (s *scan) afterInterjection(from, to int) int {
	t := head(s.text[from:to], maxMark)
	i := strings.IndexAny(t, "!,.:")
	if i < 0 || i+2 >= len(t) || t[i+1] != ' ' || !s.on("interjection") || !slices.Contains(interjections, strings.ToLower(t[:i])) || strings.HasPrefix(s.q.ends[0], t[:i+1]) {
		return from
	}
	return from + i + 2
}

// startsAny reports whether t begins with one of the marks.
func startsAny(t string, marks []string) bool {
	return slices.ContainsFunc(marks, func(m string) bool { return strings.HasPrefix(t, m) })
}

// startsWord reports whether t goes on with a word in small letters.
func startsWord(t string) bool {
	n := 0
	for n < len(t) && 'a' <= t[n] && t[n] <= 'z' {
		n++
	}
	return n >= 2 && n < len(t) && t[n] == ' '
}

// bareAfter looks at the last word of a sentence, behind the last value.
func (s *scan) bareAfter(from, last, to int) {
	_, end := trim(s.text, from, to)
	if s.q.Spaces || last >= end {
		return
	}
	rest := s.text[last:end]
	for { // "(7 characters)" and smileys
		n := len(rest)
		if strings.HasSuffix(strings.TrimRight(rest, ".!"), ")") {
			if k := strings.LastIndex(rest, " ("); k > 0 {
				rest = rest[:k]
			}
		}
		if k := strings.LastIndexByte(rest, ' '); k > 0 && !s.q.Signs && strings.IndexFunc(rest[k:], runes.IsAlnum) < 0 {
			rest = rest[:k]
		}
		if len(rest) == n {
			break
		}
	}
	if s.q.ASCII { // words of a language without spaces
		if t := strings.TrimRight(rest, ".!"); strings.TrimRightFunc(t, unspaced) != t {
			rest = t
		}
		if t := strings.TrimRightFunc(rest, unspaced); t != rest {
			rest = strings.TrimRight(t, " ")
		}
		if k := strings.LastIndexFunc(rest, unspaced); k >= 0 && strings.LastIndexFunc(rest, blank) < k {
			_, n := utf8.DecodeRuneInString(rest[k:])
			s.bareValue(from, last, last+k+n, last+len(rest), end)
			return
		}
	}
	end = last + len(rest)
	i := strings.LastIndexFunc(rest, blank)
	if i < 0 {
		i = strings.LastIndexAny(rest, "=：:→")
	}
	if i >= 0 {
		_, n := utf8.DecodeRuneInString(rest[i:])
		s.bareValue(from, last, last+i+n, end, end)
	} else if t := strings.TrimRight(rest, ".!"); last == from && s.q.plain(t) && t != "" && !ordinary(t, linked) && s.on("alone on a line") {
		s.add(candidate{Answer: Answer{Start: from, End: from + len(t), Rule: "alone in a sentence"}, strength: alone, echo: t == s.q.Source})
	}
}

// bareValue offers text[a:b] in the sentence text[from:to].
func (s *scan) bareValue(from, last, a, b, to int) {
	stop := "*_`\"'.,;!。！)”»"
	if s.q.Signs {
		stop = "*`\"'.,;。”»"
	}
	t := s.text[a:b]
	end := a + len(strings.TrimRight(t, stop))
	start := "*_`\"'(“«"
	if !s.q.Signs {
		start += ":="
	}
	a += len(t) - len(strings.TrimLeft(t, start))
	if a >= end {
		return
	}
	t = s.text[a:end]
	if !s.q.fits(t) || isStopWord(t) || !s.q.plain(t) || len(t) > 1 && strings.HasSuffix(t, ":") {
		return
	}
	r := s.roleOf(from, last, a, end, to)
	if !s.q.Char && !endsInColon(s.text[last:a]) && ordinary(t, r) && !s.onlyThat(from, a, end) {
		return // "is" and a word, which may be any
	}
	if r == linked || r == asAnswer || r == asFinal {
		s.offer(a, end, r, "", false)
	}
}

// onlyThat reports whether a reply is only one sentence, "It is" and the value.
func (s *scan) onlyThat(from, a, end int) bool {
	return from == s.from && strings.Trim(s.text[end:s.to], " .!*`\"'") == "" && isPhrase(normal(s.text[from:a]), pronouns)
}

func endsInColon(t string) bool {
	t = strings.TrimRight(t, " *_`\"'$\\(")
	for _, l := range [...]string{":", "：", "=", "→", "->", "=>", "⇒"} {
		if strings.HasSuffix(t, l) {
			return true
		}
	}
	return false
}

// ordinary reports whether a bare word may be one of the sentence: letters alone, small
// but for the first one; where an answer is named, only a short word.
func ordinary(t string, r role) bool {
	for i := 0; i < len(t); i++ {
		if (t[i] < 'a' || t[i] > 'z') && !(i == 0 && 'A' <= t[i] && t[i] <= 'Z') {
			return false
		}
	}
	return r == linked || len(t) < 4
}

// unspaced reports whether r is of a script without spaces between words.
func unspaced(r rune) bool { return r >= 0x2e80 && r < 0x1f000 }
