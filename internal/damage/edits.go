package damage

import (
	"math/rand/v2"
	"slices"
	"strings"

	"verbatim"
	"verbatim/internal/pylit"
)

// The spoilers of this file make mistakes in texts: first those that drop, add, replace or move
// characters.

func notReversed(_ *rand.Rand, t text) (string, bool) {
	return string(t.source), t.source != nil
}

func transposed(r *rand.Rand, t text) (string, bool) {
	i := t.position(r, func(i int) bool {
		return i+1 < len(t.runes) && !alike(t.runes[i], t.runes[i+1]) && !space(t.runes[i]) && !space(t.runes[i+1]) && !(t.sum && near(t.runes[i], t.runes[i+1]))
	})
	if i < 0 {
		return "", false
	}
	g := []rune(t.want)
	g[i], g[i+1] = g[i+1], g[i]
	return string(g), !slices.Equal(g, t.source)
}

// chunkReversed reverses the order of the pieces of the source and keeps their contents, or
// reverses the contents and keeps the order.
func chunkReversed(r *rand.Rand, t text) (string, bool) {
	if len(t.source) < 6 || len(t.source) != len(t.runes) {
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

// differences counts the positions at which g differs from the expected text, which is as long.
func (t text) differences(g []rune) (n int) {
	for i := range g {
		if g[i] != t.runes[i] {
			n++
		}
	}
	return n
}

func droppedChar(r *rand.Rand, t text) (string, bool) {
	if len(t.runes) < 2 {
		return "", false
	}
	return redraw(func() []rune {
		i := r.IntN(len(t.runes))
		if space(t.runes[i]) {
			return nil
		}
		return slices.Concat(t.runes[:i], t.runes[i+1:])
	}, keepsEnds)
}

func cutShort(r *rand.Rand, t text) (string, bool) {
	if len(t.runes) < 3 {
		return "", false
	}
	return redraw(func() []rune { return t.runes[:1+r.IntN(len(t.runes)-2)] }, keepsEnds)
}

func headMissing(r *rand.Rand, t text) (string, bool) {
	if len(t.runes) < 3 {
		return "", false
	}
	return redraw(func() []rune { return t.runes[2+r.IntN(len(t.runes)-2):] }, func(g []rune) bool {
		return keepsEnds(g) && !strings.HasPrefix(t.want, string(g))
	})
}

func droppedRun(r *rand.Rand, t text) (string, bool) {
	n := len(t.runes)
	if n < 4 {
		return "", false
	}
	return redraw(func() []rune {
		i, j, _ := span(r, 1, n-1, 2, max(2, n/3))
		return slices.Concat(t.runes[:i], t.runes[j:])
	}, func(g []rune) bool {
		s := string(g)
		return keepsEnds(g) && !strings.HasPrefix(t.want, s) && !strings.HasSuffix(t.want, s) && strings.TrimSpace(s) != ""
	})
}

// looped begins right, and then repeats a few characters.
func looped(r *rand.Rand, t text) (string, bool) {
	if endsInLoop(t.runes) || len(t.runes) == 0 {
		return "", false
	}
	period := 1 + r.IntN(8)
	unit := make([]rune, 0, period)
	for i := t.position(r, func(i int) bool { return alnum(t.runes[i]) }); i >= 0 && i < len(t.runes) && len(unit) < period && alnum(t.runes[i]); i++ {
		unit = append(unit, t.runes[i])
	}
	if len(unit) == 0 {
		unit = t.more(r, period)
	}
	g := slices.Clone(t.runes[:1+r.IntN(len(t.runes))])
	for repeats := 0; len(g) <= len(t.runes) || repeats*len(unit) < 24 || repeats < 4; repeats++ {
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
	if len(t.runes) == 0 {
		return "", false
	}
	i := r.IntN(len(t.runes) + 1)
	return string(slices.Concat(t.runes[:i], t.more(r, 1), t.runes[i:])), true
}

// duplicatedRun repeats a stretch that is not at an end: there, a repetition could be taken for
// text around the answer.
func duplicatedRun(r *rand.Rand, t text) (string, bool) {
	n := len(t.runes)
	i, j, ok := span(r, 1, n-1, 2, max(2, n/3))
	if !ok {
		return "", false
	}
	g := slices.Concat(t.runes[:j], t.runes[i:j], t.runes[j:])
	return string(g), !endsInLoop(g)
}

func insertedRun(r *rand.Rand, t text) (string, bool) {
	n := len(t.runes)
	if n < 2 {
		return "", false
	}
	return redraw(func() []rune {
		i := 1 + r.IntN(n-1)
		run := t.more(r, 2+r.IntN(5))
		g := slices.Concat(t.runes[:i], run, t.runes[i:])
		if repeats(g, i, len(run)) {
			return nil
		}
		return g
	}, keepsEnds)
}

// repeats reports whether n characters near position i of g are followed by the same n characters:
// then an insertion there could be taken for a repetition.
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
	i := t.position(r, func(i int) bool { return !space(t.runes[i]) })
	if i < 0 {
		return "", false
	}
	g := []rune(t.want)
	g[i] = t.other(r, g[i])
	return string(g), true
}

// segmentMoved exchanges two neighbouring stretches.
func segmentMoved(r *rand.Rand, t text) (string, bool) {
	n := len(t.runes)
	if n < 5 {
		return "", false
	}
	return redraw(func() []rune {
		i, j, _ := span(r, 0, n, 5, n)
		if t.source != nil && j-i == n {
			return nil // the halves of a reversal exchanged are two chunks reversed
		}
		k := i + 2 + r.IntN(j-i-3)
		return slices.Concat(t.runes[:i], t.runes[k:j], t.runes[i:k], t.runes[j:])
	}, func(g []rune) bool { return keepsEnds(g) && t.differences(g) > 2 && t.rotated(g) })
}

// rotated reports whether the part of g that differs is a rotation of the same part of the expected
// text.
func (t text) rotated(g []rune) bool {
	i, j := 0, len(g)
	for i < j && g[i] == t.runes[i] {
		i++
	}
	for j > i && g[j-1] == t.runes[j-1] {
		j--
	}
	return strings.Contains(string(t.runes[i:j])+string(t.runes[i:j]), string(g[i:j]))
}

func permuted(r *rand.Rand, t text) (string, bool) {
	if len(t.runes) < 4 {
		return "", false
	}
	return redraw(func() []rune {
		g := slices.Clone(t.runes)
		r.Shuffle(len(g), func(i, j int) { g[i], g[j] = g[j], g[i] })
		return g
	}, func(g []rune) bool { return keepsEnds(g) && t.differences(g) > 2 && !t.rotated(g) })
}

// The following spoilers make unspecific mistakes.

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

// foreseenLabels are the labels of mistakes that only items which foresee them can show.
var foreseenLabels = []string{"wrong_direction", "tie_broken", "twin_taken", "step_missing", "other_operation", "off_by_one"}

// Foreseen returns the answer of one of the mistakes that the item foresees; ok is false
// if it foresees none.
func Foreseen(r *rand.Rand, it *verbatim.Item) (reply string, ok bool) {
	return oneOf(r, it.Mistakes)
}

// labelled returns the answer of one of the mistakes with a label.
func labelled(r *rand.Rand, mistakes []verbatim.Mistake, label string) (string, bool) {
	return oneOf(r, slices.DeleteFunc(slices.Clone(mistakes), func(m verbatim.Mistake) bool { return m.Label != label }))
}

// oneOf draws one of the mistakes, and returns its answer.
func oneOf(r *rand.Rand, mistakes []verbatim.Mistake) (string, bool) {
	if len(mistakes) == 0 {
		return "", false
	}
	return pylit.Answer(mistakes[r.IntN(len(mistakes))].Answer), true
}
