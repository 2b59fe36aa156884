package recordview

import (
	"verbatim/internal/number"
	"verbatim/internal/terminal"
)

// An alignment lays the steps of a script out as pairs of symbols, and lists the edits.
type alignment struct {
	d           *Difference
	want, reply []rune
	base        int // position of want[0] in the expected text
	replyBase   int // position of reply[0] in the reply, minus base
	cursor
}

// add appends the steps, leaving out what is equal and far from a difference.
func (c *alignment) add(steps []step) {
	c.d.Aligned = true
	for n, s := range steps {
		if s.op == same {
			c.equal(s.n, n == len(steps)-1)
			continue
		}
		c.edit(s)
		shown := min(s.n, maxRun)
		for k := range shown {
			c.pair(s.op, k, s.n > wordLength)
		}
		c.advance(s.op, s.n)
		c.skip(s.n-shown, "more like this")
	}
}

// equal shows the ends of an equal stretch that are near a difference. The first stretch has a
// difference only behind it, the last one only before it.
func (c *alignment) equal(n int, last bool) {
	first := len(c.d.chars) == 0
	head, tail := shownEnds(n, around, around/2, first, last)
	c.show(head)
	left := n - head - tail
	if first {
		c.skip(c.base+left, "equal")
	} else {
		c.skip(left, "equal")
	}
	c.advance(same, left)
	c.show(tail)
}

// show shows n equal characters.
func (c *alignment) show(n int) {
	for k := range n {
		c.pair(same, k, true)
	}
	c.advance(same, n)
}

// wordLength is the length up to which every space of a difference is marked. In a longer one,
// single spaces between words cannot be overlooked.
const wordLength = 8

// pair shows the k-th character of a step; see symbolAt for prose.
func (c *alignment) pair(o op, k int, prose bool) {
	if len(c.d.chars) >= maxShown {
		return
	}
	p := charPair{op: o, want: gapSign, reply: gapSign, wantAt: c.base + c.i}
	if o != extra {
		p.want, p.wantAt = symbolAt(c.want, c.i+k, prose), c.base+c.i+k
		p.breaks = c.want[c.i+k] == '\n'
	}
	if o != missed {
		p.reply = symbolAt(c.reply, c.j+k, prose)
		p.breaks = p.breaks || c.reply[c.j+k] == '\n'
	}
	c.d.chars = append(c.d.chars, p)
}

// gapSign is shown where one text has no character for the other's.
const gapSign = "·"

// symbolAt returns the symbol of a character. A space is shown as one only in prose, between two
// other characters; otherwise as ␠.
func symbolAt(text []rune, i int, prose bool) string {
	if text[i] != ' ' {
		return terminal.Symbol(text[i])
	}
	other := func(i int) bool { return i >= 0 && i < len(text) && text[i] != ' ' && text[i] != '\n' }
	if prose && other(i-1) && other(i+1) {
		return " "
	}
	return "␠"
}

// skip says that n characters are not shown, if there are any.
func (c *alignment) skip(n int, what string) {
	switch {
	case n <= 0:
	case len(c.d.chars) < maxShown:
		c.d.chars = append(c.d.chars, charPair{op: leftOut, want: "…" + number.Count(int64(n)) + " " + what + "…", wantAt: c.base + c.i})
	case len(c.d.chars) == maxShown:
		c.d.chars = append(c.d.chars, charPair{op: leftOut, want: "…and more…", wantAt: c.base + c.i})
	}
}

// edit lists a step among the edits.
func (c *alignment) edit(s step) {
	const limit = 1000
	if len(c.d.Edits) == 0 {
		c.d.At = c.base + c.i
	}
	if len(c.d.Edits) >= limit {
		return
	}
	e := Edit{Op: s.op.name(), WantAt: c.base + c.i, ReplyAt: c.base + c.replyBase + c.j, N: s.n}
	if s.op != extra {
		e.Want = visibleStart(c.want[c.i : c.i+s.n])
	}
	if s.op != missed {
		e.Reply = visibleStart(c.reply[c.j : c.j+s.n])
	}
	c.d.Edits = append(c.d.Edits, e)
}
