package page

import (
	"slices"
	"strconv"

	"verbatim"
	"verbatim/internal/figure"
	"verbatim/internal/layout"
	"verbatim/internal/number"
	"verbatim/internal/recordview"
	"verbatim/internal/report"
	"verbatim/internal/verdict"
)

// A table is the data of the template "table". A table that is wider than the page has its
// own scroll bar.
type table struct {
	ID      string // of its caption, such as "t-models"
	Caption string
	First   string // the head of the first column
	Groups  []columnGroup
	Columns []column
	Rows    []row
	Notes   []string
}

// A columnGroup heads columns that belong together.
type columnGroup struct {
	Head string
	Span int
}

// A column has a head, and a unit below it.
type column struct {
	Head, Unit string
	Run        *run // instead of Head
	Left       bool // text, left aligned
}

// A row is headed by a run or by a text.
type row struct {
	Run   *run
	Head  safeText
	Cells []cell
}

// A cell holds a number or a text, with an interval after it and a note below it.
type cell struct {
	Text  string
	Safe  safeText // instead of Text
	Range string
	Note  string
	Bar   *bar
	Word  verdict.Word
}

// A bar is the drawing of a share with its interval: positions from 0 to 100.
type bar struct{ Low, Width, At string }

// newBar returns the bar of shares from 0 to 1.
func newBar(low, at, high float64) *bar {
	place := func(v float64) string { return strconv.FormatFloat(100*v, 'f', 1, 64) }
	return &bar{place(low), place(high - low), place(at)}
}

// texts makes each text a cell.
func texts(list ...string) []cell {
	cells := make([]cell, len(list))
	for i, s := range list {
		cells[i].Text = s
	}
	return cells
}

// orNil returns the table, or nil if it has no rows or no columns.
func (t *table) orNil() *table {
	if len(t.Rows) == 0 || len(t.Columns) == 0 {
		return nil
	}
	return t
}

// withoutEmpty removes the columns whose cells are all empty or unknown, and returns the table.
func (t *table) withoutEmpty() *table {
	var keep []int
	for i := range t.Columns {
		for _, r := range t.Rows {
			if c := r.Cells[i]; c.Text != "" && c.Text != missing || c.Safe != "" || c.Word != "" {
				keep = append(keep, i)
				break
			}
		}
	}
	at := len(t.Columns) // the groups count the first column too
	for g := len(t.Groups) - 1; g >= 0; g-- {
		end := at
		at -= t.Groups[g].Span
		left := 0
		for _, i := range keep {
			if at <= i && i < end {
				left++
			}
		}
		if at < 0 {
			left++
		}
		if t.Groups[g].Span = left; left == 0 {
			t.Groups = slices.Delete(t.Groups, g, g+1)
		}
	}
	t.Columns = selected(t.Columns, keep)
	for n := range t.Rows {
		t.Rows[n].Cells = selected(t.Rows[n].Cells, keep)
	}
	return t
}

// selected returns the elements of the list at some indexes.
func selected[T any](list []T, indexes []int) []T {
	out := make([]T, len(indexes))
	for i, index := range indexes {
		out[i] = list[index]
	}
	return out
}

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

// A rankingView is the text around the leaderboard.
type rankingView struct {
	Lead  string // what the runs are ranked by, and over which items
	Ties  []tieView
	More  int // further ones
	Notes []safeText
}

// newRanking returns the ranking; nil without one.
func newRanking(r *report.Report, runs []run) *rankingView {
	b := r.Leaderboard
	if b == nil || len(b.Places) == 0 {
		return nil
	}
	v := &rankingView{Ties: ties(r, runs)}
	shown := number.ShownNames(len(v.Ties))
	v.Ties, v.More = v.Ties[:shown], len(v.Ties)-shown
	v.Lead = "By " + rankedBy(b) + " on the " + number.Plural(b.Items, "item", "items") + " that all runs answered, each item once"
	if !b.Paired {
		v.Lead = "By " + rankedBy(b) + " of each run on its own items, which differ between runs"
	} else if b.LeftOut > 0 {
		v.Lead += "; " + number.Plural(b.LeftOut, "item is", "items are") + " left out because some run has no answer"
	}
	v.Lead += ". The first table is over all answers of each run."
	for _, n := range b.Notes {
		v.Notes = append(v.Notes, sentence(n.Text))
	}
	return v
}

