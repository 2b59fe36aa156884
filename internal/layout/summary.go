package layout

import (
	"slices"
	"strings"

	"verbatim/internal/listsort"
	"verbatim/internal/number"
	"verbatim/internal/recordview"
	"verbatim/internal/report"
	"verbatim/internal/table"
	"verbatim/internal/terminal"
)

// summary says in words what the table does not show.
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
	list = append(list, savedFacts(b)...)
	if !b.Free {
		add("cost", CostWords(t.Cost))
	}
	return list
}

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

// sameMedian reports whether durations are of answers without reasoning that was seen.
func sameMedian(a, b report.Duration) bool {
	return a.N == b.N && a.Median != nil && b.Median != nil && *a.Median == *b.Median && *a.P95 == *b.P95
}

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

// upstreams says how the answers of each server behind a router fared.
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

// counted lists what happened at all, in the order of the counts.
func counted(counts []report.Count) []string {
	var parts []string
	for _, c := range counts {
		if c.N > 0 {
			parts = append(parts, terminal.Visible(c.Name)+" "+number.Count(c.N))
		}
	}
	return parts
}

// flagsCounted is counted for flags, each with its meaning.
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

// gradersNamed lists graders in the order of their names: which of them had more to
// do says nothing about a run.
func gradersNamed(graders []report.Count) string {
	sorted := slices.Clone(graders)
	listsort.Stable(sorted, func(a, b report.Count) int { return strings.Compare(a.Name, b.Name) })
	return listedNames(sorted)
}

func listedNames(counts []report.Count) string {
	parts := make([]string, len(counts))
	for i, c := range counts {
		parts[i] = c.Name
	}
	return strings.Join(parts, ", ")
}

// promptFact tells the variant of a run: where it has one, and where another run
// of the report has.
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
