package extract

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"verbatim/internal/grade/runes"
	"verbatim/internal/grade/traits"
)

// The rules of this file work for replies in any language: they need no words that offer an answer. They are
// tried if no other rule finds an answer.

// anyLanguage offers texts by the characters that they are made of.
func (s *scan) anyLanguage() {
	isOther := func(c candidate) bool { return !c.echo }
	if s.q.Source == "" || s.q.Char || s.to-s.from > maxLead+8*len(s.q.Source) || s.cut || slices.ContainsFunc(s.found, isOther) {
		return
	}
	switch {
	case s.q.Copy:
		s.copiedInput()
	case !s.q.Spaces:
		s.joinedCharacters()
		s.sameCharacters()
	}
}

// copiedInput offers the input that is to be copied, in a sentence that does not decline.
func (s *scan) copiedInput() {
	if s.q.Lines || !s.on("copied input") {
		return
	}
	const mostAround = 110 // characters: a reply that says more talks about the input
	at, ok := s.copyIn(s.from, s.to)
	if !ok || utf8.RuneCountInString(s.text[s.from:s.to])-utf8.RuneCountInString(s.q.Source) > mostAround {
		return
	}
	end := at + len(s.q.Source)
	from, to := at-len(tail(s.text[s.from:at], maxLead)), end+len(Head(s.text[end:s.to], maxLead))
	if i := strings.LastIndexAny(s.text[from:at], ".!?।。\n"); i >= 0 {
		from += i
	}
	c := s.around(from, from, at, end, to)
	switch r := s.roleIn(&c); {
	case r == denied, r == asInput && !HasPhrase(c.after, AnswersSure), c.inSentence&hedges != 0, traits.Declines(s.text[from:to]):
		return
	}
	s.add(candidate{Answer: Answer{Start: at, End: end, Rule: "copied input"}, strength: weak})
}

// joinedCharacters offers the last word of a reply whose characters the reply lists one by one before it,
// as in "d, u, 4, i: du4i".
func (s *scan) joinedCharacters() {
	const least = 4 // characters
	a, b := s.lastWord()
	word := s.text[a:b]
	if utf8.RuneCountInString(word) < least || word == s.q.Source || !s.on("joined characters") {
		return
	}
	joined, isSeparator := "", func(r rune) bool { return isBlank(r) || strings.ContainsRune(",;|·→、，:+–—-", r) }
	for piece := range strings.FieldsFuncSeq(s.text[s.from:a], isSeparator) {
		piece = strings.Trim(piece, "\"'`“”«»")
		joined += piece
		switch n := utf8.RuneCountInString(piece); {
		case n == 1 && joined == word, n == 2 && joined == word+"." && piece[0] != '.': // the end of a sentence
			s.add(candidate{Answer: Answer{Start: a, End: b, Rule: "joined characters"}, strength: weak})
			return
		case n != 1:
			joined = ""
		}
	}
}

// sameCharacters offers the only word of a reply of one line that has the characters of the input in another order.
// A short one must be the last word: it may be an ordinary word.
func (s *scan) sameCharacters() {
	const short = 3
	source := []rune(s.q.Source)
	if len(source) < short || strings.Contains(s.text[s.from:s.to], "\n") || !s.on("same characters") {
		return
	}
	only := Answer{Rule: "same characters"}
	_, end := s.lastWord()
	for a, b := s.nextWord(s.from, s.to); a < s.to; a, b = s.nextWord(b, s.to) {
		a, b := s.withoutSigns(a, b)
		word := s.text[a:b]
		if len(word) != len(s.q.Source) || word == s.q.Source || !runes.Permuted([]rune(word), source) || len(source) == short && b < end {
			continue
		}
		c := s.around(s.from, s.from, a, b, s.to)
		if s.roleIn(&c) == denied || c.inSentence&hedges != 0 || only.End > 0 && s.text[only.Start:only.End] != word {
			return
		}
		only.Start, only.End = a, b
	}
	if only.End > 0 && strings.ContainsFunc(s.text[s.from:only.Start]+s.text[only.End:s.to], unicode.IsLetter) {
		s.add(candidate{Answer: only, strength: weak})
	}
}

// lastWord returns the last word of a reply, text[a:b], without marks around it.
func (s *scan) lastWord() (a, b int) {
	a, b = trim(s.text, s.from, s.to)
	b = a + len(strings.TrimRight(s.text[a:b], ".!。।۔！*`\"'”»"))
	word := s.text[a:b]
	word = strings.TrimLeft(word[strings.LastIndexFunc(word, isBlank)+1:], "*`\"'“«")
	return b - len(word), b
}
