package grade

import (
	"slices"
	"strconv"

	"verbatim/internal/grade/runes"
)

// chunkReversed: the source was reversed in pieces. The pieces are in
// reverse order and read forwards, or they are in order and read backwards.
// Pieces of two or more characters make up half of the text or more.
func (p *pair) chunkReversed() (string, bool) {
	if p.source == nil || len(p.source) != len(p.g) || len(p.g) > maxChunked || !runes.Permuted(p.source, p.g) {
		return "", false
	}
	backwards := slices.Clone(p.source)
	slices.Reverse(backwards)
	// A piece that keeps its contents while the order is reversed is turned round
	// in the reversed source.
	if n := turnedPieces(backwards, p.g, true); n > 0 {
		return "order " + strconv.Itoa(n) + " chunks", true
	}
	if n := turnedPieces(p.source, p.g, false); n > 0 {
		return "contents " + strconv.Itoa(n) + " chunks", true
	}
	return "", false
}

// turnedPieces cuts x into pieces that g has at the same places, turned round. It
// puts as many characters as possible into pieces of two or more, and of such cuts
// takes the one with the fewest pieces. It returns the number of pieces. It returns
// 0 if there is no such cut, if one piece is all of x, or if less than half of x is
// in longer pieces. single allows pieces of one character.
//
// In the text g0 x0 g1 x1 …, a piece turned round is a palindrome of even length
// that begins at an even index. Manacher's algorithm finds all palindromes at once.
func turnedPieces(x, g []rune, single bool) int {
	n := len(g)
	radius := radii(x, g)
	type cut struct{ covered, pieces int } // covered by longer pieces; pieces 0: no cut
	best := make([]cut, n+1)               // of the first characters
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
			centre := int(active[k])
			i := centre - j
			if int(radius[centre]) < j-i {
				active[k] = active[len(active)-1]
				active = active[:len(active)-1]
				continue
			}
			k++
			if i < 0 || !reachable(i) || (i == j-1 && !single) {
				continue
			}
			c := cut{best[i].covered, best[i].pieces + 1}
			if j-i > 1 {
				c.covered += j - i
			}
			if b := best[j]; b.pieces == 0 || c.covered > b.covered || c.covered == b.covered && c.pieces < b.pieces {
				best[j] = c
			}
		}
		if looked += len(active); looked > maxChunks {
			return 0
		}
	}
	if all := best[n]; all.pieces > 1 && 2*all.covered >= n {
		return all.pieces
	}
	return 0
}

// radii returns, for every place between two characters of g0 x0 g1 x1 …, the number of characters
// for which the text reads the same in both directions.
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
