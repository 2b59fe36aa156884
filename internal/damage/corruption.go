package damage

import (
	"math/rand/v2"
	"slices"
)

// The ways in which nothing in particular is wrong.

// substitutions exchanges two characters, or a tenth of them.
func substitutions(r *rand.Rand, t text) (string, bool) {
	n := len(t.e)
	if n < 3 {
		return "", false
	}
	return redraw(func() []rune { return t.substitute(r, 2+r.IntN(max(2, n/10)-1)) }, keepsEnds)
}

// substitute exchanges n characters that are not blank; nil where there are not so many.
func (t text) substitute(r *rand.Rand, n int) []rune {
	g := slices.Clone(t.e)
	for _, i := range r.Perm(len(g)) {
		if n > 0 && !space(g[i]) {
			g[i] = t.other(r, g[i])
			n--
		}
	}
	if n > 0 {
		return nil
	}
	return g
}

// corrupted exchanges some characters and loses one, in the middle.
func corrupted(r *rand.Rand, t text) (string, bool) {
	n := len(t.e)
	if n < 8 {
		return "", false
	}
	return redraw(func() []rune {
		g := t.substitute(r, 2+r.IntN(n/5))
		if i := 1 + r.IntN(n-2); g != nil {
			g = slices.Delete(g, i, i+1)
		}
		return g
	}, keepsEnds)
}

// unrelated has no character in common with the wanted text.
func unrelated(r *rand.Rand, t text) (string, bool) {
	var alphabet []rune
	for _, c := range letters + digits {
		if !slices.Contains(t.e, c) {
			alphabet = append(alphabet, c)
		}
	}
	if len(alphabet) < 3 {
		alphabet = []rune("~^$%@") // nothing else is left
	}
	if len(t.e) == 0 {
		return "", false
	}
	g := make([]rune, len(t.e)+1+r.IntN(3))
	for i := range g {
		g[i] = alphabet[r.IntN(len(alphabet))]
	}
	return string(g), !endsInLoop(g)
}
