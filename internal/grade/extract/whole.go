package extract

import (
	"slices"
	"strings"
)

// wholeReply returns the reply without its wrapping where that can be an answer.
func (s *scan) wholeReply() (Answer, bool) {
	if !s.on(RuleWhole) || s.cut && s.on("truncated") && !s.closedEnd() {
		return Answer{}, false
	}
	list := Answer{}
	a, b, names, ok := s.peel(s.from, s.to, func(from, to int) bool {
		t := s.text[from:to]
		switch s.q.Kind {
		case Integer:
			return isNumber(s.q, t) || IsForeign(t)
		case List:
			items, end, loose, ok := s.listAt(from, to)
			list.Items, list.Loose = items, loose
			return ok && end == to
		}
		return s.wholeText(from, to)
	})
	if !ok || s.q.Kind == AskedText && s.isOther(a, b, names) {
		return Answer{}, false
	}
	answer := Answer{Start: a, End: b, Rule: RuleWhole, Whole: true, Items: list.Items, Loose: list.Loose}
	if text, kind := s.written(a, b, names); kind != "" {
		answer.Text, names = text, append(names, kind)
	}
	if len(names) > 0 {
		answer.Layer = names[0]
		answer.Rule += " without " + strings.Join(names, ", ")
	}
	return answer, true
}

// isOther reports whether a whole reply without its wrapping, text[a:b], is not an answer because of what it holds: a
// program, or a better answer.
func (s *scan) isOther(a, b int, names []string) bool {
	if s.q.Lines {
		return !s.q.Code && s.isProgram(a, b, names)
	}
	return !s.q.isPlain(s.text[a:b]) && (s.isProgram(a, b, names) || s.hasBetter())
}

// isProgram reports whether text[a:b] is a program: by its content, or in a fence
// with the name of a language.
func (s *scan) isProgram(a, b int, names []string) bool {
	if !s.on("code") {
		return false
	}
	if isCode(s.text[a:b]) {
		return true
	}
	language, _, ok := strings.Cut(s.text[s.from:a], "\n")
	return ok && slices.Contains(names, "fence") && isLanguage(strings.TrimLeft(language, "`~")) && hasSign(s.text[a:b])
}

// hasBetter reports whether a reply holds a better answer than the whole of it,
// such as one after a colon, or after words of a language without spaces.
func (s *scan) hasBetter() bool {
	inner := *s
	inner.words, inner.barren = stretch{}, nil // they are not shared
	inner.split()
	inner.texts()
	return slices.ContainsFunc(inner.found, func(c candidate) bool { return c.strength >= marked })
}

// closedEnd reports whether the reply ends with a mark that closes an answer.
func (s *scan) closedEnd() bool {
	t := s.text[s.from:s.to]
	if s.q.Kind == List && strings.HasSuffix(t, "]") || strings.HasSuffix(t, "}") || strings.HasSuffix(t, ">") {
		return true
	}
	for _, mark := range [...]string{"`", `"`, "**", "$", "'"} {
		if strings.HasSuffix(t, mark) && strings.HasPrefix(t, mark) && len(t) > 2*len(mark) {
			return true
		}
	}
	return strings.HasSuffix(t, "”") || strings.HasSuffix(t, "»")
}

// wholeText reports whether text[from:to] can be an answer on its own. If it may have spaces, it
// must not be talk.
func (s *scan) wholeText(from, to int) bool {
	t := s.text[from:to]
	if !s.q.Fits(t) {
		return false
	}
	if s.q.Lines {
		return s.wholeBlock(t)
	}
	if _, ok := s.tail(from, to); ok || s.offersLike(from, to) || s.asks(t) {
		return false
	}
	if !s.q.Spaces {
		return (!strings.HasSuffix(t, ":") || s.q.Signs) && !s.q.Foreign(t)
	}
	return len(t) > 4000 || !talks(strings.ToLower(t)) && !s.headed(t) && !s.startsQuoted(t) && s.afterInterjection(s.from, s.to) == s.from
}
