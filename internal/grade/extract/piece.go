package extract

import (
	"strings"
	"unicode/utf8"

	"verbatim/internal/grade/runes"
)

// A piece is a stretch of a line that marks set apart.
type piece struct {
	start, end int    // with the marks
	a, b       int    // without the marks
	rule       string // of the marks
	boxed      bool   // the marks are those of an answer
}

// pieces returns the stretches of text[from:to] that are set apart and can be answers.
func (s *scan) pieces(from, to int) (out []piece) {
	for i := from; i < to && len(out) < maxValues; {
		if len(marksAt[s.text[i]]) == 0 {
			i++
			continue
		}
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

// IsQuoted reports whether a reply is one text in quotation marks and nothing else.
func IsQuoted(reply string) bool {
	for _, m := range marksApart {
		if m.rule == "quotes" && len(reply) > len(m.open)+len(m.end) && strings.HasPrefix(reply, m.open) && strings.HasSuffix(reply, m.end) {
			return !strings.Contains(reply[len(m.open):len(reply)-len(m.end)], m.open)
		}
	}
	return false
}

// marksAt are the indices in marksApart of the marks that begin with a byte.
var marksAt = func() (table [256][]uint8) {
	for i, m := range marksApart {
		table[m.open[0]] = append(table[m.open[0]], uint8(i))
	}
	return table
}()

// pieceAt returns the stretch of text[from:to] that is set apart by marks from text[i] on.
func (s *scan) pieceAt(i, from, to int) (piece, bool) {
	const longest = 1 << 18 // of a piece; longer answers have lines of their own
	for _, n := range marksAt[s.text[i]] {
		m := &marksApart[n]
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
		if m.rule == "boxed" {
			end = closingBrace(s.text[:limit], start, end)
		}
		if after, k := utf8.DecodeRuneInString(s.text[end+len(m.end) : to]); k > 0 && m.open == "'" && runes.IsAlnum(after) {
			continue
		}
		a, b := trim(s.text, start, end)
		if a == b || !s.q.Fits(s.text[a:b]) {
			return piece{}, false // there may be pieces inside
		}
		a, b, _, _ = s.peel(a, b, s.fits)
		isHeading := strings.HasSuffix(s.text[a:b], ":") && (s.q.Spaces || !s.q.Signs)
		if isHeading || IsStopWord(s.text[a:b]) && !(s.q.Char && s.isSign(a, b)) {
			return piece{}, false
		}
		return piece{i, end + len(m.end), a, b, m.rule, m.rule == "boxed" || m.rule == "answer tags"}, true
	}
	return piece{}, false
}

// closingBrace returns the place of the brace that closes all braces of text[from:]. at is the place of the first
// closing brace; it returns at if not all are closed.
func closingBrace(text string, from, at int) int {
	const deepest = 4
	end := at
	for range deepest {
		inside := text[from:end]
		if strings.Count(inside, "{") == strings.Count(inside, "}") {
			return end
		}
		n := strings.IndexByte(text[end+1:], '}')
		if n < 0 {
			break
		}
		end += 1 + n
	}
	return at
}

// noteBarren notes that an end mark is missing up to a place.
func (s *scan) noteBarren(mark string, to int) {
	if s.barren == nil {
		s.barren = map[string]int{}
	}
	s.barren[mark] = max(s.barren[mark], to)
}
