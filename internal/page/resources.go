package page

import (
	"strconv"

	"verbatim/internal/layout"
	"verbatim/internal/number"
	"verbatim/internal/reasoning"
	"verbatim/internal/report"
)

// timeTable has the times of answers; nil if unknown.
func timeTable(r *report.Report, runs []run) *table {
	t := &table{ID: "t-times", Caption: "Time of an answer", First: "model",
		Groups:  []columnGroup{{"", 1}, {"first token", 2}, {"first content", 2}, {"last token", 2}, {"server's queue", 2}, {"", 1}},
		Columns: []column{{Head: "median"}, {Head: "p95"}, {Head: "median"}, {Head: "p95"}, {Head: "median"}, {Head: "p95"}, {Head: "median"}, {Head: "p95"}, {Head: "answers timed"}}}
	for i := range r.Runs {
		l := &r.Runs[i].Total
		t.Rows = append(t.Rows, row{Run: &runs[i], Cells: texts(
			number.Seconds(l.FirstToken.Median), number.Seconds(l.FirstToken.P95), number.Seconds(l.FirstContent.Median), number.Seconds(l.FirstContent.P95), number.Seconds(l.Seconds.Median), number.Seconds(l.Seconds.P95), number.Seconds(l.Queued.Median), number.Seconds(l.Queued.P95), some(l.Seconds.N))})
	}
	return t.withoutEmpty().orNil()
}

// tokenTable has the sums of tokens; nil if unknown.
func tokenTable(r *report.Report, runs []run) *table {
	t := &table{ID: "t-tokens", Caption: "Tokens, as reported by the servers", First: "model",
		Columns: []column{{Head: "prompt"}, {Head: "completion"}, {Head: "of these reasoning"}, {Head: "answers counted"}}}
	for i := range r.Runs {
		k := &r.Runs[i].Total.Tokens
		t.Rows = append(t.Rows, row{Run: &runs[i], Cells: texts(total(k.Prompt), total(k.Completion), total(k.Reasoning), some(max(k.Completion.N, k.Prompt.N)))})
	}
	return t.withoutEmpty().orNil()
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
		t.Rows = append(t.Rows, row{Run: &runs[i], Cells: texts(layout.CostText(c), number.Count(c.Known), some(c.Unknown), lost)})
	}
	return t.orNil()
}

// reasoningTable has the sizes and the marks of reasoning by outcome; nil without reasoning.
func reasoningTable(r *report.Report, runs []run) *table {
	t := &table{ID: "t-reasoning", Caption: "Reasoning by outcome", First: "model",
		Groups:  []columnGroup{{"", 3}, {"tokens", 4}, {"characters", 4}, {"for each answer", 3 + len(reasoning.Patterns())}},
		Columns: []column{{Head: "outcome", Left: true}, {Head: "answers"}}}
	for range 2 {
		t.Columns = append(t.Columns, column{Head: "median"}, column{Head: "mean"}, column{Head: "min"}, column{Head: "max"})
	}
	t.Columns = append(t.Columns, column{Head: "second thoughts"}, column{Head: "repeated lines"}, column{Head: "language switches"})
	for _, p := range reasoning.Patterns() {
		t.Columns = append(t.Columns, column{Head: p.Name})
	}
	for i := range r.Runs {
		for _, o := range r.Runs[i].Reasoning {
			var x report.ReasoningTexts
			if o.Texts != nil {
				x = *o.Texts
			}
			cells := []string{string(o.Outcome), number.Count(max(o.N, x.Characters.N))}
			for _, s := range []report.Sizes{o.Sizes, x.Characters} {
				cells = append(cells, number.Whole(s.Median), number.Whole(s.Mean), number.Whole(s.Min), number.Whole(s.Max))
			}
			for _, m := range []report.Marked{x.SecondThoughts, x.RepeatedLines, x.LanguageSwitches} {
				cells = append(cells, perAnswer(m, x.Characters.N))
			}
			for _, p := range reasoning.Patterns() {
				cells = append(cells, perAnswer(x.Patterns[p.Name], x.Characters.N))
			}
			t.Rows = append(t.Rows, row{Run: &runs[i], Cells: texts(cells...)})
		}
	}
	return t.orNil()
}

// perAnswer prints the mean number of marks of n texts.
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
			cells := []string{string(name(f.Name)), number.Count(f.FirstErrors[0].Of)}
			for _, e := range f.FirstErrors {
				cells = append(cells, number.WholePercent(e.Share))
			}
			t.Rows = append(t.Rows, row{Run: &runs[i], Cells: texts(cells...)})
		}
	}
	return t.orNil()
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
				t.Columns = append(t.Columns, column{Head: number.Count(c.Window), Unit: "tokens"})
			}
		}
		cells := make([]cell, len(t.Columns))
		for j := range cells {
			cells[j].Text = missing
			if j < len(list) {
				cells[j].Text = number.Count(list[j].Fit) + " of " + number.Count(list[j].Of)
			}
		}
		t.Rows = append(t.Rows, row{Run: &runs[i], Cells: cells})
	}
	return t.orNil()
}

// dayTable has a row for every day of a run of several days; nil without such a run.
func dayTable(r *report.Report, runs []run) *table {
	t := &table{ID: "t-days", Caption: "Day by day (UTC)", First: "model",
		Columns: []column{{Head: "day", Left: true}, {Head: "answers"}, {Head: "exact", Unit: "% of answers"}, {Head: "score"}, {Head: "median time"}, {Head: "served as", Left: true}}}
	for i := range r.Runs {
		for _, d := range r.Runs[i].Days {
			t.Rows = append(t.Rows, row{Run: &runs[i], Cells: []cell{
				{Safe: name(d.Day)}, {Text: answered(&d.Line)}, rate(d.Line.Exact), {Text: number.Score(d.Line.Score.Value)}, {Text: number.Seconds(d.Line.Seconds.Median)}, {Safe: names(d.Served)}}})
		}
	}
	return t.orNil()
}
