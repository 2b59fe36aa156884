package recordview

import (
	"slices"
	"strings"
	"unicode"

	"verbatim"
	"verbatim/internal/number"
	"verbatim/internal/terminal"
)

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
