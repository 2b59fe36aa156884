package layout

import (
	"io"
	"strconv"
	"strings"

	"verbatim"
	"verbatim/internal/csvfile"
	"verbatim/internal/report"
	"verbatim/internal/terminal"
)

// CSV writes one row for each line of the tables, unrounded, with a header. The
// column level says what a row is over: "length" (one length or band), "family"
// or "all", or "day" with the day in a column of its own. A report with groups has a
// row for each of them instead, as groupCSV says. Empty cells are unknown. Texts have passed through Visible, since
// CSV is printed on terminals too, and no spreadsheet takes them for formulas, as package
// csvfile says.
func CSV(w io.Writer, r *report.Report, s terminal.Style) error {
	if r.Groups != nil {
		return groupCSV(w, r, s)
	}
	out := csvfile.NewWriter(w, s.Raw)
	if err := out.Write(csvHeader()); err != nil {
		return err
	}
	for i := range r.Runs {
		for _, row := range csvBlock(&r.Runs[i]) {
			if err := out.Write(row); err != nil {
				return err
			}
		}
	}
	out.Flush()
	return out.Error()
}

// csvBlock is the rows of one run.
func csvBlock(b *report.Block) (rows [][]string) {
	for i := range b.Families {
		f := &b.Families[i]
		for j := range f.Lines {
			rows = append(rows, csvRow(&b.Head, "length", &f.Lines[j], csvMore{}))
		}
		rows = append(rows, csvRow(&b.Head, "family", &f.Total, csvMore{modelScore: f.ModelScore}))
	}
	for i := range b.Days {
		rows = append(rows, csvRow(&b.Head, "day", &b.Days[i].Line, csvMore{day: terminal.Visible(b.Days[i].Day)}))
	}
	return append(rows, csvRow(&b.Head, "all", &b.Total, csvMore{modelScore: b.ModelScore, contexts: b.Contexts}))
}

func csvHeader() []string {
	head := []string{"run", "name", "model", "suite", "edition", "seed", "plan", "level", "family", "length", "length_min", "length_max"}
	head = append(head, csvFigureNames()...)
	head = append(head, "shots", "paraphrase", "system", "model_score", "day", "context_known")
	for _, size := range report.WindowSizes {
		head = append(head, "fit_"+digits(size))
	}
	return head
}

// csvFigureNames are the columns of csvFigures.
func csvFigureNames() []string {
	head := []string{
		"planned", "recorded", "answered", "unanswered",
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

// A csvMore is what only some rows have.
type csvMore struct {
	modelScore *float64
	day        string
	contexts   []report.Context
}

func csvRow(h *report.Head, level string, l *report.Line, more csvMore) []string {
	row := []string{
		digits(h.N), terminal.Visible(h.Name), terminal.Visible(h.Model), terminal.Visible(h.Suite), string(h.Edition), strconv.FormatUint(h.Seed, 10), terminal.Visible(h.Plan),
		level, terminal.Visible(l.Family), terminal.Visible(l.Length), "", "",
	}
	if l.Lengths != nil {
		row[10], row[11] = strconv.Itoa(l.Lengths.Min), strconv.Itoa(l.Lengths.Max)
	}
	row = append(append(row, csvFigures(h.Metric, l)...), csvVariant(h.Variant)...)
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

// csvFigures are the figures of a line.
func csvFigures(on report.Metric, l *report.Line) []string {
	row := []string{optional(l.Planned), digits(l.Recorded), digits(l.Answered), digits(l.Unanswered)}
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
	return append(row, csvCost(l.Cost)...)
}

func csvCost(c *report.Cost) []string {
	if c == nil {
		return make([]string, 4)
	}
	return []string{dollars(c.Dollars), digits(c.Known), digits(c.Unknown), dollars(c.MayHave)}
}

func csvVariant(v *verbatim.Variant) []string {
	if v == nil {
		v = &verbatim.Variant{}
	}
	return []string{strconv.Itoa(v.Shots), terminal.Visible(v.Paraphrase), terminal.Visible(v.System)}
}

func dollars(m *verbatim.Money) string {
	if m == nil {
		return ""
	}
	return m.Decimal()
}

func digits(n int64) string { return strconv.FormatInt(n, 10) }

func optional(n *int64) string {
	if n == nil {
		return ""
	}
	return digits(*n)
}

func float(v *float64) string {
	if v == nil {
		return ""
	}
	return strconv.FormatFloat(*v, 'g', -1, 64)
}
