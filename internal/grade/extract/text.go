package extract

import (
	"slices"
	"strings"
)

// texts collects the candidates for a text.
func (s *scan) texts() {
	if s.q.Lines {
		s.textBlocks()
		return
	}
	for i := range s.parts {
		switch p := s.parts[i]; {
		case p.fence:
			s.textFence(i)
		case s.on("table") && isRow(s.text[p.start:p.end]):
		case s.near(p.start):
			s.textLine(i)
		}
	}
	s.onlyWord()
	s.anyLanguage()
	s.keepMarked()
	s.tables(s.fits, func(a, b int, r role) { s.offer(a, b, r, "", true) })
}

// textFence offers the inside of a fence with only a literal or one line of output in it.
func (s *scan) textFence(i int) {
	p := s.parts[i]
	a, b := trim(s.text, p.start, p.end)
	if a == b || !s.on("code block") || !p.closed && s.on("truncated") {
		return
	}
	a, b, _, ok := s.peel(a, b, s.fits)
	switch line := s.text[a:b]; {
	case isCode(line), !s.q.Signs && hasSign(line) && isLanguage(s.languageOf(i)):
	case ok:
		s.offer(a, b, s.roleAbove(i), "code block", true)
	case !strings.Contains(line, "\n") && len(line) < maxLead:
		s.sentence(a, b, nil)
	}
}

// languageOf returns the text behind the opening marks of the fence of part i.
func (s *scan) languageOf(i int) string {
	line := s.text[s.from:s.parts[i].start]
	line = strings.TrimRight(line, "\r\n")
	return strings.TrimLeft(line[strings.LastIndexByte(line, '\n')+1:], "`~ ")
}

// textLine offers a line that is only a value; otherwise the values that are set apart in its sentences, and
// in a sentence without those, bare words at its ends.
func (s *scan) textLine(i int) {
	p := s.parts[i]
	if s.q.Spaces {
		p.start = s.afterInterjection(p.start, p.end)
	}
	line := s.text[p.start:p.end]
	if s.quotedFirst(p) || s.unwritten(i) || s.tailLine(p) {
		return
	}
	if a, b, names, ok := s.peel(p.start, p.end, s.lineFits); ok {
		if !s.q.isPlain(s.text[a:b]) && s.on("code") && isCode(s.text[a:b]) {
			return
		}
		n := len(s.found)
		if s.text[a:b] == s.q.Source && slices.Contains(names, "assignment") && s.on("code") && IsProgram(s.text[s.from:s.to]) {
			return // a program begins with the input
		}
		if i > 0 && s.q.Spaces && slices.Contains(names, "parentheses") {
			return // a note
		}
		s.lone(i, a, b, s.setsApart(line, names))
		if s.q.Spaces && !s.q.Signs && len(s.found) > n && s.found[n].strength == alone && slices.Contains(names, "full stop") {
			s.found[n].strength = weak // a sentence: texts of the question have no full stop
		}
		if s.q.isPlain(s.text[a:b]) || !s.q.Spaces && !strings.ContainsAny(line, ":：=(") {
			return
		}
	}
	if s.on("code") && isCode(outsideCode(line)) {
		return
	}
	if s.q.Spaces && s.afterColon(p) {
		return
	}
	pieces := s.pieces(p.start, p.end)
	for from := 0; from < len(line); {
		for len(pieces) > 0 && pieces[0].start < p.start+from {
			pieces = pieces[1:] // of a sentence that was not near
		}
		end := s.sentenceEnd(line, from, p.start, pieces)
		if s.near(p.start + from) {
			pieces = s.sentence(p.start+from, p.start+end, pieces)
		}
		for from = end; from < len(line) && (line[from] == ' ' || line[from] == '\t'); {
			from++
		}
	}
}

// unwritten reports whether the line of part i is only the number of an item, without the item.
func (s *scan) unwritten(i int) bool {
	line := s.text[s.parts[i].start:s.parts[i].end]
	n := DigitsEnd(line, 0)
	if n == 0 || n != len(line)-1 || i == 0 {
		return false
	}
	above := s.text[s.parts[i-1].start:s.parts[i-1].end]
	k := DigitsEnd(above, 0)
	return k > 0 && k < len(above) && above[k] == line[n] && line[n] != ','
}

