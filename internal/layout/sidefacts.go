package layout

import (
	"slices"

	"verbatim"
	"verbatim/internal/number"
	"verbatim/internal/report"
	"verbatim/internal/table"
)

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
