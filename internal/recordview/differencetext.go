package recordview

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"verbatim"
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

// difference compares a reply with the expected answer. It is nil for an empty reply.
func difference(item *verbatim.Item, reply string) *Difference {
	if item.Want.IsList() {
		if d := listDifference(item.Want.List, reply); d != nil {
			return d
		}
	}
	return textDifference(AnswerText(item.Want), reply)
}

func textDifference(want, reply string) *Difference {
	d := &Difference{Unit: "characters"}
	if i := strings.LastIndex(reply, "</think>"); i >= 0 && !strings.Contains(want, "</think>") {
		reply = reply[i+len("</think>"):]
		d.Notes = append(d.Notes, "compared after the last </think>")
	}
	if reply = d.stripped(reply); reply == "" {
		return nil
	}
	if i := strings.Index(reply, want); i >= 0 && want != "" {
		d.Notes = append(d.Notes, "the expected answer is inside the reply")
		d.inside(want, reply[:i], reply[i+len(want):])
		return d
	}
	at, size := commonHead(want, reply)
	a, b := points(want[size:], maxWindow), points(reply[size:], maxWindow)
	if len(a) == maxWindow || len(b) == maxWindow {
		d.Notes = append(d.Notes, "compared over "+number.Count(maxWindow)+" characters from the first difference on")
	}
	d.At = at
	if steps, ok := editScript(a, b); ok && !pointless(steps, at) {
		head := points(lastPart(want[:size], 8*around), -1)
		c := alignment{d: d, want: append(head, a...), reply: append(head[:len(head):len(head)], b...), base: at - len(head)}
		c.add(append(push(nil, same, len(head)), steps...))
		return d
	}
	d.want, d.reply = lastPart(want[:size], around)+want[size:], lastPart(reply[:size], around)+reply[size:]
	op := opChanged
	if len(a) == 0 {
		op = OpExtra
	}
	d.Edits = []Edit{{op, at, at, max(len(a), len(b)), visibleStart(a), visibleStart(b)}}
	return d
}

// inside describes a reply that holds the expected answer, between the texts before and after.
func (d *Difference) inside(want, before, after string) {
	const limit = 4 * maxRun // bytes that are shown of the text on each side
	head, tail := points(lastPart(before, limit), -1), points(firstPart(after, limit), -1)
	c := alignment{d: d, want: points(want, -1), replyBase: characters(before) - len(head)}
	c.reply = slices.Concat(head, c.want, tail)
	c.skip(c.replyBase, "more before")
	steps := push(nil, extra, len(head))
	steps = push(steps, same, len(c.want))
	c.add(push(steps, extra, len(tail)))
	c.skip(characters(after)-len(tail), "more after")
}

// stripped removes the white space at both ends that grading ignores, and adds a note about it.
func (d *Difference) stripped(s string) string {
	t := strings.TrimFunc(s, pythonSpace)
	if t != s && t != "" {
		head, tail, _ := strings.Cut(s, t)
		for _, edge := range []struct{ where, text string }{{"before", head}, {"after", tail}} {
			if edge.text != "" {
				start, rest := terminal.Excerpt(edge.text, 20)
				picture := strings.ReplaceAll(terminal.Visible(start), " ", "␠")
				if rest > 0 {
					picture += "…"
				}
				d.Notes = append(d.Notes, "white space "+edge.where+" it ("+picture+") does not count")
			}
		}
	}
	return t
}

// pythonSpace reports whether Python's str.strip removes r.
func pythonSpace(r rune) bool { return unicode.IsSpace(r) || r >= 0x1C && r <= 0x1F }

// commonHead returns the number of characters that two texts have in common at their start, and
// their size in bytes.
func commonHead(a, b string) (chars, size int) {
	for size < len(a) && size < len(b) {
		r, n := terminal.DecodeRune(a[size:])
		q, m := terminal.DecodeRune(b[size:])
		if r != q || n != m {
			break
		}
		chars, size = chars+1, size+n
	}
	return chars, size
}

// pointless reports whether a script, after a number of equal characters, has so few equal ones
// that it explains nothing.
func pointless(steps []step, equal int) bool {
	unchanged, edited := 2*equal, 0 // characters of both texts
	for _, s := range steps {
		switch s.op {
		case same:
			unchanged += 2 * s.n
		case changed:
			edited += 2 * s.n
		default:
			edited += s.n
		}
	}
	return float64(edited) > mostlyOther*float64(edited+unchanged) && edited > 2
}

// A markedText is the text of a reply in three parts: the answer that was found in it, and the text
// before and after. Without an answer to mark, all of the text is in Before.
type markedText struct{ Before, Answer, After string }

// MarkAnswer returns the text of the reply with the answer that was found in it, as Lines
// shows texts. An answer that is the whole reply is not marked.
func (v *View) MarkAnswer() markedText {
	text := v.Reply.text
	start, end, ok := v.answerSpan()
	if !ok {
		return markedText{Before: strings.Join(Lines(text), "\n")}
	}
	var parts [3]strings.Builder
	visibleParts(text, func(from, to int, show func(string) string) {
		for i, part := range [3]verbatim.Span{{Start: 0, End: start}, {Start: start, End: end}, {Start: end, End: len(text)}} {
			if a, b := max(from, part.Start), min(to, part.End); a < b {
				parts[i].WriteString(show(text[a:b]))
			}
		}
	})
	return markedText{parts[0].String(), parts[1].String(), parts[2].String()}
}

// HasAnswerSpan reports whether a part of the reply's text is the answer that was found. It
// may be after what a truncated text shows.
func (v *View) HasAnswerSpan() bool {
	at := v.spanOfVerdict()
	return at != nil && v.Reply != nil && !(at.Start == 0 && at.End == v.Reply.Bytes)
}

// spanOfVerdict returns the span of the answer in the reply; nil if it is unknown or invalid.
func (v *View) spanOfVerdict() *verbatim.Span {
	if v.Verdict == nil {
		return nil
	}
	if at := v.Verdict.Span; at != nil && at.Start >= 0 && at.Start < at.End {
		return at
	}
	return nil
}

// answerSpan returns the bytes of the answer in the reply's text, extended to whole characters and
// limited to the text. ok is false if there is nothing to mark.
func (v *View) answerSpan() (start, end int, ok bool) {
	at, text := v.spanOfVerdict(), v.Reply.text
	if at == nil || at.Start >= len(text) || !v.HasAnswerSpan() {
		return 0, 0, false
	}
	for end < min(at.End, len(text)) {
		_, size := terminal.DecodeRune(text[end:])
		if end+size <= at.Start {
			start = end + size
		}
		end += size
	}
	return start, end, true
}

// markedReply returns the text of the reply with marks around the answer that was found in it.
func (v *View) markedReply() string {
	text := v.Reply.text
	start, end, ok := v.answerSpan()
	if !ok {
		return text
	}
	return text[:start] + "⟦" + text[start:end] + "⟧" + text[end:]
}
