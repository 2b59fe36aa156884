package extract

import (
	"math/bits"
	"slices"
	"strings"

	"verbatim/internal/pylit"
)

// listSeparators can be between the items of a list without brackets.
var listSeparators = [...]string{",", ";", "|", "<=", "≤", "<", ">=", "≥", "=>", "→", "->", ">", "•", "·", "、", "，", "；", "\t", " "}

// maxPlainItems is the greatest number of items of a list without brackets.
const maxPlainItems = 1 << 17

// separatorsAt are the listSeparators that begin with a byte, as bits by their indices.
var separatorsAt = func() (table [256]uint32) {
	for i, sep := range listSeparators {
		table[sep[0]] |= 1 << i
	}
	return table
}()

// separatorsIn returns the listSeparators that a text has, as bits by their indices.
func separatorsIn(t string) (in uint32) {
	for i := 0; i < len(t); i++ {
		for left := separatorsAt[t[i]] &^ in; left != 0; left &= left - 1 {
			if n := bits.TrailingZeros32(left); strings.HasPrefix(t[i:], listSeparators[n]) {
				in |= 1 << n
			}
		}
	}
	return in
}

// separated reads the items of a line; false if it is not a list. knownOnly: the prompt must show all of them.
func (s *scan) separated(t string, knownOnly bool) ([]pylit.Value, bool) {
	h := s.q.Shown
	if knownOnly && !h.hasItems() {
		return nil, false
	}
	t = strings.Trim(t, "| ")
	joined := s.withoutAnd(t)
	for left := separatorsIn(joined); left != 0; left &= left - 1 {
		sep, text := listSeparators[bits.TrailingZeros32(left)], t
		if sep == "," {
			text = joined
		}
		if !s.splitItems(text, sep, knownOnly) || len(s.run) < 2 {
			continue
		}
		items := s.run
		known, given := len(items), len(s.q.Given)
		if !knownOnly {
			known = h.known(items)
		}
		switch {
		case sep == "," && !knownOnly: // plainItems tests how many are known
			return slices.Clone(items), true
		case 2*known < len(items):
		case strings.ContainsAny(sep, "<>=≤≥→") && 4*len(items) < 3*given: // a sentence that compares two items
		case sep == " " && (s.q.Item == pylit.Str && known < len(items) || 2*len(items) < given && !knownOnly):
		default:
			return slices.Clone(items), true
		}
	}
	return nil, false
}

// withoutAnd replaces the word "and" between the last two items of a line by a comma, in the languages
// of chat models, unless the word is an item itself.
func (s *scan) withoutAnd(t string) string {
	if s.q.Spaces {
		return t
	}
	at := strings.LastIndexByte(t, ' ')
	if at <= 0 {
		return t
	}
	before := t[:at]
	word := before[strings.LastIndexByte(before, ' ')+1:]
	if len(word) == len(before) || !slices.Contains(itemAnds, word) {
		return t
	}
	if _, known := s.knownItem(word); known {
		return t
	}
	return strings.TrimRight(strings.TrimSuffix(before, word), ", ") + ", " + t[at+1:]
}

// splitItems reads the items between separators into s.run; false if one cannot be read. An item that the prompt shows may
// have the separator in it. knownOnly: the prompt must show all items. A line of other text then fails at its first
// piece.
func (s *scan) splitItems(t, sep string, knownOnly bool) bool {
	s.run = s.run[:0]
	if s.q.Item == pylit.List {
		return false // the cells of a row would look like items
	}
	total := strings.Count(t, sep) + 1
	if total > maxPlainItems {
		return false
	}
	most := s.mostIn(sep)
	for at := 0; at <= len(t); {
		if n := len(s.run); n == cap(s.run) {
			s.run = slices.Grow(s.run, min(total-n, max(64, n*n))) // most texts fail early
		}
		v, end, ok := s.knownPiece(t, at, sep, most)
		if ok {
			s.run = append(s.run, v)
			at = end + len(sep)
			continue
		}
		piece := strings.TrimSpace(t[at:end])
		at = end + len(sep)
		if sep == " " && piece == "" {
			continue
		}
		v, ok = s.itemOf(piece)
		if !ok || knownOnly && !s.q.Shown.has(&v) {
			return false
		}
		s.run = append(s.run, v)
	}
	return true
}

// knownPiece reads an item that the prompt shows at the start of t[at:] and returns its end. The item has at most most
// separators. Without such an item, it returns the place of the next separator, and false.
func (s *scan) knownPiece(t string, at int, sep string, most int) (v pylit.Value, end int, ok bool) {
	if most == 0 {
		if end = len(t); at < end {
			if n := strings.Index(t[at:], sep); n >= 0 {
				end = at + n
			}
		}
		v, ok = s.knownItem(t[at:end])
		return v, end, ok
	}
	var ends [17]int
	n := 0
	for from := at; n <= most; n++ {
		i := strings.Index(t[from:], sep)
		if i < 0 {
			ends[n] = len(t)
			n++
			break
		}
		ends[n] = from + i
		from += i + len(sep)
	}
	for k := n - 1; k >= 0; k-- {
		if v, ok := s.knownItem(t[at:ends[k]]); ok {
			return v, ends[k], true
		}
	}
	return v, ends[0], false
}

// mostIn returns how many times an item of the prompt has a separator, at most 16.
func (s *scan) mostIn(sep string) int {
	if n, ok := s.most[sep]; ok {
		return n
	}
	n := 0
	if s.q.Item == pylit.Str && (s.q.Spaces || sep != " ") {
		for t := range s.q.Shown.Texts() {
			n = max(n, strings.Count(t, sep))
		}
	}
	if s.most == nil {
		s.most = map[string]int{}
	}
	s.most[sep] = min(n, 16)
	return s.most[sep]
}
