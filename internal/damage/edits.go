package damage

import (
	"math/rand/v2"
	"slices"
	"strings"
)

// The ways to lose, add, exchange or move something.

func notReversed(_ *rand.Rand, t text) (string, bool) {
	return string(t.source), t.source != nil
}

func transposed(r *rand.Rand, t text) (string, bool) {
	i := t.position(r, func(i int) bool {
		return i+1 < len(t.e) && !alike(t.e[i], t.e[i+1]) && !space(t.e[i]) && !space(t.e[i+1]) && !(t.sum && near(t.e[i], t.e[i+1]))
	})
	if i < 0 {
		return "", false
	}
	g := []rune(t.want)
	g[i], g[i+1] = g[i+1], g[i]
	return string(g), !slices.Equal(g, t.source)
}

// chunkReversed reverses the order of pieces and keeps their contents, or the
// other way round.
func chunkReversed(r *rand.Rand, t text) (string, bool) {
	if len(t.source) < 6 || len(t.source) != len(t.e) {
		return "", false
	}
	contents := r.IntN(4) == 0
	return redraw(func() (g []rune) {
		for rest := t.source; len(rest) > 0; {
			n := 2 + r.IntN(3)
			if len(rest)-n < 2 {
				n = len(rest)
			}
			piece := slices.Clone(rest[:n])
			rest = rest[n:]
			if contents {
				slices.Reverse(piece)
				g = append(g, piece...)
			} else {
				g = append(piece, g...)
			}
		}
		return g
	}, func(g []rune) bool { return keepsEnds(g) && t.differences(g) > 2 && !slices.Equal(g, t.source) })
}

// differences counts the positions at which g, of the same length, is not the
// wanted text.
func (t text) differences(g []rune) (n int) {
	for i := range g {
		if g[i] != t.e[i] {
			n++
		}
	}
	return n
}

func droppedChar(r *rand.Rand, t text) (string, bool) {
	if len(t.e) < 2 {
		return "", false
	}
	return redraw(func() []rune {
		i := r.IntN(len(t.e))
		if space(t.e[i]) {
			return nil
		}
		return join(t.e[:i], t.e[i+1:])
	}, keepsEnds)
}

func cutShort(r *rand.Rand, t text) (string, bool) {
	if len(t.e) < 3 {
		return "", false
	}
	return redraw(func() []rune { return t.e[:1+r.IntN(len(t.e)-2)] }, keepsEnds)
}

func headMissing(r *rand.Rand, t text) (string, bool) {
	if len(t.e) < 3 {
		return "", false
	}
	return redraw(func() []rune { return t.e[2+r.IntN(len(t.e)-2):] }, func(g []rune) bool {
		return keepsEnds(g) && !strings.HasPrefix(t.want, string(g))
	})
}

func droppedRun(r *rand.Rand, t text) (string, bool) {
	n := len(t.e)
	if n < 4 {
		return "", false
	}
	return redraw(func() []rune {
		i, j, _ := span(r, 1, n-1, 2, max(2, n/3))
		return join(t.e[:i], t.e[j:])
	}, func(g []rune) bool {
		s := string(g)
		return keepsEnds(g) && !strings.HasPrefix(t.want, s) && !strings.HasSuffix(t.want, s) && strings.TrimSpace(s) != ""
	})
}

// looped begins right and does not find the end.
func looped(r *rand.Rand, t text) (string, bool) {
	if endsInLoop(t.e) || len(t.e) == 0 {
		return "", false
	}
	period := 1 + r.IntN(8)
	unit := make([]rune, 0, period)
	for i := t.position(r, func(i int) bool { return alnum(t.e[i]) }); i >= 0 && i < len(t.e) && len(unit) < period && alnum(t.e[i]); i++ {
		unit = append(unit, t.e[i])
	}
	if len(unit) == 0 {
		unit = t.more(r, period)
	}
	g := slices.Clone(t.e[:1+r.IntN(len(t.e))])
	for repeats := 0; len(g) <= len(t.e) || repeats*len(unit) < 24 || repeats < 4; repeats++ {
		g = append(g, unit...)
	}
	return string(g), true
}

