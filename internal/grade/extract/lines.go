package extract

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"verbatim/internal/pylit"
)

// textBlocks offers texts of several lines: the inside of code fences, and lines of the
// reply without talk between them. A single line is weak.
func (s *scan) textBlocks() {
	fences := false
	for i := range s.parts {
		if s.parts[i].fence {
			fences = s.blockFence(i) || fences
		}
	}
	for i := 0; i < len(s.parts); i++ {
		s.beginBlock(i)
		j := i
		for j < len(s.parts) && !s.parts[j].fence && s.blockLine(j) {
			j++
		}
		if j > i {
			s.block(i, j-1, fences)
			i = j - 1
		}
	}
}

// beginBlock moves the start of part i behind words that offer the text of this line and the next one.
func (s *scan) beginBlock(i int) {
	p := &s.parts[i]
	if p.fence {
		return
	}
	line := s.text[p.start:p.end]
	if at := s.namedLine(line); at > 0 {
		if !s.roleOfLead(line[:at]).excludes() {
			p.start += at
			p.end -= len(line) - len(strings.TrimRight(line, ".。"))
		}
		return
	}
	if i+1 >= len(s.parts) || s.parts[i+1].fence || !s.near(p.start) || !s.on("block after words") {
		return
	}
	lead, rest, ok := strings.Cut(line, ": ")
	if !ok || strings.TrimSpace(rest) == "" || len(lead) > maxLead || !talks(strings.ToLower(lead+":")) || !s.blockLine(i+1) {
		return
	}
	if s.roleOfLead(lead + ":").offers() {
		p.start += len(lead) + len(": ")
	}
}

// namedLine returns where the answer begins in a line, behind a few words and a colon or "is"; 0 without such
// words. Lines of the question must have neither colons nor white space. The line may have several of them.
func (s *scan) namedLine(line string) int {
	if s.q.LineSpaces || s.q.Colons || strings.Contains(s.q.Source, ":") || !s.on("block after words") {
		return 0
	}
	at := 0
	for at < min(len(line), maxMark*4) {
		n := strings.IndexAny(line[at:], " :：")
		if n < 0 || n > 0 && !IsLetters(line[at:at+n]) {
			break
		}
		_, size := utf8.DecodeRuneInString(line[at+n:])
		at += n + size
	}
	lead, rest := strings.TrimSpace(line[:at]), strings.TrimSpace(line[at:])
	if len(lead) < 4 || !endsInColon(lead) && !endsInPhrase(NormalText(lead), links) {
		return 0
	}
	for piece := range strings.FieldsSeq(rest) {
		if IsLetters(strings.Trim(piece, ",.")) && !slices.Contains(itemAnds, piece) || strings.Contains(piece, ":") {
			return 0
		}
	}
	if rest == "" {
		return 0
	}
	return strings.LastIndex(line, rest)
}

// blockFence offers the inside of a closed fence and reports whether it does.
func (s *scan) blockFence(i int) bool {
	p := s.parts[i]
	a, b := trim(s.text, p.start, p.end)
	if a == b || !s.on("code block") || !p.closed && s.on("truncated") || !s.q.Code && s.on("code") && isCode(s.text[a:b]) {
		return false
	}
	r := s.roleOfBlock(i)
	strength := s.strengthOf(r, true)
	if !strings.Contains(s.text[a:b], "\n") {
		strength = min(strength, alone)
	}
	s.addBlock(a, b, strength, ruleOf(r, "code block"), true)
	return strength > alone
}

// block offers the lines of the parts i to j. If fences can be the answer, lines that no
// words call the answer are weaker.
func (s *scan) block(i, j int, fences bool) {
	r := s.roleOfBlock(i)
	strength := s.strengthOf(r, false)
	switch {
	case r.excludes(), s.on("unwritten lines") && s.unwrittenBlock(i, j):
		return
	case i == j:
		isOther := func(r rune) bool { return !unicode.IsLetter(r) }
		if t := s.text[s.parts[i].start:s.parts[i].end]; strength == 0 && !s.q.LineSpaces && !strings.ContainsFunc(t, isOther) {
			return // a word
		}
		strength = weak
	case strength == 0 || fences && r == linked:
		strength = alone
	}
	if strength <= alone && !s.on(RuleAlone) {
		return
	}
	s.addBlock(s.parts[i].start, s.parts[j].end, strength, ruleOf(r, "lines of their own"), false)
}

