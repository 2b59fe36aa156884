package page

import (
	"verbatim"
	"verbatim/internal/report"
)

// rate is the cell of a share with its interval.
func rate(r report.Rate) cell {
	c := cell{Text: percent(r.Share), Range: interval(r)}
	if r.Share != nil && r.Low != nil && r.High != nil {
		c.Bar = newBar(*r.Low, *r.Share, *r.High)
	}
	return c
}

// bare is a rate without its drawing.
func bare(r report.Rate) cell {
	c := rate(r)
	c.Bar = nil
	return c
}

// modelTable says of every run how much it got right.
func modelTable(r *report.Report, runs []run) *table {
	t := &table{
		ID: "t-models", Caption: "How much was right", First: "model",
		Columns: []column{
			{Head: "exact", Unit: "% of answers"}, {Head: "of planned", Unit: "%"}, {Head: "extracted", Unit: "% of answers"},
			{Head: "score", Unit: scoreWords(r)}, {Head: "ModelScore", Unit: "by length"}, {Head: "answered"}, {Head: "limit"}, {Head: "refused"}, {Head: "unanswered"},
			{Head: "cost"}, {Head: "median time", Unit: "whole answer"},
		},
	}
	planned, scored := ownPlanned(r), ownScore(r)
	for i := range r.Runs {
		b := &r.Runs[i]
		l := &b.Total
		cells := []cell{rate(l.Exact), {}, bare(l.Extracted), {}, {Text: mean(b.ModelScore)}}
		if planned {
			cells[1].Text = percent(l.Exact.OfPlanned)
		}
		if scored {
			cells[3].Text = mean(l.Score.Value)
		}
		cells = append(cells, texts(answered(l), some(outcome(l, verbatim.Truncated)), some(outcome(l, verbatim.Refused)), some(l.Unanswered), price(l.Cost), seconds(l.Seconds.Median))...)
		t.Rows = append(t.Rows, row{Run: &runs[i], Cells: cells})
	}
	return t.without()
}

// ownPlanned reports whether the share of what was planned says anything that the
// share of answers does not.
func ownPlanned(r *report.Report) bool {
	for i := range r.Runs {
		if e := &r.Runs[i].Total.Exact; percent(e.OfPlanned) != percent(e.Share) {
			return true
		}
	}
	return false
}

// scoreWords says what the score is, in the words of --on.
func scoreWords(r *report.Report) string {
	on := r.Runs[0].Head.Metric
	if on == "" || on == report.MetricScore {
		return "the suite’s own"
	}
	return string(on)
}

// answered prints how many answers a line is over, and of how many requests.
func answered(l *report.Line) string {
	of := l.Recorded
	if l.Planned != nil {
		of = *l.Planned
	}
	if of == l.Answered {
		return count(of)
	}
	return count(l.Answered) + " of " + count(of)
}

// failure returns the commonest label of the answers that are not exact; nil where
// all are, or nothing is known of them but their scores.
func failure(l *report.Line) *report.Count {
	for i := range l.Failures {
		if f := &l.Failures[i]; f.N > 0 && f.Name != "score_only" {
			return f
		}
	}
	return nil
}

// outcome returns how often a line has the outcome.
func outcome(l *report.Line, o verbatim.Outcome) int64 {
	for _, c := range l.Outcomes {
		if c.Name == string(o) {
			return c.N
		}
	}
	return 0
}

// outcomeTable says what became of every request, answers and outages apart.
func outcomeTable(r *report.Report, runs []run) *table {
	t := &table{ID: "t-outcomes", Caption: "What became of the requests", First: "model"}
	t.Groups = []columnGroup{{"", 1}}
	span := 0
	for _, o := range verbatim.Outcomes() {
		if o == verbatim.CutOff {
			t.Groups = append(t.Groups, columnGroup{"answered", span + 1})
			t.Columns = append(t.Columns, column{Head: "all answers"})
			span = 0
		}
		t.Columns = append(t.Columns, column{Head: string(o)})
		span++
	}
	t.Groups = append(t.Groups, columnGroup{"not answered", span + 1})
	t.Columns = append(t.Columns, column{Head: "all outages"})
	for i := range r.Runs {
		l := &r.Runs[i].Total
		var cells []cell
		for _, o := range verbatim.Outcomes() {
			if o == verbatim.CutOff {
				cells = append(cells, cell{Text: count(l.Answered)})
			}
			cells = append(cells, cell{Text: some(outcome(l, o))})
		}
		cells = append(cells, cell{Text: some(l.Unanswered)})
		t.Rows = append(t.Rows, row{Run: &runs[i], Cells: cells})
	}
	return t
}

// outageTable counts why requests stayed without an answer; nil where none did.
func outageTable(r *report.Report, runs []run) *table {
	return countTable(table{ID: "t-outages", Caption: "Why there was no answer", First: "model"}, r, runs, func(b *report.Block) []report.Count { return b.Outages })
}

// flagTable counts what was noticed beside the labels; nil where nothing was.
func flagTable(r *report.Report, runs []run) *table {
	return countTable(table{ID: "t-flags", Caption: "Noticed in answers, beside their labels", First: "model"}, r, runs, func(b *report.Block) []report.Count { return b.Flags })
}

// mostColumns bounds the columns of a table of counts.
const mostColumns = 30

// countTable has a column for every name that is counted in any run, in the order
// in which they are met.
func countTable(t table, r *report.Report, runs []run, of func(*report.Block) []report.Count) *table {
	place := make(map[string]int)
	for i := range r.Runs {
		for _, c := range of(&r.Runs[i]) {
			if _, known := place[c.Name]; !known && c.N > 0 && len(place) < mostColumns {
				place[c.Name] = len(place)
				t.Columns = append(t.Columns, column{Head: string(name(c.Name))})
			}
		}
	}
	if len(place) == 0 {
		return nil
	}
	for i := range r.Runs {
		cells := make([]cell, len(place))
		for j := range cells {
			cells[j].Text = missing
		}
		for _, c := range of(&r.Runs[i]) {
			if at, known := place[c.Name]; known {
				cells[at].Text = some(c.N)
			}
		}
		t.Rows = append(t.Rows, row{Run: &runs[i], Cells: cells})
	}
	return &t
}

// retriedTable says how requests fared that were tried more than once; nil where
// none was.
func retriedTable(r *report.Report, runs []run) *table {
	t := &table{ID: "t-retried", Caption: "Requests that were tried more than once", First: "model", Columns: []column{{Head: "requests"}, {Head: "answered"}, {Head: "exact", Unit: "% of these answers"}}}
	for i := range r.Runs {
		if re := r.Runs[i].Retried; re != nil {
			t.Rows = append(t.Rows, row{Run: &runs[i], Cells: []cell{{Text: count(re.N)}, {Text: count(re.Exact.Of)}, bare(re.Exact)}})
		}
	}
	if len(t.Rows) == 0 {
		return nil
	}
	return t
}
