package extract

import (
	"slices"
	"strings"

	"verbatim/internal/grade/given"
	"verbatim/internal/pylit"
)

// rowOf reads a row of a table, written as a literal or with separators between its cells.
func (s *scan) rowOf(t string) (pylit.Value, bool) {
	kinds := s.q.shown.Columns()
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

// isRow reports whether items are a row: as many as the columns, of their kinds.
func (s *scan) isRow(items []pylit.Value) bool {
	return len(items) > 0 && slices.EqualFunc(items, s.q.shown.Columns(), func(v pylit.Value, kind pylit.Kind) bool { return v.Kind() == kind })
}

// rowsAt reads rows that are literals, one behind the other, and returns the end of the last.
func (s *scan) rowsAt(at, to int) (rows []pylit.Value, end int) {
	kinds := s.q.shown.Columns()
	end = at + 1
	for len(rows) < maxPlainItems {
		v, n, ok := s.values.Prefix(s.text[at:min(to, at+1<<12)])
		if !ok || v.Kind() != pylit.List || len(v.Items()) != len(kinds) {
			break
		}
		rows = append(rows, s.values.Keep(v))
		end = at + n
		at = end
		for at < to && strings.IndexByte(" ,\n\r\t-*.)0123456789", s.text[at]) >= 0 {
			at++
		}
		if at >= to || s.text[at] != '[' {
			break
		}
	}
	return rows, end
}

// table offers a column of a table whose cells are items, and returns the part behind the
// table; i without one. Of two such columns neither is the answer.
func (s *scan) table(i int) int {
	if s.q.Item == pylit.List {
		return i // its lines are items
	}
	j := i
	var lines [][]string
	for ; j < len(s.parts) && !s.parts[j].fence && len(lines) < maxPlainItems; j++ {
		line := s.text[s.parts[j].start:s.parts[j].end]
		if len(line) > 1<<12 || !strings.HasPrefix(line, "|") {
			break
		}
		cells := strings.Split(strings.Trim(line, "| "), "|")
		switch {
		case strings.Trim(line, "|-: ") == "":
			lines = lines[:0] // what is above it is the heading
		case len(lines) > 0 && len(cells) != len(lines[0]):
			return i
		default:
			lines = append(lines, cells)
		}
	}
	if len(lines) < 2 {
		return i
	}
	var found []pylit.Value
	for column := range lines[0] {
		items := make([]pylit.Value, 0, len(lines))
		for _, cells := range lines {
			v, ok := s.itemOf(strings.TrimSpace(cells[column]))
			if !ok {
				break
			}
			items = append(items, v)
		}
		if len(items) < len(lines) || 2*s.q.shown.Known(items) < len(items) {
			continue
		}
		if found != nil && !given.Same(found, items) {
			return j
		}
		found = items
	}
	if found != nil {
		s.plainItems(s.parts[i].start, s.parts[j-1].end, found, s.roleAbove(i))
	}
	return j
}
