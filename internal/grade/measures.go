package grade

import (
	"fmt"

	"github.com/rivo/uniseg"

	"verbatim/internal/grade/runes"
	"verbatim/internal/grade/traits"
)

// measures returns numbers that compare the graded text with the expected one. All count
// code points. A measure is absent if it is not defined or too expensive:
//
//	length, want_length     sizes of the two
//	graphemes, want_graphemes  the same in grapheme clusters, where not all is ASCII
//	lcp, lcp_share          common beginning, and its share of the expected text
//	first_error             index of the first difference; absent on a pass
//	source_index            position of that character in the text to reverse
//	distance                Levenshtein's; distance_lower_bound where only that is known
//	ned, similarity         distance divided by the longer length, and 1 minus that
//	insertions, deletions, substitutions, swaps
//	                        the edits; distance = the first three + 2 swaps
//	hamming                 positions that differ, where the lengths are equal
//	recall                  share of the expected characters that are there, in any order
func (v verdict) measures(want string) map[string]float64 {
	if v.gradedText == want {
		return measuresOfRight(want)
	}
	p := v.pair
	if p == nil {
		p = newPair(want, v.gradedText)
	}
	room := 13 // for the measures of most texts
	if p.differ >= 0 {
		room++
	}
	m := make(map[string]float64, room)
	m["length"], m["want_length"] = float64(len(p.g)), float64(len(p.e))
	m["lcp"], m["first_error"] = float64(p.head), float64(p.head)
	if n := float64(len(p.e)); n > 0 {
		m["lcp_share"] = float64(p.head) / n
		m["recall"] = float64(p.shared) / n
	}
	if p.differ >= 0 {
		m["hamming"] = float64(p.differ)
	}
	if p.head < len(p.e) && mirrored(p.e, p.source) {
		m["source_index"] = float64(len(p.e) - 1 - p.head)
	}
	p.distance.measure(m, max(len(p.e), len(p.g)))
	clusters(m, want, v.gradedText)
	return m
}

// measuresOfRight returns the measures of a graded text that is the expected one.
func measuresOfRight(want string) map[string]float64 {
	n := float64(traits.Count(want))
	m := make(map[string]float64, 13)
	m["length"], m["want_length"], m["lcp"] = n, n, n
	m["distance"], m["ned"], m["similarity"], m["hamming"] = 0, 0, 1, 0
	m["insertions"], m["deletions"], m["substitutions"], m["swaps"] = 0, 0, 0, 0
	if n > 0 {
		m["lcp_share"], m["recall"] = 1, 1
	}
	if n < float64(len(want)) { // not all ASCII
		clusters(m, want, want)
	}
	return m
}

// measure adds the distance between two texts to m. longer is the length of the longer one.
func (d edits) measure(m map[string]float64, longer int) {
	if d.bound {
		m["distance_lower_bound"] = float64(d.distance)
		return
	}
	ned := float64(d.distance) / float64(max(longer, 1))
	m["distance"], m["ned"], m["similarity"] = float64(d.distance), ned, 1-ned
	if d.counted {
		m["insertions"], m["deletions"] = float64(d.inserted), float64(d.deleted)
		m["substitutions"], m["swaps"] = float64(d.substituted), float64(d.swapped)
	}
}

// clusters adds the numbers of grapheme clusters to m if they can differ from those of code points.
func clusters(m map[string]float64, want, got string) {
	if runes.IsASCII(want) && runes.IsASCII(got) || len(want) > maxClusters || len(got) > maxClusters {
		return
	}
	m["want_graphemes"] = float64(uniseg.GraphemeClusterCount(want))
	m["graphemes"] = float64(uniseg.GraphemeClusterCount(got))
}

// The last rules: no single mistake explains the reply.

func (p *pair) corrupted() (string, bool) {
	return p.ned(), 2*p.distance.distance <= max(len(p.e), len(p.g))
}

func (p *pair) unrelated() (string, bool) { return p.ned(), true }

// ned returns the distance of the texts as a share of the longer one. If only a lower bound of the distance is
// known, it is that of the bound: the reply is corrupted unless the bound excludes it.
func (p *pair) ned() string {
	relation := ""
	if p.distance.bound {
		relation = ">= "
	}
	share := float64(p.distance.distance) / float64(max(len(p.e), len(p.g)))
	return fmt.Sprintf("ned %s%.2f first error @%d", relation, share, p.head)
}

// align measures the distance from e to g. Of long and very different texts it returns less: see
// list.go.
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

// diagonals aligns two texts that are nearly alike. Time and memory grow
// with the square of their distance and not with their length (Ukkonen 1985,
// Myers 1986): for 0, 1, 2 … edits it notes how far each diagonal of the table of
// distances can be followed. d is the number of edits. ok is false when maxEdits or maxSlides
// is met; then at least d edits are needed.
func diagonals(e, g []rune) (s script, d int, ok bool) {
	goal := len(g) - len(e)
	if max(goal, -goal) > maxEdits {
		return nil, max(goal, -goal), false
	}
	var reach [][]int32 // reach[d][d+k]: code points of e passed on diagonal k
	slides := 0
	for d := 0; d <= maxEdits; d++ {
		row := make([]int32, 2*d+1)
		for k := -d; k <= d; k++ {
			i := furthest(reach, d, k, len(e), len(g))
			if i >= 0 {
				from := i
				for i < len(e) && i+k < len(g) && e[i] == g[i+k] {
					i++
				}
				slides += i - from
			}
			row[d+k] = int32(i)
		}
		reach = append(reach, row)
		if goal >= -d && goal <= d && int(row[d+goal]) == len(e) {
			return retrace(reach, e, g), d, true
		}
		if slides > maxSlides {
			return nil, d + 1, false
		}
	}
	return nil, maxEdits + 1, false
}

