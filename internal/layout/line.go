package layout

import (
	"verbatim/internal/number"
	"verbatim/internal/report"
	"verbatim/internal/terminal"
)

// scoreHead returns the head of the column of the score.
func scoreHead(metric report.Metric) string {
	switch metric {
	case report.MetricExact, report.MetricExtracted: // these heads are used by other columns
		return string(metric) + " score"
	}
	return string(metric)
}

// answered prints the number of answers of a line, and of requests if that is another number. With
// several trials it prints items and trials.
func answered(l *report.Line) string {
	switch {
	case l.Exact.Repeated():
		return number.Items(l.Exact.Items, l.Exact.Of)
	case l.Planned != nil && *l.Planned != l.Answered:
		return number.Count(l.Answered) + "/" + number.Count(*l.Planned)
	case l.Planned == nil && l.Recorded != l.Answered:
		return number.Count(l.Answered) + "/" + number.Count(l.Recorded)
	}
	return number.Count(l.Answered)
}

// leastSide is the smallest width of a run's column in a table side by side: "55.0  40–69".
const leastSide = 12

// briefly is answered in at most leastSide columns.
func briefly(l *report.Line) string {
	text, of := answered(l), l.Recorded
	if l.Planned != nil {
		of = *l.Planned
	}
	if terminal.Width(text) > leastSide {
		return number.Short(l.Answered) + "/" + number.Short(of)
	}
	return text
}

// complete reports whether all planned requests were answered, so that shares of both are equal.
func complete(l *report.Line) bool { return l.Planned != nil && *l.Planned == l.Answered }

func countOrEmpty(n int64) string {
	if n == 0 {
		return ""
	}
	return number.Count(n)
}

func tokens(s report.Sum) string {
	if s.Total == nil {
		return number.Missing
	}
	return number.Short(*s.Total)
}

// failures prints the commonest labels of a line: as many as fit the width, at most three.
func failures(l *report.Line, width int) string {
	const most = 3
	var out string
	for i, c := range l.Failures {
		next := terminal.Visible(c.Name) + " " + number.Count(c.N)
		if out != "" {
			next = out + ", " + next
		}
		rest := len(l.Failures) - i - 1
		if i == most || terminal.Width(next)+2*min(rest, 1) > width {
			if out != "" {
				out += " …"
			}
			break
		}
		out = next
	}
	return out
}

// trials has the shares of items that are exact in one trial, in all and in most.
func trials(t *report.Trials) []string {
	if t == nil {
		return nil
	}
	part := func(what string, r report.Rate) string {
		return what + " " + number.Percent(r.Share) + " % of items (" + number.PercentRange(r.Low, r.High, 1) + ")"
	}
	k := number.Count(t.Each)
	parts := []string{
		part("exact at least once in "+k+" (pass@"+k+")", t.Any),
		part("every time (all@"+k+")", t.All),
		part("mostly (majority)", t.Majority),
	}
	for _, f := range t.Fewer {
		if f.Trials > 1 { // one trial is the exact share
			n := number.Count(f.Trials)
			for _, m := range []struct {
				name string
				report.Mean
			}{{"pass@", f.Any}, {"all@", f.All}} {
				parts = append(parts, m.name+n+" "+number.Percent(m.Value)+" % ("+number.PercentRange(m.Low, m.High, 1)+")")
			}
		}
	}
	return parts
}
