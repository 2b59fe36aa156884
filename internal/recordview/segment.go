package recordview

import (
	"strings"

	"verbatim/internal/terminal"
)

// The Ops of a Piece and a Pair: what a place of two aligned answers holds.
const (
	OpSame    = "same"
	OpMissing = "missing" // from the reply
	OpExtra   = "extra"   // in the reply
	OpChanged = "changed" // one in place of another
	OpMoved   = "moved"   // stands at another place of the other list, see Note
	OpSkipped = "skipped" // Want, or Note, says what is not shown
)

// A Segment is some characters of two aligned texts, as Visible symbols, padded so that
// both take the same number of columns. A side that has nothing there holds a dot for
// each character of the other.
type Segment struct {
	Op          string
	Want, Reply string
	At          int  // position in the expected text
	Breaks      bool // a line of the text ends with it
}

// maxSegment is how many characters a piece has at most: lines break between pieces.
const maxSegment = 8

// Segments returns the aligned texts; nil where lists were aligned, or nothing was.
func (d *Difference) Segments() []Segment {
	var list []Segment
	held := 0
	for _, c := range d.chars {
		name := c.op.name()
		n := len(list)
		if n == 0 || list[n-1].Op != name || name == OpSkipped || list[n-1].Breaks || held == maxSegment {
			list, n, held = append(list, Segment{Op: name, At: c.wantAt}), n+1, 0
		}
		held++
		p := &list[n-1]
		if name == OpSkipped {
			p.Want = c.want
			continue
		}
		w := cellWidth(c)
		p.Want += terminal.PadRight(c.want, w)
		p.Reply += terminal.PadRight(c.reply, w)
		p.Breaks = c.breaks
	}
	return list
}

// A Pair is an item of one aligned list next to that of the other, Visible. A place is
// -1 where a list has none.
type Pair struct {
	Op              string
	Want, Reply     string
	WantAt, ReplyAt int
	Note            string // where an item that moved stands instead
}

// Pairs returns the aligned lists; nil where texts were aligned, or nothing was.
func (d *Difference) Pairs() []Pair {
	var list []Pair
	for _, r := range d.items {
		name := r.op.name()
		if r.moved {
			name = OpMoved
		}
		list = append(list, Pair{name, terminal.Visible(r.want), terminal.Visible(r.reply), r.wantAt, r.replyAt, r.note})
	}
	return list
}

// Unaligned returns the two texts from shortly before their first difference on, Visible,
// where they have too little in common to be aligned; else nothing.
func (d *Difference) Unaligned() (want, reply string) {
	return terminal.Visible(d.want), terminal.Visible(d.reply)
}

func (o op) name() string {
	switch o {
	case same:
		return OpSame
	case missed:
		return OpMissing
	case extra:
		return OpExtra
	case changed:
		return OpChanged
	}
	return OpSkipped
}

// Lines returns a text as lines that are safe to show: each is Visible, spaces at its
// end and line feeds at the end of the text are drawn.
func Lines(text string) []string {
	var b strings.Builder
	visibleParts(text, func(from, to int, show func(string) string) { b.WriteString(show(text[from:to])) })
	return strings.Split(b.String(), "\n")
}

// visibleParts visits the parts of a text in order, each with the function that makes it
// safe to show: the lines, the spaces at their ends, the line feeds between them, and those
// at the end of the text.
func visibleParts(text string, visit func(from, to int, show func(string) string)) {
	head := strings.TrimRight(text, "\n")
	drawSpaces := func(s string) string { return strings.Repeat("␠", len(s)) }
	lineFeed := func(s string) string { return s }
	part := func(from, to int, show func(string) string) {
		if from < to {
			visit(from, to, show)
		}
	}
	at := 0
	for line := range strings.SplitAfterSeq(head, "\n") {
		content := strings.TrimSuffix(line, "\n")
		inner := strings.TrimRight(content, " ")
		part(at, at+len(inner), terminal.Visible)
		part(at+len(inner), at+len(content), drawSpaces)
		part(at+len(content), at+len(line), lineFeed)
		at += len(line)
	}
	part(at, len(text), terminal.Visible)
}