// unwrittenBlock reports whether the parts i to j are only numbers of lines, without the lines.
func (s *scan) unwrittenBlock(i, j int) bool {
	for _, p := range s.parts[i : j+1] {
		line := s.text[p.start:p.end]
		if n := DigitsEnd(line, 0); n == 0 || n > 3 || n != len(line)-1 || strings.IndexByte(".)", line[n]) < 0 {
			return false
		}
	}
	return true
}

// addBlock adds text[a:b] without the marks of its lines.
func (s *scan) addBlock(a, b, strength int, rule string, closed bool) {
	start, end, names, _ := s.peel(a, b, func(from, to int) bool { return from < to })
	answer := Answer{Start: start, End: end, Rule: rule}
	answer.Text, _ = s.written(start, end, names)
	s.add(candidate{Answer: answer, strength: strength, closed: closed || end < b, echo: s.isInput(answer.Of(s.text))})
}

// roleOfBlock returns the role of part i by the line directly above it. A block below a heading such as
// "Changes" or "Explanation" is about the answer.
func (s *scan) roleOfBlock(i int) role {
	if i == 0 || s.parts[i-1].fence {
		return unnamed
	}
	r := s.roleAbove(i)
	if r.named() || !s.on("example") {
		return r
	}
	above := s.parts[i-1]
	heading := NormalText(tail(s.text[above.start:above.end], maxLead))
	topic := strings.TrimPrefix(strings.TrimPrefix(heading, "here are "), "the ")
	if strings.HasSuffix(heading, ":") && startsWithPhrase(topic, aboutAnswers) {
		return denied
	}
	return r
}

// blockLine reports whether the line of part i can be a line of the answer: it is in the
// format of the question and is not talk.
func (s *scan) blockLine(i int) bool {
	line := s.text[s.parts[i].start:s.parts[i].end]
	if i+1 < len(s.parts) && s.isTitle(line, s.text[s.parts[i+1].start:s.parts[i+1].end]) {
		return false
	}
	if len(line) > 1<<14 || !s.near(s.parts[i].start) {
		return true // too long for talk, or too far away to be read in linear time
	}
	if s.talkLine(line) {
		return false
	}
	if s.q.Signs && s.q.LineSpaces {
		return true
	}
	if s.linesOfInput(line) {
		return true
	}
	if !s.q.Bullets {
		line, _ = trimItem(line)
	}
	line = strings.Trim(line, "`\"'*,.; \t")
	return (s.q.LineSpaces || strings.IndexFunc(line, unicode.IsSpace) < 0) && (s.q.isPlain(line) || strings.HasPrefix(line, "["))
}

// linesOfInput reports whether a line is several lines of the input with separators between them.
// Lines of the input must have no white space.
func (s *scan) linesOfInput(line string) bool {
	const least = 8 // shorter ones are there by chance
	if s.q.LineSpaces || len(s.q.Source) > 1<<14 || !s.on("joined lines") {
		return false
	}
	n := 0
	for piece := range strings.FieldsSeq(line) {
		if piece = strings.Trim(piece, ",;|/-–—+."); piece == "" || slices.Contains(itemAnds, piece) {
			continue
		}
		at := strings.Index(s.q.Source, piece)
		if len(piece) < least || at < 0 || !Apart(s.q.Source, at, piece) {
			return false
		}
		n++
	}
	return n > 1
}

// IsBlock reports whether a text is lines in the format of the question and nothing else.
func IsBlock(t string, q *Question) bool {
	if !q.Lines || q.Signs && q.LineSpaces {
		return false
	}
	s := newScan(t, false, q, rules{})
	s.split()
	for i := range s.parts {
		if s.parts[i].fence || !s.blockLine(i) {
			return false
		}
	}
	return true
}

