package damage

import (
	"math/rand/v2"
	"slices"
)

// The spoilers of this file make unspecific mistakes.

// substitutions replaces two characters, or more of a long text: a tenth at most.
func substitutions(r *rand.Rand, t text) (string, bool) {
	n := len(t.runes)
	if n < 3 {
		return "", false
	}
	return redraw(func() []rune { return t.substitute(r, 2+r.IntN(max(2, n/10)-1)) }, keepsEnds)
}

// substitute replaces n characters that are not blank; nil if there are fewer of these.
func (t text) substitute(r *rand.Rand, n int) []rune {
	g := slices.Clone(t.runes)
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

// corrupted replaces some characters, and drops one that is not at an end.
func corrupted(r *rand.Rand, t text) (string, bool) {
	n := len(t.runes)
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

// unrelated draws a text that has no character of the expected one.
func unrelated(r *rand.Rand, t text) (string, bool) {
	var alphabet []rune
	for _, c := range letters + digits {
		if !slices.Contains(t.runes, c) {
			alphabet = append(alphabet, c)
		}
	}
	if len(alphabet) < 3 {
		alphabet = []rune("~^$%@") // the text has nearly all letters and digits
	}
	if len(t.runes) == 0 {
		return "", false
	}
	g := make([]rune, len(t.runes)+1+r.IntN(3))
	for i := range g {
		g[i] = alphabet[r.IntN(len(alphabet))]
	}
	return string(g), !endsInLoop(g)
}
