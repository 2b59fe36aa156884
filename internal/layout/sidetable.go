package layout

import (
	"strings"

	"verbatim/internal/number"
	"verbatim/internal/report"
	"verbatim/internal/terminal"
)

// mostSide is the largest width of a run's column.
const mostSide = 44

// A sideLine is a row of a table side by side, with a cell for each run: either rates or texts.
// Without both it is a head of the rows below it. A name that begins with spaces belongs to the
// row above.
type sideLine struct {
	name   string
	strong bool
	rates  []*report.Rate
	lines  [][]report.Line // the rate of each run by length
	texts  []string
}

// A side is a table side by side, with a column for each of some runs.
type side struct {
	style    terminal.Style
	runs     []report.Block
	from, to int // the runs of the table: runs[from:to]
	name     int // width of the first column
	width    int // width of the others
}

// draw prints the table for a terminal.
func (t side) draw(lines []sideLine, s terminal.Style) string {
	t.style = s
	b := new(strings.Builder)
	t.head(b)
	for _, l := range lines {
		name := terminal.PadRight(terminal.Truncate(terminal.Visible(l.name), t.name), t.name)
		switch {
		case l.strong:
			name = t.style.Paint(terminal.Bold, name)
		case l.rates == nil && l.texts == nil:
			b.WriteString(t.style.Paint(terminal.Faint, strings.TrimRight(name, " ")) + "\n")
			continue
		}
		var out strings.Builder
		out.WriteString(name)
		for i := t.from; i < t.to; i++ {
			out.WriteString(strings.Repeat(" ", gap))
			if l.texts != nil {
				out.WriteString(t.text(l.texts[i]))
			} else {
				out.WriteString(t.rate(l.rates[i], l.lines[i]))
			}
		}
		b.WriteString(strings.TrimRight(out.String(), " ") + "\n")
	}
	return b.String()
}

// head prints the numbers and models of the runs above their columns.
func (t *side) head(b *strings.Builder) {
	var names [][]string
	rows := 0
	for i := t.from; i < t.to; i++ {
		h := &t.runs[i].Head
		lines := headed(terminal.Visible(h.Model), t.width)
		if h.N > 0 {
			lines = append([]string{"run " + number.Count(h.N)}, lines...)
		}
		names = append(names, lines)
		rows = max(rows, len(lines))
	}
	for row := range rows {
		var out strings.Builder
		if row == rows-1 {
			out.WriteString(t.style.Paint(terminal.Faint, terminal.PadRight(terminal.Truncate("exact in %, 95 %", t.name), t.name)))
		} else {
			out.WriteString(terminal.PadRight("", t.name))
		}
		for _, lines := range names {
			text := ""
			if at := row - (rows - len(lines)); at >= 0 {
				text = lines[at]
			}
			out.WriteString(terminal.PadLeft("", gap+t.width-terminal.Width(text)) + t.style.Paint(terminal.Bold, text))
		}
		b.WriteString(strings.TrimRight(out.String(), " ") + "\n")
	}
}

// headed breaks the name of a model into at most four lines, at the ends of its parts.
func headed(name string, width int) []string {
	const most = 4
	var lines []string
	line := ""
	for _, part := range parted(name) {
		if line != "" && terminal.Width(line)+terminal.Width(part) > width {
			lines, line = append(lines, line), ""
		}
		for line += part; terminal.Width(line) > width; {
			head := terminal.Prefix(line, width)
			if head == line {
				break
			}
			lines, line = append(lines, head), line[len(head):]
		}
	}
	lines = append(lines, line)
	if len(lines) > most {
		lines = append(lines[:most-1], terminal.Truncate(lines[most-1]+strings.Repeat("…", width), width))
	}
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	return lines
}

// parted splits a name after each sign between its parts.
func parted(name string) []string {
	var parts []string
	for name != "" {
		end := strings.IndexAny(name, "-:/ _#?&") + 1
		if end == 0 {
			end = len(name)
		}
		parts, name = append(parts, name[:end]), name[end:]
	}
	return parts
}

const (
	shareWidth  = len("100.0")
	rangeWidth  = len("91-100")
	fineWidth   = len("99.1-100.0")
	leastCurve  = 6
	mostDrawing = 24
)

// rate prints a share with its interval. If there is room, a curve by length or a bar is before
// it.
func (t *side) rate(r *report.Rate, by []report.Line) string {
	s := t.style
	if r == nil {
		return terminal.PadLeft("", t.width)
	}
	decimals, of := 0, rangeWidth
	if t.width >= leastCurve+1+shareWidth+1+fineWidth {
		decimals, of = 1, fineWidth
	}
	ends := number.PercentRange(r.Low, r.High, decimals)
	if terminal.Width(ends) > of {
		ends = ">99" // both round to 100
	}
	figures := paintShare(s, r, terminal.PadLeft(number.Percent(r.Share), shareWidth)) + " " + s.Paint(terminal.Faint, terminal.PadLeft(ends, of))
	room := t.width - shareWidth - 1 - of
	if room < leastCurve+1 {
		return strings.Repeat(" ", max(room, 0)) + figures
	}
	room = min(room-1, mostDrawing)
	shape := curve(by)
	if len(by) < 2 || terminal.Width(shape) > room {
		shape = bar(*r, room)
	}
	return strings.Repeat(" ", t.width-room-shareWidth-2-of) + s.Paint(terminal.Drawing, terminal.PadRight(shape, room)) + " " + figures
}

// text prints a text in the width of a column.
func (t *side) text(text string) string {
	return terminal.PadLeft(terminal.Truncate(text, t.width), t.width)
}

// pickOf returns the row of a rate, which of returns for each run with its lines by length. Both may
// be nil.
func pickOf(runs []report.Block, name string, of func(*report.Block) (*report.Rate, []report.Line)) sideLine {
	out := sideLine{name: name}
	for i := range runs {
		rate, lines := of(&runs[i])
		out.rates, out.lines = append(out.rates, rate), append(out.lines, lines)
	}
	return out
}
