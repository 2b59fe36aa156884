package layout

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"verbatim"
	"verbatim/internal/number"
	"verbatim/internal/report"
	"verbatim/internal/table"
	"verbatim/internal/terminal"
)

// Report returns the document of a report. A terminal shows several runs side by side if they fit;
// other formats have a section for each. A report with groups shows these in place of the runs.
func Report(r *report.Report, o Options) *table.Document {
	first := report.HeadlineOf(r)
	d := &table.Document{Title: "verbatim report", Value: report.HeadlineReport{Report: r, Headline: first}, Raw: o.Raw, Tests: func() []table.Suite { return reportTests(r, o.FailUnder) }}
	if r.Groups != nil {
		d.Data = func() *table.Table { return groupData(r) }
		d.Body = func(columns int) []table.Block { return groupBody(r, columns) }
		return d
	}
	d.Data = func() *table.Table { return reportData(r, first) }
	d.Body = func(columns int) []table.Block {
		if columns == 0 {
			return documentBody(r, first)
		}
		return terminalBody(r, first, o, columns)
	}
	return d
}

// terminalBody is the body for a terminal: the first table, the runs, the ranks and the
// comparisons.
func terminalBody(r *report.Report, first *report.Headline, o Options, columns int) []table.Block {
	var body []table.Block
	if len(r.Runs) == 1 {
		body = terminalRun(&r.Runs[0], first, o, columns, true)
	} else if tables := sides(r, o, columns); tables != nil {
		body = append(append(runHeader(r.Runs), table.Blank{}), headlineBody(r, first, columns)...)
		body = append(append(body, table.Blank{}), tables...)
	} else {
		body = append(runNotes(r.Runs), headlineBody(r, first, columns)...)
		for i := range r.Runs {
			body = append(append(body, table.Blank{}), terminalRun(&r.Runs[i], nil, o, columns, i == len(r.Runs)-1)...)
		}
	}
	if r.Leaderboard != nil {
		body = append(append(body, table.Blank{}), leaderboardBody(r.Leaderboard)...)
	}
	switch len(r.Comparisons) {
	case 0:
	case 1:
		c := r.Comparisons[0]
		body = append(body, table.Blank{}, table.Heading{Text: Sentence(c), Wrap: true})
		if text := Settling(c.ItemsNeeded); text != "" {
			body = append(body, table.Paragraph{Text: text})
		}
	default:
		body = append(body, table.Blank{}, verdictTable(r.Comparisons))
	}
	if len(r.Warnings) > 0 {
		body = append(body, table.Blank{}, warningList(r.Warnings))
	}
	return body
}

// headlineBody is the sentence about the ranking, and the first table.
func headlineBody(r *report.Report, first *report.Headline, columns int) []table.Block {
	var body []table.Block
	if l := r.Leaderboard; l != nil && len(l.Places) > 0 {
		body = append(body, table.Paragraph{Text: leadSentence(l), Paint: terminal.Bold}, table.Blank{})
	}
	return append(body, first.Table(columns), table.Blank{}, table.Facts{first.Reading()})
}

// terminalRun shows one run on a terminal, with the first table if it is not nil. The last run
// explains the tables of all.
func terminalRun(b *report.Block, first *report.Headline, o Options, columns int, last bool) []table.Block {
	body := append(runHeading(&b.Head), table.Blank{})
	if first != nil {
		body = append(body, first.Table(columns), table.Blank{})
	}
	list := summary(b)
	if len(b.Families) > 0 {
		t := newTable(b, o.EveryLength, terminal.Style{Width: columns})
		body = append(body, &table.Table{Drawn: t.draw})
		if last {
			list = append(list, reading(b, t))
		}
	}
	if first != nil {
		list = withReading(list, first)
	}
	for _, t := range extraTables(b) {
		body = append(body, table.Blank{}, t)
	}
	return append(body, table.Blank{}, list, warningList(b.Warnings))
}

// extraTables returns the tables that only some runs have.
func extraTables(b *report.Block) []*table.Table {
	list := []*table.Table{firstErrorTable(b.Families), reasoningTable(b.Reasoning)}
	if len(b.Days) > 0 {
		list = append(list, dayTable(b))
	}
	return slices.DeleteFunc(list, func(t *table.Table) bool { return t == nil })
}

// withReading adds the explanation of the first table to the facts.
func withReading(list table.Facts, first *report.Headline) table.Facts {
	if last := len(list) - 1; last >= 0 && list[last].Name == "reading" {
		list[last].Parts = append(first.Explained(), list[last].Parts...)
		return list
	}
	return append(list, first.Reading())
}

