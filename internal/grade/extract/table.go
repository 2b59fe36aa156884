package extract

import "strings"

// A cell is a cell of a Markdown table, text[start:end], with its headings.
type cell struct {
	start, end int
	column     string // the heading of its column
	row        string // the first cell of its row
}

// cells returns the cells of the tables of the reply, row by row, without the headings of columns.
func (s *scan) cells() (out []cell) {
	var headings []string
	for _, p := range s.parts {
		if p.fence || !isRow(s.text[p.start:p.end]) {
			headings = nil
			continue
		}
		row := s.rowCells(p)
		switch {
		case headings == nil:
			for _, c := range row {
				headings = append(headings, s.text[c.start:c.end])
			}
			continue
		case strings.Trim(s.text[p.start:p.end], "|-: ") == "":
			continue
		}
		for k := range row {
			if k < len(headings) {
				row[k].column = headings[k]
			}
			if k > 0 {
				row[k].row = s.text[row[0].start:row[0].end]
			}
		}
		if out = append(out, row...); len(out) > maxValues {
			return out
		}
	}
	return out
}

// isRow reports whether a line is a row of a table.
func isRow(line string) bool {
	return len(line) > 2 && line[0] == '|' && line[len(line)-1] == '|' && strings.Count(line, "|") > 2
}

// rowCells cuts a row into its cells.
func (s *scan) rowCells(p part) (out []cell) {
	at := p.start + 1
	for at < p.end && len(out) < 100 {
		n := strings.IndexByte(s.text[at:p.end], '|')
		if n < 0 {
			break
		}
		a, b := trim(s.text, at, at+n)
		out = append(out, cell{start: a, end: b})
		at += n + 1
	}
	return out
}

// tables offers cells whose column or row has a heading that names an answer. fits says what can be
// an answer.
func (s *scan) tables(fits func(from, to int) bool, offer func(a, b int, r role)) {
	if !s.on("table") || strings.IndexByte(s.text[s.from:s.to], '|') < 0 {
		return
	}
	for _, c := range s.cells() {
		a, b, _, ok := s.peel(c.start, c.end, fits)
		if !ok {
			continue
		}
		for _, heading := range [...]string{c.column, c.row} {
			if r := s.roleOfLead(heading + ":"); r.named() {
				offer(a, b, r)
				break
			}
		}
	}
}
