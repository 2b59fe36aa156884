package paper

import (
	"fmt"
	"strconv"
	"strings"

	"verbatim"
	"verbatim/internal/figure"
	"verbatim/internal/number"
	"verbatim/internal/report"
	"verbatim/internal/table"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict"
)

// tables returns the tables of an ordinary report, without numbers:
//
//   - the first table, as in every other format, and the lengths up to which the runs are exact
//   - the leaderboard, if there is one
//   - of each run the exact share by task and length, with its interval
//   - the outcomes
//   - the comparisons, if there are any
func tables(r *report.Report) []Table {
	var list []Table
	if len(r.Runs) > 0 {
		h := report.HeadlineOf(r)
		list = append(list, headlineTable(h))
		if t := h.ReachTable(); t != nil {
			list = append(list, reachTable(h, t))
		}
	}
	if r.Leaderboard != nil {
		list = append(list, leaderTable(r.Leaderboard))
	}
	for i := range r.Runs {
		list = append(list, shareTable(r, i))
	}
	if len(r.Runs) > 0 {
		list = append(list, outcomeTable(r))
	}
	if len(r.Comparisons) > 0 {
		list = append(list, comparisonTable(r.Comparisons))
	}
	return list
}

// Report is the Document of an ordinary report, for the formats of this package.
func Report(r *report.Report) *Document {
	return &Document{Command: r.Command, Tables: tables(r)}
}

// names returns the names of the runs in tables; see Names.
func names(r *report.Report) []string {
	var models, runs []string
	for i := range r.Runs {
		models, runs = append(models, terminal.Visible(r.Runs[i].Head.Model)), append(runs, terminal.Visible(r.Runs[i].Head.Name))
	}
	return Names(models, runs)
}

// Names returns a name for each run: its model, or the name of the run if several runs have the
// model.
func Names(models, runs []string) []string {
	return distinct(models, func(i int) string { return runs[i] })
}

// headlineTable is the first table of the report, with the values behind its cells.
func headlineTable(h *report.Headline) Table {
	plain := h.Table(0)
	t := Table{Name: plain.Name, Caption: "Which model, at what price: the exact share of all answers of each run with its 95 % interval by item, the cost of 1,000 exact answers, and the median time.", Columns: plain.Columns, Rows: plain.Rows}
	for i := range t.Rows {
		r := &h.Rows[i]
		t.Rows[i].Key = terminal.Visible(r.Name)
		add := func(column string, v *float64) {
			if v != nil {
				t.Rows[i].Values = append(t.Rows[i].Values, Value{Column: column, Number: *v})
			}
		}
		add("exact", r.Exact.Share)
		add("exact_low", r.Exact.Low)
		add("exact_high", r.Exact.High)
		if r.Dollars != nil {
			dollars := float64(*r.Dollars) / float64(verbatim.Dollar)
			add("dollars_per_1000_exact", &dollars)
		}
		add("median_seconds", r.Seconds)
	}
	return t
}

// reachTable is the table t of lengths, with the values behind its cells.
func reachTable(h *report.Headline, t *table.Table) Table {
	share := h.ShareText()
	out := Table{Name: t.Name, Caption: "Up to what length: the longest length of each task up to which every length with at least 10 answered items has at least " + share + " % exact, with the exact answers there.", Columns: t.Columns, Rows: t.Rows}
	if !h.HasLengths() {
		out.Caption = "Exact answers of each task."
	}
	for i, task := range h.Tasks() {
		out.Rows[i].Key = terminal.Visible(task)
		for j := range h.Rows {
			if r := h.Rows[j].Of(task); r != nil && r.Length != nil {
				out.Rows[i].Values = append(out.Rows[i].Values, Value{Column: terminal.Visible(h.Rows[j].Name), Number: float64(*r.Length)})
			}
		}
	}
	return out
}

func leaderTable(l *verdict.Leaderboard) Table {
	over := "the items that all of them answered"
	if !l.Paired {
		over = "the items of each run"
	}
	t := Table{
		Name: "leaderboard", Caption: fmt.Sprintf("Runs by the mean of their scores (%s) over %s, each item once, with its %s interval, and the ranks that they can have.", report.Metric(l.Metric), over, levelText(l.Confidence)),
		Columns: []Column{{Head: "Rank", Right: true}, {Head: "Model"}, {Head: "Score", Right: true}, {Head: "Interval", Right: true}},
	}
	for _, p := range l.Places {
		mean, interval := Missing, Missing
		row := Row{Key: terminal.Visible(p.Name), Values: []Value{{Column: "rank", Number: float64(p.Rank)}, {Column: "rank_low", Number: float64(p.RankLow)}, {Column: "rank_high", Number: float64(p.RankHigh)}}}
		if p.Items > 0 {
			mean, interval = number.Fixed(p.Mean, 3), number.Fixed(p.Low, 3)+"–"+number.Fixed(p.High, 3)
			row.Values = append(row.Values, Value{Column: "mean", Number: p.Mean}, Value{Column: "low", Number: p.Low}, Value{Column: "high", Number: p.High})
		}
		row.Cells = []string{figure.RankText(&p), terminal.Visible(p.Model), mean, interval}
		t.Rows = append(t.Rows, row)
	}
	if !l.Paired {
		t.Notes = append(t.Notes, "The runs did not answer the same items: each mean is over the items of its run.")
	}
	return t
}

