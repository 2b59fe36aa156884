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
	s.tables(func(from, to int) bool { return s.q.fits(s.text[from:to]) }, func(a, b int, r role) { s.offer(a, b, r, "", true) })
}

// offer adds a text with the role.
func (s *scan) offer(a, b int, r role, marks string, apart bool) {
	s.add(candidate{
		Answer:   Answer{Start: a, End: b, Rule: ruleOf(r, marks)},
		strength: s.strengthOf(r, apart),
		closed:   apart,
		echo:     s.q.Source != "" && s.text[a:b] == s.q.Source,
	})
}

// textFence: a fence with nothing but a literal or one line of output in it.
func (s *scan) textFence(i int) {
	p := s.parts[i]
	a, b := trim(s.text, p.start, p.end)
	if a == b || !s.on("code block") || !p.closed && s.on("truncated") {
		return
	}
	a, b, _, ok := s.peel(a, b, func(from, to int) bool { return s.q.fits(s.text[from:to]) })
	switch line := s.text[a:b]; {
	case isCode(line), !s.q.Signs && hasSign(line) && isLanguage(s.languageOf(i)):
	case ok:
		s.offer(a, b, s.roleAbove(i), "code block", true)
	case !strings.Contains(line, "\n") && len(line) < maxLead:
		s.sentence(a, b, nil)
	}
}

// languageOf returns what is behind the opening marks of the fence of part i.
func (s *scan) languageOf(i int) string {
	line := s.text[s.from:s.parts[i].start]
	line = strings.TrimRight(line, "\r\n")
	return strings.TrimLeft(line[strings.LastIndexByte(line, '\n')+1:], "`~ ")
}

