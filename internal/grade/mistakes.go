package grade

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"verbatim/internal/grade/runes"
	"verbatim/internal/grade/traits"
)

// The rules for single mistakes: something lost, added, exchanged or moved. Positions
// count code points of the expected text from 0.

func at(i int) string { return "@" + strconv.Itoa(i) }

func atLen(i, n int) string { return at(i) + " len " + strconv.Itoa(n) }

// notReversed: the reply is the text to reverse, as a whole or word by word.
func (p *pair) notReversed() (string, bool) {
	return "", p.source != nil && slices.Equal(p.g, p.source) && runes.Permuted(p.e, p.source)
}

// transposed: two neighbours changed places and nothing else is wrong.
func (p *pair) transposed() (string, bool) {
	i := p.head
	if p.differ != 2 || p.e[i] != p.g[i+1] || p.e[i+1] != p.g[i] || p.e[i] == p.g[i] {
		return "", false
	}
	return at(i), true
}

// lost returns how many code points are missing from a reply that is otherwise
// right; 0 for any other reply.
func (p *pair) lost() int {
	if k := len(p.e) - len(p.g); k > 0 && p.head+p.tail >= len(p.g) {
		return k
	}
	return 0
}

// gained returns how many code points too many a reply has that is otherwise
// right, and where they begin; 0 for any other reply.
func (p *pair) gained() (n, from int) {
	if k := len(p.g) - len(p.e); k > 0 && p.head+p.tail >= len(p.e) {
		return k, p.head
	}
	return 0, 0
}

func (p *pair) droppedChar() (string, bool) {
	if p.lost() != 1 {
		return "", false
	}
	i := p.head
	switch {
	case i == len(p.g):
		return "end", true
	case p.tail == len(p.g):
		return "start", true
	case p.e[i-1] == p.e[i]: // the common head has all characters of a run but the last
		return "run " + at(i), true
	}
	return at(i), true
}

// cutShort: the end is missing.
func (p *pair) cutShort() (string, bool) {
	return strconv.Itoa(p.lost()) + " missing", p.lost() > 1 && p.head == len(p.g)
}

func (p *pair) headMissing() (string, bool) {
	return strconv.Itoa(p.lost()), p.lost() > 1 && p.tail == len(p.g)
}

func (p *pair) droppedRun() (string, bool) {
	return atLen(p.head, p.lost()), p.lost() > 1
}

func (p *pair) insertedChar() (string, bool) {
	n, i := p.gained()
	if n != 1 {
		return "", false
	}
	if doubled(p.g, i, n) {
		return "duplicate " + at(i), true
	}
	return at(i), true
}

// duplicatedRun: the extra text repeats its neighbour.
func (p *pair) duplicatedRun() (string, bool) {
	n, i := p.gained()
	return atLen(i, n), n > 1 && doubled(p.g, i, n)
}

func (p *pair) insertedRun() (string, bool) {
	n, i := p.gained()
	return atLen(i, n), n > 1
}

// doubled reports whether the n extra code points of g at i repeat their neighbour: n code points that
// begin between i-2n and i-n equal the n behind them. (What follows the extra ones cannot be what they
// repeat: it would be part of the common head.) So n positions in a row each equal the one n further on,
// which one pass finds.
func doubled(g []rune, i, n int) bool {
	if i < n {
		return false
	}
	run := 0
	for t := max(0, i-2*n); t < i && run < n; t++ {
		if run++; g[t] != g[t+n] {
			run = 0
		}
	}
	return run >= n
}

func (p *pair) substitutedChar() (string, bool) {
	if p.differ != 1 {
		return "", false
	}
	return exchange(p.e[p.head], p.g[p.head], p.head), true
}

// segmentMoved: two neighbouring stretches changed places.
func (p *pair) segmentMoved() (string, bool) {
	if p.differ < 2 || !p.permuted() {
		return "", false
	}
	e, g := p.e[p.head:len(p.e)-p.tail], p.g[p.head:len(p.g)-p.tail]
	if moved := rotation(e, g); moved || !p.found {
		return atLen(p.head, len(e)), moved
	}
	// The last space of "a b " and "b a " is in the common tail, and the first one of " a b" and " b a" in the
	// common head.
	head, tail := min(1, p.head), min(1, p.tail)
	longer := rotation(p.e[p.head:len(p.e)-p.tail+tail], p.g[p.head:len(p.g)-p.tail+tail]) ||
		rotation(p.e[p.head-head:len(p.e)-p.tail], p.g[p.head-head:len(p.g)-p.tail])
	return atLen(p.head, len(e)), longer
}

// rotation reports whether b is an end of a followed by the rest of a. Both have the same length.
// Knuth, Morris and Pratt's search finds b in a written twice.
func rotation(a, b []rune) bool {
	border := make([]int32, len(b)+1) // border[i]: longest proper border of b[:i]
	border[0] = -1
	for i, k := 0, int32(-1); i < len(b); {
		for k >= 0 && b[i] != b[k] {
			k = border[k]
		}
		i, k = i+1, k+1
		border[i] = k
	}
	k := int32(0)
	for i := range 2 * len(a) {
		r := a[i%len(a)]
		for k >= 0 && r != b[k] {
			k = border[k]
		}
		if k++; int(k) == len(b) {
			return true
		}
	}
	return false
}

// permutation: the same characters in another order.
func (p *pair) permutation() (string, bool) {
	return strconv.Itoa(p.differ) + " positions", p.permuted()
}

// substitutions: at most a tenth of the positions differ, or two. In an answer that was found, it is also
// at most a half.
func (p *pair) substitutions() (string, bool) {
	return strconv.Itoa(p.differ), p.differ >= 0 && p.differ <= max(2, len(p.e)/10) && (!p.found || 2*p.differ <= len(p.e))
}

// refusal: words of refusal in a reply that quotes less than half of the expected text in
// words of eight or more characters.
func (p *pair) refusal() (string, bool) {
	if !traits.Refuses(p.got) {
		return "", false
	}
	quoted, searched := 0, 0
	for word := range strings.FieldsFuncSeq(p.got, func(r rune) bool { return !runes.IsWord(r) }) {
		n := utf8.RuneCountInString(word)
		if n < 8 || len(word) > len(p.want) {
			continue
		}
		if searched += len(p.want); searched > maxQuoting {
			return "", false
		}
		if strings.Contains(p.want, word) {
			if quoted += n; 2*quoted >= len(p.e) {
				return "", false
			}
		}
	}
	return "", 2*quoted < len(p.e)
}

// looped: the reply ends in a loop that the expected text does not end in.
func (p *pair) looped() (string, bool) {
	period, ok := 0, false
	if p.found {
		period, ok = traits.LoopsBeyond(p.got, p.want)
	} else {
		period = traits.LoopTail(p.g)
		ok = period > 0 && traits.LoopTail(p.e) == 0
	}
	return "period " + strconv.Itoa(period), ok
}
