package page

import (
	"verbatim"
	"verbatim/internal/number"
	"verbatim/internal/report"
)

// rate is the cell of a share with its interval.
func rate(r report.Rate) cell {
	c := cell{Text: number.Percent(r.Share), Range: interval(r)}
	if r.Share != nil && r.Low != nil && r.High != nil {
		c.Bar = newBar(*r.Low, *r.Share, *r.High)
	}
	return c
}

// bare is a rate without its bar.
func bare(r report.Rate) cell {
	c := rate(r)
	c.Bar = nil
	return c
}

// answered prints the number of answers of a line, and of its requests if they differ.
func answered(l *report.Line) string {
	if l.Exact.Repeated() {
		return number.Count(l.Exact.Of) + " to " + number.Plural(l.Exact.Items, "item", "items")
	}
	of := l.Recorded
	if l.Planned != nil {
		of = *l.Planned
	}
	if of == l.Answered {
		return number.Count(of)
	}
	return number.Count(l.Answered) + " of " + number.Count(of)
}

// failure returns the commonest failure label of a line. It is nil if all answers are exact, or
// if only their scores are known.
func failure(l *report.Line) *report.Count {
	for i := range l.Failures {
		if f := &l.Failures[i]; f.N > 0 && f.Name != "score_only" {
			return f
		}
	}
	return nil
}

// outcome returns the number of records of a line with the outcome.
func outcome(l *report.Line, o verbatim.Outcome) int64 {
	for _, c := range l.Outcomes {
		if c.Name == string(o) {
			return c.N
		}
	}
	return 0
}

// ownPlanned reports whether the share of planned requests differs from the share of
// answers.
func ownPlanned(r *report.Report) bool {
	for i := range r.Runs {
		if e := &r.Runs[i].Total.Exact; number.Percent(e.OfPlanned) != number.Percent(e.Share) {
			return true
		}
	}
	return false
}

// scoreWords says which metric the score is.
func scoreWords(r *report.Report) string {
	metric := r.Runs[0].Head.Metric
	if metric == "" || metric == report.MetricScore {
		return "the suite’s own"
	}
	return string(metric)
}

// ownScore reports whether the score differs from the exact share.
func ownScore(r *report.Report) bool {
	for i := range r.Runs {
		l := &r.Runs[i].Total
		if (l.Score.Value == nil) != (l.Exact.Share == nil) || l.Score.Value != nil && number.Score(l.Score.Value) != number.Score(l.Exact.Share) {
			return true
		}
	}
	return false
}