// documentBody is the body for formats without a width.
func documentBody(r *report.Report, first *report.Headline) []table.Block {
	body := headlineBody(r, first, 0)
	if l := r.Leaderboard; l != nil && len(l.Places) > 0 {
		body = append(body, leaderboardBody(l)...)
	}
	for i := range r.Runs {
		b := &r.Runs[i]
		body = append(body, runHeading(&b.Head)...)
		if len(b.Families) > 0 {
			body = append(body, lengthTable(b))
		}
		for _, t := range extraTables(b) {
			body = append(body, t)
		}
		body = append(body, summary(b), warningList(b.Warnings))
	}
	return append(body, warningList(r.Warnings))
}

// runHeading says which run a section is about.
func runHeading(h *report.Head) []table.Block {
	title := terminal.Visible(h.Name)
	if h.N > 0 {
		title = "run " + number.Count(h.N) + " · " + title
	}
	body := []table.Block{table.Heading{Text: title}}
	if h.Note != "" {
		body = append(body, table.Paragraph{Text: terminal.Visible(h.Note), Paint: terminal.Alert})
	}
	return append(body, description(h))
}

// lengthTable has a row for each length of each family, with all figures.
func lengthTable(b *report.Block) *table.Table {
	t := &table.Table{Columns: []table.Column{{}, {Head: "exact by length"}}}
	figures := columns(b, false)
	for _, c := range figures {
		t.Columns = append(t.Columns, table.Column{Head: c.head, Rank: 1, Right: true})
	}
	t.Columns = append(t.Columns, table.Column{Head: "commonest failures"})
	for _, r := range rows(b, true) {
		cells := []string{strings.TrimSpace(terminal.Visible(r.name)), r.curve}
		for _, c := range figures {
			cells = append(cells, c.cell(r.line))
		}
		t.Rows = append(t.Rows, table.Row{Cells: append(cells, failures(r.line, 200)), Bold: r.head})
	}
	return t
}

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

// mostHeaders is the largest number of runs that a header describes one by one.
const mostHeaders = 12

// runHeader describes the runs of a table side by side: a line for each with the facts in which it
// differs, and the facts that all runs share.
func runHeader(runs []report.Block) []table.Block {
	described := make([]table.Facts, len(runs))
	for i := range runs {
		described[i] = description(&runs[i].Head)
	}
	var own, common table.Facts
	for i := range runs {
		h := &runs[i].Head
		parts := []string{terminal.Visible(h.Name)}
		for _, f := range described[i] {
			switch {
			case f.Name == "model" && len(f.Parts) > 1:
				parts = append(parts, f.Parts[1:]...) // the name itself is above the column
			case f.Name != "model" && !shared(described, f):
				parts = append(parts, f.Name+" "+f.Parts[0])
				parts = append(parts, f.Parts[1:]...)
			}
		}
		own = append(own, table.Fact{Name: runName(h), Parts: parts})
	}
	for _, f := range described[0] {
		if f.Name != "model" && shared(described, f) {
			common = append(common, f)
		}
	}
	for i := range own {
		if runs[i].Head.N == 0 { // its name is the first part already, and may be long
			own[i].Name = "run"
		}
	}
	if n := number.ShownNames(len(own)); len(own) > mostHeaders {
		own = append(own[:n:n], table.Fact{Name: "runs", Parts: []string{"and " + number.Count(int64(len(own)-n)) + " more", "'verbatim runs' lists them"}})
	}
	return append(append([]table.Block{own}, runNotes(runs)...), common)
}

// shared reports whether all runs have the fact.
func shared(described []table.Facts, f table.Fact) bool {
	for _, d := range described {
		if !slices.ContainsFunc(d, func(o table.Fact) bool { return o.Name == f.Name && slices.Equal(o.Parts, f.Parts) }) {
			return false
		}
	}
	return true
}

// runNotes prints the notes of runs, which must be wherever their numbers are. A note that all runs
// share is printed once.
func runNotes(runs []report.Block) []table.Block {
	same := !slices.ContainsFunc(runs, func(b report.Block) bool { return b.Head.Note != runs[0].Head.Note })
	var notes []table.Block
	for i := range runs {
		note := terminal.Visible(runs[i].Head.Note)
		if note == "" || same && i > 0 {
			continue
		}
		if !same {
			note = runName(&runs[i].Head) + ": " + note
		}
		notes = append(notes, table.Paragraph{Text: note, Paint: terminal.Alert})
	}
	return notes
}

