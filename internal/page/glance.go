package page

import (
	"verbatim/internal/chart"
	"verbatim/internal/recordview"
	"verbatim/internal/report"
	"verbatim/internal/verdict"
)

// A glanceView is the top of the page: what was asked of whom, who is better, how
// sure that is, what goes wrong, what it cost.
type glanceView struct {
	Asked    []said
	Lead     []leadView
	Baseline said // the run that others are judged next to; empty where none is
	Judged   []judgedView
	Runs     *table
}

// A leadView is a sentence of which the first part names runs.
type leadView struct {
	Names []said
	Text  string
}

// A judgedView names the runs that have one verdict next to the baseline.
type judgedView struct {
	Word  verdict.Word
	Names []said
}

// asked says what was asked, in a few words each.
func asked(r *report.Report) []said {
	var parts []said
	h := &r.Runs[0].Head
	fams := families(r)
	switch n := len(fams); {
	case n == 1:
		parts = append(parts, name(fams[0].name))
	case n > 1:
		parts = append(parts, said(plural(int64(n), "task", "tasks")))
	}
	if low, high := extremes(fams); low != "" && low != high {
		parts = append(parts, "lengths "+name(low)+" to "+name(high))
	} else if low != "" {
		parts = append(parts, "length "+name(low))
	}
	if t := &r.Runs[0].Total; t.Planned != nil {
		parts = append(parts, said(plural(*t.Planned, "request", "requests")+each(r)))
	} else {
		parts = append(parts, said(plural(t.Recorded, "request", "requests")+each(r)))
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

// extremes returns the shortest and the longest length; empty where tasks have none.
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

// newGlance picks what the top says.
func newGlance(r *report.Report, runs []run, beside *besides) *glanceView {
	v := &glanceView{Asked: asked(r), Lead: lead(r, runs), Judged: judged(r, runs), Runs: glanceTable(r, runs, beside)}
	if beside.baseline >= 0 {
		v.Baseline = runs[beside.baseline].Name
	}
	return v
}

// lead says who is first, or what the one run there is got right.
func lead(r *report.Report, runs []run) []leadView {
	if b := r.Leaderboard; b != nil && len(b.Places) > 0 {
		var first []said
		for i := range b.Places {
			if b.Places[i].RankLow == 1 {
				first = append(first, called(r, runs, &b.Places[i].RunInfo))
			}
		}
		if len(first) == 1 {
			p := &b.Places[0]
			return []leadView{{first, "leads: its mean score is " + score(p.Mean) + ", and would be within " + scores(p.Range) + " on other items like these."}}
		}
		return []leadView{{first, "may each be first: these numbers do not tell which."}}
	}
	var list []leadView
	for i := range r.Runs {
		if l := &r.Runs[i].Total; len(list) < 3 && l.Answered > 0 {
			list = append(list, leadView{[]said{runs[i].Name}, "got " + percent(l.Exact.Share) + " % of " + plural(l.Answered, "answer", "answers") + " exactly right (" + interval(l.Exact) + " %)."})
		}
	}
	return list
}

// glanceTable has a row for each run, the best first where they are ranked.
func glanceTable(r *report.Report, runs []run, beside *besides) *table {
	t := &table{ID: "t-glance", Caption: "All at a glance", First: "model",
		Columns: []column{{Head: "rank"}, {Head: "exact", Unit: "% of answers"}, {Head: "score", Unit: scoreWords(r)}, {Head: "verdict", Unit: "score less the baseline’s", Left: true},
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
		if c := beside.by[o.run]; c != nil {
			verdictCell = cell{Word: c.Word, Range: signed(c.Difference.Value) + " (" + span(c.Difference.Range) + ")"}
		} else if o.run == beside.baseline {
			verdictCell.Text = "baseline"
		}
		wrong := cell{Text: missing}
		if f := failure(l); f != nil {
			wrong = cell{Said: name(f.Name), Range: count(f.N) + " of " + count(l.Answered)}
			if !explained[f.Name] { // once is enough
				wrong.Note, explained[f.Name] = recordview.Explain(f.Name), true
			}
		}
		t.Rows = append(t.Rows, row{Run: &runs[o.run], Cells: []cell{
			{Text: o.rank}, rate(l.Exact), {Text: scored}, verdictCell, wrong, {Text: some(l.Unanswered)}, {Text: price(l.Cost)}, {Text: seconds(l.Seconds.Median)}}})
	}
	return t.without()
}

// ownScore reports whether the score says anything that the exact share does not.
func ownScore(r *report.Report) bool {
	for i := range r.Runs {
		l := &r.Runs[i].Total
		if (l.Score.Value == nil) != (l.Exact.Share == nil) || l.Score.Value != nil && mean(l.Score.Value) != mean(l.Exact.Share) {
			return true
		}
	}
	return false
}

// A placed run has a place in the report, and its ranks in words.
type placed struct {
	run  int
	rank string
}

// order lists the runs by rank, those without one behind.
func order(r *report.Report) []placed {
	var list []placed
	seen := make(map[int]bool)
	if b := r.Leaderboard; b != nil {
		for i := range b.Places {
			if at := chart.Run(r.Runs, &b.Places[i].RunInfo); at >= 0 && !seen[at] {
				seen[at] = true
				list = append(list, placed{at, ranks(&b.Places[i])})
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

// judged gathers the runs by the verdict next to the baseline.
func judged(r *report.Report, runs []run) []judgedView {
	var list []judgedView
	for _, w := range []verdict.Word{verdict.Better, verdict.Worse, verdict.Equivalent, verdict.Inconclusive, verdict.Withheld} {
		j := judgedView{Word: w}
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

// title names the report by what was asked of whom.
func title(r *report.Report, runs []run) said {
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
			what = said(plural(int64(len(fams)), "task", "tasks"))
		}
	}
	switch len(runs) {
	case 1:
		return what + " asked of " + runs[0].Name
	case 2:
		return what + " asked of " + runs[0].Name + " and " + runs[1].Name
	}
	return what + " asked of " + said(plural(int64(len(runs)), "model", "models"))
}

// suites names the suite of all runs; empty where they differ, or it has no name
// that says anything.
func suites(r *report.Report) said {
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
