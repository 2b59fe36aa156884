package layout

import (
	"strconv"
	"strings"

	"verbatim"
	"verbatim/internal/report"

	"verbatim/internal/table"
	"verbatim/internal/terminal"
)

// reportData has one row for each line of the tables. The column level says what a row is over:
// "length" (one length or band), "family", "all", or "day" or "upstream", whose name has a column
// of its own.
func reportData(r *report.Report, first *report.Headline) *table.Table {
	t := dataTable(dataHeads()...)
	for i := range r.Runs {
		for _, row := range runRows(&r.Runs[i], first.Row(i)) {
			t.Add(row...)
		}
	}
	return t
}

// runRows returns the rows of one run.
func runRows(b *report.Block, first *report.HeadlineRow) (rows [][]string) {
	for i := range b.Families {
		f := &b.Families[i]
		for j := range f.Lines {
			rows = append(rows, dataRow(&b.Head, "length", &f.Lines[j], rowExtra{}))
		}
		rows = append(rows, dataRow(&b.Head, "family", &f.Total, rowExtra{modelScore: f.ModelScore}))
	}
	for i := range b.Days {
		rows = append(rows, dataRow(&b.Head, "day", &b.Days[i].Line, rowExtra{day: terminal.Visible(b.Days[i].Day)}))
	}
	for i := range b.Upstreams {
		rows = append(rows, dataRow(&b.Head, "upstream", &b.Upstreams[i].Line, rowExtra{upstream: &b.Upstreams[i]}))
	}
	return append(rows, dataRow(&b.Head, "all", &b.Total, rowExtra{modelScore: b.ModelScore, contexts: b.Contexts, headline: first}))
}

// dataHeads returns the columns of dataRow.
func dataHeads() []string {
	head := []string{"run", "name", "model", "suite", "edition", "seed", "plan", "level", "family", "length", "length_min", "length_max"}
	head = append(head, figureNames()...)
	head = append(head, "shots", "paraphrase", "system", "as", "model_score", "day", "context_known")
	for _, size := range report.WindowSizes {
		head = append(head, "fit_"+digits(size))
	}
	return append(head, "rank", "rank_low", "rank_high", "exact_up_to", "exact_up_to_low", "exact_up_to_high", "dollars_per_1000_exact", "upstream", "failed_requests", "failed_attempts", "failed_classes")
}

// figureNames returns the columns of figureCells.
func figureNames() []string {
	head := []string{
		"planned", "recorded", "answered", "unanswered", "items",
		"exact", "exact_share", "exact_low", "exact_high", "exact_of_planned",
		"extracted", "extracted_share", "extracted_low", "extracted_high", "extracted_of_planned",
		"score_on", "score_mean", "score_low", "score_high", "score_n",
	}
	for _, o := range verbatim.Outcomes() {
		head = append(head, string(o))
	}
	head = append(head, "trials", "pass_at_trials", "pass_at_trials_low", "pass_at_trials_high", "all_trials", "all_trials_low", "all_trials_high", "majority", "majority_low", "majority_high")
	return append(head, "failures", "first_token_median", "first_token_p95", "seconds_median", "seconds_p95",
		"first_content_median", "first_content_p95", "queue_median", "queue_p95",
		"prompt_tokens", "completion_tokens", "reasoning_tokens",
		"cost_dollars", "cost_known", "cost_unknown", "may_have_cost_dollars")
}

// A rowExtra has the values of columns that only some rows fill.
type rowExtra struct {
	modelScore *float64
	day        string
	contexts   []report.Context
	headline   *report.HeadlineRow
	upstream   *report.Upstream
}

// dataRow returns the row of a line.
func dataRow(h *report.Head, level string, l *report.Line, more rowExtra) []string {
	row := []string{
		digits(h.N), terminal.Visible(h.Name), terminal.Visible(h.Model), terminal.Visible(h.Suite), string(h.Edition), strconv.FormatUint(h.Seed, 10), terminal.Visible(h.Plan),
		level, terminal.Visible(l.Family), terminal.Visible(l.Length), "", "",
	}
	if l.Lengths != nil {
		row[10], row[11] = strconv.Itoa(l.Lengths.Min), strconv.Itoa(l.Lengths.Max)
	}
	row = append(append(row, figureCells(h.Metric, l)...), variantCells(h.Variant)...)
	row = append(row, Float(more.modelScore), more.day)
	row = append(row, contextCells(more.contexts)...)
	return append(append(row, headlineCells(more.headline)...), upstreamCells(more.upstream)...)
}

