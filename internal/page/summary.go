package page

import (
	"strings"

	"verbatim/internal/chart"
	"verbatim/internal/recordview"
	"verbatim/internal/report"
	"verbatim/internal/verdict"
)

// A summaryView is the top of the page: the plan and the models, the best run with its
// certainty, the commonest failures, the cost.
type summaryView struct {
	Asked    []safeText
	Lead     []leadView
	Baseline safeText // the run that others are compared with; empty: none
	Verdicts []verdictView
	Runs     *table
}

// A leadView is a sentence that begins with names of runs.
type leadView struct {
	Names []safeText
	Text  string
}

// A verdictView lists the runs with the same verdict.
type verdictView struct {
	Word  verdict.Word
	Names []safeText
}

// asked describes the plan, in a few words each.
func asked(r *report.Report) []safeText {
	var parts []safeText
	h := &r.Runs[0].Head
	fams := families(r)
	switch n := len(fams); {
	case n == 1:
		parts = append(parts, name(fams[0].name))
	case n > 1:
		parts = append(parts, safeText(plural(int64(n), "task", "tasks")))
	}
	if low, high := extremes(fams); low != "" && low != high {
		parts = append(parts, "lengths "+name(low)+" to "+name(high))
	} else if low != "" {
		parts = append(parts, "length "+name(low))
	}
	if t := &r.Runs[0].Total; t.Planned != nil {
		parts = append(parts, safeText(plural(*t.Planned, "request", "requests")+each(r)))
	} else {
		parts = append(parts, safeText(plural(t.Recorded, "request", "requests")+each(r)))
	}
	if h.Edition != "" {
		parts = append(parts, name(string(h.Edition))+" edition")
	}
	return parts
}

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
func extremes(fams []*familyName) (low, high string) {
	for _, f := range fams {
		if len(f.lengths) == 0 {
			continue
		}
		first, last := f.lengths[0], f.lengths[len(f.lengths)-1]
		if low == "" || len(first) < len(low) || len(first) == len(low) && first < low {
			low = first
		}
		if len(last) > len(high) || len(last) == len(high) && last > high {
			high = last
		}
	}
	return low, high
}

// newSummary makes the top of the page.
func newSummary(r *report.Report, runs []run, versus *baselineIndex) *summaryView {
	v := &summaryView{Asked: asked(r), Lead: lead(r, runs), Verdicts: verdicts(r, runs), Runs: summaryTable(r, runs, versus)}
	if versus.baseline >= 0 {
		v.Baseline = runs[versus.baseline].Name
	}
	return v
}

// lead names the first of the ranking; without a ranking, the exact share of each run.
func lead(r *report.Report, runs []run) []leadView {
	if b := r.Leaderboard; b != nil && len(b.Places) > 0 {
		var first []safeText
		for i := range b.Places {
			if b.Places[i].RankLow == 1 {
				first = append(first, called(r, runs, &b.Places[i].RunInfo))
			}
		}
		if len(first) == 1 {
			p := &b.Places[0]
			if b.Metric == string(report.MetricExact) {
				return []leadView{{first, "is first: exact in " + percent(&p.Mean) + " % (95 % interval " + percent(&p.Low) + "–" + percent(&p.High) + " %)."}}
			}
			return []leadView{{first, "is first: " + strings.TrimPrefix(rankedBy(b), "the ") + " " + score(p.Mean) + " (95 % interval " + scores(p.Range) + ")."}}
		}
		return []leadView{{first, "are indistinguishable: each may be first."}}
	}
	var list []leadView
	for i := range r.Runs {
		if l := &r.Runs[i].Total; len(list) < 3 && l.Answered > 0 {
			list = append(list, leadView{[]safeText{runs[i].Name}, "got " + percent(l.Exact.Share) + " % of " + plural(l.Answered, "answer", "answers") + " exactly right (" + interval(l.Exact) + " %)."})
		}
	}
	return list
}

// summaryTable has a row for each run, the best first where they are ranked.
func summaryTable(r *report.Report, runs []run, versus *baselineIndex) *table {
	t := &table{ID: "t-glance", Caption: "Summary", First: "model",
		Columns: []column{{Head: "rank"}, {Head: "exact", Unit: "% of answers"}, {Head: "score", Unit: scoreWords(r)}, {Head: "verdict", Unit: "score minus the baseline’s", Left: true},
			{Head: "commonest failure", Left: true}, {Head: "no answer"}, {Head: "cost"}, {Head: "median time"}}}
	own, explained := ownScore(r), make(map[string]bool)
	for _, o := range order(r) {
		b := &r.Runs[o.run]
		l := &b.Total
		scored := mean(l.Score.Value)
		if !own {
			scored = ""
		}
		verdictCell := cell{}
		if c := versus.by[o.run]; c != nil {
			verdictCell = cell{Word: c.Word, Range: signed(c.Difference.Value) + " (" + span(c.Difference.Range) + ")"}
		} else if o.run == versus.baseline {
			verdictCell.Text = "baseline"
		}
		wrong := cell{Text: missing}
		if f := failure(l); f != nil {
			wrong = cell{Safe: name(f.Name), Range: count(f.N) + " of " + count(l.Answered)}
			if !explained[f.Name] { // once is enough
				wrong.Note, explained[f.Name] = recordview.Explain(f.Name), true
			}
		}
		t.Rows = append(t.Rows, row{Run: &runs[o.run], Cells: []cell{
			{Text: o.rank}, rate(l.Exact), {Text: scored}, verdictCell, wrong, {Text: some(l.Unanswered)}, {Text: price(l.Cost)}, {Text: seconds(l.Seconds.Median)}}})
	}
	return t.without()
}

// A placed run is the index of a run in the report with its ranks.
type placed struct {
	run  int
	rank string
}

// order returns the runs by rank, those without a rank last.
func order(r *report.Report) []placed {
	var list []placed
	seen := make(map[int]bool)
	if b := r.Leaderboard; b != nil {
		for i := range b.Places {
			if at := chart.Run(r.Runs, &b.Places[i].RunInfo); at >= 0 && !seen[at] {
				seen[at] = true
				list = append(list, placed{at, chart.RankText(&b.Places[i])})
			}
		}
	}
	for i := range r.Runs {
		if !seen[i] {
			list = append(list, placed{i, missing})
		}
	}
	return list
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
	what := suites(r)
	if what == "" {
		fams := families(r)
		for i, f := range fams {
			if i > 0 {
				what += ", "
			}
			what += name(f.name)
		}
		if len(fams) > 4 || len(fams) == 0 {
			what = safeText(plural(int64(len(fams)), "task", "tasks"))
		}
	}
	switch len(runs) {
	case 1:
		return what + " asked of " + runs[0].Name
	case 2:
		return what + " asked of " + runs[0].Name + " and " + runs[1].Name
	}
	return what + " asked of " + safeText(plural(int64(len(runs)), "model", "models"))
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
