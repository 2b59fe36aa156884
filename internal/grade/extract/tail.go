package extract

import (
	"slices"
	"strings"
)

// tail returns where an answer begins at the end of the line text[from:to], behind words and a colon: a
// text between angle marks, or one that only repeats the piece of the question. It is false without one.
func (s *scan) tail(from, to int) (int, bool) {
	t := s.text[from:to]
	if s.q.Kind != AskedText || s.q.Lines && s.q.Units == "" || len(t) > maxLead+2*len(s.q.Source)+maxLike || !s.on("tail") {
		return 0, false
	}
	if i := strings.Index(t, openAngles); i > 0 && strings.HasSuffix(strings.TrimRight(t, " .。"), endAngles) && endsInColon(t[:i]) {
		return from + i, true
	}
	if s.q.Units == "" || strings.Contains(t, "\n") {
		return 0, false
	}
	rest := strings.TrimRight(t, s.q.Units+" ")
	if !strings.HasSuffix(rest, ":") && !strings.HasSuffix(rest, "：") || len(rest) == len(t) || strings.ContainsAny(s.q.Units, ":：") {
		return 0, false
	}
	a, b := trim(s.text, from+len(rest), to)
	return a, a < b
}

// tailLine offers the tail of a line, and reports whether there is one.
func (s *scan) tailLine(p part) bool {
	at, ok := s.tail(p.start, p.end)
	if !ok {
		return false
	}
	r := s.roleOf(p.start, p.start, at, p.end, p.end)
	if a, b, _, ok := s.peel(at, p.end, s.fits); ok && !r.excludes() {
		s.offer(a, b, max(r, linked), "", true)
	}
	return true
}

// keepMarked removes candidates without the marks of texts that are to be copied with them, if there are
// candidates with these marks. Those that words call the answer stay.
func (s *scan) keepMarked() {
	if !s.q.hasMarks(openAngles, endAngles) || !s.on("own marks") {
		return
	}
	begins := func(c candidate) bool { return strings.HasPrefix(s.text[c.Start:c.End], openAngles) }
	if slices.ContainsFunc(s.found, begins) {
		s.found = slices.DeleteFunc(s.found, func(c candidate) bool { return c.strength < named && !begins(c) })
	}
}