// wholeBlock reports whether t, a whole reply, is lines of an answer without talk. They
// need not be in the format of the question: an answer may have mistakes.
func (s *scan) wholeBlock(t string) bool {
	if len(t) > 1<<15 {
		t = Head(t, 1<<14) + tail(t, 1<<14)
	}
	if first, rest, ok := strings.Cut(t, "\n"); ok && s.isTitle(strings.TrimSpace(first), strings.TrimSpace(rest)) {
		return false
	}
	for line := range strings.SplitSeq(t, "\n") {
		if line = strings.TrimSpace(line); line != "" && (s.namedLine(line) > 0 || s.talkLine(line) || strings.HasPrefix(line, "```") && !s.q.Code) {
			return false
		}
	}
	return true
}

// isTitle reports whether a line is a title in Markdown, and the next one is not.
func (s *scan) isTitle(line, next string) bool {
	if s.q.Prose || s.q.Code || !s.on("title") {
		return false
	}
	for _, m := range [...]string{"**", "#", "__"} {
		if strings.HasPrefix(line, m) && (m == "#" || strings.HasSuffix(line, m)) {
			return !strings.HasPrefix(next, m) && !strings.HasPrefix(s.q.Ends[0], m)
		}
	}
	return false
}

// talkLine reports whether a line is talk about an answer: a heading, a sentence, or a rule.
func (s *scan) talkLine(line string) bool {
	t := strings.Trim(line, " *_#>\t")
	first, _ := utf8.DecodeRuneInString(t)
	colon := strings.HasSuffix(t, ":") || strings.HasSuffix(t, "：")
	about := talks(strings.ToLower(Head(t, 400))) && !(unicode.IsLower(first) && s.q.isPlain(t))
	switch {
	case s.q.Code && !unicode.IsLetter(first):
		return false
	case s.q.Prose:
		return colon && about
	case IsStopWord(t), colon && (!s.q.Colons || about), about:
		return true
	case !s.q.Code && isRule(t):
		return true
	}
	return isSentence(t)
}

// written returns the text that text[a:b] means, with its escapes or the marks of its lines removed, and the kind of
// what was removed; both are empty if there is nothing to remove. names are the layers around text[a:b].
func (s *scan) written(a, b int, names []string) (text, kind string) {
	if s.q.Kind != AskedText {
		return "", ""
	}
	if slices.Contains(names, "JSON") {
		literal := s.text[a:b]
		if a > 0 && b < len(s.text) && s.text[a-1] == '"' && s.text[b] == '"' {
			literal = s.text[a-1 : b+1]
		}
		if strings.IndexByte(literal, '\\') >= 0 && json.Unmarshal([]byte(literal), &text) == nil {
			return text, "escapes"
		}
	}
	if s.q.Lines {
		return s.unmarked(a, b)
	}
	return "", ""
}

// unmarked returns the lines of text[a:b] without the marks that all of them have: bullets
// or numbers, then quotation marks. It returns the texts of a list as lines. kind says what it removed; both are
// empty if there is nothing to remove.
func (s *scan) unmarked(a, b int) (text, kind string) {
	t := s.text[a:b]
	if !s.on("marked lines") {
		return "", ""
	}
	if text, ok := listedLines(t); ok {
		return text, "list"
	}
	if s.q.Bullets || s.q.Code {
		return "", ""
	}
	lines := make([]string, 0, strings.Count(t, "\n")+1)
	for line := range strings.SplitSeq(t, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	for _, mark := range [...]struct {
		kind string
		off  func(string) (string, bool)
	}{{"bullets", trimBullet}, {"numbers", trimNumber}, {"marks of lines", trimAround}} {
		if trimAll(lines, mark.off) && kind == "" {
			kind = mark.kind
		}
	}
	if kind == "" {
		return "", ""
	}
	return strings.Join(lines, "\n"), kind
}

// listedLines returns the texts of a list, as JSON or Python writes it, as lines.
func listedLines(t string) (string, bool) {
	if len(t) < 2 || t[0] != '[' || t[len(t)-1] != ']' {
		return "", false
	}
	var texts []string
	if json.Unmarshal([]byte(t), &texts) == nil {
		return strings.Join(texts, "\n"), len(texts) > 0
	}
	v, err := pylit.Parse(t)
	if err != nil || v.Kind() != pylit.List {
		return "", false
	}
	items := v.Items()
	for i := range items {
		if items[i].Kind() != pylit.Str {
			return "", false
		}
		texts = append(texts, items[i].Text())
	}
	return strings.Join(texts, "\n"), len(texts) > 0
}
