package recordview

import (
	"slices"
	"strconv"
	"strings"

	"verbatim/internal/number"
	"verbatim/internal/terminal"
)

// showDifference lays a difference out: two texts one above the other, with a line of marks, or two
// lists next to each other.
func showDifference(d *Difference, s terminal.Style) string {
	var b strings.Builder
	b.WriteString(heading("difference", s) + s.Paint(terminal.Faint, "^ other   - missing from the reply   + too much") + "\n")
	for _, note := range d.Notes {
		for _, line := range terminal.Wrap(note, s.Columns()-2) {
			b.WriteString(s.Paint(terminal.Faint, "  "+line) + "\n")
		}
	}
	switch {
	case len(d.items) > 0:
		b.WriteString(showRows(d.items, s))
	case d.Aligned:
		b.WriteString(showCells(d.chars, s))
	default:
		b.WriteString(s.Paint(terminal.Faint, "  the two have little in common from character "+number.Count(int64(d.At))+" on") + "\n")
		b.WriteString(writeUnaligned("expected", d.want, s) + writeUnaligned("reply", d.reply, s))
	}
	return b.String()
}

// writeUnaligned shows the start of a text that could not be aligned.
func writeUnaligned(name, text string, s terminal.Style) string {
	head, rest := terminal.Excerpt(text, 400)
	lines := terminal.WrapAnywhere(visibleStart(points(head, -1)), s.Columns()-gutter)
	if rest > 0 {
		lines = append(lines, s.Paint(terminal.Faint, "… "+number.Count(int64(rest))+" more bytes"))
	}
	out := ""
	for i, line := range lines {
		label := ""
		if i == 0 {
			label = name
		}
		out += s.Paint(terminal.Faint, terminal.PadLeft(label, gutter-2)) + "  " + line + "\n"
	}
	return out
}

// gutter is the number of columns before the aligned texts: for a position and a name.
const gutter = 17

// showCells breaks aligned texts into pairs of lines of the style's width.
func showCells(cells []charPair, s terminal.Style) string {
	var b strings.Builder
	room := s.Columns() - gutter
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

func cellWidth(c charPair) int { return max(terminal.Width(c.want), terminal.Width(c.reply)) }

// showPair writes the expected part of a line, that of the reply, and the marks below them.
func showPair(cells []charPair, s terminal.Style) string {
	var want, reply, marks strings.Builder
	differs, wantSide, replySide := false, false, false
	for _, c := range cells {
		w := cellWidth(c)
		mark := " "
		wantSide = wantSide || c.op == same || c.op == changed || c.op == missed
		replySide = replySide || c.op == same || c.op == changed || c.op == extra
		switch c.op {
		case leftOut:
			text := s.Paint(terminal.Faint, c.want)
			want.WriteString(text)
			reply.WriteString(text)
		case same:
			want.WriteString(terminal.PadRight(c.want, w))
			reply.WriteString(terminal.PadRight(c.reply, w))
		default:
			differs = true
			mark = map[op]string{changed: "^", missed: "-", extra: "+"}[c.op]
			want.WriteString(s.Paint(terminal.Good, terminal.PadRight(c.want, w)))
			reply.WriteString(s.Paint(terminal.Bad, terminal.PadRight(c.reply, w)))
		}
		marks.WriteString(strings.Repeat(mark, w))
	}
	// If only one side has characters, only that is shown.
	at := cells[max(slices.IndexFunc(cells, func(c charPair) bool { return c.op != leftOut }), 0)].wantAt
	place := terminal.PadLeft(strconv.Itoa(at), gutter-11)
	var lines []string
	if wantSide || !replySide {
		lines = append(lines, s.Paint(terminal.Faint, place+"  expected ")+want.String())
		place = terminal.PadRight("", gutter-11)
	}
	if replySide || !wantSide {
		lines = append(lines, s.Paint(terminal.Faint, place+"  reply    ")+reply.String())
	}
	if differs {
		lines = append(lines, terminal.PadRight("", gutter)+s.Paint(terminal.Alert, strings.TrimRight(marks.String(), " ")))
	}
	var b strings.Builder
	for _, line := range lines {
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

// showRows writes two lists next to each other.
func showRows(rows []itemRow, s terminal.Style) string {
	const place = 6
	widest := 0
	for _, r := range rows {
		widest = max(widest, terminal.Width(terminal.Visible(r.want)), terminal.Width(terminal.Visible(r.reply)))
		if r.op == missed || r.op == extra {
			widest = max(widest, terminal.Width(r.note)+2)
		}
	}
	column := min(max(widest, 8), (s.Columns()-2*place-6)/2)
	var b strings.Builder
	b.WriteString(s.Paint(terminal.Faint, terminal.PadRight("", place+4)+terminal.PadRight("expected", column)+"  "+terminal.PadRight("", place)+"reply") + "\n")
	for _, r := range rows {
		b.WriteString(strings.TrimRight(showRow(r, s, place, column), " ") + "\n")
	}
	return b.String()
}

func showRow(r itemRow, s terminal.Style, place, column int) string {
	if r.op == leftOut {
		return s.Paint(terminal.Faint, strings.Repeat(" ", place+4)+"… "+r.note+" …")
	}
	at := func(n int) string {
		if n < 0 {
			return strings.Repeat(" ", place)
		}
		return s.Paint(terminal.Faint, terminal.PadLeft(strconv.Itoa(n), place-2)) + "  "
	}
	want, reply := terminal.Truncate(terminal.Visible(r.want), column), terminal.Truncate(terminal.Visible(r.reply), column)
	tail := ""
	switch { // if one list has no item, the note takes its room
	case r.note == "":
	case r.op == missed:
		reply = "(" + r.note + ")"
	case r.op == extra:
		want = "(" + r.note + ")"
	default:
		tail = "  (" + r.note + ")"
	}
	want, reply = terminal.PadRight(terminal.Truncate(want, column), column), terminal.Truncate(reply, column)
	mark := map[op]string{same: "  ", changed: "^ ", missed: "- ", extra: "+ "}[r.op]
	switch r.op {
	case changed:
		want, reply = s.Paint(terminal.Good, want), s.Paint(terminal.Bad, reply)
	case missed:
		want, reply = s.Paint(terminal.Good, want), s.Paint(terminal.Faint, reply)
	case extra:
		want, reply = s.Paint(terminal.Faint, want), s.Paint(terminal.Bad, reply)
	}
	line := "  " + s.Paint(terminal.Alert, mark) + at(r.wantAt) + want + "  " + at(r.replyAt) + reply
	if room := s.Columns() - 2*place - 2*column - 6; terminal.Width(tail) > room {
		tail = "\n" + strings.Repeat(" ", place+2) + tail
	}
	return line + s.Paint(terminal.Faint, tail)
}
