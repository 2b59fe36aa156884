package grade

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
