package extract

import (
	"strings"
	"unicode/utf8"

	"verbatim/internal/grade/likeness"
	"verbatim/internal/grade/phrases"
	"verbatim/internal/pylit"
)

// rules are the rules of extraction; the one that is named is off, for tests.
type rules struct{ off string }

func (r rules) on(rule string) bool { return r.off != rule }

// A scan is one search through one reply.
type scan struct {
	rules
	q        *Question
	text     string
	from, to int  // the text without white space around it
	cut      bool // the token limit ended it
	parts    []part
	found    []candidate
	barren   map[string]int  // up to where an end mark is missing
	seen     int             // the bytes that were read for lists: the work
	broken   map[int]bool    // where lists begin that cannot be read
	unread   int             // the place of a list that is called the answer and cannot be read; 0: none
	cutAt    int             // the place of a list that is called the answer and that the limit ended; 0: none
	numbers  pylit.Parser    // reads numbers only: the items of lists are in a parser's memory
	run      []pylit.Value   // items that are read now
	values   pylit.Parser    // reads lists and rows, which are kept
	words    phrases.Stretch // the last stretch that was read for its words
	literals pylit.Parser    // reads values that are not kept
	most     map[string]int  // how often a known item holds a separator

	likeness *likenessOfWords // what tells that a stretch is like the input; nil until it is needed
}

// A part is a line of talk, or the inside of a code fence.
type part struct {
	start, end int
	fence      bool
	closed     bool // a fence that is closed
}

// A likenessOfWords is a likeness with the words of the stretch.
type likenessOfWords struct {
	likeness.Likeness
	asked   bool               // the likeness is that of the input of this reply
	stretch [maxLikeWords]span // its words
}

// A span is a place in a reply.
type span struct{ start, end int }

// maxLikeWords is the number of words of the longest stretch that is like an input.
const maxLikeWords = 32

func newScan(text string, cut bool, q *Question, r rules) *scan {
	s := new(scan)
	s.start(text, cut, q, r)
	return s
}

// start begins the search through a reply, in the memory of the last one.
func (s *scan) start(text string, cut bool, q *Question, r rules) {
	clear(s.barren)
	clear(s.most)
	s.broken = nil // few replies have any; a large map, once made, would be cleared for each later reply
	s.rules, s.q, s.text, s.cut = r, q, text, cut
	s.parts, s.found, s.unread, s.cutAt = s.parts[:0], s.found[:0], 0, 0
	s.seen = 0
	s.words.Forget()
	if s.likeness != nil {
		s.likeness.asked = false
	}
	s.from, s.to = trim(text, 0, len(text))
	for n := -1; n != s.to; { // marks that chat templates leave at the end
		n = s.to
		for _, mark := range phrases.EndMarks {
			if strings.HasSuffix(text[s.from:s.to], mark) {
				s.from, s.to = trim(text, s.from, s.to-len(mark))
			}
		}
	}
}

// normal returns text[from:to] as phrases.Normal does.
func (s *scan) normal(from, to int) string {
	s.words.Cover(s.text, from, to, max(to, s.to))
	a, b := s.words.Span(from, to)
	return s.words.Text[a:b]
}

// trim returns the part of text[from:to] without white space around it.
func trim(text string, from, to int) (start, end int) {
	for from < to {
		if c := text[from]; c < utf8.RuneSelf {
			if !blanks[c] {
				break
			}
			from++
			continue
		}
		r, n := utf8.DecodeRuneInString(text[from:to])
		if !phrases.Blank(r) {
			break
		}
		from += n
	}
	for from < to {
		if c := text[to-1]; c < utf8.RuneSelf {
			if !blanks[c] {
				break
			}
			to--
			continue
		}
		r, n := utf8.DecodeLastRuneInString(text[from:to])
		if !phrases.Blank(r) {
			break
		}
		to -= n
	}
	return from, to
}

// blanks are the ASCII characters that are white space.
var blanks = func() (table [utf8.RuneSelf]bool) {
	for c := range table {
		table[c] = phrases.Blank(rune(c))
	}
	return table
}()

// split cuts the reply into lines of talk and fences.
func (s *scan) split() {
	if n := strings.Count(s.text[s.from:s.to], "\n") + 1; cap(s.parts) < n {
		s.parts = make([]part, 0, min(n, 2*maxParts))
	}
	open, mark := -1, ""
	for at, next := s.from, 0; at < s.to; at = next {
		end := s.to
		if n := strings.IndexByte(s.text[at:s.to], '\n'); n >= 0 {
			end = at + n
			next = end + 1
		} else {
			next = s.to
		}
		a, b := trim(s.text, at, end)
		line := s.text[a:b]
		switch {
		case open >= 0 && strings.HasPrefix(line, mark) && strings.Trim(line, mark[:1]) == "":
			s.addPart(part{open, at, true, true})
			open = -1
		case open >= 0:
		case strings.HasPrefix(line, "```") && strings.Count(line, "```") == 1, strings.HasPrefix(line, "~~~"):
			open, mark = next, line[:3]
		case a < b:
			s.addPart(part{a, b, false, true})
		}
	}
	if open >= 0 {
		s.addPart(part{min(open, s.to), s.to, true, false})
	}
}

// maxParts is the number of parts of the start of a reply, and again of its
// end: more than those whose context is read.
const maxParts = 1 << 17

// addPart adds a part; of very many it keeps the first and the last, and an empty part
// between them, which ends what a line above it began.
func (s *scan) addPart(p part) {
	if len(s.parts) >= 2*maxParts {
		s.parts[maxParts] = part{start: p.start, end: p.start, closed: true}
		n := copy(s.parts[maxParts+1:], s.parts[maxParts+maxParts/2:])
		s.parts = s.parts[:maxParts+1+n]
	}
	s.parts = append(s.parts, p)
}

// above returns the last line of talk before part i; false without one.
func (s *scan) above(i int) (part, bool) {
	for j := i - 1; j >= max(0, i-64); j-- {
		if !s.parts[j].fence {
			return s.parts[j], true
		}
	}
	return part{}, false
}

// maxValues is the number of values whose context is read at the start of a reply, and
// again at its end. It keeps the work linear.
const maxValues = 2000

// near reports whether a place is near enough to the start or the end of the reply for
// its context to be read.
func (s *scan) near(at int) bool {
	const reach = 1 << 15
	return at-s.from < reach || s.to-at < reach
}

// add adds a candidate that has a strength; of very many it keeps the first and the last.
func (s *scan) add(c candidate) {
	if c.strength == 0 || s.q.Within != "" && c.strength < named && !strings.Contains(s.q.Within, s.text[c.Start:c.End]) && s.on("character of the text") {
		return
	}
	if len(s.found) >= 2*maxValues {
		s.found = append(s.found[:maxValues], s.found[maxValues+maxValues/2:]...)
	}
	s.found = append(s.found, c)
}

// fits reports whether text[from:to] can be a text answer.
func (s *scan) fits(from, to int) bool { return s.q.fits(s.text[from:to]) }

// isNumber reports whether text[from:to] is one number.
func (s *scan) isNumber(from, to int) bool { return s.q.isNumber(s.text[from:to]) }
