package layout

import (
	"slices"
	"strings"

	"verbatim"
	"verbatim/internal/number"
	"verbatim/internal/report"
	"verbatim/internal/table"
	"verbatim/internal/terminal"
)

// sides shows several runs side by side: a column for each, with as many in a table as fit. It is
// nil if the options ask for other tables, if the terminal is too narrow, or if the runs have no
// families.
func sides(r *report.Report, o Options, columns int) []table.Block {
	if len(r.Runs) < 2 || o.ByRun || o.EveryLength {
		return nil
	}
	lines := sideLines(r.Runs)
	if len(lines) == 0 {
		return nil
	}
	name := 0
	for _, l := range lines {
		name = max(name, terminal.Width(terminal.Visible(l.name)))
	}
	name = min(name, columns/3)
	fit := (columns - name) / (leastSide + gap)
	if fit < 2 {
		return nil
	}
	tables := (len(r.Runs) + fit - 1) / fit
	each := (len(r.Runs) + tables - 1) / tables // about as many in each table

	var body []table.Block
	for from := 0; from < len(r.Runs); from += each {
		to := min(from+each, len(r.Runs))
		t := side{runs: r.Runs, from: from, to: to, name: name, width: min((columns-name)/(to-from)-gap, mostSide)}
		body = append(body, &table.Table{Drawn: func(s terminal.Style) string { return t.draw(lines, s) }}, table.Blank{})
	}
	body = append(body, table.Facts{{Name: "reading", Parts: []string{
		"exact: of the answers, with its 95 % range",
		"extracted: the answer found in the reply is right",
		"–: not answered",
		"report --by-run: every run by itself",
	}}})
	for i := range r.Runs {
		body = append(body, warningList(namedWarnings(&r.Runs[i])))
	}
	return body
}

// namedWarnings returns the warnings of a run, each with the name of the run before it.
func namedWarnings(b *report.Block) []report.Warning {
	var out []report.Warning
	for _, w := range b.Warnings {
		out = append(out, report.Warning{Kind: w.Kind, Text: runName(&b.Head) + ": " + w.Text})
	}
	return out
}

// runName names a run by its number, or by its name if it has no number.
func runName(h *report.Head) string {
	if h.N > 0 {
		return "run " + number.Count(h.N)
	}
	return terminal.Visible(h.Name)
}

// sideLines lists the rows: the families, all families together, and other facts. If they fit the
// screen, each family has rows for its lengths; otherwise only the total has.
func sideLines(runs []report.Block) []sideLine {
	families, each := sideFamilies(runs)
	if len(families) == 0 {
		return nil
	}
	expand := each <= screenful
	var out []sideLine
	for _, name := range families {
		out = append(out, sideFamily(runs, name, expand)...)
	}
	if len(families) > 1 {
		out = append(out, pickOf(runs, "all", func(b *report.Block) (*report.Rate, []report.Line) { return &b.Total.Exact, b.Lengths }))
		out[len(out)-1].strong = true
		if !expand {
			out = append(out, sideLengths(runs)...)
		}
	}
	return append(out, sideFacts(runs)...)
}

// sideFamilies lists the families of all runs, and counts the rows of them and their lengths.
func sideFamilies(runs []report.Block) (names []string, rows int) {
	for i := range runs {
		for j := range runs[i].Families {
			f := &runs[i].Families[j]
			if slices.Contains(names, f.Name) {
				continue
			}
			names = append(names, f.Name)
			if rows++; len(f.Lines) > 1 {
				rows += len(f.Lines)
			}
		}
	}
	return names, rows
}

// sideFamily returns the row of a family, and with expand those of its lengths.
func sideFamily(runs []report.Block, name string, expand bool) []sideLine {
	of := func(b *report.Block) *report.Family {
		for i := range b.Families {
			if b.Families[i].Name == name {
				return &b.Families[i]
			}
		}
		return nil
	}
	var all []report.Family
	for i := range runs {
		if f := of(&runs[i]); f != nil {
			all = append(all, *f)
		}
	}
	lengths := lengthHeads(all)
	title := name
	if len(lengths) == 1 {
		title, lengths = strings.TrimSpace(name+" "+lengths[0]), nil
	}
	head := pickOf(runs, title, func(b *report.Block) (*report.Rate, []report.Line) {
		if f := of(b); f != nil {
			return &f.Total.Exact, f.Lines
		}
		return nil, nil
	})
	head.strong = expand && len(lengths) > 0
	out := []sideLine{head}
	if !expand {
		return out
	}
	for _, length := range lengths {
		out = append(out, pickOf(runs, "  "+lengthWord(length), func(b *report.Block) (*report.Rate, []report.Line) {
			if f := of(b); f != nil {
				return exactAt(f.Lines, length), nil
			}
			return nil, nil
		}))
	}
	return out
}

// sideLengths returns the rows of all families together at each length.
func sideLengths(runs []report.Block) []sideLine {
	var all []report.Family
	for i := range runs {
		all = append(all, report.Family{Lines: runs[i].Lengths})
	}
	var out []sideLine
	for _, length := range lengthHeads(all) {
		out = append(out, pickOf(runs, "  "+lengthWord(length), func(b *report.Block) (*report.Rate, []report.Line) { return exactAt(b.Lengths, length), nil }))
	}
	return out
}

