package extract

import (
	"slices"
	"strings"
	"unicode/utf8"

	"verbatim/internal/grade/phrases"
	"verbatim/internal/grade/runes"
)

// bare looks for a value without marks in a sentence: stretches like the input, its last word
// after words that name an answer, or its first word before "is the answer".
func (s *scan) bare(from, to int) {
	from, to = trim(s.text, from, to)
	from = s.afterInterjection(from, to)
	if _, ok := s.bareLike(from, from, from, to, to); ok || s.q.Spaces {
		return
	}
	sentence := s.text[from:to]
	s.bareAfter(from, from, to)
	if i := strings.IndexFunc(sentence, phrases.Blank); i > 0 {
		after := s.normal(from+i, from+i+len(phrases.Head(sentence[i:], maxLead)))
		if phrases.Starts(after, phrases.AnswerAfter) {
			s.bareValue(from, from, from, from+i, to)
		} else if startsAny(sentence[i:], phrases.Appositions) {
			if t := sentence[:i]; s.q.fits(t) && s.q.plain(t) && (s.q.Char || !ordinary(t, linked)) && !phrases.IsStopWord(t) && s.on(RuleAlone) {
				s.add(candidate{Answer: Answer{Start: from, End: from + i, Rule: "first in its line"}, strength: alone, echo: t == s.q.Source})
			}
		} else if s.q.Char && s.on("noun") && strings.HasPrefix(after, "is the ") && phrases.Has(after, phrases.CharacterNouns) && s.q.fits(sentence[:i]) {
			s.offer(from, from+i, asAnswer, "", false)
		}
	}
	if i := strings.Index(sentence, ", "); i > 0 && phrases.StartsWord(sentence[i+2:]) { // "The result is X, which …"
		a := from + strings.LastIndexFunc(sentence[:i], phrases.Blank) + 1
		r := s.roleOf(from, from, a, from+i, to)
		if r == asAnswer || r == asFinal || r == linked && phrases.Ends(phrases.Normal(phrases.Tail(s.text[from:a], maxLead)), phrases.Pronouns) {
			s.bareValue(from, from, a, from+i, to)
		}
	}
}

// bareLike offers the stretches of text[a:b] that are like the input and that words offer, in the
// sentence text[from:to]. It returns the end of the last one, and whether there is one. last is
// the end of the value before them.
func (s *scan) bareLike(from, last, a, b, to int) (end int, ok bool) {
	for x, y := range s.likeInput(a, b) {
		t := s.text[x:y]
		c := s.around(from, last, x, y, to)
		c.like = t != s.q.Source
		r := s.roleIn(&c)
		if c.like {
			last = y
		}
		switch {
		case r == linked, r == asAnswer, r == asFinal:
		case r == unnamed && s.opens(from, x, y, to):
			r = linked
		default:
			continue
		}
		s.offer(x, y, r, "", false)
		last, ok = y, true
	}
	return last, ok
}

// opens reports whether a stretch like the input stands alone in its sentence, or begins it and
// the rest says something of it that names an answer.
func (s *scan) opens(from, a, b, to int) bool {
	if strings.IndexFunc(s.text[from:a], runes.IsAlnum) >= 0 && !phrases.HasOpener(s.normal(max(from, a-maxLead), a)) {
		return false
	}
	after := s.text[b:to]
	if strings.IndexFunc(after, runes.IsAlnum) < 0 || strings.Trim(after, " .!") == "it is" || startsAny(after, phrases.Appositions) {
		return true
	}
	return s.text[a:b] != s.q.Source && phrases.Has(s.normal(b, b+len(phrases.Head(after, maxLead))), phrases.AnswersSure)
}

// afterInterjection returns where text[from:to] goes on behind a word such as "Sure!" with its
// mark, which texts of the question do not begin with.
func (s *scan) afterInterjection(from, to int) int {
	t := phrases.Head(s.text[from:to], maxMark)
	i := strings.IndexAny(t, "!,.:")
	if i < 0 || i+2 >= len(t) || t[i+1] != ' ' || !s.on("interjection") || !slices.Contains(phrases.Interjections, strings.ToLower(t[:i])) || strings.HasPrefix(s.q.ends[0], t[:i+1]) {
		return from
	}
	return from + i + 2
}

// startsAny reports whether t begins with one of the marks.
func startsAny(t string, marks []string) bool {
	return slices.ContainsFunc(marks, func(m string) bool { return strings.HasPrefix(t, m) })
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
		if t := strings.TrimRight(rest, ".!"); strings.TrimRightFunc(t, phrases.Unspaced) != t {
			rest = t
			if s.on("negation") && phrases.Starts(t[len(strings.TrimRightFunc(t, phrases.Unspaced)):], phrases.DeniedAfter) {
				return
			}
		}
		if t := strings.TrimRightFunc(rest, phrases.Unspaced); t != rest {
			rest = strings.TrimRight(t, " ")
		}
		if k := strings.LastIndexFunc(rest, phrases.Unspaced); k >= 0 && strings.LastIndexFunc(rest, phrases.Blank) < k {
			_, n := utf8.DecodeRuneInString(rest[k:])
			s.bareValue(from, last, last+k+n, last+len(rest), end)
			return
		}
	}
	end = last + len(rest)
	i := strings.LastIndexFunc(rest, phrases.Blank)
	if i < 0 {
		i = strings.LastIndexAny(rest, "=：:→")
	}
	if i >= 0 {
		_, n := utf8.DecodeRuneInString(rest[i:])
		s.bareValue(from, last, last+i+n, end, end)
	} else if t := strings.TrimRight(rest, ".!"); last == from && s.q.fits(t) && s.q.plain(t) && !phrases.IsStopWord(t) && !ordinary(t, linked) && s.on(RuleAlone) {
		s.add(candidate{Answer: Answer{Start: from, End: from + len(t), Rule: "alone in a sentence"}, strength: alone, echo: t == s.q.Source})
	}
}

// bareValue offers text[a:b] in the sentence text[from:to].
func (s *scan) bareValue(from, last, a, b, to int) {
	if s.q.Char && s.isSign(a, b) && phrases.EndsInColon(s.text[last:a]) {
		s.offer(a, b, s.roleOf(from, last, a, b, to), "", false)
		return
	}
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
	if a < end {
		if x, y, ok := s.offCopula(a, end); ok {
			a, end = x, y
		}
	}
	if a >= end {
		return
	}
	t = s.text[a:end]
	if !s.q.fits(t) || phrases.IsStopWord(t) || !s.q.plain(t) || len(t) > 1 && strings.HasSuffix(t, ":") {
		return
	}
	r := s.roleOf(from, last, a, end, to)
	if !s.q.Char && !phrases.EndsInColon(s.text[last:a]) && ordinary(t, r) {
		return // "is" and a word, which may be any
	}
	if r == linked || r == asAnswer || r == asFinal {
		s.offer(a, end, r, "", false)
	}
}

// isSign reports whether text[a:b] is one character that is no letter or digit.
func (s *scan) isSign(a, b int) bool {
	r, n := utf8.DecodeRuneInString(s.text[a:b])
	return n == b-a && !runes.IsAlnum(r)
}