// afterColon offers what follows words that name an answer and a colon, and reports whether it can be an answer. Answers
// may have spaces.
func (s *scan) afterColon(p part) bool {
	line := s.text[p.start:p.end]
	_, i := findColon(Head(line, maxLead))
	if i == 0 {
		return false
	}
	r := s.roleOf(p.start, p.start, p.start+i, p.start+i, p.start+i)
	wide := line[i-1] != ':' // no space is behind it
	if rest := line[i:]; strings.HasPrefix(rest, "** ") || strings.HasPrefix(rest, "* ") {
		i += strings.IndexByte(rest, ' ')
	}
	if i+1 > len(line) || line[i] != ' ' && !wide {
		return false
	}
	if !r.named() && !(r == linked && (talks(strings.ToLower(line[:i])) || s.headed(line))) {
		return false
	}
	start, end := trim(s.text, p.start+i, p.end)
	a, b, _, ok := s.peel(start, end, s.fits)
	if ok {
		s.offer(a, b, r, "", false)
	}
	return ok
}

// lineFits reports whether the line text[from:to] can be the answer on its own.
func (s *scan) lineFits(from, to int) bool {
	t := s.text[from:to]
	switch {
	case !s.q.Fits(t), IsStopWord(t), isRule(t):
		return false
	case strings.HasSuffix(strings.TrimRight(t, "*_ "), ":"), strings.HasSuffix(t, "："):
		return false
	case s.offersLike(from, to), s.asks(t):
		return false
	case !s.q.Spaces:
		return !s.q.Foreign(t)
	}
	low := strings.ToLower(Head(t, 400))
	return !talks(low) && !isCode(t) && !s.headed(t) && (s.q.FirstPerson || !startsWithPhrase(low, firstPersons))
}

// asks reports whether a text is a question, and texts of the question have several words but no question mark.
func (s *scan) asks(t string) bool {
	return s.q.Spaces && (strings.HasSuffix(t, "?") || strings.HasSuffix(t, "？")) && !strings.Contains(s.q.Source+s.q.Ends[0]+s.q.Ends[1], "?") && s.on("question")
}

// headed reports whether a text begins with a few words that name an answer and a colon.
// Texts of the question must not begin so.
func (s *scan) headed(t string) bool {
	t = strings.TrimLeft(t, "*_# ")
	i, end := findColon(Head(t, 40))
	if end == 0 || !s.on("heading") || strings.Count(t[:i], " ") > 3 || strings.HasPrefix(s.q.Ends[0], Head(t[:end], maxMark)) {
		return false
	}
	heading := NormalText(t[:i])
	return HasPhrase(heading, answers|textNouns|presentings)
}

// lone offers text[a:b], the value of the line of part i, which is nothing else. wrapped: marks set it apart.
func (s *scan) lone(i, a, b int, wrapped bool) {
	r := s.roleAbove(i)
	if i > 0 && s.parts[i-1].fence {
		r = unnamed // the line above is about the fence
	}
	if r.excludes() {
		return
	}
	if s.strengthOf(r, false) > 0 {
		s.offer(a, b, r, "", wrapped)
		return
	}
	if !s.on(RuleAlone) {
		return
	}
	strength := alone
	switch t := s.text[a:b]; {
	case wrapped && (s.q.Spaces || s.q.isPlain(t)):
		strength = marked
	case !s.q.isPlain(t), s.q.Spaces && strings.ContainsAny(t, ".!?"):
		strength = weak
	}
	s.add(candidate{Answer: Answer{Start: a, End: b, Rule: RuleAlone}, strength: strength, closed: wrapped, echo: s.isInput(s.text[a:b])})
}

// setsApart reports whether layers around a line set it apart from talk. A sentence may have
// a full stop, a bullet or emoji.
func (s *scan) setsApart(line string, names []string) bool {
	for _, name := range names {
		if !s.q.Spaces || name != "full stop" && name != "symbols" && name != "bullet" || name == "bullet" && line[0] == '>' {
			return true
		}
	}
	return false
}