// rankedBy names what the runs are ranked by.
func rankedBy(b *verdict.Leaderboard) string {
	switch report.Metric(b.Metric) {
	case report.MetricExact:
		return "the exact share"
	case report.MetricScore, "":
		return "the mean score"
	}
	return "the mean " + string(name(b.Metric)) + " score"
}

// A tieView is a run with the runs that are indistinguishable from it.
type tieView struct {
	Name safeText
	With nameList
}

// ties lists each pair of indistinguishable runs once, under the first of the two.
func ties(r *report.Report, runs []run) []tieView {
	b := r.Leaderboard
	var list []tieView
	for i := range b.Places {
		t := tieView{Name: called(r, runs, &b.Places[i].RunInfo)}
		for _, j := range b.Places[i].Indistinguishable {
			if j > i && j < len(b.Places) {
				t.With = append(t.With, called(r, runs, &b.Places[j].RunInfo))
			}
		}
		if len(t.With) > 0 {
			list = append(list, t)
		}
	}
	return list
}

// called returns the name of a run of a verdict.
func called(r *report.Report, runs []run, h *verdict.RunInfo) safeText {
	if i := figure.RunIndex(r.Runs, h); i >= 0 {
		return runs[i].Name
	}
	if h.Model != "" {
		return name(h.Model)
	}
	return name(h.Name)
}

// A familyView is a task with a line for each length and a column for each run.
type familyView struct {
	ID    string // of its caption, such as "f0"
	Name  safeText
	Open  bool
	Lines []lineView // the total is the last
	// Sum is the total of the only run, which is shown while the lengths are hidden. It is nil
	// if there are several runs, or no request of the task.
	Sum *shareView
}

// A lineView is a length of a task, or all of them.
type lineView struct {
	Length safeText // empty on the total
	Total  bool
	Cells  []shareView // one for each run
}

// openFamilies is the largest number of tasks whose lengths are shown at first.
const openFamilies = 4

// familyViews returns the families of all runs, in the order of their first run.
func familyViews(r *report.Report, versus *baselineIndex) []familyView {
	var list []familyView
	tasks := figure.Tasks(r.Runs)
	for i, task := range tasks {
		v := familyView{ID: "f" + strconv.Itoa(i), Name: name(task), Open: len(tasks) <= openFamilies}
		for _, length := range lengthsOf(r, task) {
			v.Lines = append(v.Lines, lineOf(r, versus, task, length.Label))
		}
		if len(v.Lines) > 1 {
			v.Lines = append(v.Lines, totalOf(r, versus, task))
		}
		if n := len(v.Lines); n > 0 && len(r.Runs) == 1 && v.Lines[n-1].Cells[0].Asked {
			v.Sum = &v.Lines[n-1].Cells[0]
		}
		list = append(list, v)
	}
	return list
}

func lineOf(r *report.Report, versus *baselineIndex, family, length string) lineView {
	v := lineView{Length: name(length)}
	for i := range r.Runs {
		s := shareOf(findLine(&r.Runs[i], family, length))
		s.Class = inkOf(i).Class
		versus.cell(&s, i, family, length)
		v.Cells = append(v.Cells, s)
	}
	return v
}

func totalOf(r *report.Report, versus *baselineIndex, family string) lineView {
	v := lineView{Total: true}
	for i := range r.Runs {
		var l *report.Line
		if f := figure.FindTask(&r.Runs[i], family); f != nil {
			l = &f.Total
		}
		s := shareOf(l)
		s.Class = inkOf(i).Class
		versus.family(&s, i, family)
		v.Cells = append(v.Cells, s)
	}
	return v
}

// shareOf returns the view of a line, which is nil if the run has no request of it.
func shareOf(l *report.Line) shareView {
	if l == nil {
		return shareView{}
	}
	c := rate(l.Exact)
	s := shareView{Asked: true, Share: c.Text, Range: c.Range, Bar: c.Bar}
	if f := failure(l); f != nil {
		s.Label = name(f.Name) + safeText(" "+number.Count(f.N))
	}
	return s
}
