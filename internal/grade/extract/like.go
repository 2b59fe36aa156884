package extract

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"verbatim/internal/grade/runes"
)

// maxLike is the length in bytes of the longest input for which likeInput looks: longer
// answers have lines of their own.
const maxLike = 400

// likeInput yields the stretches of text[from:to] that are like the input, from left to right.
func (s *scan) likeInput(from, to int) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		if s.q.Source == "" || 4*(to-from) < len(s.q.Source) {
			return
		}
		l := s.like()
		if l == nil || 4*(to-from) < 3*l.Size {
			return
		}
		stretch, n := &l.stretch, 0
		for at := from; at < to; {
			var a int
			a, at = s.nextWord(at, to)
			if l.Words == 1 && (4*(at-a) < 3*l.Size || at-a > 2*len(s.q.Source)+maxMark) {
				continue
			}
			if n == l.Words {
				s.uncount(stretch[:1])
				copy(stretch[:], stretch[1:n])
				n--
			}
			stretch[n] = span{a, at}
			n++
			l.Count(s.text[a:at], 1)
			if n < l.Words {
				continue
			}
			holds := l.holds()
			if holds || n == 1 {
				s.uncount(stretch[:n])
				n = 0
			}
			if !holds {
				continue
			}
			x, y := s.withoutSigns(stretch[0].start, at)
			if t := s.text[x:y]; s.q.Fits(t) && s.q.isPlain(t) && !(len(t) < 4 && ordinary(t, linked)) && !yield(x, y) {
				break
			}
		}
		s.uncount(stretch[:n])
	}
}

// uncount removes words from the stretch that the likeness counts.
func (s *scan) uncount(words []span) {
	for _, w := range words {
		s.likeness.Count(s.text[w.start:w.end], -1)
	}
}

// offersLike reports whether text[from:to] has a stretch like the input, and words around it: then it
// is not an answer as a whole.
func (s *scan) offersLike(from, to int) bool {
	const offering = ":=>?" // signs that make one word enough
	t := s.text[from:to]
	if s.q.Source == "" || len(t) <= len(s.q.Source) {
		return false
	}
	if s.q.Copy && !s.q.Lines && s.on("copied input") {
		if _, ok := s.copyIn(from, to); ok {
			return true
		}
	}
	if len(t) > maxLead+maxLike || !s.q.Spaces && !strings.ContainsAny(t, offering) && !s.q.Foreign(t) {
		return false
	}
	for a, b := range s.likeInput(from, to) {
		around := s.text[from:a] + " " + s.text[b:to]
		words := len(strings.FieldsFunc(around, func(r rune) bool { return !runes.IsAlnum(r) }))
		if words > 1 || words == 1 && (strings.ContainsAny(around, offering) || strings.ContainsFunc(around, unspaced)) {
			return true
		}
	}
	return false
}

// copyIn returns the place of the input in text[from:to]. ok says that it is there, once, and that words are around it.
func (s *scan) copyIn(from, to int) (at int, ok bool) {
	t := s.text[from:to]
	i := strings.Index(t, s.q.Source)
	if i < 0 || strings.Count(t, s.q.Source) > 1 || !Apart(t, i, s.q.Source) {
		return 0, false
	}
	return from + i, strings.ContainsFunc(t[:i]+t[i+len(s.q.Source):], unicode.IsLetter)
}

// like returns the likeness to the input; nil if the input has none that can be recognised.
func (s *scan) like() *likenessOfWords {
	if s.likeness == nil {
		s.likeness = new(likenessOfWords)
	}
	if !s.likeness.asked {
		s.likeness.asked = true
		source := s.q.Source
		if len(source) > maxLike || s.q.Lines || s.q.Kind != AskedText {
			source = ""
		}
		s.likeness.Start(source, maxLikeWords)
	}
	if !s.likeness.Known || !s.on("like the input") {
		return nil
	}
	return s.likeness
}

// nextWord returns the next word of text[from:to]; an empty one at its end without any. If texts have only letters
// and digits, all other characters are between words. If texts are ASCII, so are those of scripts without spaces.
func (s *scan) nextWord(from, to int) (a, b int) {
	table := &blanks
	if !s.q.Signs && !s.q.Spaces {
		table = &signs
	}
	a = -1
	for i := from; i < to; {
		r, n, between := rune(s.text[i]), 1, false
		if r < utf8.RuneSelf {
			between = table[r]
		} else {
			r, n = utf8.DecodeRuneInString(s.text[i:to])
			between = isBlank(r) || s.q.ASCII && r != utf8.RuneError && (unspaced(r) || !runes.IsAlnum(r))
		}
		switch {
		case !between && a < 0:
			a = i
		case between && a >= 0:
			return a, i
		}
		i += n
	}
	if a < 0 {
		a = to
	}
	return a, to
}

// blanks are the ASCII characters that are white space.
var blanks = func() (table [utf8.RuneSelf]bool) {
	for c := range table {
		table[c] = isBlank(rune(c))
	}
	return table
}()

// signs are the ASCII characters that are between words if texts have only letters and digits.
var signs = func() (table [utf8.RuneSelf]bool) {
	for c := range table {
		if r := rune(c); !runes.IsAlnum(r) && r != '\'' && r != '_' && r != '-' {
			table[c] = true
		}
	}
	return table
}()

// withoutSigns removes signs at the ends of text[a:b] that the input does not have, or not as often.
func (s *scan) withoutSigns(a, b int) (int, int) {
	excess := func(r rune) bool {
		if runes.IsAlnum(r) {
			return false
		}
		return strings.Count(s.text[a:b], string(r)) > strings.Count(s.q.Source, string(r))
	}
	for a < b {
		r, n := utf8.DecodeLastRuneInString(s.text[a:b])
		if !excess(r) {
			break
		}
		b -= n
	}
	for a < b {
		r, n := utf8.DecodeRuneInString(s.text[a:b])
		if !excess(r) {
			break
		}
		a += n
	}
	return a, b
}
