package grade

import "verbatim/internal/grade/runes"

// align measures the distance from e to g. Of long and very different texts it returns less: see
// limits.go.
func align(e, g []rune) edits {
	head := runes.CommonHead(e, g)
	e, g = e[head:], g[head:]
	tail := runes.CommonTail(e, g)
	e, g = e[:len(e)-tail], g[:len(g)-tail]
	if len(e) == 0 || len(g) == 0 {
		return edits{distance: len(e) + len(g), counted: true, inserted: len(g), deleted: len(e)}
	}
	if max(len(e), len(g)) <= maxTraced {
		var m matrix
		d := m.fill(e, g, true)
		return m.script(e, g).count(e, g, d)
	}
	steps, d, ok := diagonals(e, g)
	if ok {
		return steps.count(e, g, d)
	}
	if len(e) > len(g) {
		e, g = g, e // the distance is the same both ways, the memory is not
	}
	if words(e)*len(g) <= maxWords {
		var m matrix
		return edits{distance: m.fill(e, g, false)}
	}
	// The alignment proved that fewer than d edits are not enough. Each character of
	// the longer text without a partner in the other one needs an edit, too.
	return edits{distance: max(d, len(g)-runes.Common(e, g)), bound: true}
}

// words is the number of 64-bit words for one bit per code point of a.
func words(a []rune) int { return (len(a) + 63) / 64 }

// A matrix is Levenshtein's table of distances between all beginnings of two
// texts. It holds the differences between neighbours in a column as bits (Myers
// 1999, in the form of Hyyrö 2003), 64 cells to a word.
type matrix struct {
	words int
	// up and down say for every column which cells are one more and one less
	// than the cell above; without keep, for the last column only.
	up, down []uint64
}

// fill computes the table, with a row for each code point of e and a column for each of g, and
// returns the distance. Neither may be empty. keep keeps all columns, which script needs.
func (m *matrix) fill(e, g []rune, keep bool) int {
	m.words = words(e)
	masks := newMasks(e)
	columns := 1
	if keep {
		columns = len(g)
	}
	cells := make([]uint64, 2*m.words*columns)
	m.up, m.down = cells[:m.words*columns], cells[m.words*columns:]
	up, down := m.up[:m.words], m.down[:m.words]
	for i := range up {
		up[i] = ^uint64(0)
	}
	last := uint64(1) << ((len(e) - 1) % 64)
	d := len(e)
	for j, r := range g {
		if keep && j > 0 {
			nextUp, nextDown := m.up[j*m.words:(j+1)*m.words], m.down[j*m.words:(j+1)*m.words]
			copy(nextUp, up)
			copy(nextDown, down)
			up, down = nextUp, nextDown
		}
		d += column(up, down, masks.of(r), last)
	}
	return d
}

// column turns one column into the next, in place, given the rows whose code
// point is that of the new column; last marks the last row in the last word. It
// returns by how much the distance in the last row changes.
func column(up, down, same []uint64, last uint64) int {
	more, less := uint64(1), uint64(0) // carried in from the word above: row 0 counts up
	change := 0
	for w := range up {
		u, v := up[w], down[w]
		x := same[w] | less
		diagonal := (((x & u) + u) ^ u) | x | v
		rise := v | ^(diagonal | u)
		fall := diagonal & u
		if w == len(up)-1 {
			if rise&last != 0 {
				change = 1
			} else if fall&last != 0 {
				change = -1
			}
		}
		rise, more = rise<<1|more, rise>>63
		fall, less = fall<<1|less, fall>>63
		up[w] = fall | ^(diagonal | rise)
		down[w] = rise & diagonal
	}
	return change
}

// script returns the edits, from a table with all its columns.
func (m *matrix) script(e, g []rune) script {
	s := make(script, 0, max(len(e), len(g))+8)
	bit := func(column []uint64, j, i int) bool {
		return column[j*m.words+i/64]>>(i%64)&1 != 0
	}
	i, j := len(e), len(g)
	for i > 0 && j > 0 {
		switch {
		case bit(m.up, j-1, i-1):
			i--
			s = s.add(deleted, i, j)
		case j > 1 && bit(m.down, j-2, i-1):
			j--
			s = s.add(inserted, i, j)
		default:
			i, j = i-1, j-1
			s = s.add(substituted, i, j)
		}
	}
	return s.begin(i, j)
}

// masks hold, for every code point of a text, the positions at which the text has it.
type masks struct {
	words int
	ascii [128]int32 // index of the first word in bits; 0 is the empty row
	other map[rune]int32
	bits  []uint64
}

func newMasks(a []rune) *masks {
	m := &masks{words: words(a)}
	m.bits = make([]uint64, m.words, 16*m.words)
	for i, r := range a {
		n := m.index(r)
		if n == 0 {
			n = int32(len(m.bits))
			m.bits = append(m.bits, make([]uint64, m.words)...)
			if uint32(r) < 128 {
				m.ascii[r] = n
			} else {
				if m.other == nil {
					m.other = map[rune]int32{}
				}
				m.other[r] = n
			}
		}
		m.bits[int(n)+i/64] |= 1 << (i % 64)
	}
	return m
}

func (m *masks) index(r rune) int32 {
	if uint32(r) < 128 {
		return m.ascii[r]
	}
	return m.other[r]
}

func (m *masks) of(r rune) []uint64 {
	n := int(m.index(r))
	return m.bits[n : n+m.words]
}
