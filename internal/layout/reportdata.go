package layout

import (
	"strconv"
	"strings"

	"verbatim"
	"verbatim/internal/report"
	"verbatim/internal/table"
	"verbatim/internal/terminal"
)

// reportData has one row for each line of the tables. The column level says what a row
// is over: "length" (one length or band), "family" or "all", or "day" with the day in a
// column of its own.
func reportData(r *report.Report) *table.Table {
	t := dataTable(dataHeads()...)
	for i := range r.Runs {
		for _, row := range runRows(&r.Runs[i]) {
			t.Add(row...)
		}
	}
	return t
}

// runRows is the rows of one run.
func runRows(b *report.Block) (rows [][]string) {
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
	return append(rows, dataRow(&b.Head, "all", &b.Total, rowExtra{modelScore: b.ModelScore, contexts: b.Contexts}))
}

func dataHeads() []string {
	head := []string{"run", "name", "model", "suite", "edition", "seed", "plan", "level", "family", "length", "length_min", "length_max"}
	head = append(head, figureNames()...)
	head = append(head, "shots", "paraphrase", "system", "model_score", "day", "context_known")
	for _, size := range report.WindowSizes {
		head = append(head, "fit_"+digits(size))
	}
	return head
}

// figureNames are the columns of figureCells.
func figureNames() []string {
	head := []string{
		"planned", "recorded", "answered", "unanswered", "items",
		"exact", "exact_share", "exact_low", "exact_high", "exact_of_planned",
		"extracted", "extracted_share", "extracted_low", "extracted_high", "extracted_of_planned",
		"score_on", "score_mean", "score_n",
	}
	for _, o := range verbatim.Outcomes() {
		head = append(head, string(o))
	}
	return append(head, "failures", "first_token_median", "first_token_p95", "seconds_median", "seconds_p95",
		"prompt_tokens", "completion_tokens", "reasoning_tokens",
		"cost_dollars", "cost_known", "cost_unknown", "may_have_cost_dollars")
}

// A rowExtra is what only some rows have.
type rowExtra struct {
	modelScore *float64
	day        string
	contexts   []report.Context
}

func dataRow(h *report.Head, level string, l *report.Line, more rowExtra) []string {
	row := []string{
		digits(h.N), terminal.Visible(h.Name), terminal.Visible(h.Model), terminal.Visible(h.Suite), string(h.Edition), strconv.FormatUint(h.Seed, 10), terminal.Visible(h.Plan),
		level, terminal.Visible(l.Family), terminal.Visible(l.Length), "", "",
	}
	if l.Lengths != nil {
		row[10], row[11] = strconv.Itoa(l.Lengths.Min), strconv.Itoa(l.Lengths.Max)
	}
	row = append(append(row, figureCells(h.Metric, l)...), variantCells(h.Variant)...)
	row = append(row, float(more.modelScore), more.day)
	if len(more.contexts) == 0 {
		return append(row, make([]string, 1+len(report.WindowSizes))...)
	}
	row = append(row, digits(more.contexts[0].Of))
	for _, size := range report.WindowSizes {
		fit := ""
		for _, c := range more.contexts {
			if c.Window == size {
				fit = digits(c.Fit)
			}
		}
		row = append(row, fit)
	}
	return row
}

// figureCells are the figures of a line.
func figureCells(on report.Metric, l *report.Line) []string {
	row := []string{optional(l.Planned), digits(l.Recorded), digits(l.Answered), digits(l.Unanswered), digits(l.Exact.Items)}
	for _, r := range []report.Rate{l.Exact, l.Extracted} {
		row = append(row, digits(r.N), float(r.Share), float(r.Low), float(r.High), float(r.OfPlanned))
	}
	row = append(row, string(on), float(l.Score.Value), digits(l.Score.N))
	for _, c := range l.Outcomes {
		row = append(row, digits(c.N))
	}
	failures := make([]string, len(l.Failures))
	for i, c := range l.Failures {
		failures[i] = terminal.Visible(c.Name) + ":" + digits(c.N)
	}
	row = append(row, strings.Join(failures, " "),
		float(l.FirstToken.Median), float(l.FirstToken.P95), float(l.Seconds.Median), float(l.Seconds.P95),
		optional(l.Tokens.Prompt.Total), optional(l.Tokens.Completion.Total), optional(l.Tokens.Reasoning.Total))
	return append(row, costCells(l.Cost)...)
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
	return []string{strconv.Itoa(v.Shots), terminal.Visible(v.Paraphrase), terminal.Visible(v.System)}
}
