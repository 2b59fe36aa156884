package extract

import (
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"verbatim/internal/grade/runes"
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

// The numbers of words of a reply whose only word like the input is its answer: of fewer, the
// others may be parts of it.
const (
	minOnlyWords = 3
	maxOnlyWords = 12
)

// onlyWord offers the only word of a short reply that looks like the input: of its class, about
// as long, and no ordinary word. What is called the input does not count.
func (s *scan) onlyWord() {
	if s.q.Source == "" || s.q.Spaces || s.q.Signs || len(s.found) > 0 || s.to-s.from > maxLead {
		return
	}
	if words := len(strings.Fields(s.text[s.from:s.to])); words < minOnlyWords || words > maxOnlyWords || !s.on("only word") {
		return
	}
	only := Answer{Rule: "only word like the input"}
	for _, p := range s.parts {
		line := s.text[p.start:p.end]
		if p.fence || isCode(talkOf(line)) {
			continue
		}
		for from := 0; from < len(line); from = nextSentence(line, from) {
			end := sentenceEnd(line, from)
			for a, b := range s.wordsLikeInput(p.start+from, p.start+end) {
				lead := s.text[p.start+from : a]
				r := s.roleOf(lead, lead, s.text[b:p.start+end])
				if r == asInput {
					continue
				}
				if r == denied || only.End > 0 && s.text[a:b] != s.text[only.Start:only.End] {
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

// wordsLikeInput yields the words of text[from:to] that look like the input and are not it.
func (s *scan) wordsLikeInput(from, to int) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		long := len(s.q.Source)
		for at := from; at < to; {
			n := strings.IndexFunc(s.text[at:to], blank)
			end := to
			if n >= 0 {
				end = at + n
			}
			word := strings.Trim(s.text[at:end], "*_`\"'.,;:!?()[]“”«»")
			if off := len(word) - long; word != "" && 4*max(off, -off) <= long && word != s.q.Source && s.q.plain(word) && !ordinary(word, linked) {
				a := at + strings.Index(s.text[at:end], word)
				if !yield(a, a+len(word)) {
					return
				}
			}
			at = end + 1
		}
	}
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
	case isCode(line):
	case ok:
		s.offer(a, b, s.roleAbove(i), "code block", true)
	case !strings.Contains(line, "\n") && len(line) < maxLead:
		s.sentence(a, b, nil)
	}
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
		end := s.sentenceEnd(line, from, p.start, pieces)
		if s.near(p.start + from) {
			pieces = s.sentence(p.start+from, p.start+end, pieces)
		}
		for from = end; from < len(line) && (line[from] == ' ' || line[from] == '\t'); {
			from++
		}
	}
}

// quotedFirst offers what is in quotes at the start of a line that goes on with a sentence,
// where a text may be a sentence.
func (s *scan) quotedFirst(p part) bool {
	if !s.q.Spaces || !s.q.Signs || !s.startsQuoted(s.text[p.start:p.end]) {
		return false
	}
	v, ok := s.pieceAt(p.start, p.start, p.end)
	if ok {
		s.offer(v.a, v.b, s.roleOf("", "", s.text[v.end:p.end]), v.rule, true)
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
	offered := false
	for len(pieces) > 0 && pieces[0].start < to {
		v := pieces[0]
		pieces = pieces[1:]
		r := s.roleOf(s.text[from:v.start], s.text[last:v.start], s.text[v.end:max(to, v.end)])
		if v.boxed && r != denied {
			r = asFinal
		}
		qualifies := s.on("qualifier") && v.rule == "quotes" && isQualifier(s.text[from:v.start], s.text[v.end:max(to, v.end)])
		last = v.end
		if qualifies {
			continue
		}
		if !s.q.plain(s.text[v.a:v.b]) && (r == unnamed || s.on("code") && isCode(s.text[v.a:v.b])) {
			continue
		}
		offered = true
		s.offer(v.a, v.b, r, v.rule, true)
	}
	if offered || last < to {
		s.bareAfter(from, last, to)
	}
	return pieces
}

// isQualifier reports whether a quoted value says which thing is meant: in the "ba" alphabet.
func isQualifier(before, after string) bool {
	first, _ := utf8.DecodeRuneInString(strings.TrimPrefix(after, " "))
	return strings.HasPrefix(after, " ") && unicode.IsLower(first) && endsPhrase(normal(tail(before, 16)), qualifierStarts)
}

var qualifierStarts = []string{"in the", "in a", "in an", "of the", "of a", "of an", "from the", "from a", "from an", "by the", "by a", "by an", "with the", "with a", "with an", "on the", "on a", "on an", "at the"}

// afterColon offers what follows words that name an answer and a colon, where an answer
// may hold spaces.
func (s *scan) afterColon(p part) bool {
	line := s.text[p.start:p.end]
	i := strings.IndexByte(head(line, maxLead), ':')
	if i < 0 {
		return false
	}
	r := s.roleOf(line[:i+1], line[:i+1], "")
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

// bare looks for a value without marks in a sentence: its last word after words that name
// an answer, or its first word before "is the answer".
func (s *scan) bare(from, to int) {
	from, to = trim(s.text, from, to)
	if s.q.Spaces {
		return
	}
	from = s.afterInterjection(from, to)
	sentence := s.text[from:to]
	s.bareAfter(from, from, to)
	if i := strings.IndexFunc(sentence, blank); i > 0 {
		after := normal(head(sentence[i:], maxLead))
		if startsPhrase(after, answerAfter) {
			s.bareValue(from, from, from, from+i, to)
		} else if startsAny(sentence[i:], appositions) {
			if t := sentence[:i]; s.q.fits(t) && s.q.plain(t) && (s.q.Char || !ordinary(t, linked)) && !isStopWord(t) && s.on("alone on a line") {
				s.add(candidate{Answer: Answer{Start: from, End: from + i, Rule: "first in its line"}, strength: alone, echo: t == s.q.Source})
			}
		} else if s.q.Char && s.on("noun") && strings.HasPrefix(after, "is the ") && hasPhrase(after, characterNouns) && s.q.fits(sentence[:i]) {
			s.offer(from, from+i, asAnswer, "", false)
		}
	}
	if i := strings.Index(sentence, ", "); i > 0 && startsWord(sentence[i+2:]) { // "The result is X, which …"
		a := from + strings.LastIndexFunc(sentence[:i], blank) + 1
		r := s.roleOf(s.text[from:a], s.text[from:a], s.text[from+i:to])
		if r == asAnswer || r == asFinal || r == linked && endsPhrase(normal(tail(s.text[from:a], maxLead)), pronouns) {
			s.bareValue(from, from, a, from+i, to)
		}
	}
}

// afterInterjection returns where text[from:to] goes on behind a word such as "Sure!" with its
// mark, which texts of the question do not begin with.
func (s *scan) afterInterjection(from, to int) int {
	t := head(s.text[from:to], maxMark)
	i := strings.IndexAny(t, "!,.:")
	if i < 0 || i+2 >= len(t) || t[i+1] != ' ' || !s.on("interjection") || !slices.Contains(interjections, strings.ToLower(t[:i])) || strings.HasPrefix(s.q.ends[0], t[:i+1]) {
		return from
	}
	return from + i + 2
}

// startsAny reports whether t begins with one of the marks.
func startsAny(t string, marks []string) bool {
	return slices.ContainsFunc(marks, func(m string) bool { return strings.HasPrefix(t, m) })
}

// startsWord reports whether t goes on with a word in small letters.
func startsWord(t string) bool {
	n := 0
	for n < len(t) && 'a' <= t[n] && t[n] <= 'z' {
		n++
	}
	return n >= 2 && n < len(t) && t[n] == ' '
}

// bareAfter looks at the last word of a sentence, behind the last value.
func (s *scan) bareAfter(from, last, to int) {
	_, end := trim(s.text, from, to)
	if s.q.Spaces || last >= end {
		return
	}
	rest := s.text[last:end]
	for { // "(7 characters)" and smileys
		n := len(rest)
		if strings.HasSuffix(strings.TrimRight(rest, ".!"), ")") {
			if k := strings.LastIndex(rest, " ("); k > 0 {
				rest = rest[:k]
			}
		}
		if k := strings.LastIndexByte(rest, ' '); k > 0 && !s.q.Signs && strings.IndexFunc(rest[k:], runes.IsAlnum) < 0 {
			rest = rest[:k]
		}
		if len(rest) == n {
			break
		}
	}
	if s.q.ASCII { // words of a language without spaces
		if t := strings.TrimRight(rest, ".!"); strings.TrimRightFunc(t, unspaced) != t {
			rest = t
		}
		if t := strings.TrimRightFunc(rest, unspaced); t != rest {
			rest = strings.TrimRight(t, " ")
		}
		if k := strings.LastIndexFunc(rest, unspaced); k >= 0 && strings.LastIndexFunc(rest, blank) < k {
			_, n := utf8.DecodeRuneInString(rest[k:])
			s.bareValue(from, last, last+k+n, last+len(rest), end)
			return
		}
	}
	end = last + len(rest)
	i := strings.LastIndexFunc(rest, blank)
	if i < 0 {
		i = strings.LastIndexAny(rest, "=：:→")
	}
	if i >= 0 {
		_, n := utf8.DecodeRuneInString(rest[i:])
		s.bareValue(from, last, last+i+n, end, end)
	} else if t := strings.TrimRight(rest, ".!"); last == from && s.q.plain(t) && t != "" && !ordinary(t, linked) && s.on("alone on a line") {
		s.add(candidate{Answer: Answer{Start: from, End: from + len(t), Rule: "alone in a sentence"}, strength: alone, echo: t == s.q.Source})
	}
}

// bareValue offers text[a:b] in the sentence text[from:to].
func (s *scan) bareValue(from, last, a, b, to int) {
	stop := "*_`\"'.,;!。！)”»"
	if s.q.Signs {
		stop = "*`\"'.,;。”»"
	}
	t := s.text[a:b]
	end := a + len(strings.TrimRight(t, stop))
	start := "*_`\"'(“«"
	if !s.q.Signs {
		start += ":="
	}
	a += len(t) - len(strings.TrimLeft(t, start))
	if a >= end {
		return
	}
	t = s.text[a:end]
	if !s.q.fits(t) || isStopWord(t) || !s.q.plain(t) || len(t) > 1 && strings.HasSuffix(t, ":") {
		return
	}
	r := s.roleOf(s.text[from:a], s.text[last:a], s.text[end:to])
	if !s.q.Char && !endsInColon(s.text[last:a]) && ordinary(t, r) && !s.onlyThat(from, a, end) {
		return // "is" and a word, which may be any
	}
	if r == linked || r == asAnswer || r == asFinal {
		s.offer(a, end, r, "", false)
	}
}

// onlyThat reports whether a reply is only one sentence, "It is" and the value.
func (s *scan) onlyThat(from, a, end int) bool {
	return from == s.from && strings.Trim(s.text[end:s.to], " .!*`\"'") == "" && slices.Contains(pronouns, normal(s.text[from:a]))
}

func endsInColon(t string) bool {
	t = strings.TrimRight(t, " *_`\"'$\\(")
	for _, l := range [...]string{":", "：", "=", "→", "->", "=>", "⇒"} {
		if strings.HasSuffix(t, l) {
			return true
		}
	}
	return false
}

// ordinary reports whether a bare word may be one of the sentence: letters alone, small
// but for the first one; where an answer is named, only a short word.
func ordinary(t string, r role) bool {
	for i := 0; i < len(t); i++ {
		if (t[i] < 'a' || t[i] > 'z') && !(i == 0 && 'A' <= t[i] && t[i] <= 'Z') {
			return false
		}
	}
	return r == linked || len(t) < 4
}

// unspaced reports whether r is of a script without spaces between words.
func unspaced(r rune) bool { return r >= 0x2e80 && r < 0x1f000 }

// A piece is a stretch of a line that marks set apart; text[a:b] is inside the marks.
type piece struct {
	start, end int
	a, b       int
	rule       string
	boxed      bool
}

// pieces returns the stretches of text[from:to] that are set apart and can be answers.
func (s *scan) pieces(from, to int) (out []piece) {
	for i := from; i < to && len(out) < maxValues; {
		if p, ok := s.pieceAt(i, from, to); ok {
			out = append(out, p)
			i = p.end
			continue
		}
		i++
	}
	return out
}

// marksApart are the marks that set a stretch apart inside talk.
var marksApart = [...]struct{ open, end, rule string }{
	{"***", "***", "bold"}, {"**", "**", "bold"}, {"__", "__", "bold"}, {"```", "```", "inline code"}, {"``", "``", "inline code"}, {"`", "`", "inline code"},
	{`"`, `"`, "quotes"}, {"“", "”", "quotes"}, {"„", "“", "quotes"}, {"„", "”", "quotes"}, {"«", "»", "quotes"}, {"‘", "’", "quotes"}, {"'", "'", "quotes"}, {"「", "」", "quotes"}, {"&quot;", "&quot;", "quotes"},
	{"<answer>", "</answer>", "answer tags"}, {"<code>", "</code>", "inline code"}, {"<b>", "</b>", "bold"}, {`\boxed{`, "}", "boxed"}, {"$", "$", "math"}, {"*", "*", "bold"},
}

func (s *scan) pieceAt(i, from, to int) (piece, bool) {
	if c := s.text[i]; c < 0x80 && strings.IndexByte("*_`\"'<\\&$", c) < 0 {
		return piece{}, false
	}
	const longest = 1 << 18 // of a piece; longer ones stand alone
	for _, m := range marksApart {
		if !strings.HasPrefix(s.text[i:to], m.open) || !s.on(m.rule) {
			continue
		}
		if before, n := utf8.DecodeLastRuneInString(s.text[from:i]); n > 0 && runes.IsAlnum(before) && strings.Contains("'*__", m.open) {
			return piece{}, false
		}
		start := i + len(m.open)
		limit, search := min(to, start+longest), max(start, s.barren[m.end])
		n := strings.Index(s.text[min(search, limit):limit], m.end)
		if n < 0 {
			s.noteBarren(m.end, limit-len(m.end))
		}
		end := search + n
		if n < 0 || end == start {
			continue
		}
		if after, k := utf8.DecodeRuneInString(s.text[end+len(m.end) : to]); k > 0 && m.open == "'" && runes.IsAlnum(after) {
			continue
		}
		a, b := trim(s.text, start, end)
		if a == b || !s.q.fits(s.text[a:b]) {
			return piece{}, false // there may be some inside
		}
		a, b, _, _ = s.peel(a, b, func(from, to int) bool { return s.q.fits(s.text[from:to]) })
		if t := s.text[a:b]; strings.HasSuffix(t, ":") && !s.q.Signs || isStopWord(t) || s.q.Spaces && strings.HasSuffix(t, ":") {
			return piece{}, false
		}
		return piece{i, end + len(m.end), a, b, m.rule, m.rule == "boxed" || m.rule == "answer tags"}, true
	}
	return piece{}, false
}

// noteBarren notes that an end mark is missing up to a place.
func (s *scan) noteBarren(mark string, to int) {
	if s.barren == nil {
		s.barren = map[string]int{}
	}
	s.barren[mark] = max(s.barren[mark], to)
}

// sentenceEnd is the end of a sentence of a line, which is not inside a piece.
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
	for line := range strings.SplitSeq(head(t, 2000), "\n") {
		line = strings.TrimSpace(line)
		for _, p := range [...]string{"def ", "import ", "print(", "console.log", "function ", "const ", "var ", "#include", "if __name__", ">>> ", "System.out", "fmt.Print", "std::", "return "} {
			if strings.HasPrefix(line, p) && strings.ContainsAny(line, "(=[{\"'<;") || line == "import sys" {
				return true
			}
		}
		for _, p := range [...]string{"[::-1]", ".reverse()", "reversed(", "sorted(", ".sort(", ".join(", ".split("} {
			if strings.Contains(line, p) {
				return true
			}
		}
	}
	return false
}
