package extract

import (
	"strings"
	"unicode/utf8"

	"verbatim/internal/grade/runes"
	"verbatim/internal/pylit"
)

// itemOf reads an item of a list without brackets. It must have the type of
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

// numberItem reads a number. A full stop behind a whole number ends the sentence.
func (s *scan) numberItem(t string) (pylit.Value, bool) {
	if s.q.Item == pylit.Int && len(t) > 1 && isDigit(t[len(t)-2]) {
		t = strings.TrimSuffix(t, ".")
	}
	if rest, minus := strings.CutPrefix(t, "−"); minus {
		t = "-" + rest
	}
	if v, ok := pylit.ShortInt(t); ok {
		return v, true
	}
	if t == "" || len(t) > 4000 || !isDigit(t[len(t)-1]) && t[len(t)-1] != '.' && t != "True" && t != "False" {
		return pylit.Value{}, false
	}
	v, err := s.numbers.Parse(t)
	return v, err == nil && (v.Kind() == pylit.Int || v.Kind() == pylit.Float || v.Kind() == pylit.Bool)
}

// textItem reads a text that need not be one that the prompt shows.
func (s *scan) textItem(t string) (pylit.Value, bool) {
	if v, ok := s.knownItem(t); ok {
		return v, true
	}
	t = strings.Trim(unquoted(t), "'")
	if len(t) > 200 {
		return pylit.Value{}, false
	}
	number := true
	for i := 0; i < len(t); i++ {
		switch c := t[i]; c {
		case '[', ']', '{', '}', '(', ')', '=', ':', '\n', '"', '`':
			return pylit.Value{}, false
		case ' ', '\t':
			if !s.q.Spaces {
				return pylit.Value{}, false
			}
			number = false
		default:
			number = number && (isDigit(c) || c == '.' || c == '-')
		}
	}
	if number { // or nothing
		return pylit.Value{}, false
	}
	return pylit.MakeStr(t), true
}

// knownItem reads a text that is an item in the prompt.
func (s *scan) knownItem(t string) (pylit.Value, bool) {
	if s.q.Item != pylit.Str {
		return pylit.Value{}, false
	}
	t = strings.TrimSpace(t)
	if s.q.Shown.hasText(t) {
		return pylit.MakeStr(t), true
	}
	bare := unquoted(t)
	return pylit.MakeStr(bare), len(bare) < len(t) && s.q.Shown.hasText(bare)
}

// rowOf reads a row of a table, written as a literal or with separators between its cells.
func (s *scan) rowOf(t string) (pylit.Value, bool) {
	kinds := s.q.Shown.Columns()
	if len(kinds) == 0 || t == "" || len(t) > 1<<12 {
		return pylit.Value{}, false
	}
	if t[0] == '[' || t[0] == '(' {
		v, err := s.values.Parse(t)
		if err != nil || v.Kind() != pylit.List && v.Kind() != pylit.Tuple || len(v.Items()) != len(kinds) {
			return pylit.Value{}, false
		}
		return pylit.MakeList(s.values.Keep(v).Items()), true
	}
	t = strings.Trim(t, "| ")
	for _, sep := range [...]string{"|", "\t", ";", ","} {
		if n := strings.Count(t, sep) + 1; n == len(kinds) && n > 1 {
			return s.rowOfCells(strings.Split(t, sep), kinds)
		}
	}
	return pylit.Value{}, false
}

// rowOfCells makes a row of cells of the kinds.
func (s *scan) rowOfCells(cells []string, kinds []pylit.Kind) (pylit.Value, bool) {
	row := make([]pylit.Value, len(cells))
	for i, cell := range cells {
		cell = unquoted(strings.TrimSpace(cell))
		ok := true
		switch kinds[i] {
		case pylit.Int, pylit.Float:
			row[i], ok = s.numberItem(cell)
		default:
			row[i], ok = pylit.MakeStr(cell), cell != "" && !strings.ContainsAny(cell, "[]()\n")
		}
		if !ok {
			return pylit.Value{}, false
		}
	}
	return pylit.MakeList(row), true
}

// itemQuotes are the pairs of marks that may be around an item.
var itemQuotes = [...][2]string{
	{"**", "**"}, {"`", "`"}, {"'", "'"}, {`"`, `"`}, {"“", "”"}, {"‘", "’"}, {"„", "“"}, {"‚", "‘"}, {"«", "»"}, {"»", "«"}, {"「", "」"}, {"『", "』"}, {"&quot;", "&quot;"}, {"&#39;", "&#39;"},
}

// unquoted removes quotes and the marks of Markdown around an item.
func unquoted(t string) string {
	if t == "" || t[0] < utf8.RuneSelf && runes.IsAlnum(rune(t[0])) {
		return t // no mark begins with it
	}
	for _, m := range itemQuotes {
		if len(t) > len(m[0])+len(m[1]) && strings.HasPrefix(t, m[0]) && strings.HasSuffix(t, m[1]) {
			t = t[len(m[0]) : len(t)-len(m[1])]
		}
	}
	return t
}

// reordered reports whether items are those of the input in another order: as
// many as the input has, half of which are known.
func (s *scan) reordered(items []pylit.Value) bool {
	return len(items) == len(s.q.Given) && !s.q.Shown.isOne(items) && 2*s.q.Shown.known(items) >= len(items) && s.on("reordered")
}
