package extract

import (
	"slices"
	"strings"

	"verbatim/internal/pylit"
)

// rules are the rules of extraction. Tests set off to the name of one that does not count.
type rules struct{ off string }

func (r rules) on(rule string) bool { return r.off != rule }

// A scan is the search for the answer in one reply.
type scan struct {
	rules
	q        *Question
	text     string
	from, to int  // the text without white space around it
	cut      bool // the token limit ended it
	parts    []part
	found    []candidate

	// Of texts:
	words    stretch          // the last stretch that was read for its words
	barren   map[string]int   // by end mark, the place up to which it is missing
	likeness *likenessOfWords // the likeness to the input; nil until it is needed

	// Of lists:
	values   pylit.Parser   // reads lists and rows, which are kept
	numbers  pylit.Parser   // reads items that are numbers, while values holds a list
	literals pylit.Parser   // reads values that are not kept
	run      []pylit.Value  // the items of the list that is read now
	most     map[string]int // by separator, how often a known item has it
	broken   map[int]bool   // where lists begin that cannot be read
	unread   int            // the place of a list that is called the answer and cannot be read; 0 without one
	cutAt    int            // the place of a list that is called the answer and that the token limit ended; 0 without one
	seen     int            // the bytes that were read for lists: the work
}

// A part is a line of talk, or the inside of a code fence.
type part struct {
	start, end int
	fence      bool
	closed     bool // a fence that is closed
}

// A likenessOfWords is a likeness with the words of the stretch.
type likenessOfWords struct {
	likeness
	asked   bool               // the likeness is that of the input of this reply
	stretch [maxLikeWords]span // its words
}

// A span is a place in a reply.
type span struct{ start, end int }

// maxLikeWords is the number of words of the longest stretch that is like an input.
const maxLikeWords = 32

func newScan(text string, cut bool, q *Question, r rules) *scan {
	return new(scan).start(text, cut, q, r)
}

// start begins the search in a reply, with the buffers of the last one.
func (s *scan) start(text string, cut bool, q *Question, r rules) *scan {
	clear(s.barren)
	clear(s.most)
	s.broken = nil // few replies need it, and a large map would be cleared for each later reply
	s.rules, s.q, s.text, s.cut = r, q, text, cut
	s.parts, s.found, s.unread, s.cutAt = s.parts[:0], s.found[:0], 0, 0
	s.seen = 0
	s.words.forget()
	if s.likeness != nil {
		s.likeness.asked = false
	}
	s.from, s.to = trim(text, 0, len(text))
	for n := -1; n != s.to; { // marks that chat templates leave at the end
		n = s.to
		for _, mark := range endMarks {
			if strings.HasSuffix(text[s.from:s.to], mark) {
				s.from, s.to = trim(text, s.from, s.to-len(mark))
			}
		}
	}
	return s
}

// normal returns text[from:to] as NormalText does.
func (s *scan) normal(from, to int) string {
	s.words.cover(s.text, from, to, max(to, s.to))
	a, b := s.words.Span(from, to)
	return s.words.Text[a:b]
}

// trim returns the place of text[from:to] without white space around it.
func trim(text string, from, to int) (start, end int) {
	t := strings.TrimLeftFunc(text[from:to], isBlank)
	start = to - len(t)
	return start, start + len(strings.TrimRightFunc(t, isBlank))
}

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
		}
		next = min(end+1, s.to)
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

// maxParts is the number of parts that are kept at the start of a reply, and again at its
// end: more than those whose context is read.
const maxParts = 1 << 17

// addPart adds a part. Of very many it keeps the first and the last ones, with an empty part
// between them.
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
	for _, p := range slices.Backward(s.parts[max(0, i-64):i]) {
		if !p.fence {
			return p, true
		}
	}
	return part{}, false
}

// maxValues is the number of values whose context is read at the start of a reply, and
// again at its end. It keeps the work linear.
const maxValues = 2000

// near reports whether a place is so near to the start or the end of the reply that
// its context is read.
func (s *scan) near(at int) bool {
	const reach = 1 << 15
	return at-s.from < reach || s.to-at < reach
}

// add adds a candidate that has a strength. Of very many it keeps the first and the last ones.
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
func (s *scan) fits(from, to int) bool { return s.q.Fits(s.text[from:to]) }

// isNumber reports whether text[from:to] is one number.
func (s *scan) isNumber(from, to int) bool { return isNumber(s.q, s.text[from:to]) }
