package recordview

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"verbatim"
	"verbatim/internal/number"
	"verbatim/internal/terminal"
)

// difference compares a reply with the expected answer; nil when the reply is empty,
// which says it all.
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
	op := "changed"
	if len(a) == 0 {
		op = "extra"
	}
	d.Edits = []Edit{{op, at, at, max(len(a), len(b)), visibleStart(a), visibleStart(b)}}
	return d
}

// inside describes a reply that holds the expected answer between other text.
func (d *Difference) inside(want, before, after string) {
	const most = 4 * maxRun // bytes of the other text that are looked at
	head := lastPart(before, most)
	tail := firstPart(after, most)
	c := alignment{d: d, want: points(want, -1), replyBase: utf8.RuneCountInString(before) - utf8.RuneCountInString(head)}
	c.reply = append(append(points(head, -1), c.want...), points(tail, -1)...)
	c.skip(c.replyBase, "more before")
	steps := push(nil, extra, len(points(head, -1)))
	steps = push(steps, same, len(c.want))
	c.add(push(steps, extra, len(points(tail, -1))))
	c.skip(utf8.RuneCountInString(after)-utf8.RuneCountInString(tail), "more after")
}

// stripped takes the white space off that grading does not look at, and says so.
func (d *Difference) stripped(s string) string {
	t := strings.TrimFunc(s, pythonSpace)
	if t != s && t != "" {
		head, tail := s[:strings.Index(s, t)], s[strings.Index(s, t)+len(t):]
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

// pythonSpace reports what Python's str.strip takes away.
func pythonSpace(r rune) bool { return unicode.IsSpace(r) || r >= 0x1C && r <= 0x1F }

// commonHead returns how many characters two texts begin with alike, and how
// many bytes these take.
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

// pointless reports whether a script, after some equal characters, keeps so
// little that it explains nothing.
func pointless(steps []step, equal int) bool {
	equalSteps, edits := 2*equal, 0
	for _, s := range steps {
		switch s.op {
		case same:
			equalSteps += 2 * s.n
		case changed:
			edits += 2 * s.n
		default:
			edits += s.n
		}
	}
	return float64(edits) > mostlyOther*float64(edits+equalSteps) && edits > 2
}
