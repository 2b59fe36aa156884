package page

import (
	"slices"
	"strings"

	"verbatim/internal/figure"
	"verbatim/internal/layout"
	"verbatim/internal/number"
	"verbatim/internal/recordview"
	"verbatim/internal/report"

	"verbatim/internal/verdict"
)

// A summaryView is the top of the page: the plan, the best run with its certainty, the verdicts,
// and the tables of all runs.
type summaryView struct {
	Asked    []safeText // the plan, in a few words each
	Lead     []leadView
	Baseline safeText // the run that others are compared with; empty: none
	Verdicts []verdictView
	Runs     *table // the first table
	Details  *table // nil: there is nothing more
}

// A nameList is names of runs in a sentence. Long ones are cut short; tables have all.
type nameList []safeText

// Shown returns the names that are listed.
func (l nameList) Shown() nameList { return l[:number.ShownNames(len(l))] }

// More returns the number of the others.
func (l nameList) More() int { return len(l) - number.ShownNames(len(l)) }

// A leadView is a sentence that begins with names of runs.
type leadView struct {
	Names nameList
	Text  string
}

// A verdictView lists the runs with the same verdict.
type verdictView struct {
	Word  verdict.Word
	Names nameList
}

// asked describes the plan, in a few words each.
func asked(r *report.Report) []safeText {
	var parts []safeText
	h := &r.Runs[0].Head
	tasks := figure.Tasks(r.Runs)
	switch n := len(tasks); {
	case n == 1:
		parts = append(parts, name(tasks[0]))
	case n > 1:
		parts = append(parts, safeText(number.Plural(int64(n), "task", "tasks")))
	}
	if low, high := extremes(r); low != "" && low != high {
		parts = append(parts, "lengths "+name(low)+" to "+name(high))
	} else if low != "" {
		parts = append(parts, "length "+name(low))
	}
	requests := r.Runs[0].Total.Recorded
	if n := r.Runs[0].Total.Planned; n != nil {
		requests = *n
	}
	parts = append(parts, safeText(number.Plural(requests, "request", "requests")+each(r)))
	if h.Edition != "" {
		parts = append(parts, name(string(h.Edition))+" edition")
	}
	return parts
}

// each says which runs the number of requests of the first run is about.
func each(r *report.Report) string {
	if len(r.Runs) == 1 {
		return ""
	}
	first := r.Runs[0].Total.Planned
	for i := range r.Runs {
		if p := r.Runs[i].Total.Planned; first == nil || p == nil || *p != *first {
			return " of the first"
		}
	}
	return " each"
}

// extremes returns the shortest and the longest length; empty without lengths.
func extremes(r *report.Report) (low, high string) {
	lengths := slices.DeleteFunc(lengthsOf(r, figure.Tasks(r.Runs)...), func(l figure.Length) bool { return l.Label == "" })
	if len(lengths) == 0 {
		return "", ""
	}
	return lengths[0].Label, lengths[len(lengths)-1].Label
}

// newSummary makes the top of the page.
func newSummary(r *report.Report, runs []run, versus *baselineIndex) *summaryView {
	first := report.HeadlineOf(r)
	v := &summaryView{Asked: asked(r), Lead: lead(r, first, runs), Verdicts: verdicts(r, runs), Runs: headlineTable(first, runs), Details: detailTable(r, first, runs, versus)}
	if versus.baseline >= 0 {
		v.Baseline = runs[versus.baseline].Name
	}
	return v
}

// lead names the first of the ranking; without a ranking, the exact share of each run.
func lead(r *report.Report, first *report.Headline, runs []run) []leadView {
	if b := r.Leaderboard; b != nil && len(b.Places) > 0 {
		var names []safeText
		for i := range first.Rows {
			if row := &first.Rows[i]; row.Rank > 0 && row.RankLow == 1 {
				names = append(names, runs[row.Run].Name)
			}
		}
		if len(names) != 1 {
			return []leadView{{names, "are indistinguishable: each may be first."}}
		}
		best := &first.Rows[0]
		text := "is first: exact in " + number.Percent(best.Exact.Share) + " % of its answers (95 % interval " + interval(best.Exact) + " %)"
		if best.Score != nil {
			text = "is first: " + strings.TrimPrefix(rankedBy(b), "the ") + " " + number.Score(best.Score.Value) + " (95 % interval " + number.ScoreRange(best.Score.Low, best.Score.High) + "), and exact in " + number.Percent(best.Exact.Share) + " % of its answers"
		}
		return []leadView{{names, text + "."}}
	}
	var list []leadView
	for i := range first.Rows {
		run := first.Rows[i].Run
		if l := &r.Runs[run].Total; len(list) < 3 && l.Answered > 0 {
			list = append(list, leadView{nameList{runs[run].Name}, "got " + number.Percent(l.Exact.Share) + " % of " + number.Plural(l.Answered, "answer", "answers") + " exactly right (" + interval(l.Exact) + " %)."})
		}
	}
	return list
}

