package extract

import (
	"iter"
	"strings"
)

// The least and the greatest number of words of a reply for onlyWord. In a shorter one, the words may be parts of
// the answer.
const (
	minOnlyWords = 3
	maxOnlyWords = 12
)

// onlyWord offers the only word of a short reply that looks like the input: it has the same kind of characters, is about
// as long, and is not an ordinary word. A word that is called the input does not count.
func (s *scan) onlyWord() {
	if s.q.Source == "" || s.q.Spaces || len(s.found) > 0 || s.to-s.from > maxLead {
		return
	}
	if words := len(strings.Fields(s.text[s.from:s.to])); words < minOnlyWords || words > maxOnlyWords || !s.on("only word") {
		return
	}
	only := Answer{Rule: "only word like the input"}
	for _, p := range s.parts {
		line := s.text[p.start:p.end]
		if p.fence || isCode(outsideCode(line)) {
			continue
		}
		for from := 0; from < len(line); from = nextSentence(line, from) {
			end := sentenceEnd(line, from)
			for a, b := range s.wordsLikeInput(p.start+from, p.start+end) {
				c := s.around(p.start+from, p.start+from, a, b, p.start+end)
				r := s.roleIn(&c)
				if r == asInput {
					continue
				}
				hedged := (c.inSentence|phrasesIn(c.after))&hedges != 0
				if r == denied || hedged || only.End > 0 && s.text[a:b] != s.text[only.Start:only.End] {
					return
				}
				only.Start, only.End = a, b
			}
		}
	}
	if only.End > 0 {
		s.add(candidate{Answer: only, strength: weak})
	}
}

// wordsLikeInput yields the words of text[from:to] that look like the input but are not the input.
func (s *scan) wordsLikeInput(from, to int) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		found := false
		for a, b := range s.likeInput(from, to) {
			if t := s.text[a:b]; !ordinary(t, linked) && !strings.EqualFold(t, s.q.Source) {
				found = true
				if !yield(a, b) {
					return
				}
			}
		}
		if found || s.q.Signs {
			return
		}
		long := len(s.q.Source)
		for at := from; at < to; {
			n := strings.IndexFunc(s.text[at:to], isBlank)
			end := to
			if n >= 0 {
				end = at + n
			}
			word := strings.Trim(s.text[at:end], "*_`\"'.,;:!?()[]“”«»")
			if off := len(word) - long; word != "" && 4*max(off, -off) <= long && word != s.q.Source && s.q.isPlain(word) && !ordinary(word, linked) {
				a := at + strings.Index(s.text[at:end], word)
				if !yield(a, a+len(word)) {
					return
				}
			}
			at = end + 1
		}
	}
}