// textLine: a line that is nothing but a value; or what is set apart in its sentences, and
// where nothing is, bare words at their ends.
func (s *scan) textLine(i int) {
	p := s.parts[i]
	if s.q.Spaces {
		p.start = s.afterInterjection(p.start, p.end)
	}
	line := s.text[p.start:p.end]
	if s.quotedFirst(p) {
		return
	}
	if a, b, names, ok := s.peel(p.start, p.end, func(from, to int) bool { return s.lineFits(s.text[from:to]) }); ok {
		if !s.q.plain(s.text[a:b]) && s.on("code") && isCode(s.text[a:b]) {
			return
		}
		n := len(s.found)
		s.lone(i, a, b, s.setsApart(line, names))
		if s.q.Spaces && !s.q.Signs && len(s.found) > n && s.found[n].strength == alone && slices.Contains(names, "full stop") {
			s.found[n].strength = weak // a sentence: texts of the question have no full stop
		}
		if s.q.plain(s.text[a:b]) || !s.q.Spaces && !strings.ContainsAny(line, ":：=") {
			return
		}
	}
	if s.on("code") && isCode(talkOf(line)) {
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

// afterColon offers what follows words that name an answer and a colon, where an answer
// may hold spaces.
func (s *scan) afterColon(p part) bool {
	line := s.text[p.start:p.end]
	i := strings.IndexByte(head(line, maxLead), ':')
	if i < 0 {
		return false
	}
	r := s.roleOf(p.start, p.start, p.start+i+1, p.start+i+1, p.start+i+1)
	if rest := line[i+1:]; strings.HasPrefix(rest, "** ") || strings.HasPrefix(rest, "* ") {
		i += strings.IndexByte(rest, ' ')
	}
	if i+2 > len(line) || line[i+1] != ' ' {
		return false
	}
	if r != asAnswer && r != asFinal && !(r == linked && (talks(strings.ToLower(line[:i+1])) || s.headed(line))) {
		return false
	}
	a, b, _, ok := s.peel(p.start+i+2, p.end, func(from, to int) bool { return s.q.fits(s.text[from:to]) })
	if ok {
		s.offer(a, b, r, "", false)
	}
	return ok
}

// lineFits reports whether a line can be the answer on its own.
func (s *scan) lineFits(t string) bool {
	if !s.q.fits(t) || isStopWord(t) || strings.HasSuffix(strings.TrimRight(t, "*_ "), ":") || strings.Trim(t, "-=*_#~.…") == "" {
		return false
	}
	if !s.q.Spaces {
		return !s.q.ASCII || s.q.Signs || strings.IndexFunc(t, unspaced) < 0
	}
	low := strings.ToLower(head(t, 400))
	return !talks(low) && !isCode(t) && !s.headed(t) && (s.q.FirstPerson || !startsPhrase(low, firstPersons))
}

// headed reports whether a text begins with a few words that name an answer and a colon,
// which texts of the question do not.
func (s *scan) headed(t string) bool {
	t = strings.TrimLeft(t, "*_# ")
	i := strings.IndexByte(head(t, 40), ':')
	if i < 0 || !s.on("heading") || strings.Count(t[:i], " ") > 3 || strings.HasPrefix(s.q.ends[0], head(t[:i+1], maxMark)) {
		return false
	}
	heading := normal(t[:i])
	return hasPhrase(heading, answers) || hasPhrase(heading, textNouns)
}

// lone offers a line that is nothing but a value.
func (s *scan) lone(i, a, b int, wrapped bool) {
	r := s.roleAbove(i)
	if r == denied || r == asInput {
		return
	}
	if s.strengthOf(r, false) > 0 {
		s.offer(a, b, r, "", wrapped)
		return
	}
	if !s.on("alone on a line") {
		return
	}
	strength := alone
	switch t := s.text[a:b]; {
	case wrapped && (s.q.Spaces || s.q.plain(t)):
		strength = marked
	case !s.q.plain(t), s.q.Spaces && strings.ContainsAny(t, ".!?"):
		strength = weak
	}
	s.add(candidate{Answer: Answer{Start: a, End: b, Rule: "alone on a line"}, strength: strength, closed: wrapped, echo: s.q.Source != "" && s.text[a:b] == s.q.Source})
}

// setsApart reports whether layers around a line set it apart from talk. A sentence may have
// a full stop or a bullet.
func (s *scan) setsApart(line string, names []string) bool {
	for _, name := range names {
		if !s.q.Spaces || name != "full stop" && name != "symbols" && name != "bullet" || name == "bullet" && line[0] == '>' {
			return true
		}
	}
	return false
}

// talkOf returns a line without what is between backticks in it: code in talk makes no
// program of the line.
func talkOf(line string) string {
	if strings.Count(line, "`") < 2 {
		return line
	}
	var b strings.Builder
	for i, piece := range strings.Split(line, "`") {
		if i%2 == 0 {
			b.WriteString(piece)
		}
	}
	return b.String()
}

// isCode reports whether a line or a block is a piece of a program.
func isCode(t string) bool {
	t = head(t, 2000)
	if !hasSign(t) && !strings.Contains(t, "import sys") {
		return false
	}
	calls := strings.Contains(t, "[::-1]") || strings.IndexByte(t, '(') >= 0
	for line := range strings.SplitSeq(t, "\n") {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if strings.IndexByte("dipcfv#>Ssr", line[0]) >= 0 {
			for _, p := range [...]string{"def ", "import ", "print(", "console.log", "function ", "const ", "var ", "#include", "if __name__", ">>> ", "System.out", "fmt.Print", "std::", "return "} {
				if strings.HasPrefix(line, p) && hasSign(line) || line == "import sys" {
					return true
				}
			}
		}
		if !calls {
			continue
		}
		for _, p := range [...]string{"[::-1]", ".reverse()", "reversed(", "sorted(", ".sort(", ".join(", ".split("} {
			if strings.Contains(line, p) {
				return true
			}
		}
	}
	return false
}

// hasSign reports whether a text has one of the signs that lines of programs have.
func hasSign(t string) bool {
	for i := 0; i < len(t); i++ {
		switch t[i] {
		case '(', '=', '[', '{', '"', '\'', '<', ';':
			return true
		}
	}
	return false
}
