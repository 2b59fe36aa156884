package recordview

import (
	"cmp"
	"strings"

	"verbatim/internal/terminal"
)

// A Segment is a few characters of two aligned texts, as Visible symbols. Both sides are padded to
// the same number of columns. A side without characters has a dot for each of the other side.
type Segment struct {
	Op          string
	Want, Reply string
	Breaks      bool // it ends a line of the text
}

// Signs are the signs below the characters; spaces if both texts have the same.
func (s Segment) Signs() string {
	sign := map[string]string{OpMissing: "-", OpExtra: "+", opChanged: "^"}[s.Op]
	return strings.Repeat(cmp.Or(sign, " "), terminal.Width(s.Want))
}

// maxSegment is the maximum number of characters of a segment: lines break between segments.
const maxSegment = 8

// Segments returns the aligned texts; nil if lists were aligned, or nothing was.
func (d *Difference) Segments() []Segment {
	var list []Segment
	chars := 0 // of the last segment
	for _, c := range d.chars {
		name := c.op.name()
		n := len(list)
		if n == 0 || list[n-1].Op != name || name == opSkipped || list[n-1].Breaks || chars == maxSegment {
			list, n, chars = append(list, Segment{Op: name}), n+1, 0
		}
		chars++
		p := &list[n-1]
		if name == opSkipped {
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

// A Pair is an item of one aligned list next to an item of the other, both Visible and cut. A position is
// -1 if a list has no item there.
type Pair struct {
	Op              string
	Want, Reply     string
	WantAt, ReplyAt int
	Note            string // such as where a moved item is instead
}

// Pairs returns the aligned lists; nil if texts were aligned, or nothing was.
func (d *Difference) Pairs() []Pair {
	var list []Pair
	for _, r := range d.items {
		want, reply := terminal.Truncate(terminal.Visible(r.want), 120), terminal.Truncate(terminal.Visible(r.reply), 120)
		list = append(list, Pair{r.name(), want, reply, r.wantAt, r.replyAt, r.note})
	}
	return list
}

// Unaligned returns the two texts from shortly before their first difference on, Visible, if they
// have too little in common to be aligned. Otherwise both are empty.
func (d *Difference) Unaligned() (want, reply string) {
	return terminal.Visible(d.want), terminal.Visible(d.reply)
}

// Lines returns a text as lines that are safe to show. Each is Visible; spaces at its end, and line
// feeds at the end of the text, are symbols.
func Lines(text string) []string {
	var b strings.Builder
	visibleParts(text, func(from, to int, show func(string) string) { b.WriteString(show(text[from:to])) })
	return strings.Split(b.String(), "\n")
}

// visibleParts visits the parts of a text in order: the lines, the spaces at their ends, the line
// feeds between them, and those at the end of the text. show makes a part safe to show.
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
