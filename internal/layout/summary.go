package layout

import (
	"slices"
	"strings"

	"verbatim/internal/number"
	"verbatim/internal/recordview"
	"verbatim/internal/report"
	"verbatim/internal/table"
	"verbatim/internal/terminal"
)

// summary says in words what the table of a run does not show.
func summary(b *report.Block) table.Facts {
	t := &b.Total
	var list table.Facts
	add := func(name string, parts []string) {
		if len(parts) > 0 {
			list = append(list, table.Fact{Name: name, Parts: parts})
		}
	}
	add("outcomes", counted(t.Outcomes))
	add("trials", trials(t.Trials))
	add("failures", counted(t.Failures[:min(len(t.Failures), 10)]))
	add("outages", counted(b.Outages))
	add("upstreams", upstreams(b.Upstreams))
	add("retried", retries(b.Retried))
	if b.Resent > 0 {
		add("resent", []string{number.Plural(b.Resent, "request", "requests") + " on a new connection, since the server had closed an idle one"})
	}
	add("flags", flagsCounted(b.Flags))
	add("time", times(t))
	add("tokens", usage(t))
	add("wordings", wordings(b.Wordings))
	add("weighted", weightedScore(b))
	add("context", contexts(b))
	if !b.Free {
		add("cost", costWords(t.Cost))
	}
	return list
}

// times has the median and the 95th percentile of each time.
func times(l *report.Line) []string {
	var parts []string
	for _, d := range []struct {
		name string
		report.Duration
	}{{"whole answer", l.Seconds}, {"first token", l.FirstToken}, {"first content", l.FirstContent}, {"in the server's queue", l.Queued}} {
		if d.N > 0 && (d.name != "first content" || !sameMedian(l.FirstToken, l.FirstContent)) {
			parts = append(parts, d.name+" "+number.Seconds(d.Median)+" (median), "+number.Seconds(d.P95)+" (p95)")
		}
	}
	return parts
}

// sameMedian reports whether two durations are equal, as those of the first token and the first
// content are without reasoning.
func sameMedian(a, b report.Duration) bool {
	return a.N == b.N && a.Median != nil && b.Median != nil && *a.Median == *b.Median && *a.P95 == *b.P95
}

// usage has the sums of tokens, with the number of answers that report them.
func usage(l *report.Line) []string {
	var parts []string
	for _, u := range []struct {
		name string
		report.Sum
	}{{"prompt", l.Tokens.Prompt}, {"completion", l.Tokens.Completion}, {"reasoning", l.Tokens.Reasoning}} {
		if u.Total == nil {
			continue
		}
		part := u.name + " " + number.Count(*u.Total)
		if u.N != l.Answered {
			part += " (reported by " + number.Count(u.N) + " of " + number.Count(l.Answered) + ")"
		}
		parts = append(parts, part)
	}
	return parts
}

// upstreams has the exact share and the failures of each server behind a router.
func upstreams(list []report.Upstream) []string {
	var parts []string
	for i := range list {
		u, e := &list[i], &list[i].Line.Exact
		part := terminal.Visible(u.Name) + " " + number.Count(e.N) + " of " + number.Count(e.Of) + " exact (" + number.Percent(e.Share) + " %, " + number.PercentRange(e.Low, e.High, 1) + ")"
		if u.Line.Answered == 0 {
			part = terminal.Visible(u.Name) + " 0 answers"
		}
		if u.Failed != nil {
			part += ", " + u.Failed.Words()
		}
		parts = append(parts, part)
	}
	return parts
}

// counted lists the counts above 0, in their order.
func counted(counts []report.Count) []string {
	var parts []string
	for _, c := range counts {
		if c.N > 0 {
			parts = append(parts, terminal.Visible(c.Name)+" "+number.Count(c.N))
		}
	}
	return parts
}

// flagsCounted lists the counts of flags, each with its meaning.
func flagsCounted(flags []report.Count) []string {
	parts := counted(flags)
	for i := range parts {
		name, _, _ := strings.Cut(parts[i], " ")
		if meaning := recordview.FlagMeaning(name); meaning != "" {
			parts[i] += " (" + meaning + ")"
		}
	}
	return parts
}

// gradersNamed lists graders by name: the numbers of their answers say nothing about a run.
func gradersNamed(graders []report.Count) string {
	sorted := slices.Clone(graders)
	slices.SortStableFunc(sorted, func(a, b report.Count) int { return strings.Compare(a.Name, b.Name) })
	return listedNames(sorted)
}

func listedNames(counts []report.Count) string {
	parts := make([]string, len(counts))
	for i, c := range counts {
		parts[i] = c.Name
	}
	return strings.Join(parts, ", ")
}

// promptFact describes the prompt variant of a run. Without a variant it is nil, unless another run
// of the report has one.
func promptFact(h *report.Head) table.Facts {
	parts := report.VariantParts(h.Variant)
	switch {
	case len(parts) > 0:
		return table.Facts{{Name: "prompt", Parts: parts}}
	case h.Varied:
		return table.Facts{{Name: "prompt", Parts: []string{report.ItemsOwnPrompt}}}
	}
	return nil
}

// wordings has the exact share of each wording.
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

// weightedScore has the model score, if some family has several lengths.
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

// contexts says how large a context the answers need, how many fit each window that is too small for
// some, and how large the model's context is.
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
