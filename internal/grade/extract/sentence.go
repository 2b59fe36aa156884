package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"verbatim/internal/grade/phrases"
	"verbatim/internal/grade/program"
	"verbatim/internal/grade/runes"
)

// quotedFirst offers what is in quotes at the start of a line that goes on with a sentence,
// where a text may be a sentence.
func (s *scan) quotedFirst(p part) bool {
	if !s.q.Spaces || !s.q.Signs || !s.startsQuoted(s.text[p.start:p.end]) {
		return false
	}
	v, ok := s.pieceAt(p.start, p.start, p.end)
	if ok {
		s.offer(v.a, v.b, s.roleOf(v.end, v.end, v.end, v.end, p.end), v.rule, true)
	}
	return ok
}

// startsQuoted reports whether t is a text in quotes and a sentence behind it.
func (s *scan) startsQuoted(t string) bool {
	for _, m := range [...][2]string{{`"`, `"`}, {"“", "”"}} {
		if !strings.HasPrefix(t, m[0]) || strings.HasPrefix(s.q.ends[0], m[0]) || !s.on("quotes") {
			continue
		}
		_, rest, ok := strings.Cut(t[len(m[0]):], m[1])
		return ok && strings.HasPrefix(rest, " ") && phrases.IsSentence(strings.TrimSpace(rest))
	}
	return false
}

// sentence offers the values of a sentence and returns the pieces behind it.
func (s *scan) sentence(from, to int, pieces []piece) []piece {
	if len(pieces) == 0 || pieces[0].start >= to {
		s.bare(from, to)
		return pieces
	}
	last := from // the end of the last value
	offered, mentions := false, s.mentions(pieces, to)
	input := -1 // the end of the input, where it is the last piece
	for len(pieces) > 0 && pieces[0].start < to {
		v := pieces[0]
		pieces = pieces[1:]
		last, _ = s.bareLike(from, last, last, v.start, to)
		r := s.roleOf(from, last, v.start, v.end, max(to, v.end))
		if v.boxed && r != denied {
			r = asFinal
		}
		qualifies := s.on("qualifier") && v.rule == "quotes" && isQualifier(s.text[from:v.start], s.text[v.end:max(to, v.end)])
		last = v.end
		if qualifies || r == unnamed && s.isName(v) || v.rule == "quotes" && (mentions && r == unnamed || r == linked && !phrases.EndsInColon(s.text[from:v.start]) && !s.isOfInput(input, v.start) && s.isPart(s.text[v.a:v.b])) {
			if input = -1; s.text[v.a:v.b] == s.q.Source {
				input = v.end
			}
			continue
		}
		if input = -1; s.text[v.a:v.b] == s.q.Source {
			input = v.end
		}
		if !s.q.plain(s.text[v.a:v.b]) && (r == unnamed || s.on("code") && program.Code(s.text[v.a:v.b])) {
			continue
		}
		offered = true
		s.offer(v.a, v.b, r, v.rule, true)
	}
	last, ok := s.bareLike(from, last, last, to, to)
	if !ok && (offered || last < to) {
		s.bareAfter(from, last, to)
	}
	return pieces
}

// isOfInput reports whether nothing but a verb is between the input, which ends at end, and a value: the first
// letters of "abc" are "ab".
func (s *scan) isOfInput(end, start int) bool {
	return end >= 0 && s.on("of the input") && phrases.Is(strings.TrimSpace(s.normal(end, start)), phrases.Links)
}

// isName reports whether a piece is the name of something in code, or signs only where the input has letters.
func (s *scan) isName(v piece) bool {
	t := s.text[v.a:v.b]
	if s.q.Char || !s.on("name in code") {
		return false
	}
	if strings.IndexFunc(t, runes.IsAlnum) < 0 {
		return strings.IndexFunc(s.q.Source, runes.IsAlnum) >= 0
	}
	return v.rule == "inline code" && !s.q.Word && len(t) > 2 && ordinary(t, linked)
}

// mentions reports whether a sentence only speaks of what it quotes where no words call that the
// answer: one of its pieces is no answer.
func (s *scan) mentions(pieces []piece, to int) bool {
	for _, p := range pieces {
		if p.start >= to {
			break
		}
		if p.rule == "quotes" && s.isMention(s.text[p.a:p.b]) {
			return true
		}
	}
	return false
}

// isMention reports whether a quoted value that no words call the answer is only mentioned: an
// ordinary word where the input is not one, a piece of less than half of its length, or the input
// as a sentence begins with it.
func (s *scan) isMention(t string) bool {
	if s.q.Char || !s.on("mention") {
		return false
	}
	if s.q.Spaces {
		return s.isPart(t)
	}
	return len(t) > 2 && ordinary(t, linked) && !s.q.Word || s.isPart(t) || t != s.q.Source && strings.EqualFold(t, s.q.Source)
}

// isPart reports whether a value is a piece of less than half of the length of the input; where texts
// may hold spaces, one that the input has.
func (s *scan) isPart(t string) bool {
	return !s.q.Char && s.on("mention") && 2*len(t) < len(s.q.Source) && (!s.q.Spaces || strings.Contains(s.q.Source, t))
}

// isQualifier reports whether a quoted value says which thing is meant: in the "ba" alphabet.
func isQualifier(before, after string) bool {
	first, _ := utf8.DecodeRuneInString(strings.TrimPrefix(after, " "))
	return strings.HasPrefix(after, " ") && unicode.IsLower(first) && phrases.Ends(phrases.Normal(phrases.Tail(before, 16)), phrases.QualifierStarts)
}

// sentenceEnd is the end of a sentence of a line, which is not inside a piece.
func (s *scan) sentenceEnd(line string, from, start int, pieces []piece) int {
	end := phrases.SentenceEnd(line, from)
	for _, p := range pieces {
		if p.start-start >= end {
			break
		}
		if end < p.end-start {
			end = phrases.SentenceEnd(line, p.end-start)
		}
	}
	return end
}
