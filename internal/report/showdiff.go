package report

import (
	"slices"
	"strconv"
	"strings"
)

// showDifference lays a difference out: two texts one above the other with a
// line of marks, two lists side by side.
func showDifference(d *Difference, s Style) string {
	var b strings.Builder
	b.WriteString(s.paint(strong, left("difference", label)) + s.paint(faint, "^ other   - missing from the reply   + too much") + "\n")
	for _, note := range d.Notes {
		for _, line := range wrapped(note, s.width()-2) {
			b.WriteString(s.paint(faint, "  "+line) + "\n")
		}
	}
	switch {
	case len(d.rows) > 0:
		b.WriteString(showRows(d.rows, s))
	case d.Aligned:
		b.WriteString(showCells(d.cells, s))
	default:
		b.WriteString(s.paint(faint, "  the two have little in common from character "+count(int64(d.At))+" on") + "\n")
		b.WriteString(beside("wanted", d.want, s) + beside("reply", d.reply, s))
	}
	return b.String()
}

// beside shows the start of a text that could not be aligned.
func beside(name, text string, s Style) string {
	head, rest := excerpt(text, 400)
	var b strings.Builder
	for _, r := range points(head, -1) {
		if r == ' ' {
			b.WriteString(" ")
			continue
		}
		b.WriteString(symbol(r))
	}
	lines := broken(b.String(), s.width()-gutter)
	if rest > 0 {
		lines = append(lines, s.paint(faint, "… "+count(int64(rest))+" more bytes"))
	}
	out := ""
	for i, line := range lines {
		label := ""
		if i == 0 {
			label = name
		}
		out += s.paint(faint, right(label, gutter-2)) + "  " + line + "\n"
	}
	return out
}

// gutter is the width of what stands before the aligned texts: a place and a name.
const gutter = 17

// showCells breaks aligned texts into pairs of lines of the style's width.
func showCells(cells []cellPair, s Style) string {
	var b strings.Builder
	room := s.width() - gutter
	start, used := 0, 0
	for i, c := range cells {
		w := cellWidth(c)
		if used > 0 && used+w > room {
			b.WriteString(showPair(cells[start:i], s))
			start, used = i, 0
		}
		used += w
		if c.breaks {
			b.WriteString(showPair(cells[start:i+1], s))
			start, used = i+1, 0
		}
	}
	if start < len(cells) {
		b.WriteString(showPair(cells[start:], s))
	}
	return b.String()
}

func cellWidth(c cellPair) int { return max(wide(c.want), wide(c.reply)) }

// showPair writes the wanted and the given part of a line, and the marks under
// them.
func showPair(cells []cellPair, s Style) string {
	var want, reply, marks strings.Builder
	differs, wanted, given := false, false, false
	for _, c := range cells {
		w := cellWidth(c)
		mark := " "
		wanted = wanted || c.op == same || c.op == changed || c.op == missed
		given = given || c.op == same || c.op == changed || c.op == extra
		switch c.op {
		case leftOut:
			text := s.paint(faint, c.want)
			want.WriteString(text)
			reply.WriteString(text)
		case same:
			want.WriteString(left(c.want, w))
			reply.WriteString(left(c.reply, w))
		default:
			differs = true
			mark = map[op]string{changed: "^", missed: "-", extra: "+"}[c.op]
			want.WriteString(s.paint(good, left(c.want, w)))
			reply.WriteString(s.paint(bad, left(c.reply, w)))
		}
		marks.WriteString(strings.Repeat(mark, w))
	}
	// A line that has nothing on one side is shown on the other alone.
	at := cells[max(slices.IndexFunc(cells, func(c cellPair) bool { return c.op != leftOut }), 0)].wantAt
	place := right(strconv.Itoa(at), gutter-11)
	var lines []string
	if wanted || !given {
		lines = append(lines, s.paint(faint, place+"  wanted   ")+want.String())
		place = left("", gutter-11)
	}
	if given || !wanted {
		lines = append(lines, s.paint(faint, place+"  reply    ")+reply.String())
	}
	if differs {
		lines = append(lines, left("", gutter)+s.paint(alarm, strings.TrimRight(marks.String(), " ")))
	}
	var b strings.Builder
	for _, line := range lines {
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

// showRows writes two lists side by side.
func showRows(rows []listRow, s Style) string {
	const place = 6
	widest := 0
	for _, r := range rows {
		widest = max(widest, wide(Visible(r.want)), wide(Visible(r.reply)))
		if r.op == missed || r.op == extra {
			widest = max(widest, wide(r.note)+2)
		}
	}
	column := min(max(widest, 6), (s.width()-2*place-6)/2)
	var b strings.Builder
	b.WriteString(s.paint(faint, left("", place+4)+left("wanted", column)+"  "+left("", place)+"reply") + "\n")
	for _, r := range rows {
		b.WriteString(strings.TrimRight(showRow(r, s, place, column), " ") + "\n")
	}
	return b.String()
}

func showRow(r listRow, s Style, place, column int) string {
	if r.op == leftOut {
		return s.paint(faint, strings.Repeat(" ", place+4)+"… "+r.note+" …")
	}
	at := func(n int) string {
		if n < 0 {
			return strings.Repeat(" ", place)
		}
		return s.paint(faint, right(strconv.Itoa(n), place-2)) + "  "
	}
	want, reply := cut(Visible(r.want), column), cut(Visible(r.reply), column)
	tail := ""
	switch { // a note stands where the other list has nothing
	case r.note == "":
	case r.op == missed:
		reply = "(" + r.note + ")"
	case r.op == extra:
		want = "(" + r.note + ")"
	default:
		tail = "  (" + r.note + ")"
	}
	want, reply = left(cut(want, column), column), cut(reply, column)
	mark := map[op]string{same: "  ", changed: "^ ", missed: "- ", extra: "+ "}[r.op]
	switch r.op {
	case changed:
		want, reply = s.paint(good, want), s.paint(bad, reply)
	case missed:
		want, reply = s.paint(good, want), s.paint(faint, reply)
	case extra:
		want, reply = s.paint(faint, want), s.paint(bad, reply)
	}
	line := "  " + s.paint(alarm, mark) + at(r.wantAt) + want + "  " + at(r.replyAt) + reply
	if room := s.width() - 2*place - 2*column - 6; wide(tail) > room {
		tail = "\n" + strings.Repeat(" ", place+2) + tail
	}
	return line + s.paint(faint, tail)
}