// endsInLoop reports whether e ends in a period of up to 64 code points that is
// repeated four times or more, over 24 or more.
func endsInLoop(e []rune) bool {
	for period := 1; period <= 64; period++ {
		n := max(4*period, 24)
		if len(e) < n {
			continue
		}
		tail := e[len(e)-n:]
		if slices.Equal(tail[period:], tail[:n-period]) {
			return true
		}
	}
	return false
}

func insertedChar(r *rand.Rand, t text) (string, bool) {
	if len(t.e) == 0 {
		return "", false
	}
	i := r.IntN(len(t.e) + 1)
	return string(join(t.e[:i], t.more(r, 1), t.e[i:])), true
}

// duplicatedRun repeats a stretch that is neither first nor last: there, what is
// added could be taken for talk around the answer.
func duplicatedRun(r *rand.Rand, t text) (string, bool) {
	n := len(t.e)
	i, j, ok := span(r, 1, n-1, 2, max(2, n/3))
	if !ok {
		return "", false
	}
	g := join(t.e[:j], t.e[i:j], t.e[j:])
	return string(g), !endsInLoop(g)
}

func insertedRun(r *rand.Rand, t text) (string, bool) {
	n := len(t.e)
	if n < 2 {
		return "", false
	}
	return redraw(func() []rune {
		i := 1 + r.IntN(n-1)
		run := t.more(r, 2+r.IntN(5))
		g := join(t.e[:i], run, t.e[i:])
		if repeats(g, i, len(run)) {
			return nil
		}
		return g
	}, keepsEnds)
}

// repeats reports whether n characters in a row, near position i of g, are those
// of n further on: then what was put there could be taken for a repetition.
func repeats(g []rune, i, n int) bool {
	run := 0
	for k := max(0, i-2*n); k < min(i+2*n, len(g)-n); k++ {
		if g[k] != g[k+n] {
			run = 0
		} else if run++; run == n {
			return true
		}
	}
	return false
}

func substitutedChar(r *rand.Rand, t text) (string, bool) {
	i := t.position(r, func(i int) bool { return !space(t.e[i]) })
	if i < 0 {
		return "", false
	}
	g := []rune(t.want)
	g[i] = t.other(r, g[i])
	return string(g), true
}

// segmentMoved exchanges two neighbouring stretches.
func segmentMoved(r *rand.Rand, t text) (string, bool) {
	n := len(t.e)
	if n < 5 {
		return "", false
	}
	return redraw(func() []rune {
		i, j, _ := span(r, 0, n, 5, n)
		if t.source != nil && j-i == n {
			return nil // the halves of a reversal exchanged are two chunks reversed
		}
		k := i + 2 + r.IntN(j-i-3)
		return join(t.e[:i], t.e[k:j], t.e[i:k], t.e[j:])
	}, func(g []rune) bool { return keepsEnds(g) && t.differences(g) > 2 && t.rotated(g) })
}

// rotated reports whether the part of g that differs is a rotation of what should
// stand there.
func (t text) rotated(g []rune) bool {
	i, j := 0, len(g)
	for i < j && g[i] == t.e[i] {
		i++
	}
	for j > i && g[j-1] == t.e[j-1] {
		j--
	}
	return strings.Contains(string(t.e[i:j])+string(t.e[i:j]), string(g[i:j]))
}

func permuted(r *rand.Rand, t text) (string, bool) {
	if len(t.e) < 4 {
		return "", false
	}
	return redraw(func() []rune {
		g := slices.Clone(t.e)
		r.Shuffle(len(g), func(i, j int) { g[i], g[j] = g[j], g[i] })
		return g
	}, func(g []rune) bool { return keepsEnds(g) && t.differences(g) > 2 && !t.rotated(g) })
}