func shareTable(r *report.Report, i int) Table {
	b := &r.Runs[i]
	t := Table{
		Name:    "exact-" + strconv.Itoa(i+1),
		Caption: fmt.Sprintf("%s: answers that are exactly right, by task and length, in per cent of those answered with the %s interval (Wilson 1927).", names(r)[i], levelText(r.Confidence)),
		Columns: []Column{{Head: "Task"}, {Head: "Length", Right: true}, {Head: "n", LaTeX: "$n$", Right: true}, {Head: "Exact", Right: true}, {Head: "Interval", Right: true}, {Head: "Extracted", Right: true}, {Head: "Score", Right: true}},
	}
	for j := range b.Families {
		f := &b.Families[j]
		for k := range f.Lines {
			row := shareRow(&f.Lines[k])
			row.Cells[0], row.Rule = "", k == 0 && j > 0
			if k == 0 {
				row.Cells[0] = terminal.Visible(f.Name)
			}
			row.Key = terminal.Visible(f.Name) + "/" + terminal.Visible(f.Lines[k].Length)
			t.Rows = append(t.Rows, row)
		}
	}
	all := shareRow(&b.Total)
	all.Key, all.Rule, all.Cells[0] = "all", len(t.Rows) > 0, "All"
	t.Rows = append(t.Rows, all)
	if b.Total.Exact.Repeated() {
		t.Notes = append(t.Notes, "n: items × trials, or items (answers); the interval is by item.")
	}
	if b.Head.Note != "" {
		t.Notes = append(t.Notes, terminal.Visible(b.Head.Note))
	}
	return t
}

func shareRow(l *report.Line) Row {
	row := Row{Cells: []string{"", terminal.Visible(l.Length), number.Items(l.Exact.Items, l.Answered), number.Percent(l.Exact.Share), number.PercentRange(l.Exact.Low, l.Exact.High, 1), number.Percent(l.Extracted.Share), number.Score(l.Score.Value)}}
	row.Values = []Value{{Column: "items", Number: float64(l.Exact.Items)}, {Column: "answered", Number: float64(l.Answered)}, {Column: "exact", Number: float64(l.Exact.N)}}
	for _, v := range []struct {
		column string
		value  *float64
	}{{"exact_share", l.Exact.Share}, {"exact_low", l.Exact.Low}, {"exact_high", l.Exact.High}, {"extracted_share", l.Extracted.Share}, {"score_mean", l.Score.Value}} {
		if v.value != nil {
			row.Values = append(row.Values, Value{Column: v.column, Number: *v.value})
		}
	}
	return row
}

func outcomeTable(r *report.Report) Table {
	t := Table{Name: "outcomes", Caption: "Outcomes of the requests. Requests that were cut, failed or skipped have no answer, and count in no share.", Columns: []Column{{Head: "Model"}}}
	for _, o := range verbatim.Outcomes() {
		t.Columns = append(t.Columns, Column{Head: string(o), Right: true})
	}
	models := names(r)
	for i := range r.Runs {
		row := Row{Key: models[i], Cells: []string{models[i]}}
		for _, c := range r.Runs[i].Total.Outcomes {
			row.Cells = append(row.Cells, number.Count(c.N))
			row.Values = append(row.Values, Value{Column: c.Name, Number: float64(c.N)})
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func comparisonTable(list []*verdict.Comparison) Table {
	c := list[0]
	t := Table{
		Name: "comparison",
		Caption: fmt.Sprintf("Differences of the mean score (%s) on the items that both runs answered, B minus A, with the %s interval, and the probabilities that B is worse, equivalent (within %s) and better.",
			report.Metric(c.Metric), levelText(c.Confidence), number.Fixed(c.Rope, 3)),
		Columns: []Column{{Head: "A"}, {Head: "B"}, {Head: "n", LaTeX: "$n$", Right: true}, {Head: "B-A", LaTeX: "$B-A$", Right: true}, {Head: "Interval", Right: true},
			{Head: "P(worse)", Right: true}, {Head: "P(equivalent)", Right: true}, {Head: "P(better)", Right: true}, {Head: "Verdict"}},
	}
	for _, c := range list {
		d := &c.Difference
		a, b := terminal.Visible(c.A.Model), terminal.Visible(c.B.Model)
		if a == b {
			a, b = terminal.Visible(c.A.Name), terminal.Visible(c.B.Name)
		}
		t.Rows = append(t.Rows, Row{
			Key: a + "/" + b,
			Cells: []string{a, b, number.Count(c.Items), number.Signed(d.Value, 3), number.SignedRange(d.Low, d.High, 3),
				number.Probability(d.Worse), number.Probability(d.Equivalent), number.Probability(d.Better), strings.TrimSpace(string(c.Word))},
			Values: []Value{{Column: "items", Number: float64(c.Items)}, {Column: "mean_a", Number: c.A.Mean}, {Column: "mean_b", Number: c.B.Mean}, {Column: "difference", Number: d.Value}, {Column: "low", Number: d.Low}, {Column: "high", Number: d.High},
				{Column: "p_worse", Number: d.Worse}, {Column: "p_equivalent", Number: d.Equivalent}, {Column: "p_better", Number: d.Better}},
		})
	}
	return t
}

// distinct returns the names, with other(i) in place of each name that occurs several times.
func distinct(names []string, other func(i int) string) []string {
	count := make(map[string]int)
	for _, n := range names {
		count[n]++
	}
	out := make([]string, len(names))
	for i, n := range names {
		if out[i] = n; count[n] > 1 {
			out[i] = other(i)
		}
	}
	return out
}
