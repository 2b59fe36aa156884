package page

import (
	"verbatim"
	"verbatim/internal/layout"
	"verbatim/internal/number"
	"verbatim/internal/recordview"
	"verbatim/internal/report"
)

// modelTable has the rates of every run.
func modelTable(r *report.Report, runs []run) *table {
	t := &table{
		ID: "t-models", Caption: "Rates", First: "model",
		Columns: []column{
			{Head: "exact", Unit: "% of answers"}, {Head: "of planned", Unit: "%"}, {Head: "extracted", Unit: "% of answers"},
			{Head: "score", Unit: scoreWords(r)}, {Head: "ModelScore", Unit: "by length"}, {Head: "answered"}, {Head: "truncated"}, {Head: "refused"}, {Head: "unanswered"},
			{Head: "cost"}, {Head: "median time", Unit: "complete reply"},
		},
	}
	planned, scored := ownPlanned(r), ownScore(r)
	for i := range r.Runs {
		b := &r.Runs[i]
		l := &b.Total
		cells := []cell{rate(l.Exact), {}, bare(l.Extracted), {}, {Text: number.Score(b.ModelScore)}}
		if planned {
			cells[1].Text = number.Percent(l.Exact.OfPlanned)
		}
		if scored {
			cells[3].Text = number.Score(l.Score.Value)
		}
		cells = append(cells, texts(answered(l), some(outcome(l, verbatim.Truncated)), some(outcome(l, verbatim.Refused)), some(l.Unanswered), layout.CostText(l.Cost), number.Seconds(l.Seconds.Median))...)
		t.Rows = append(t.Rows, row{Run: &runs[i], Cells: cells})
	}
	return t.withoutEmpty()
}

// outcomeTable counts the requests by outcome, with sums of the answers and of the outages.
func outcomeTable(r *report.Report, runs []run) *table {
	t := &table{ID: "t-outcomes", Caption: "Outcomes of the requests", First: "model"}
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
				cells = append(cells, cell{Text: number.Count(l.Answered)})
			}
			cells = append(cells, cell{Text: some(outcome(l, o))})
		}
		cells = append(cells, cell{Text: some(l.Unanswered)})
		t.Rows = append(t.Rows, row{Run: &runs[i], Cells: cells})
	}
	return t
}

// outageTable counts the failure classes of unanswered requests; nil without any.
func outageTable(r *report.Report, runs []run) *table {
	return countTable(&table{ID: "t-outages", Caption: "Failure classes of unanswered requests", First: "model"}, r, runs, func(b *report.Block) []report.Count { return b.Outages })
}

// flagTable counts the flags of answers; nil without any.
func flagTable(r *report.Report, runs []run) *table {
	t := countTable(&table{ID: "t-flags", Caption: "Flags of answers", First: "model"}, r, runs, func(b *report.Block) []report.Count { return b.Flags })
	if t != nil {
		for _, c := range t.Columns {
			if meaning := recordview.FlagMeaning(c.Head); meaning != "" {
				t.Notes = append(t.Notes, c.Head+": "+meaning+".")
			}
		}
	}
	return t
}

// mostColumns is the largest number of columns of a table of counts.
const mostColumns = 30

// countTable fills a table with a column for each counted name, in the order of the first run
// that has it. Without any it returns nil.
func countTable(t *table, r *report.Report, runs []run, of func(*report.Block) []report.Count) *table {
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
	return t
}

// upstreamTable has the exact share and the failures of each server behind a router; nil unless
// there are several.
func upstreamTable(r *report.Report, runs []run) *table {
	t := &table{ID: "t-upstreams", Caption: "Answers by upstream", First: "model", Columns: []column{{Head: "upstream", Left: true}, {Head: "answers"}, {Head: "exact", Unit: "% of these answers"},
		{Head: "failed attempts"}, {Head: "requests", Unit: "with such attempts"}, {Head: "failure classes", Left: true}}}
	for i := range r.Runs {
		for j := range r.Runs[i].Upstreams {
			u := &r.Runs[i].Upstreams[j]
			cells := []cell{{Safe: name(u.Name)}, {Text: answered(&u.Line)}, rate(u.Line.Exact), {}, {}, {}}
			if f := u.Failed; f != nil {
				cells[3].Text, cells[4].Text, cells[5].Text = number.Count(f.Attempts), number.Count(f.Requests), f.ClassWords()
			}
			t.Rows = append(t.Rows, row{Run: &runs[i], Cells: cells})
		}
	}
	return t.withoutEmpty().orNil()
}

// retriedTable has the exact share of the answers that needed a retry; nil without any.
func retriedTable(r *report.Report, runs []run) *table {
	t := &table{ID: "t-retried", Caption: "Requests with retries", First: "model", Columns: []column{{Head: "requests"}, {Head: "answered"}, {Head: "exact", Unit: "% of these answers"}}}
	for i := range r.Runs {
		if re := r.Runs[i].Retried; re != nil {
			t.Rows = append(t.Rows, row{Run: &runs[i], Cells: []cell{{Text: number.Count(re.N)}, {Text: number.Count(re.Exact.Of)}, bare(re.Exact)}})
		}
	}
	return t.orNil()
}

// trialTable has the shares of items that are exact in at least one trial, in most and in all;
// nil if each item has one trial.
func trialTable(r *report.Report, runs []run) *table {
	t := &table{ID: "t-trials", Caption: "Items by their trials", First: "model", Columns: []column{{Head: "trials"}, {Head: "at least one exact", Unit: "% of items (pass@k)"}, {Head: "most exact", Unit: "% of items (majority)"}, {Head: "all exact", Unit: "% of items (all@k)"}}}
	for i := range r.Runs {
		trials := r.Runs[i].Total.Trials
		if trials == nil {
			continue
		}
		for _, f := range trials.Fewer {
			if f.Trials > 1 { // one trial is the exact share
				t.Rows = append(t.Rows, row{Run: &runs[i], Cells: []cell{{Text: number.Count(f.Trials)}, meanShare(f.Any), {Text: missing}, meanShare(f.All)}})
			}
		}
		t.Rows = append(t.Rows, row{Run: &runs[i], Cells: []cell{{Text: number.Count(trials.Each)}, bare(trials.Any), bare(trials.Majority), bare(trials.All)}})
	}
	return t.orNil()
}

// meanShare is the cell of a mean of shares, with its interval.
func meanShare(m report.Mean) cell {
	return cell{Text: number.Percent(m.Value), Range: interval(report.Rate{Low: m.Low, High: m.High})}
}
