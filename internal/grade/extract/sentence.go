package extract

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"verbatim/internal/grade/runes"
)

// quotedFirst offers a text in quotes at the start of a line that goes on with a sentence, and reports whether there is
// one. Texts of the question must be able to be sentences.
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
		if !strings.HasPrefix(t, m[0]) || strings.HasPrefix(s.q.Ends[0], m[0]) || !s.on("quotes") {
			continue
		}
		_, rest, ok := strings.Cut(t[len(m[0]):], m[1])
		return ok && strings.HasPrefix(rest, " ") && isSentence(strings.TrimSpace(rest))
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
	input := -1 // the end of the last piece if that is the input
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
		value, before := s.text[v.a:v.b], input
		if input = -1; value == s.q.Source {
			input = v.end
		}
		isPart := r == linked && !endsInColon(s.text[from:v.start]) && !s.isOfInput(before, v.start) && s.isPart(value)
		switch {
		case qualifies, r == unnamed && s.isName(v), v.rule == "quotes" && (mentions && r == unnamed || isPart):
			continue
		case !s.q.isPlain(value) && (r == unnamed || s.on("code") && isCode(value)):
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

// isOfInput reports whether only a link is between the input, which ends at end, and a value: the first
// letters of "abc" are "ab".
func (s *scan) isOfInput(end, start int) bool {
	return end >= 0 && s.on("of the input") && isPhrase(strings.TrimSpace(s.normal(end, start)), links)
}

// isName reports whether a piece is a name in code, or only signs while the input has letters.
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

// mentions reports whether a sentence only mentions what it quotes, unless words call that the
// answer: one of its quoted pieces is a mention.
func (s *scan) mentions(pieces []piece, to int) bool {
	return slices.ContainsFunc(pieces, func(p piece) bool {
		return p.start < to && p.rule == "quotes" && s.isMention(s.text[p.a:p.b])
	})
}

// isMention reports whether a quoted value that no words call the answer is only mentioned: an
// ordinary word while the input is not one, a piece of less than half of the input's length, or the input
// with a capital, as at the start of a sentence.
func (s *scan) isMention(t string) bool {
	if s.q.Char || !s.on("mention") {
		return false
	}
	if s.q.Spaces {
		return s.isPart(t)
	}
	return len(t) > 2 && ordinary(t, linked) && !s.q.Word || s.isPart(t) || t != s.q.Source && strings.EqualFold(t, s.q.Source)
}

// isPart reports whether a value has less than half of the length of the input. If texts
// may have spaces, it must also be in the input.
func (s *scan) isPart(t string) bool {
	return !s.q.Char && s.on("mention") && 2*len(t) < len(s.q.Source) && (!s.q.Spaces || strings.Contains(s.q.Source, t))
}

// isQualifier reports whether a quoted value between two texts says which thing is meant: in the "ba" alphabet.
func isQualifier(before, after string) bool {
	first, _ := utf8.DecodeRuneInString(strings.TrimPrefix(after, " "))
	return strings.HasPrefix(after, " ") && unicode.IsLower(first) && endsInPhrase(NormalText(tail(before, 16)), qualifierStarts)
}

// sentenceEnd returns the end of the sentence at line[from], which must not be inside a piece. The line begins at
// text[start].
func (s *scan) sentenceEnd(line string, from, start int, pieces []piece) int {
	end := sentenceEnd(line, from)
	for _, p := range pieces {
		if p.start-start >= end {
			break
		}
		if end < p.end-start {
			end = sentenceEnd(line, p.end-start)
		}
	}
	return end
}

// IsStatement reports whether a text is a sentence as the question asks for, about neither
// an answer nor the input, and not to a user: then it is an answer, even if it is a wrong one.
func IsStatement(t string, q *Question) bool {
	return q.Sentence && isSentence(t) && len(t) < 2*len(q.Source)+maxLead && phrasesIn(NormalText(t))&(answers|inputs|inputSubjects|textNouns|speakers|talkPhrases) == 0
}
