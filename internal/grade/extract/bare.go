package extract

import (
	"slices"
	"strings"
	"unicode/utf8"

	"verbatim/internal/grade/runes"
)

// bare offers values without marks in the sentence text[from:to]: stretches like the input, its last word
// behind words that name an answer, or its first word before "is the answer".
func (s *scan) bare(from, to int) {
	from, to = trim(s.text, from, to)
	from = s.afterInterjection(from, to)
	if _, ok := s.bareLike(from, from, from, to, to); ok || s.q.Spaces {
		return
	}
	sentence := s.text[from:to]
	s.bareAfter(from, from, to)
	if i := strings.IndexFunc(sentence, isBlank); i > 0 {
		s.bareFirst(from, from+i, to)
	}
	if i := strings.Index(sentence, ", "); i > 0 && startsWord(sentence[i+2:]) { // "The result is X, which …"
		a := from + strings.LastIndexFunc(sentence[:i], isBlank) + 1
		r := s.roleOf(from, from, a, from+i, to)
		if r.named() || r == linked && endsInPhrase(NormalText(tail(s.text[from:a], maxLead)), pronouns) {
			s.bareValue(from, from, a, from+i, to)
		}
	}
}

// bareFirst offers text[from:end], the first word of the sentence text[from:to].
func (s *scan) bareFirst(from, end, to int) {
	word, rest := s.text[from:end], s.text[end:to]
	after := s.normal(end, end+len(Head(rest, maxLead)))
	switch {
	case startsWithPhrase(after, answerAfter):
		s.bareValue(from, from, from, end, to)
	case startsApposition(rest):
		if s.q.Char || !ordinary(word, linked) {
			s.bareAlone(from, word, "first in its line")
		}
	case s.q.Char && s.on("noun") && strings.HasPrefix(after, "is the ") && HasPhrase(after, characterNouns) && s.q.Fits(word):
		s.offer(from, end, asAnswer, "", false)
	}
}

// bareAlone offers a word at text[at] that no words call anything.
func (s *scan) bareAlone(at int, word, rule string) {
	if s.q.Fits(word) && s.q.isPlain(word) && !IsStopWord(word) && s.on(RuleAlone) {
		s.add(candidate{Answer: Answer{Start: at, End: at + len(word), Rule: rule}, strength: alone, echo: word == s.q.Source})
	}
}

// bareLike offers the stretches of text[a:b] that are like the input and that words offer, in the
// sentence text[from:to]. last is the end of the value before them. It returns the end of the last value, and
// whether it offered one.
func (s *scan) bareLike(from, last, a, b, to int) (end int, ok bool) {
	for x, y := range s.likeInput(a, b) {
		t := s.text[x:y]
		c := s.around(from, last, x, y, to)
		c.like = t != s.q.Source
		r := s.roleIn(&c)
		if c.like {
			last = y
		}
		if r == unnamed && s.opens(from, x, y, to) {
			r = linked
		}
		if r.offers() {
			s.offer(x, y, r, "", false)
			last, ok = y, true
		}
	}
	return last, ok
}

// opens reports whether text[a:b], a stretch like the input, is alone in its sentence, or begins it and
// the rest names an answer.
func (s *scan) opens(from, a, b, to int) bool {
	if strings.IndexFunc(s.text[from:a], runes.IsAlnum) >= 0 && !hasOpener(s.normal(max(from, a-maxLead), a)) {
		return false
	}
	after := s.text[b:to]
	if strings.IndexFunc(after, runes.IsAlnum) < 0 || strings.Trim(after, " .!") == "it is" || startsApposition(after) {
		return true
	}
	return s.text[a:b] != s.q.Source && HasPhrase(s.normal(b, b+len(Head(after, maxLead))), AnswersSure)
}

