package grade

import (
	"strconv"

	"verbatim/internal/grade/runes"
)

// chunkReversed: the source was reversed in pieces: either the pieces stand in
// reverse order and read forwards, or they stand in order and read backwards.
// Pieces of two or more characters make up half of the text or more.
func (p *pair) chunkReversed() (string, bool) {
	if p.source == nil || len(p.source) != len(p.g) || len(p.g) > maxChunked || !runes.Permuted(p.source, p.g) {
		return "", false
	}
	backwards := make([]rune, len(p.source))
	for i, r := range p.source {
		backwards[len(backwards)-1-i] = r
	}
	// A piece that keeps its contents while the order is reversed is one that is
	// turned round in the reversed source.
	if n := turnedPieces(backwards, p.g, true); n > 0 {
		return "order " + strconv.Itoa(n) + " chunks", true
	}
	if n := turnedPieces(p.source, p.g, false); n > 0 {
		return "contents " + strconv.Itoa(n) + " chunks", true
	}
	return "", false
}

// turnedPieces cuts x into pieces that stand turned round in g, at the same
// places, so that as many characters as possible are in pieces of two or more,
// and of such ways takes the one with the fewest pieces. It returns the number of
// pieces, or 0 when there is no way, when one piece is all of it, or when less
// than half of the text is in longer pieces. Pieces of one character are allowed
// only where single says so.
//
// Written as g0 x0 g1 x1 …, a piece turned round is a palindrome of even length
// that begins at an even place; Manacher's algorithm finds all of them at once.
func turnedPieces(x, g []rune, single bool) int {
	n := len(g)
	radius := radii(x, g)
	type way struct{ covered, pieces int } // pieces 0: no way
	best := make([]way, n+1)
	best[0] = way{0, 0}
	reachable := func(i int) bool { return i == 0 || best[i].pieces > 0 }
	// active holds the centres of the palindromes that end at j or later: the
	// piece from i to j has its centre at i+j and reaches j-i to both sides.
	var active []int32
	looked := 0
	for j := 1; j <= n; j++ {
		for c := max(1, 2*j-2); c <= 2*j-1; c++ {
			active = append(active, int32(c))
		}
		for k := 0; k < len(active); {
			c := int(active[k])
			i := c - j
			if int(radius[c]) < j-i {
				active[k] = active[len(active)-1]
				active = active[:len(active)-1]
				continue
			}
			k++
			if i < 0 || !reachable(i) || (i == j-1 && !single) {
				continue
			}
			w := way{best[i].covered, best[i].pieces + 1}
			if j-i > 1 {
				w.covered += j - i
			}
			if b := best[j]; b.pieces == 0 || w.covered > b.covered || w.covered == b.covered && w.pieces < b.pieces {
				best[j] = w
			}
		}
		if looked += len(active); looked > maxChunks {
			return 0
		}
	}
	if w := best[n]; w.pieces > 1 && 2*w.covered >= n {
		return w.pieces
	}
	return 0
}

// radii returns, for every place between two characters of g0 x0 g1 x1 …, how far
// the text reads the same in both directions from there.
func radii(x, g []rune) []int32 {
	n := 2 * len(g)
	z := make([]rune, n)
	for i := range g {
		z[2*i], z[2*i+1] = g[i], x[i]
	}
	d := make([]int32, n)
	left, right := 0, 0 // the palindrome found that reaches furthest
	for c := 1; c < n; c++ {
		k := 0
		if c < right {
			k = min(int(d[left+right-c]), right-c)
		}
		for c-k-1 >= 0 && c+k < n && z[c-k-1] == z[c+k] {
			k++
		}
		d[c] = int32(k)
		if c+k > right {
			left, right = c-k, c+k
		}
	}
	return d
}