// reached returns how far d edits lead on diagonal k, or a number that is below 0 even after one more
// step if they do not reach it.
func reached(reach [][]int32, d, k int) int {
	if d < 0 || k < -d || k > d {
		return -2
	}
	return int(reach[d][d+k])
}

// furthest returns how far d edits lead on diagonal k before equal code points
// are followed; below -1 when the diagonal cannot be reached.
func furthest(reach [][]int32, d, k, m, n int) int {
	if d == 0 {
		return 0
	}
	i := max(
		reached(reach, d-1, k)+1,   // a substitution
		reached(reach, d-1, k-1),   // an insertion
		reached(reach, d-1, k+1)+1, // a deletion
	)
	i = min(i, m, n-k)
	if i < 0 || i+k < 0 {
		return -2
	}
	return i
}

// retrace walks back from the end of both texts.
func retrace(reach [][]int32, e, g []rune) script {
	var s script
	i, k := len(e), len(g)-len(e)
	for d := len(reach) - 1; d > 0; d-- {
		from := furthest(reach[:d], d, k, len(e), len(g))
		s = s.stay(from, i, k)
		i = from
		switch {
		case i > 0 && reached(reach, d-1, k+1)+1 >= i:
			i, k = i-1, k+1
			s = s.add(deleted, i, i+k)
		case i+k > 0 && reached(reach, d-1, k-1) >= i:
			k--
			s = s.add(inserted, i, i+k)
		default:
			i--
			s = s.add(substituted, i, i+k)
		}
	}
	return s.stay(0, i, k)
}

// stay adds the two ends of the stretch that stays: on diagonal k, from position from to position to
// of the expected text.
func (s script) stay(from, to, k int) script {
	if to > from {
		s = s.add(substituted, to-1, to-1+k)
	}
	if to > from+1 {
		s = s.add(substituted, from, from+k)
	}
	return s
}

// A step is one edit, or one code point that stays, at position i of the expected
// text and j of the reply.
type step struct {
	kind operation
	i, j int32
}

type operation byte

const (
	inserted operation = iota
	deleted
	// A code point that stays is substituted by itself.
	substituted
)

// A script turns one text into another, last step first. Of a stretch that
// stays, it may name only the two ends.
type script []step

func (s script) add(kind operation, i, j int) script {
	return append(s, step{kind, int32(i), int32(j)})
}

// begin adds the steps from the beginning of both texts to positions i and j,
// one of which is 0.
func (s script) begin(i, j int) script {
	for i > 0 {
		i--
		s = s.add(deleted, i, j)
	}
	for j > 0 {
		j--
		s = s.add(inserted, i, j)
	}
	return s
}

// edits is how far two texts are apart. distance is Levenshtein's: the fewest
// insertions, deletions and substitutions that turn the expected text into the reply.
type edits struct {
	distance int
	// bound: distance is only a lower bound.
	bound bool
	// counted: the four counts below are known. A swap of neighbours counts as
	// two edits: distance = inserted + deleted + substituted + 2 swapped.
	counted                                 bool
	inserted, deleted, substituted, swapped int
}

// count counts the steps of each kind, given the distance d that they add up to.
// Two that only exchange neighbours count as one swap.
func (s script) count(e, g []rune, d int) edits {
	out := edits{distance: d, counted: true}
	for n := len(s) - 1; n >= 0; n-- {
		if width := s.swap(n, e, g); width > 0 {
			out.swapped++
			n -= width - 1
			continue
		}
		switch x := s[n]; {
		case x.kind == inserted:
			out.inserted++
		case x.kind == deleted:
			out.deleted++
		case e[x.i] != g[x.j]:
			out.substituted++
		}
	}
	return out
}

// swap returns how many steps, from n on towards the end of the texts, exchange two
// neighbours: xy becomes yx by two substitutions, or by moving one of the two over
// the other, which stays. It is 0 if the steps do something else.
func (s script) swap(n int, e, g []rune) int {
	if n < 1 {
		return 0
	}
	a, b := s[n], s[n-1]
	if a.kind == substituted {
		if b.kind == substituted && b.i == a.i+1 && e[a.i] != g[a.j] && e[a.i] == g[b.j] && e[b.i] == g[a.j] {
			return 2
		}
		return 0
	}
	if n < 2 || b.kind != substituted || e[b.i] != g[b.j] {
		return 0
	}
	c := s[n-2]
	switch {
	case a.kind == deleted && c.kind == inserted && c.j == b.j+1 && e[a.i] == g[c.j]:
		return 3
	case a.kind == inserted && c.kind == deleted && c.i == b.i+1 && g[a.j] == e[c.i]:
		return 3
	}
	return 0
}