// afterInterjection returns where text[from:to] continues behind a word such as "Sure!" with its
// mark; from without one, and if texts of the question begin so.
func (s *scan) afterInterjection(from, to int) int {
	t := Head(s.text[from:to], maxMark)
	i := strings.IndexAny(t, "!,.:")
	if i < 0 || i+2 >= len(t) || t[i+1] != ' ' || !s.on("interjection") || !slices.Contains(interjections, strings.ToLower(t[:i])) || strings.HasPrefix(s.q.Ends[0], t[:i+1]) {
		return from
	}
	return from + i + 2
}

// startsApposition reports whether t begins with a mark of something that is said about the word before it.
func startsApposition(t string) bool {
	return slices.ContainsFunc(appositions, func(mark string) bool { return strings.HasPrefix(t, mark) })
}

// bareAfter offers the last word of the sentence text[from:to], behind the last value.
func (s *scan) bareAfter(from, last, to int) {
	_, end := trim(s.text, from, to)
	if s.q.Spaces || last >= end {
		return
	}
	rest := s.withoutRemarks(s.text[last:end])
	if s.q.ASCII { // words of a language without spaces
		if t := strings.TrimRight(rest, ".!"); strings.TrimRightFunc(t, unspaced) != t {
			rest = t
			if s.on("negation") && startsWithPhrase(t[len(strings.TrimRightFunc(t, unspaced)):], deniedAfter) {
				return
			}
		}
		if t := strings.TrimRightFunc(rest, unspaced); t != rest {
			rest = strings.TrimRight(t, " ")
		}
		if k := strings.LastIndexFunc(rest, unspaced); k >= 0 && strings.LastIndexFunc(rest, isBlank) < k {
			_, n := utf8.DecodeRuneInString(rest[k:])
			s.bareValue(from, last, last+k+n, last+len(rest), end)
			return
		}
	}
	end = last + len(rest)
	i := strings.LastIndexFunc(rest, isBlank)
	if i < 0 {
		i = strings.LastIndexAny(rest, "=：:→")
	}
	if i >= 0 {
		_, n := utf8.DecodeRuneInString(rest[i:])
		s.bareValue(from, last, last+i+n, end, end)
	} else if t := strings.TrimRight(rest, ".!"); last == from && !ordinary(t, linked) {
		s.bareAlone(from, t, "alone in a sentence")
	}
}

// withoutRemarks removes remarks in parentheses, such as "(7 characters)", and smileys from the end of a text.
func (s *scan) withoutRemarks(t string) string {
	for n := -1; n != len(t); {
		n = len(t)
		if strings.HasSuffix(strings.TrimRight(t, ".!"), ")") {
			if k := strings.LastIndex(t, " ("); k > 0 {
				t = t[:k]
			}
		}
		if k := strings.LastIndexByte(t, ' '); k > 0 && !s.q.Signs && strings.IndexFunc(t[k:], runes.IsAlnum) < 0 {
			t = t[:k]
		}
	}
	return t
}

// bareValue offers text[a:b] in the sentence text[from:to], without marks around it. last is the end of the value
// before it.
func (s *scan) bareValue(from, last, a, b, to int) {
	if s.q.Char && s.isSign(a, b) && endsInColon(s.text[last:a]) {
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
	if a >= end {
		return
	}
	if x, y, ok := s.offCopula(a, end); ok {
		a, end = x, y
	}
	t = s.text[a:end]
	if !s.q.Fits(t) || IsStopWord(t) || !s.q.isPlain(t) || len(t) > 1 && strings.HasSuffix(t, ":") {
		return
	}
	r := s.roleOf(from, last, a, end, to)
	if !s.q.Char && !endsInColon(s.text[last:a]) && ordinary(t, r) {
		return // "is" and an ordinary word
	}
	if r.offers() {
		s.offer(a, end, r, "", false)
	}
}

// isSign reports whether text[a:b] is one character other than a letter or digit.
func (s *scan) isSign(a, b int) bool {
	r, n := utf8.DecodeRuneInString(s.text[a:b])
	return n == b-a && !runes.IsAlnum(r)
}
