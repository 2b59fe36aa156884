package layout

import (
	"verbatim/internal/number"
	"verbatim/internal/report"
	"verbatim/internal/table"
	"verbatim/internal/terminal"
)

// savedFacts says in words what runs tell next to their tables: the score with the
// weights of the lengths, and the windows that answers fit.
func savedFacts(b *report.Block) table.Facts {
	var list table.Facts
	add := func(name string, parts []string) {
		if len(parts) > 0 {
			list = append(list, table.Fact{Name: name, Parts: parts})
		}
	}
	add("wordings", wordings(b.Wordings))
	add("weighted", weightedScore(b))
	add("context", contexts(b))
	return list
}

// wordings says how the shares of exact answers differ between wordings.
func wordings(list []report.Wording) []string {
	var parts []string
	for _, w := range list {
		name := "official"
		if w.Name != "0" {
			name = "paraphrase " + terminal.Visible(w.Name)
		}
		parts = append(parts, name+" "+number.Percent(w.Exact.Share)+" % of "+number.Count(w.Exact.Of))
	}
	if len(parts) > 0 {
		parts = append(parts, "intervals of totals include the variance between wordings")
	}
	return parts
}

// weightedScore tells the model score where there are lengths that could weigh
// differently.
func weightedScore(b *report.Block) []string {
	if b.ModelScore == nil {
		return nil
	}
	for i := range b.Families {
		if f := &b.Families[i]; len(f.Lines) > 1 {
			return []string{"mean score " + number.Score(b.ModelScore) + " with the lengths for weights (SortBench's ModelScore)"}
		}
	}
	return nil
}

// contexts says how large a context the answers need, how many fit the usual windows if not all do,
// and how large the model's context is.
func contexts(b *report.Block) []string {
	if len(b.Contexts) == 0 {
		return nil
	}
	needed := number.Plural(b.NeededContext, "token", "tokens") + " for the longest prompt with its answer"
	if known := b.Contexts[0].Of; known < b.Total.Answered {
		needed += ", of " + number.Plural(known, "answer", "answers") + " of known size"
	}
	parts := []string{needed}
	for _, c := range b.Contexts {
		if c.Fit < c.Of {
			parts = append(parts, number.Count(c.Fit)+" of "+number.Count(c.Of)+" fit a context of "+number.Count(c.Window)+" tokens")
		}
	}
	if l := b.Head.Load; l != nil && l.Context > 0 {
		parts = append(parts, "the model's context holds "+number.Plural(l.Context, "token", "tokens"))
	}
	return parts
}

// maxDaysShown bounds a table of days; --group-by day shows all of them.
const maxDaysShown = 31

// dayTable has the newest maxDaysShown days of a run, and says how many are older.
func dayTable(b *report.Block) *table.Table {
	older := max(len(b.Days)-maxDaysShown, 0)
	t := &table.Table{Columns: []table.Column{
		{Head: "day"}, {Head: "n", Right: true}, {Head: "exact", Right: true}, {Head: "95 %", Right: true},
		{Head: scoreHead(b.Head.Metric), Rank: 2, Right: true}, {Head: "median", Rank: 1, Right: true}, {Head: "served as", Rank: 3, Min: 12},
	}}
	for i := range b.Days[older:] {
		d := &b.Days[older+i]
		t.Add(terminal.Visible(d.Day), answered(&d.Line), number.Percent(d.Line.Exact.Share), number.PercentRange(d.Line.Exact.Low, d.Line.Exact.High, 1),
			number.Score(d.Line.Score.Value), number.Seconds(d.Line.Seconds.Median), servedAs(d.Served))
	}
	if older > 0 {
		t.Notes = []string{"The first " + number.Plural(int64(older), "day is", "days are") + " left out: --group-by day shows every day."}
	}
	return t
}

// servedAs lists the names of models, with how often where there are several.
func servedAs(counts []report.Count) string {
	switch len(counts) {
	case 0:
		return number.Missing
	case 1:
		return terminal.Visible(counts[0].Name)
	}
	return terminal.Visible(report.ListSome(counts))
}
