package extract

import (
	"math/bits"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A layer is one kind of wrapping around an answer. off removes it from text[from:to] and returns the inside as
// text[a:b]; false if it is not there.
type layer struct {
	name string
	off  func(s *scan, from, to int) (a, b int, ok bool)
}

// layers are the kinds of wrapping. Each is removed at most once.
var layers = [...]layer{
	{"fence", (*scan).offFence},
	{"answer tags", (*scan).offTags},
	{"boxed", (*scan).offBoxed},
	{"type", (*scan).offTextCommand},
	{"JSON", (*scan).offJSON},
	{"bold", between("***", "***", "**", "**", "__", "__", "*", "*")},
	{"math", between("$$", "$$", "$", "$", `\(`, `\)`, `\[`, `\]`)},
	{"quotes", angles(between("```", "```", "`", "`", `"`, `"`, "'", "'", "“", "”", "‘", "’", "<<<", ">>>", "«", "»", "„", "“", "„", "”", "「", "」", "&quot;", "&quot;", "&#34;", "&#34;", "&#39;", "&#39;", `\"`, `\"`))},
	{"parentheses", (*scan).offParentheses},
	{"symbols", (*scan).offSymbols},
	{"bullet", (*scan).offBullet},
	{"assignment", (*scan).offAssignment},
	{"full stop", (*scan).offStop},
	{"half quotes", (*scan).offHalfQuotes},
	{"copula", (*scan).offCopula},
}

// peel removes the wrapping around text[from:to]. It returns the inside as text[a:b] and the names of the layers, the
// outermost first. fits says what can be an answer; ok is false if the inside cannot.
func (s *scan) peel(from, to int, fits func(from, to int) bool) (a, b int, names []string, ok bool) {
	var used uint
	ok = fits(from, to)
	left := s.layersAt(from, to)
	for left != 0 {
		i := bits.TrailingZeros(left)
		left &= left - 1
		l := &layers[i]
		if !s.on(l.name) {
			continue
		}
		a, b, off := l.off(s, from, to)
		if !off {
			continue
		}
		if a, b = trim(s.text, a, b); a == b || ok && !fits(a, b) {
			continue
		}
		code := s.text[from] == '`'
		from, to = a, b
		if used |= 1 << i; code && 1<<i == quotesLayer && !slices.Contains(names, l.name) {
			used &^= quotesLayer // quotation marks may be inside backticks
		}
		ok = ok || fits(a, b)
		names = append(names, l.name)
		left = s.layersAt(from, to) &^ used
	}
	return from, to, names, ok
}

// The layers as bits, by their indices in layers.
const (
	fenceLayer = 1 << iota
	tagsLayer
	boxedLayer
	typeLayer
	jsonLayer
	boldLayer
	mathLayer
	quotesLayer
	parenthesesLayer
	symbolsLayer
	bulletLayer
	assignmentLayer
	stopLayer
	halfLayer
	copulaLayer
)

// layersAt returns the layers that text[from:to] may have, by its first and its last byte.
func (s *scan) layersAt(from, to int) uint {
	if from >= to {
		return 0
	}
	may, last := layersOf[s.text[from]], s.text[to-1]
	switch {
	case last >= utf8.RuneSelf:
		may |= symbolsLayer | stopLayer | copulaLayer
	case last == '.', last == '!', last == ',':
		may |= stopLayer
	case last == '"', last == '`':
		may |= halfLayer
	}
	return may
}

// layersOf are the layers that a text may have by its first byte. layersAt adds those by its last one.
var layersOf = func() (table [256]uint) {
	for c := range table {
		switch c := byte(c); {
		case c >= utf8.RuneSelf:
			table[c] = symbolsLayer | quotesLayer | bulletLayer
		case c == '_', 'a' <= c|32 && c|32 <= 'z':
			table[c] = assignmentLayer
		}
	}
	for c, layers := range map[byte]uint{
		'`': fenceLayer | quotesLayer, '~': fenceLayer, '<': tagsLayer | quotesLayer, '\\': boxedLayer | typeLayer | mathLayer | quotesLayer,
		'{': jsonLayer, '*': boldLayer | bulletLayer, '_': boldLayer, '$': mathLayer, '"': quotesLayer, '\'': quotesLayer, '&': quotesLayer,
		'(': parenthesesLayer, '[': parenthesesLayer, '-': bulletLayer, '>': bulletLayer, '=': bulletLayer,
	} {
		table[c] |= layers
	}
	return table
}()

// between returns the function that removes one of the pairs of marks.
func between(pairs ...string) func(s *scan, from, to int) (int, int, bool) {
	return func(s *scan, from, to int) (int, int, bool) {
		t := s.text[from:to]
		for i := 0; i < len(pairs); i += 2 {
			open, end := pairs[i], pairs[i+1]
			if len(t) <= len(open)+len(end) || s.q.hasMarks(open, end) || !strings.HasPrefix(t, open) || !strings.HasSuffix(t, end) {
				continue
			}
			inside := t[len(open) : len(t)-len(end)]
			if s.q.Lines && eachLineIn(t, open, end) {
				continue
			}
			if s.q.Kind != List && !(s.q.Spaces && s.q.Signs && from == s.from) && !(s.ownMarks(inside, open) && s.ownMarks(inside, end)) {
				continue
			}
			return from + len(open), to - len(end), true
		}
		return 0, 0, false
	}
}

// angles returns the function that removes angle marks, or else what off removes. Models often write another number of
// brackets than the question has, two or more.
func angles(off func(s *scan, from, to int) (int, int, bool)) func(s *scan, from, to int) (int, int, bool) {
	return func(s *scan, from, to int) (int, int, bool) {
		t := s.text[from:to]
		inside := strings.TrimRight(strings.TrimRight(strings.TrimLeft(t, "<"), "<"), ">") // "<<<text>>><<"
		open := len(t) - len(strings.TrimLeft(t, "<"))
		end := len(t) - open - len(inside)
		own := strings.HasPrefix(s.q.Ends[0], "<") || strings.HasSuffix(s.q.Ends[1], ">")
		unclosed := open == len(openAngles) && end == 0 && s.q.Copy && !(s.cut && to == s.to)
		if s.q.Kind != AskedText || own || inside == "" || !unclosed && (min(open, end) < 2 || open+end < len(openAngles+endAngles)-1) ||
			!s.ownMarks(inside, openAngles) || !s.ownMarks(inside, endAngles) {
			return off(s, from, to)
		}
		return from + open, to - end, true
	}
}

// ownMarks reports whether a text has a mark at most as often as the input. A text with marks must be at least half as
// long as the input, which is not read for shorter ones.
func (s *scan) ownMarks(inside, mark string) bool {
	n := strings.Count(inside, mark)
	return n == 0 || 2*len(inside) >= len(s.q.Source) && n <= strings.Count(s.q.Source, mark)
}

// eachLineIn reports whether a text has several lines, each between the marks.
func eachLineIn(t, open, end string) bool {
	if !strings.Contains(t, "\n") {
		return false
	}
	for line := range strings.SplitSeq(t, "\n") {
		if !strings.HasPrefix(line, open) || !strings.HasSuffix(strings.TrimRight(line, ", \r"), end) {
			return false
		}
	}
	return true
}

// offFence removes a code fence with its language.
func (s *scan) offFence(from, to int) (int, int, bool) {
	t := s.text[from:to]
	if len(t) < 7 || !strings.HasPrefix(t, "```") && !strings.HasPrefix(t, "~~~") {
		return 0, 0, false
	}
	mark := t[:3]
	if !strings.HasSuffix(t, mark) || strings.Count(t, mark) != 2 {
		return 0, 0, false
	}
	line := strings.IndexByte(t, '\n')
	if line < 0 { // all on one line; a first word before a space is the language
		if i := strings.IndexByte(t, ' '); i > 3 {
			return from + i, to - 3, true
		}
		return from + 3, to - 3, true
	}
	return from + line + 1, max(from+line+1, to-3), true
}

func (s *scan) offTags(from, to int) (int, int, bool) {
	t := s.text[from:to]
	if t == "" || t[0] != '<' {
		return 0, 0, false
	}
	for _, name := range [...]string{"answer", "result", "output", "final_answer", "final", "code", "pre", "b", "strong", "p"} {
		open, end := "<"+name+">", "</"+name+">"
		if len(t) > len(open)+len(end) && strings.EqualFold(t[:len(open)], open) && strings.EqualFold(t[len(t)-len(end):], end) {
			return from + len(open), to - len(end), true
		}
	}
	return 0, 0, false
}

// offTextCommand removes the commands of LaTeX for kinds of type.
func (s *scan) offTextCommand(from, to int) (int, int, bool) {
	return s.offCommand(from, to, `\text{`, `\texttt{`, `\mathrm{`, `\textbf{`)
}

func (s *scan) offBoxed(from, to int) (int, int, bool) {
	if t := s.text[from:to]; strings.Count(t, "}") != strings.Count(t, "{") {
		return 0, 0, false
	}
	return s.offCommand(from, to, `\boxed{`, `\fbox{`)
}

// offCommand removes one of the commands of LaTeX.
func (s *scan) offCommand(from, to int, commands ...string) (int, int, bool) {
	t := s.text[from:to]
	for _, open := range commands {
		if strings.HasPrefix(t, open) && strings.HasSuffix(t, "}") {
			return from + len(open), to - 1, true
		}
	}
	return 0, 0, false
}

// offParentheses removes parentheses or brackets, if texts of the question have no signs.
func (s *scan) offParentheses(from, to int) (int, int, bool) {
	if s.q.Kind == List || s.q.Signs || s.q.Lines || to-from < 3 {
		return 0, 0, false
	}
	first, last := s.text[from], s.text[to-1]
	ok := first == '(' && last == ')' || first == '[' && last == ']'
	return from + 1, to - 1, ok && strings.IndexByte(s.text[from+1:to-1], first) < 0
}

// offSymbols removes emoji and other pictures at both ends, if texts of the question have no signs.
func (s *scan) offSymbols(from, to int) (int, int, bool) {
	t := s.text[from:to]
	if s.q.Kind == List || s.q.Signs || t == "" || t[0] < utf8.RuneSelf && t[len(t)-1] < utf8.RuneSelf {
		return 0, 0, false
	}
	rest := strings.TrimRightFunc(t, isSymbol)
	b := from + len(rest)
	a := b - len(strings.TrimLeftFunc(rest, isSymbol))
	return a, b, a < b && b-a < to-from
}

func isSymbol(r rune) bool {
	return r != utf8.RuneError && unicode.Is(unicode.So, r) || r == '\ufe0f' || r == '\u200d' || r >= 0x1f3fb && r <= 0x1f3ff || isBlank(r)
}

func (s *scan) offBullet(from, to int) (int, int, bool) {
	t := s.text[from:to]
	if s.q.Kind == List || len(t) > 1<<12 || strings.Contains(t, "\n") {
		return 0, 0, false
	}
	for _, mark := range [...]string{"- ", "* ", "• ", "> ", "→ ", "=> ", "-> ", "= "} {
		if strings.HasPrefix(t, mark) && (s.q.Kind != Integer || mark != "- ") {
			return from + len(mark), to, true
		}
	}
	return 0, 0, false
}

// offJSON removes an object around the value that it gives as its answer.
func (s *scan) offJSON(from, to int) (int, int, bool) {
	a, b, ok := objectAnswer(s.text[from:to])
	return from + a, from + b, ok
}

// offAssignment removes "name =" before one literal.
func (s *scan) offAssignment(from, to int) (int, int, bool) {
	t := s.text[from:to]
	i := 0
	for i < len(t) && (t[i] == '_' || 'a' <= t[i]|32 && t[i]|32 <= 'z' || i > 0 && isDigit(t[i])) {
		i++ // the name
	}
	at := skipBlank(t, i)
	if i == 0 || at >= len(t) || t[at] != '=' || strings.HasPrefix(t[at:], "==") {
		return 0, 0, false
	}
	at = skipBlank(t, at+1)
	rest := strings.TrimRight(t[at:], "; \t\r\n")
	if _, err := s.literals.Parse(rest); err != nil {
		return 0, 0, false
	}
	return from + at, from + at + len(rest), true
}

// inputHas reports whether the input has a mark at least as often as a text: then the mark belongs to the answer.
func (s *scan) inputHas(mark, t string) bool {
	return s.q.Kind == AskedText && s.q.Signs && strings.Contains(s.q.Source, mark) && strings.Count(t, mark) <= strings.Count(s.q.Source, mark)
}

func (s *scan) offStop(from, to int) (int, int, bool) {
	if s.q.Kind == AskedText && (s.q.Signs && s.q.Spaces && !s.q.Lines || s.q.Lines && (s.q.LineSpaces || strings.ContainsAny(s.text[from:to], " \n"))) {
		return 0, 0, false // the full stop belongs to the last line if that is a sentence
	}
	t := s.text[from:to]
	for _, stop := range [...]string{".", "。", "!", "！", ","} {
		rest, ok := strings.CutSuffix(t, stop)
		if ok && rest != "" && !strings.HasSuffix(rest, stop) && !s.inputHas(stop, t) {
			return from, to - len(stop), true
		}
	}
	return 0, 0, false
}

// offHalfQuotes removes a quotation mark at the end without one at the start, if texts of the question have no signs.
func (s *scan) offHalfQuotes(from, to int) (int, int, bool) {
	t := s.text[from:to]
	if s.q.Kind == List || s.q.Signs || s.q.Lines || to-from < 2 || strings.Count(t, t[len(t)-1:]) > 1 {
		return 0, 0, false
	}
	return from, to - 1, true
}

// offCopula removes the words for "is" that a language writes behind a word, without a space.
func (s *scan) offCopula(from, to int) (int, int, bool) {
	t := s.text[from:to]
	if s.q.Source == "" || s.q.ASCII || s.q.Lines {
		return 0, 0, false // behind an answer in ASCII it is a word of another script
	}
	isNew := func(r rune) bool { return !strings.ContainsRune(s.q.Source, r) }
	for _, copula := range copulas {
		// An answer that is made of the characters of the input may end in the copula itself.
		if rest, ok := strings.CutSuffix(t, copula); ok && rest != "" && strings.ContainsFunc(copula, isNew) {
			return from, to - len(copula), true
		}
	}
	return 0, 0, false
}
