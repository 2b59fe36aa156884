package page

import (
	"strconv"

	"verbatim/internal/number"
	"verbatim/internal/report"
)

// timeTable has the times of answers; nil if unknown.
func timeTable(r *report.Report, runs []run) *table {
	t := &table{ID: "t-times", Caption: "Time of an answer", First: "model",
		Groups:  []columnGroup{{"", 1}, {"first token", 2}, {"first content", 2}, {"last token", 2}, {"server's queue", 2}, {"", 1}},
		Columns: []column{{Head: "median"}, {Head: "p95"}, {Head: "median"}, {Head: "p95"}, {Head: "median"}, {Head: "p95"}, {Head: "median"}, {Head: "p95"}, {Head: "answers timed"}}}
	known := false
	for i := range r.Runs {
		l := &r.Runs[i].Total
		known = known || l.Seconds.N > 0 || l.FirstToken.N > 0
		t.Rows = append(t.Rows, row{Run: &runs[i], Cells: texts(
			seconds(l.FirstToken.Median), seconds(l.FirstToken.P95), seconds(l.FirstContent.Median), seconds(l.FirstContent.P95), seconds(l.Seconds.Median), seconds(l.Seconds.P95), seconds(l.Queued.Median), seconds(l.Queued.P95), some(l.Seconds.N))})
	}
	if !known {
		return nil
	}
	return t.without()
}

// tokenTable has the sums of tokens; nil if unknown.
func tokenTable(r *report.Report, runs []run) *table {
	t := &table{ID: "t-tokens", Caption: "Tokens, as reported by the servers", First: "model",
		Columns: []column{{Head: "prompt"}, {Head: "completion"}, {Head: "of these reasoning"}, {Head: "answers counted"}}}
	known := false
	for i := range r.Runs {
		l := &r.Runs[i].Total
		k := &l.Tokens
		known = known || k.Prompt.Total != nil || k.Completion.Total != nil || k.Reasoning.Total != nil
		t.Rows = append(t.Rows, row{Run: &runs[i], Cells: texts(total(k.Prompt), total(k.Completion), total(k.Reasoning), some(max(k.Completion.N, k.Prompt.N)))})
	}
	if !known {
		return nil
	}
	return t.without()
}

// moneyTable has the cost of the runs; nil if all are unknown.
func moneyTable(r *report.Report, runs []run) *table {
	t := &table{ID: "t-money", Caption: "Cost", First: "model",
		Columns: []column{{Head: "known cost"}, {Head: "answers priced"}, {Head: "unknown cost"}, {Head: "failed attempts", Unit: "at most"}}}
	for i := range r.Runs {
		c := r.Runs[i].Total.Cost
		if c == nil {
			continue
		}
		lost := missing
		if c.MayHave != nil {
			lost = c.MayHave.String()
		}
		t.Rows = append(t.Rows, row{Run: &runs[i], Cells: texts(price(c), count(c.Known), some(c.Unknown), lost)})
	}
	if len(t.Rows) == 0 {
		return nil
	}
	return t
}

// reasoningTable has what is known of the reasoning by outcome; nil if nothing is.
func reasoningTable(r *report.Report, runs []run) *table {
	t := &table{ID: "t-reasoning", Caption: "Reasoning by outcome", First: "model",
		Groups:  []columnGroup{{"", 3}, {"tokens", 4}, {"characters", 4}, {"for each answer", 3}},
		Columns: []column{{Head: "outcome", Left: true}, {Head: "answers"}}}
	for range 2 {
		t.Columns = append(t.Columns, column{Head: "median"}, column{Head: "mean"}, column{Head: "min"}, column{Head: "max"})
	}
	t.Columns = append(t.Columns, column{Head: "second thoughts"}, column{Head: "repeated lines"}, column{Head: "language switches"})
	for i := range r.Runs {
		for _, o := range r.Runs[i].Reasoning {
			var x report.ReasoningTexts
			if o.Texts != nil {
				x = *o.Texts
			}
			cells := []string{string(o.Outcome), count(max(o.N, x.Characters.N))}
			for _, s := range []report.Sizes{o.Sizes, x.Characters} {
				cells = append(cells, tokens(s.Median), tokens(s.Mean), tokens(s.Min), tokens(s.Max))
			}
			for _, m := range []report.Marked{x.SecondThoughts, x.RepeatedLines, x.LanguageSwitches} {
				cells = append(cells, perAnswer(m, x.Characters.N))
			}
			t.Rows = append(t.Rows, row{Run: &runs[i], Cells: texts(cells...)})
		}
	}
	if len(t.Rows) == 0 {
		return nil
	}
	return t
}