// exactAt returns the exact share at a length; nil without a line of the length.
func exactAt(lines []report.Line, length string) *report.Rate {
	for i := range lines {
		if lines[i].Length == length {
			return &lines[i].Exact
		}
	}
	return nil
}

// sideFacts returns the rows below the shares by length: figures over all answers of a run, and
// counts of outcomes, failures, outages and flags.
func sideFacts(runs []report.Block) []sideLine {
	t := overview{runs: runs}
	t.rate("extracted", func(b *report.Block) *report.Rate { return &b.Total.Extracted })
	t.add("score", func(b *report.Block) string { return number.Score(b.Total.Score.Value) })
	t.add("model score", func(b *report.Block) string { return number.Score(b.ModelScore) })
	t.add("answered", func(b *report.Block) string { return briefly(&b.Total) })
	t.add("exact of all planned", func(b *report.Block) string {
		if complete(&b.Total) {
			return ""
		}
		return number.Percent(b.Total.Exact.OfPlanned)
	})
	t.add("median time", func(b *report.Block) string { return number.Seconds(b.Total.Seconds.Median) })
	t.add("first token", func(b *report.Block) string { return number.Seconds(b.Total.FirstToken.Median) })
	t.add("tokens out", func(b *report.Block) string { return tokens(b.Total.Tokens.Completion) })
	t.add("  reasoning", func(b *report.Block) string { return tokens(b.Total.Tokens.Reasoning) })
	t.add("cost", func(b *report.Block) string {
		if b.Free {
			return ""
		}
		return CostText(b.Total.Cost)
	})
	t.add("tried again", func(b *report.Block) string {
		if b.Retried == nil {
			return ""
		}
		return number.Count(b.Retried.N)
	})
	for _, window := range windowsOf(runs) {
		t.add("fit context "+number.Count(window), func(b *report.Block) string { return fitting(b.Contexts, window) })
	}
	t.section("outcomes", len(verbatim.Outcomes()), func(b *report.Block) []report.Count { return b.Total.Outcomes[1:] }) // the first is pass, which is exact
	t.section("failures", 3, func(b *report.Block) []report.Count { return b.Total.Failures })
	t.section("outages", 3, func(b *report.Block) []report.Count { return b.Outages })
	t.section("flags", 2, func(b *report.Block) []report.Count { return b.Flags })
	return t.lines
}

// windowsOf lists the context windows of all runs, each once.
func windowsOf(runs []report.Block) []int64 {
	var out []int64
	for i := range runs {
		for _, c := range runs[i].Contexts {
			if !slices.Contains(out, c.Window) {
				out = append(out, c.Window)
			}
		}
	}
	return out
}

// fitting prints how many answers fit a window, of how many with a known size.
func fitting(contexts []report.Context, window int64) string {
	for _, c := range contexts {
		if c.Window == window {
			return number.Short(c.Fit) + "/" + number.Short(c.Of)
		}
	}
	return ""
}

// An overview collects rows about all answers of each run.
type overview struct {
	runs  []report.Block
	lines []sideLine
}

// add adds a row of texts, unless all are empty or unknown.
func (t *overview) add(name string, cell func(b *report.Block) string) {
	line := sideLine{name: name}
	for i := range t.runs {
		line.texts = append(line.texts, cell(&t.runs[i]))
	}
	if slices.ContainsFunc(line.texts, func(text string) bool { return !table.IsEmpty(text) }) {
		t.lines = append(t.lines, line)
	}
}

func (t *overview) rate(name string, of func(b *report.Block) *report.Rate) {
	t.lines = append(t.lines, pickOf(t.runs, name, func(b *report.Block) (*report.Rate, []report.Line) { return of(b), nil }))
}

// section adds a head, and below it a row for each name that is among the first most counts of any
// run. Without such names it adds nothing.
func (t *overview) section(head string, most int, of func(b *report.Block) []report.Count) {
	before := len(t.lines)
	t.lines = append(t.lines, sideLine{name: head})
	for _, name := range commonestOf(t.runs, most, of) {
		t.add("  "+name, func(b *report.Block) string { return countOrEmpty(countOf(of(b), name)) })
	}
	if len(t.lines) == before+1 {
		t.lines = t.lines[:before]
	}
}

// commonestOf lists the names that are among the first most counts of any run: the first of each
// run, then the second of each, and so on.
func commonestOf(runs []report.Block, most int, of func(*report.Block) []report.Count) []string {
	var out []string
	for i := range most {
		for j := range runs {
			if counts := of(&runs[j]); i < len(counts) && !slices.Contains(out, counts[i].Name) {
				out = append(out, counts[i].Name)
			}
		}
	}
	return out
}

func countOf(counts []report.Count, name string) int64 {
	for _, c := range counts {
		if c.Name == name {
			return c.N
		}
	}
	return 0
}

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
