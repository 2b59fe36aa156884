package extract

import (
	"strings"
	"unicode/utf8"

	"verbatim/internal/grade/phrases"
)

// leastJoined is the number of characters that a reply must list before their whole is its answer.
const leastJoined = 4

// joinedCharacters offers the last word of a reply whose characters the reply lists one by one before it,
// as in "d, u, 4, i: du4i", in any language.
func (s *scan) joinedCharacters() {
	if len(s.found) > 0 || s.q.Spaces || s.to-s.from > maxLead+8*len(s.q.Source) || !s.on("joined characters") {
		return
	}
	a, b := trim(s.text, s.from, s.to)
	b = a + len(strings.TrimRight(s.text[a:b], ".!。！*`\"'”»"))
	word := s.text[a:b]
	word = strings.TrimLeft(word[strings.LastIndexFunc(word, phrases.Blank)+1:], "*`\"'“«")
	if utf8.RuneCountInString(word) < leastJoined || word == s.q.Source || s.cut {
		return
	}
	joined, isSeparator := "", func(r rune) bool { return phrases.Blank(r) || strings.ContainsRune(",;|·→、，:+", r) }
	for piece := range strings.FieldsFuncSeq(s.text[a:b-len(word)], isSeparator) {
		piece = strings.Trim(piece, "\"'`“”«»")
		joined += piece
		switch n := utf8.RuneCountInString(piece); {
		case n == 1 && joined == word, n == 2 && joined == word+"." && piece[0] != '.': // the end of a sentence
			s.add(candidate{Answer: Answer{Start: b - len(word), End: b, Rule: "joined characters"}, strength: weak})
			return
		case n != 1:
			joined = ""
		}
	}
}
