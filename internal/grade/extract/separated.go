package extract

import (
	"strings"

	"verbatim/internal/pylit"
)

// listSeparators stand between the items of a list without brackets.
var listSeparators = []string{",", ";", "|", "<=", "≤", "<", ">=", "≥", "=>", "→", "->", ">", "•", "·", "\t", " "}

// comparing are those listSeparators that sentences about two items have too.
func comparing(sep string) bool {
	return strings.ContainsAny(sep, "<>=≤≥→")
}

// separated reads the items of a line. knownOnly: all must be items that the prompt shows.
func (s *scan) separated(t string, knownOnly bool) ([]pylit.Value, bool) {
	h := s.q.shown
	if knownOnly && !h.hasItems() {
		return nil, false
	}
	t = strings.Trim(t, "| ")
	for _, sep := range listSeparators {
		if !strings.Contains(t, sep) {
			continue
		}
		text := t
		if sep == "," && !s.q.Spaces {
			text = strings.Replace(strings.Replace(t, ", and ", ", ", 1), " and ", ", ", 1)
		}
		items, ok := s.splitItems(text, sep, knownOnly)
		if !ok || len(items) < 2 {
			continue
		}
		known, given := h.known(items), len(s.q.Given)
		switch {
		case knownOnly && known < len(items):
		case sep == "," && !knownOnly: // of words, half must be known
			return items, true
		case comparing(sep) && (4*len(items) < 3*given || 2*known < len(items)):
		case sep == " " && (2*known < len(items) || s.q.Item == pylit.Str && known < len(items) || 2*len(items) < given && !knownOnly):
		case 2*known < len(items):
		default:
			return items, true
		}
	}
	return nil, false
}

// splitItems reads items between listSeparators. An item that the prompt shows may hold the separator.
// knownOnly: there is no list if the prompt does not show one of them, which a line of other text
// shows at its first piece.
func (s *scan) splitItems(t, sep string, knownOnly bool) ([]pylit.Value, bool) {
	if s.q.Item == pylit.List {
		return nil, false // the cells of a row would look like items
	}
	if strings.Count(t, sep) >= maxPlainItems {
		return nil, false
	}
	most := s.mostIn(sep)
	var items []pylit.Value // most texts have none
	for at := 0; at <= len(t); {
		v, end, ok := s.knownPiece(t, at, sep, most)
		if ok {
			items = append(items, v)
			at = end + len(sep)
			continue
		}
		piece := strings.TrimSpace(t[at:end])
		at = end + len(sep)
		if sep == " " && piece == "" {
			continue
		}
		v, ok = s.itemOf(piece)
		if !ok || knownOnly && !s.q.shown.learned().keys[keyOf(v)] {
			return nil, false
		}
		items = append(items, v)
	}
	return items, true
}

// knownPiece reads an item that the prompt shows at t[at:], which holds at most so many
// separators, and returns its end; without one it is the end of the piece up to the next separator.
func (s *scan) knownPiece(t string, at int, sep string, most int) (v pylit.Value, end int, ok bool) {
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

// mostIn returns how often one item of the prompt holds a separator, at most 16 times.
func (s *scan) mostIn(sep string) int {
	if n, ok := s.most[sep]; ok {
		return n
	}
	n := 0
	if s.q.Item == pylit.Str && (s.q.Spaces || sep != " ") {
		for t := range s.q.shown.learned().texts {
			n = max(n, strings.Count(t, sep))
		}
	}
	if s.most == nil {
		s.most = map[string]int{}
	}
	s.most[sep] = min(n, 16)
	return s.most[sep]
}

// knownItem reads a text that the prompt shows as an item, as it is written.
func (s *scan) knownItem(t string) (pylit.Value, bool) {
	if s.q.Item != pylit.Str {
		return pylit.Value{}, false
	}
	texts := s.q.shown.learned().texts
	t = strings.TrimSpace(t)
	if v, ok := texts[t]; ok || len(texts) == 0 {
		return v, ok
	}
	bare := unquoted(t)
	if len(bare) == len(t) {
		return pylit.Value{}, false
	}
	v, ok := texts[bare]
	return v, ok
}

// unquoted takes quotes and the marks of Markdown off an item.
func unquoted(t string) string {
	for _, m := range [...]string{"**", "`", "'", `"`} {
		if len(t) > 2*len(m) && strings.HasPrefix(t, m) && strings.HasSuffix(t, m) {
			t = t[len(m) : len(t)-len(m)]
		}
	}
	return t
}

// itemOf reads an item written without brackets around the list. It must have the type of
// the question.
func (s *scan) itemOf(t string) (pylit.Value, bool) {
	switch s.q.Item {
	case pylit.Str:
		return s.textItem(t)
	case pylit.List:
		return s.rowOf(t)
	}
	return s.numberItem(unquoted(t))
}

func (s *scan) numberItem(t string) (pylit.Value, bool) {
	if t == "" || len(t) > 4000 || !digit(t[len(t)-1]) && t[len(t)-1] != '.' && t != "True" && t != "False" {
		return pylit.Value{}, false
	}
	v, err := s.numbers.Parse(t)
	return v, err == nil && (v.Kind() == pylit.Int || v.Kind() == pylit.Float || v.Kind() == pylit.Bool)
}

func (s *scan) textItem(t string) (pylit.Value, bool) {
	if v, ok := s.knownItem(t); ok {
		return v, true
	}
	t = strings.Trim(unquoted(t), "'")
	if t == "" || len(t) > 200 || strings.ContainsAny(t, "[]{}()=:\n\"`") || !s.q.Spaces && strings.ContainsAny(t, " \t") ||
		strings.Trim(t, "0123456789.-") == "" {
		return pylit.Value{}, false
	}
	return pylit.MakeStr(t), true
}