// upstreamCells has the name of an upstream and the number of attempts that failed there.
func upstreamCells(u *report.Upstream) []string {
	row := make([]string, 4)
	if u == nil {
		return row
	}
	row[0] = terminal.Visible(u.Name)
	if f := u.Failed; f != nil {
		classes := make([]report.Count, len(f.Classes))
		for i, c := range f.Classes {
			classes[i] = report.Count{Name: string(c.Name), N: c.N}
		}
		row[1], row[2], row[3] = digits(f.Requests), digits(f.Attempts), countCells(classes)
	}
	return row
}

// countCells lists counts in one cell.
func countCells(counts []report.Count) string {
	cells := make([]string, len(counts))
	for i, c := range counts {
		cells[i] = terminal.Visible(c.Name) + ":" + digits(c.N)
	}
	return strings.Join(cells, " ")
}

func contextCells(contexts []report.Context) []string {
	row := make([]string, 1+len(report.WindowSizes))
	if len(contexts) == 0 {
		return row
	}
	row[0] = digits(contexts[0].Of)
	for i, size := range report.WindowSizes {
		for _, c := range contexts {
			if c.Window == size {
				row[1+i] = digits(c.Fit)
			}
		}
	}
	return row
}

// headlineCells has the numbers of the first table that no other table has.
func headlineCells(first *report.HeadlineRow) []string {
	row := make([]string, 7)
	if first == nil {
		return row
	}
	if first.Rank > 0 {
		row[0], row[1], row[2] = digits(first.Rank), digits(first.RankLow), digits(first.RankHigh)
	}
	if u := first.UpTo; u != nil {
		row[3], row[4], row[5] = digits(u.Length), digits(u.Low), digits(u.High)
	}
	row[6] = dollars(first.Dollars)
	return row
}

// figureCells returns the figures of a line; figureNames has their names.
func figureCells(metric report.Metric, l *report.Line) []string {
	row := []string{optional(l.Planned), digits(l.Recorded), digits(l.Answered), digits(l.Unanswered), digits(l.Exact.Items)}
	for _, r := range []report.Rate{l.Exact, l.Extracted} {
		row = append(row, digits(r.N), Float(r.Share), Float(r.Low), Float(r.High), Float(r.OfPlanned))
	}
	row = append(row, string(metric), Float(l.Score.Value), Float(l.Score.Low), Float(l.Score.High), digits(l.Score.N))
	for _, c := range l.Outcomes {
		row = append(row, digits(c.N))
	}
	row = append(row, trialCells(l.Trials)...)
	row = append(row, countCells(l.Failures),
		Float(l.FirstToken.Median), Float(l.FirstToken.P95), Float(l.Seconds.Median), Float(l.Seconds.P95),
		Float(l.FirstContent.Median), Float(l.FirstContent.P95), Float(l.Queued.Median), Float(l.Queued.P95),
		optional(l.Tokens.Prompt.Total), optional(l.Tokens.Completion.Total), optional(l.Tokens.Reasoning.Total))
	return append(row, costCells(l.Cost)...)
}

// trialCells has the shares of items by their trials; empty cells if each item has one trial.
func trialCells(t *report.Trials) []string {
	if t == nil {
		return make([]string, 10)
	}
	row := []string{digits(t.Each)}
	for _, r := range []report.Rate{t.Any, t.All, t.Majority} {
		row = append(row, Float(r.Share), Float(r.Low), Float(r.High))
	}
	return row
}

func costCells(c *report.Cost) []string {
	if c == nil {
		return make([]string, 4)
	}
	return []string{dollars(c.Dollars), digits(c.Known), digits(c.Unknown), dollars(c.MayHave)}
}

func variantCells(v *verbatim.Variant) []string {
	if v == nil {
		v = &verbatim.Variant{}
	}
	return []string{strconv.Itoa(v.Shots), terminal.Visible(v.Paraphrase), terminal.Visible(v.System), terminal.Visible(string(v.As))}
}
