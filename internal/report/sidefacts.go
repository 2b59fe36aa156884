package report

import (
	"slices"

	"verbatim"
	"verbatim/internal/number"
	"verbatim/internal/terminal"
)

// sideFacts are the rows below the shares by length: what all answers together were,
// what went wrong, and what they took.
func sideFacts(runs []Block) []sideLine {
	t := tabled{runs: runs}
	t.rate("extracted", func(b *Block) *Rate { return &b.Total.Extracted })
	t.add("score", func(b *Block) string { return number.Score(b.Total.Score.Value) })
	t.add("model score", func(b *Block) string { return number.Score(b.ModelScore) })
	t.add("answered", func(b *Block) string { return briefly(&b.Total) })
	t.add("exact of all planned", func(b *Block) string {
		if complete(&b.Total) {
			return ""
		}
		return number.Percent(b.Total.Exact.OfPlanned)
	})
	t.add("median time", func(b *Block) string { return number.Seconds(b.Total.Seconds.Median) })
	t.add("first token", func(b *Block) string { return number.Seconds(b.Total.FirstToken.Median) })
	t.add("tokens out", func(b *Block) string { return tokens(b.Total.Tokens.Completion) })
	t.add("  reasoning", func(b *Block) string { return tokens(b.Total.Tokens.Reasoning) })
	t.add("cost", func(b *Block) string {
		if b.free {
			return ""
		}
		return price(b.Total.Cost)
	})
	t.add("tried again", func(b *Block) string {
		if b.Retried == nil {
			return ""
		}
		return number.Count(b.Retried.N)
	})
	for _, window := range windowsOf(runs) {
		t.add("fits "+number.Count(window)+" tokens", func(b *Block) string { return fitting(b.Contexts, window) })
	}
	t.section("outcomes", len(verbatim.Outcomes()), func(b *Block) []Count { return b.Total.Outcomes[1:] }) // exact says how many passed
	t.section("failures", 3, func(b *Block) []Count { return b.Total.Failures })
	t.section("outages", 3, func(b *Block) []Count { return b.Outages })
	t.section("flags", 2, func(b *Block) []Count { return b.Flags })
	return t.lines
}

// windowsOf lists the context windows of all runs, each once.
func windowsOf(runs []Block) []int64 {
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

// fitting prints how many answers fit a window, of how many that is known.
func fitting(contexts []Context, window int64) string {
	for _, c := range contexts {
		if c.Window == window {
			return number.Short(c.Fit) + "/" + number.Short(c.Of)
		}
	}
	return ""
}

// A tabled gathers rows about all answers of each run.
type tabled struct {
	runs  []Block
	lines []sideLine
}

// add adds a row of texts, if any run has something to say.
func (t *tabled) add(name string, cell func(b *Block) string) {
	line := sideLine{name: name}
	for i := range t.runs {
		line.texts = append(line.texts, cell(&t.runs[i]))
	}
	if slices.ContainsFunc(line.texts, func(text string) bool { return !silent(text) }) {
		t.lines = append(t.lines, line)
	}
}

func (t *tabled) rate(name string, of func(b *Block) *Rate) {
	t.lines = append(t.lines, pickOf(t.runs, name, func(b *Block) (*Rate, []Line) { return of(b), nil }))
}

// section adds a head with a row below it for each name that is among the first of
// any run.
func (t *tabled) section(head string, most int, of func(b *Block) []Count) {
	before := len(t.lines)
	t.lines = append(t.lines, sideLine{name: head})
	for _, name := range commonestOf(t.runs, most, of) {
		t.add("  "+name, func(b *Block) string { return someOf(countOf(of(b), name)) })
	}
	if len(t.lines) == before+1 {
		t.lines = t.lines[:before]
	}
}

// commonestOf lists the names that are among the first of any run, in the order in
// which the runs have them.
func commonestOf(runs []Block, most int, of func(*Block) []Count) []string {
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

func countOf(counts []Count, name string) int64 {
	for _, c := range counts {
		if c.Name == name {
			return c.N
		}
	}
	return 0
}

// briefly is answered in no more columns than a run has that stands beside others.
func briefly(l *Line) string {
	text, of := answered(l), l.Recorded
	if l.Planned != nil {
		of = *l.Planned
	}
	if terminal.Width(text) > leastSide {
		return number.Short(l.Answered) + "/" + number.Short(of)
	}
	return text
}
