package layout

import (
	"slices"
	"strings"

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
