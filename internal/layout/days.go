package layout

import (
	"io"
	"strings"

	"verbatim/internal/number"
	"verbatim/internal/report"
	"verbatim/internal/terminal"
)

// savedFacts says in words what runs tell beside their tables: the score with the
// weights of the lengths, the reasoning of answers and the windows that they fit.
func savedFacts(b *report.Block) []fact {
	var list []fact
	add := func(name string, parts []string) {
		if len(parts) > 0 {
			list = append(list, fact{name, parts})
		}
	}
	add("weighted", weightedScore(b))
	add("thinking", reasoned(b.Reasoning))
	add("context", contexts(b.Contexts, b.Total.Answered))
	return list
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

func reasoned(list []report.Reasoned) []string {
	var parts []string
	for _, r := range list {
		parts = append(parts, string(r.Outcome)+" "+number.Whole(r.Median)+" tokens (median), "+number.Whole(r.P95)+" at 95 %, of "+number.Count(r.N))
	}
	return parts
}

// contexts says how many answers fit the windows; the larger windows only where not
// all fit the smaller.
func contexts(list []report.Context, answered int64) []string {
	var parts []string
	for _, c := range list {
		if c.Fit == c.Of {
			known := ""
			if c.Of < answered {
				known = " of known size"
			}
			return append(parts, "all "+number.Plural(c.Of, "answer", "answers")+known+" fit "+number.Count(c.Window)+" tokens")
		}
		parts = append(parts, number.Count(c.Fit)+" of "+number.Count(c.Of)+" answers fit "+number.Count(c.Window)+" tokens")
	}
	return parts
}

// maxDaysShown bounds a table of days; --group-by day shows all of them.
const maxDaysShown = 31

// daySheet is the table of the days of a run, the newest maxDaysShown of them, and
// how many are older.
func daySheet(b *report.Block) (t *sheet, older int) {
	older = max(len(b.Days)-maxDaysShown, 0)
	t = &sheet{head: []sheetColumn{
		{"day", 0, false, 0}, {"n", 0, true, 0}, {"exact", 0, true, 0}, {"95 %", 0, true, 0},
		{scoreHead(b.Head.Metric), 2, true, 0}, {"median", 1, true, 0}, {"served as", 3, false, 12},
	}}
	for i := range b.Days[older:] {
		d := &b.Days[older+i]
		t.rows = append(t.rows, []string{
			terminal.Visible(d.Day), answered(&d.Line), number.Percent(d.Line.Exact.Share), number.PercentRange(d.Line.Exact.Low, d.Line.Exact.High, 1),
			number.Score(d.Line.Score.Value), number.Seconds(d.Line.Seconds.Median), servedAs(d.Served),
		})
	}
	return t, older
}

// dayTable writes the days of a run for a terminal; nothing where there is only one.
func dayTable(w io.Writer, b *report.Block, s terminal.Style) error {
	if len(b.Days) == 0 {
		return nil
	}
	var out strings.Builder
	t, older := daySheet(b)
	out.WriteString("\n")
	t.write(&out, s)
	if text := olderDays(older); text != "" {
		out.WriteString(strings.Join(terminal.Wrap(text, s.Columns()), "\n") + "\n")
	}
	_, err := io.WriteString(w, out.String())
	return err
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

// olderDays says what a table of days leaves out.
func olderDays(older int) string {
	if older == 0 {
		return ""
	}
	return "The first " + number.Plural(int64(older), "day is", "days are") + " left out: --group-by day shows every day."
}