// runTitle names a run, with the note that must be wherever its numbers appear.
func runTitle(model string, n int64, run, note string) []table.Block {
	title := []table.Block{table.Heading{Text: terminal.Visible(model) + " · run " + number.Count(n) + " · " + terminal.Visible(run)}}
	if note != "" {
		title = append(title, table.Paragraph{Text: terminal.Visible(note), Paint: terminal.Alert})
	}
	return title
}

// description names the model, the plan and the parameters of a run.
func description(h *report.Head) table.Facts {
	model := []string{terminal.Visible(h.Model)}
	if len(h.Served) > 0 && !servedAsNamed(h) {
		model = append(model, "served as "+terminal.Visible(listedNames(h.Served)))
	}
	suite := []string{terminal.Visible(h.Suite)}
	if h.Items != "" {
		suite = append(suite, terminal.Visible(h.Items)+", no claim about other items")
	}
	suite = append(suite, terminal.Visible(string(h.Edition))+" edition")
	if h.Items == "" { // items of a file are not drawn
		suite = append(suite, "seed "+strconv.FormatUint(h.Seed, 10))
	}
	if h.Trials > 1 {
		suite = append(suite, number.Count(int64(h.Trials))+" trials")
	}
	if h.Plan != "" {
		suite = append(suite, "plan "+terminal.Visible(terminal.Prefix(h.Plan, 12)))
	}
	list := table.Facts{{Name: "model", Parts: model}, {Name: "suite", Parts: suite}}
	list = append(list, promptFact(h)...)
	list = append(list, table.Fact{Name: "sent", Parts: sent(h)})
	if h.Origin == "" {
		with := report.ParametersOrDefaults(report.ParameterList(h.Params))
		for i := range with {
			with[i] = terminal.Visible(with[i])
		}
		list = append(list, table.Fact{Name: "with", Parts: with})
	}
	if len(h.Graders) > 0 {
		list = append(list, table.Fact{Name: "graded", Parts: []string{"by " + terminal.Visible(gradersNamed(h.Graders)), "score: " + h.Metric.String()}})
	}
	return list
}

// servedAsNamed reports whether the server names the model as the request did.
func servedAsNamed(h *report.Head) bool {
	return len(h.Served) == 1 && (h.Model == h.Served[0].Name || strings.HasSuffix(h.Model, ":"+h.Served[0].Name))
}

// sent says when and by what the requests were sent.
func sent(h *report.Head) []string {
	var parts []string
	if h.Origin != "" {
		parts = append(parts, "elsewhere, imported from "+terminal.Visible(h.Origin))
		if h.Started != nil { // the time of the import, if the files have none
			parts = append(parts, h.Started.UTC().Format(time.DateOnly))
		}
	} else if h.Started != nil {
		parts = append(parts, span(h))
	}
	if h.Tool != "" {
		parts = append(parts, "verbatim "+terminal.Visible(h.Tool))
	}
	if len(parts) == 0 {
		parts = append(parts, number.Missing)
	}
	return parts
}

// span prints the time of a run.
func span(h *report.Head) string {
	const day, clock = "2006-01-02 15:04", "15:04"
	text := h.Started.UTC().Format(day)
	switch {
	case h.Ended == nil:
		text += " UTC, not finished"
	case h.Ended.UTC().Format(time.DateOnly) == h.Started.UTC().Format(time.DateOnly):
		text += " to " + h.Ended.UTC().Format(clock) + " UTC"
	default:
		text += " to " + h.Ended.UTC().Format(day) + " UTC"
	}
	if h.Took != nil {
		text += " (" + number.Seconds(h.Took) + ")"
	}
	return text
}

// reading explains the columns and the drawings of the table.
func reading(b *report.Block, t *runTable) table.Fact {
	parts := []string{"exact: of the n answered, with its 95 % range"}
	if b.Total.Exact.Items < b.Total.Exact.Of {
		parts = []string{"n: items × trials, or items (answers)", "exact: of all answers, with its 95 % range by item"}
	}
	if !complete(&b.Total) {
		parts = append(parts, "of all: of everything planned")
	}
	parts = append(parts, "extracted: the answer found in the reply is right")
	switch {
	case t.grid == nil:
		parts = append(parts, "bars: █ to the low end of the range, ▓ to the share, ░ to the high end", "▁▄█ shares by length")
	case t.grid.ranges:
		parts = append(parts, "below each length: its share and range", "--every-length: more of each")
	default:
		parts = append(parts, "below each length: its share", "--every-length: with ranges")
	}
	return table.Fact{Name: "reading", Parts: parts}
}
