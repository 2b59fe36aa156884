package extract

import (
	"slices"
	"strings"
	"unicode/utf8"

	"verbatim/internal/grade/phrases"
	"verbatim/internal/grade/runes"
)

// leastJoined is the number of characters that a reply must list before their whole is its answer.
const leastJoined = 4

// joinedCharacters offers the last word of a reply whose characters the reply lists one by one before it,
// as in "d, u, 4, i: du4i", in any language.
func (s *scan) joinedCharacters() {
	if len(s.found) > 0 || s.q.Spaces || s.to-s.from > maxLead+8*len(s.q.Source) || s.cut || !s.on("joined characters") {
		return
	}
	a, b := s.lastWord()
	word := s.text[a:b]
	if utf8.RuneCountInString(word) < leastJoined || word == s.q.Source {
		return
	}
	joined, isSeparator := "", func(r rune) bool { return phrases.Blank(r) || strings.ContainsRune(",;|·→、，:+", r) }
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

// sameCharacters offers the last word of a reply of one line that gives the input and then its characters in
// another order, in any language, where nothing else can be an answer.
func (s *scan) sameCharacters() {
	isOther := func(c candidate) bool { return !c.echo }
	if s.q.Source == "" || s.q.Spaces || s.q.Char || s.to-s.from > maxLead+2*len(s.q.Source) || s.cut || slices.ContainsFunc(s.found, isOther) || !s.on("same characters") {
		return
	}
	a, b := s.lastWord()
	word := s.text[a:b]
	if len(word) != len(s.q.Source) || len(word) < 3 || word == s.q.Source || ordinary(word, linked) || !strings.Contains(s.text[s.from:a], s.q.Source) || strings.Contains(s.text[s.from:s.to], "\n") || !runes.Permuted([]rune(word), []rune(s.q.Source)) {
		return
	}
	if c := s.around(s.from, s.from, a, b, s.to); s.roleIn(&c) != denied && c.inSentence&phrases.Hedges == 0 {
		s.add(candidate{Answer: Answer{Start: a, End: b, Rule: "same characters"}, strength: weak})
	}
}

// lastWord returns the last word of a reply, text[a:b], without marks around it.
func (s *scan) lastWord() (a, b int) {
	a, b = trim(s.text, s.from, s.to)
	b = a + len(strings.TrimRight(s.text[a:b], ".!。！*`\"'”»"))
	word := s.text[a:b]
	word = strings.TrimLeft(word[strings.LastIndexFunc(word, phrases.Blank)+1:], "*`\"'“«")
	return b - len(word), b
}