// headlineTable is the first table: a row for each run, the best first.
func headlineTable(h *report.Headline, runs []run) *table {
	t := &table{ID: "t-glance", Caption: "Which model, up to what length, at what price", First: "model", Columns: []column{{Head: report.HeadRank}}}
	for _, m := range h.Explained() {
		t.Notes = append(t.Notes, m+".")
	}
	if h.Metric != report.MetricExact {
		t.Columns = append(t.Columns, column{Head: string(name(string(h.Metric))), Unit: "mean score"})
	}
	t.Columns = append(t.Columns, column{Head: report.HeadExact, Unit: "% of answers"}, column{Head: report.HeadUpTo, Unit: "length"}, column{Head: report.HeadDollars}, column{Head: report.HeadSeconds})
	for i := range h.Rows {
		r := &h.Rows[i]
		cells := texts(r.RankText())
		if r.Score != nil {
			cells = append(cells, cell{Text: number.Score(r.Score.Value), Range: number.ScoreRange(r.Score.Low, r.Score.High)})
		}
		upTo := cell{Text: r.UpToText()}
		if u := r.UpTo; u != nil && u.Low < u.High {
			upTo.Range = u.RangeText()
		}
		t.Rows = append(t.Rows, row{Run: &runs[r.Run], Cells: append(cells, rate(r.Exact), upTo, cell{Text: r.DollarsText()}, cell{Text: number.Seconds(r.Seconds)})})
	}
	return t.withoutEmpty()
}

// verdictUnit names the difference of a verdict.
func verdictUnit(m report.Metric) string {
	if m == report.MetricExact {
		return "exact share minus the baseline’s"
	}
	return "mean score minus the baseline’s"
}

// detailTable has the verdict on every run, its commonest failure and what is missing, in
// the order of the first table.
func detailTable(r *report.Report, first *report.Headline, runs []run, versus *baselineIndex) *table {
	t := &table{ID: "t-details", Caption: "Verdicts and failures", First: "model",
		Columns: []column{{Head: "verdict", Unit: verdictUnit(first.Metric), Left: true}, {Head: "commonest failure", Left: true}, {Head: "score", Unit: scoreWords(r)}, {Head: "no answer"}, {Head: "cost"}}}
	own, explained := ownScore(r) && first.Metric == report.MetricExact, make(map[string]bool)
	for i := range first.Rows {
		at := first.Rows[i].Run
		l := &r.Runs[at].Total
		scored := ""
		if own {
			scored = number.Score(l.Score.Value)
		}
		verdictCell := cell{}
		if c := versus.by[at]; c != nil {
			verdictCell = cell{Word: c.Word, Range: signed(c.Difference.Value) + " (" + span(c.Difference.Range) + ")"}
		} else if at == versus.baseline {
			verdictCell.Text = "baseline"
		}
		wrong := cell{Text: missing}
		if f := failure(l); f != nil {
			wrong = cell{Safe: name(f.Name), Range: number.Count(f.N) + " of " + number.Count(l.Answered)}
			if !explained[f.Name] { // once is enough
				wrong.Note, explained[f.Name] = recordview.Explain(f.Name), true
			}
		}
		t.Rows = append(t.Rows, row{Run: &runs[at], Cells: []cell{verdictCell, wrong, {Text: scored}, {Text: some(l.Unanswered)}, {Text: layout.CostText(l.Cost)}}})
	}
	return t.withoutEmpty().orNil()
}

// verdicts groups the runs by their verdicts.
func verdicts(r *report.Report, runs []run) []verdictView {
	var list []verdictView
	for _, w := range []verdict.Word{verdict.Better, verdict.Worse, verdict.Equivalent, verdict.Inconclusive, verdict.Withheld} {
		j := verdictView{Word: w}
		for _, c := range r.Comparisons {
			if c.Word == w {
				j.Names = append(j.Names, called(r, runs, &c.B.RunInfo))
			}
		}
		if len(j.Names) > 0 {
			list = append(list, j)
		}
	}
	return list
}

// title names the report by its tasks and models.
func title(r *report.Report, runs []run) safeText {
	what, tasks := suites(r), figure.Tasks(r.Runs)
	switch n := len(tasks); {
	case what != "":
	case n == 0 || n > 4:
		what = safeText(number.Plural(int64(n), "task", "tasks"))
	default:
		what = name(tasks[0])
		for _, task := range tasks[1:] {
			what += ", " + name(task)
		}
	}
	switch len(runs) {
	case 1:
		return what + " on " + runs[0].Name
	case 2:
		return what + " on " + runs[0].Name + " and " + runs[1].Name
	}
	return what + " on " + safeText(number.Plural(int64(len(runs)), "model", "models"))
}

// suites names the suite of all runs; empty if they differ or the suite is "custom".
func suites(r *report.Report) safeText {
	h := &r.Runs[0].Head
	for i := range r.Runs {
		if r.Runs[i].Head.Suite != h.Suite || r.Runs[i].Head.Items != h.Items {
			return ""
		}
	}
	switch {
	case h.Items != "":
		return name(h.Items)
	case h.Suite == "custom":
		return ""
	}
	return name(h.Suite)
}
