package report

import (
	"slices"
	"strings"

	"verbatim/internal/number"
	"verbatim/internal/terminal"
)

// summary says in words what the table does not show.
func summary(b *Block) []fact {
	t := &b.Total
	var list []fact
	add := func(name string, parts []string) {
		if len(parts) > 0 {
			list = append(list, fact{name, parts})
		}
	}
	add("outcomes", counted(t.Outcomes))
	add("failures", counted(t.Failures[:min(len(t.Failures), 10)]))
	add("outages", counted(b.Outages))
	add("retried", retries(b.Retried))
	add("flags", counted(b.Flags))
	add("time", times(t))
	add("tokens", usage(t))
	list = append(list, keptFacts(b)...)
	if !b.free {
		add("cost", costs(t.Cost))
	}
	return list
}

func times(l *Line) []string {
	var parts []string
	for _, d := range []struct {
		name string
		Duration
	}{{"whole answer", l.Seconds}, {"first token", l.FirstToken}} {
		if d.N > 0 {
			parts = append(parts, d.name+" "+number.Seconds(d.Median)+" (median), "+number.Seconds(d.P95)+" at 95 %")
		}
	}
	return parts
}

func usage(l *Line) []string {
	var parts []string
	for _, u := range []struct {
		name string
		Sum
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

// counted lists what happened at all, in the order of the counts.
func counted(counts []Count) []string {
	var parts []string
	for _, c := range counts {
		if c.N > 0 {
			parts = append(parts, terminal.Visible(c.Name)+" "+number.Count(c.N))
		}
	}
	return parts
}

// gradersNamed lists graders in the order of their names: which of them had more to
// do says nothing about a run.
func gradersNamed(graders []Count) string {
	sorted := slices.Clone(graders)
	slices.SortFunc(sorted, func(a, b Count) int { return strings.Compare(a.Name, b.Name) })
	return listedNames(sorted)
}

func listedNames(counts []Count) string {
	parts := make([]string, len(counts))
	for i, c := range counts {
		parts[i] = c.Name
	}
	return strings.Join(parts, ", ")
}