// perAnswer is the mean number of marks of n texts.
func perAnswer(m report.Marked, n int64) string {
	if n == 0 {
		return missing
	}
	return strconv.FormatFloat(float64(m.Total)/float64(n), 'f', 2, 64)
}

// firstErrorTable says in which tenth of long texts the first error is; nil without any.
func firstErrorTable(r *report.Report, runs []run) *table {
	t := &table{ID: "t-first-errors", Caption: "First error in long texts, by tenth of the text", First: "model",
		Columns: []column{{Head: "task", Left: true}, {Head: "answers"}},
		Notes:   []string{"In per cent of the answers that are right up to this tenth."}}
	for i := range 10 {
		t.Columns = append(t.Columns, column{Head: "≤" + strconv.Itoa(i*10+10)})
	}
	for i := range r.Runs {
		for _, f := range r.Runs[i].Families {
			if len(f.FirstErrors) == 0 {
				continue
			}
			cells := []string{string(name(f.Name)), count(f.FirstErrors[0].Of)}
			for _, e := range f.FirstErrors {
				cells = append(cells, number.WholePercent(e.Share))
			}
			t.Rows = append(t.Rows, row{Run: &runs[i], Cells: texts(cells...)})
		}
	}
	if len(t.Rows) == 0 {
		return nil
	}
	return t
}

// contextTable counts the items whose prompt and reply fit a context window.
func contextTable(r *report.Report, runs []run) *table {
	t := &table{ID: "t-contexts", Caption: "Items that fit a context window", First: "model",
		Notes: []string{"Prompt and reply together, with reasoning; of the answers with known token counts."}}
	for i := range r.Runs {
		list := r.Runs[i].Contexts
		if len(list) == 0 {
			continue
		}
		if t.Columns == nil {
			for _, c := range list {
				t.Columns = append(t.Columns, column{Head: count(c.Window), Unit: "tokens"})
			}
		}
		cells := make([]cell, len(t.Columns))
		for j := range cells {
			cells[j].Text = missing
			if j < len(list) {
				cells[j].Text = count(list[j].Fit) + " of " + count(list[j].Of)
			}
		}
		t.Rows = append(t.Rows, row{Run: &runs[i], Cells: cells})
	}
	if len(t.Rows) == 0 {
		return nil
	}
	return t
}

// dayTable has a row for every day of a run of several days; nil without such a run.
func dayTable(r *report.Report, runs []run) *table {
	t := &table{ID: "t-days", Caption: "Day by day (UTC)", First: "model",
		Columns: []column{{Head: "day", Left: true}, {Head: "answers"}, {Head: "exact", Unit: "% of answers"}, {Head: "score"}, {Head: "median time"}, {Head: "served as", Left: true}}}
	for i := range r.Runs {
		for _, d := range r.Runs[i].Days {
			t.Rows = append(t.Rows, row{Run: &runs[i], Cells: []cell{
				{Safe: name(d.Day)}, {Text: answered(&d.Line)}, rate(d.Line.Exact), {Text: mean(d.Line.Score.Value)}, {Text: seconds(d.Line.Seconds.Median)}, {Safe: names(d.Served)}}})
		}
	}
	if len(t.Rows) == 0 {
		return nil
	}
	return t
}
