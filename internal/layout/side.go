package layout

import (
	"slices"
	"strings"

	"verbatim/internal/number"
	"verbatim/internal/report"
	"verbatim/internal/table"
	"verbatim/internal/terminal"
)

// sides shows several runs side by side, below their header: a column for each, as many in a table as fit,
// and a row for everything that can be said of all of them. It is nil where that is not
// possible: a terminal may be too narrow, or the runs may have nothing in common.
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
	each := (len(r.Runs) + tables - 1) / tables // as even as can be

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
		body = append(body, WarningList(ofRun(&r.Runs[i])))
	}
	return body
}

// ofRun returns the warnings of a run with the run before them.
func ofRun(b *report.Block) []report.Warning {
	var out []report.Warning
	for _, w := range b.Warnings {
		out = append(out, report.Warning{Kind: w.Kind, Text: runName(&b.Head) + ": " + w.Text})
	}
	return out
}

// runName is what a run is called in few words.
func runName(h *report.Head) string {
	if h.N > 0 {
		return "run " + number.Count(h.N)
	}
	return terminal.Visible(h.Name)
}

// sideLines lists the rows: families, with their lengths where that is no more than
// a screenful, all of them together, and what else is known.
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

// sideFamilies lists the families of all runs, and counts the rows that they and
// their lengths would take.
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

// sideFamily is a row for the family, and where it is expanded one for each length.
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

// sideLengths are rows of all families together at each length.
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

func lengthWord(length string) string {
	if length == "" {
		return "(no length)"
	}
	return length
}

// exactAt returns the rate at a length; nil where there is no such line.
func exactAt(lines []report.Line, length string) *report.Rate {
	for i := range lines {
		if lines[i].Length == length {
			return &lines[i].Exact
		}
	}
	return nil
}
