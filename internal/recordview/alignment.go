package recordview

import (
	"verbatim/internal/number"
	"verbatim/internal/terminal"
)

// alignment lays the steps of a script out as pairs of symbols and lists the edits.
type alignment struct {
	d           *Difference
	want, reply []rune
	base        int // position of want[0] in the expected text
	replyBase   int // place of reply[0] in the reply, beyond base
	i, j        int // how far the steps have come
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

// equal shows the edges of an equal stretch that lie near a difference: its end
// where it is the first, its beginning where it is the last.
func (c *alignment) equal(n int, last bool) {
	first := len(c.d.chars) == 0
	head, tail := around, around
	if first {
		head = 0
	}
	if last {
		tail = 0
	}
	if n <= head+tail+around/2 {
		head, tail = 0, n // short enough to be shown whole
	}
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

func (c *alignment) advance(o op, n int) {
	if o != extra {
		c.i += n
	}
	if o != missed {
		c.j += n
	}
}

// wordLength is the length up to which every space of a difference is marked: in a
// longer one, single spaces between words cannot be overlooked.
const wordLength = 8

// pair shows the k-th element of a step.
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

// gapSign stands where one text has nothing at the place of the other's character.
const gapSign = "·"

// symbolAt is symbol, with a space shown as such only in prose and between two
// other characters.
func symbolAt(text []rune, i int, prose bool) string {
	if text[i] != ' ' {
		return terminal.Symbol(text[i])
	}
	inner := i > 0 && i+1 < len(text) && text[i-1] != ' ' && text[i+1] != ' ' && text[i-1] != '\n' && text[i+1] != '\n'
	if prose && inner {
		return " "
	}
	return "␠"
}

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
	const mostEdits = 1000
	if len(c.d.Edits) == 0 {
		c.d.At = c.base + c.i
	}
	if len(c.d.Edits) >= mostEdits {
		return
	}
	e := Edit{Op: "changed", WantAt: c.base + c.i, ReplyAt: c.base + c.replyBase + c.j, N: s.n}
	if s.op != extra {
		e.Want = visibleStart(c.want[c.i : c.i+s.n])
	}
	if s.op != missed {
		e.Reply = visibleStart(c.reply[c.j : c.j+s.n])
	}
	switch s.op {
	case missed:
		e.Op = "missing"
	case extra:
		e.Op = "extra"
	}
	c.d.Edits = append(c.d.Edits, e)
}
