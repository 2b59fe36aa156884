package layout

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"verbatim"
	"verbatim/internal/number"
	"verbatim/internal/report"
	"verbatim/internal/table"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict"
	"verbatim/internal/verdict/horizonsearch"
)

// Compare returns the document of comparisons: the verdict of each in a sentence, and the numbers
// behind it. Several comparisons have a table of all verdicts above them. A ranking, as the
// SortBench paper has it, is a document of its own.
func Compare(c *report.Compared, o Options) *table.Document {
	d := &table.Document{Title: "verbatim compare", Value: c, Raw: o.Raw}
	if c.Ranking != nil {
		d.Data = func() *table.Table { return rankingData(c.Ranking) }
		d.Body = func(int) []table.Block { return rankingBody(c.Ranking) }
		return d
	}
	d.Data = func() *table.Table { return compareData(c.Comparisons) }
	d.Body = func(columns int) []table.Block {
		var body []table.Block
		if len(c.Comparisons) > 1 {
			body = append(body, verdictTable(c.Comparisons))
		}
		for i, one := range c.Comparisons {
			if i > 0 || len(c.Comparisons) > 1 {
				body = append(body, table.Blank{}, table.Divider{}, table.Blank{})
			}
			body = append(body, comparison(one, columns, o)...)
		}
		return body
	}
	return d
}

// comparison lays out one comparison.
func comparison(c *verdict.Comparison, columns int, o Options) []table.Block {
	body := []table.Block{table.Heading{Text: Sentence(c), Wrap: true}}
	if text := Settling(c.ItemsNeeded); text != "" {
		body = append(body, table.Paragraph{Text: text})
	}
	body = append(body, table.Blank{}, comparedRuns(c), table.Blank{}, sidesTable(c, columns), table.Blank{}, evidence(c))
	open := false
	for _, t := range []struct {
		head string
		rows []verdict.Row
	}{{"by task", c.Families}, {"by length", c.Lengths}} {
		if len(t.rows) > 0 {
			body = append(body, table.Blank{}, rowTable(t.head, t.rows, c.Rope, columns))
			open = open || slices.ContainsFunc(t.rows, func(r verdict.Row) bool { return r.Word == verdict.Inconclusive })
		}
	}
	if open {
		body = append(body, table.Paragraph{Text: "? no verdict yet; +N: about N more items of the row would give one (edge: no number would); each look before then raises the error rate", Paint: terminal.Faint})
	}
	if items := differingItems(c, o); len(items.Items) > 0 {
		body = append(body, table.Blank{}, table.Paragraph{Text: DifferingTitle(c), Paint: terminal.Faint}, items)
	}
	if len(c.Notes)+len(c.Warnings) > 0 {
		body = append(body, table.Blank{})
	}
	return append(body, noteList(table.Notes, c.Notes), noteList(table.Warnings, c.Warnings))
}

// comparedRuns says which runs are compared, over which items and by which score.
func comparedRuns(c *verdict.Comparison) table.Facts {
	compared := []string{number.Plural(c.Items, "item", "items") + " that both answered"}
	if repeated(c) {
		compared = append(compared, number.Count(c.A.Answers)+" answers of A, "+number.Count(c.B.Answers)+" of B")
	}
	if n := len(c.Families); n > 1 {
		text := fmt.Sprintf("%d tasks", n)
		if lengths := len(c.Lengths); lengths > 1 {
			text += fmt.Sprintf(", %d lengths", lengths)
		}
		compared = append(compared, text)
	}
	compared = append(compared, "score: "+report.Metric(c.Metric).String(), "equivalent: within ±"+number.Plain(c.Rope))
	return table.Facts{{Name: "A", Parts: runParts(&c.A)}, {Name: "B", Parts: runParts(&c.B)}, {Name: "compared", Parts: compared}}
}

// runParts describes one side: the model, the run and its parameters.
func runParts(a *verdict.ComparedRun) []string {
	parts := []string{terminal.Visible(a.Model)}
	if a.N > 0 {
		parts = append(parts, "run "+number.Count(a.N))
	}
	parts = append(parts, terminal.Visible(a.Name))
	if a.Origin != "" {
		parts = append(parts, "imported from "+terminal.Visible(a.Origin))
	}
	for _, p := range report.ParameterList(a.Params) {
		parts = append(parts, terminal.Visible(p))
	}
	if a.Note != "" {
		parts = append(parts, terminal.Visible(a.Note))
	}
	return parts
}

// sidesTable compares the results of both sides. Its intervals have fewer digits if the table would
// be wider than the terminal.
func sidesTable(c *verdict.Comparison, columns int) *table.Table {
	t := sidesWith(c, 3)
	if columns > 0 && t.Width() > columns {
		return sidesWith(c, 2)
	}
	return t
}

func sidesWith(c *verdict.Comparison, decimals int) *table.Table {
	difference := func(d *verdict.Difference) string {
		return number.Signed(d.Value, 3) + " (" + number.SignedRange(d.Low, d.High, decimals) + ")"
	}
	share := func(p *verdict.SideResult) string {
		return number.Percent(&p.Share) + " % (" + number.Fixed(100*p.Range.Low, decimals-2) + "–" + number.Fixed(100*p.Range.High, decimals-2) + ")"
	}
	t := &table.Table{Columns: []table.Column{{}, {Head: "A", Wrap: true, Min: 10}, {Head: "B", Wrap: true, Min: 10}, {Head: "B-A (95 %)", Wrap: true, Min: 16}}}
	t.Add("score", number.Fixed(c.A.Mean, 3), number.Fixed(c.B.Mean, 3), difference(&c.Difference))
	t.Add("exact", share(&c.A.SideResult), share(&c.B.SideResult), difference(&c.Success))
	alone := "right alone"
	if repeated(c) {
		alone = "ahead on"
	}
	t.Add(alone, number.Count(c.Flips.OnlyA), number.Count(c.Flips.OnlyB), "p "+number.PValue(c.Success.SignFlip))
	if c.A.Horizon != nil || c.B.Horizon != nil {
		t.Add("50 % horizon", HorizonText(c.A.Horizon), HorizonText(c.B.Horizon), "")
	}
	faint := func(name string, a, b int64) {
		t.Rows = append(t.Rows, table.Row{Cells: []string{"  " + name, number.Count(a), number.Count(b), ""}, Faint: true})
	}
	for i, o := range c.A.Outcomes {
		if n, m := o.N, c.B.Outcomes[i].N; n+m > 0 {
			faint(o.Name, n, m)
		}
		if o.Name == string(verbatim.Truncated) && c.A.Undecided+c.B.Undecided > 0 {
			faint("undecided", c.A.Undecided, c.B.Undecided)
		}
	}
	return t
}

// repeated reports whether items were sent more than once.
func repeated(c *verdict.Comparison) bool { return c.A.Answers != c.Items || c.B.Answers != c.Items }

// ClaimScope says which items a comparison is about. Chosen items are no sample: nothing
// is claimed of others.
func ClaimScope(c *verdict.Comparison) string {
	wording := "in this wording"
	switch n := c.A.Variant.Wordings(); {
	case c.Across == verdict.AcrossPrompt:
		wording = "with these two prompts"
	case n > 1:
		wording = "in these " + number.Count(int64(n)) + " wordings"
	}
	if file := c.A.File; file != "" {
		return "these items of " + terminal.Visible(file) + " " + wording + ", no claim about others"
	}
	return "fresh items of the same tasks and lengths " + wording
}

// evidence has the p-value of the verdict, the scope of the claim, and the items that are left out.
func evidence(c *verdict.Comparison) table.Facts {
	p := []string{number.PValue(c.P)}
	if c.Together > 1 {
		p = append(p, "with Holm's correction for "+HolmFamily(c)+" "+number.PValue(c.Adjusted))
	}
	list := table.Facts{{Name: "p", Parts: append(p, "a verdict needs at most "+number.FiveDecimals(1-c.Threshold))}}
	scope := table.Fact{Name: "scope", Parts: []string{ClaimScope(c)}}
	if c.Tasks != nil {
		scope.Parts = append(scope.Parts, fmt.Sprintf("on other tasks like these %d: %s (95 %%)", c.Tasks.N, number.SignedRange(c.Tasks.Low, c.Tasks.High, 3)))
	}
	list = append(list, scope)
	var left []string
	for _, p := range []struct {
		n    int64
		text string
	}{
		{c.LeftOut.OnlyA, "not in B"}, {c.LeftOut.OnlyB, "not in A"},
		{c.LeftOut.UnansweredA, "without an answer of A"}, {c.LeftOut.UnansweredB, "without an answer of B"}, {c.LeftOut.Neither, "without an answer of either"},
	} {
		if p.n > 0 {
			left = append(left, number.Count(p.n)+" "+p.text)
		}
	}
	if len(left) > 0 {
		list = append(list, table.Fact{Name: "left out", Parts: left})
	}
	return list
}

// rowTable compares the sides by task or by length. A wide terminal draws the intervals.
func rowTable(head string, rows []verdict.Row, rope float64, columns int) *table.Table {
	decimals := rangeDecimals(rows, isNarrow(columns))
	low, high := -2*rope, 2*rope
	for i := range rows {
		low, high = min(low, rows[i].Difference.Low), max(high, rows[i].Difference.High)
	}
	scale := newScale(low, high)
	t := &table.Table{Columns: []table.Column{
		{Head: head, Min: 12}, {Head: "n", Right: true, Spare: true},
		{Head: "exact A", Rank: 3, Right: true}, {Head: "exact B", Rank: 3, Right: true},
		{Head: "horizon A", Rank: 5, Right: true}, {Head: "horizon B", Rank: 5, Right: true},
		{Head: "A", Right: true}, {Head: "B", Right: true}, {Head: "B-A", Right: true}, {Head: "95 %", Right: true},
		{Head: "P worse", Rank: 4, Right: true}, {Head: "equiv.", Rank: 4, Right: true}, {Head: "better", Rank: 4, Right: true}, {Head: "p (Holm)", Rank: 4, Right: true},
		{Rank: 1, Drawing: &table.Drawing{Min: 16, Max: 41, Half: true,
			Head: func(width int) string { return scale.Head(number.Signed(low, 2), number.Signed(high, 2), width) },
			Cell: func(i, width int) string {
				d := &rows[i].Difference
				return scale.Interval(d.Low, d.Value, d.High, rope, width)
			}}},
		{Head: "verdict"},
	}}
	for i := range rows {
		r := &rows[i]
		d := &r.Difference
		t.Add(strings.TrimSpace(terminal.Visible(r.Family)+" "+terminal.Visible(r.Length)), number.Count(r.Items),
			number.Percent(&r.A.Share), number.Percent(&r.B.Share), HorizonText(r.A.Horizon), HorizonText(r.B.Horizon),
			number.Fixed(r.A.Mean, 3), number.Fixed(r.B.Mean, 3), number.Signed(d.Value, 3), number.SignedRange(d.Low, d.High, decimals),
			number.Probability(d.Worse), number.Probability(d.Equivalent), number.Probability(d.Better), number.PValue(r.Adjusted), "", rowVerdict(r))
	}
	return t
}

// rowVerdict prints the verdict of a row, or the number of further items that would give one.
func rowVerdict(r *verdict.Row) string {
	switch {
	case r.Word != verdict.Inconclusive:
		return string(r.Word)
	case r.ItemsNeeded == nil:
		return "?"
	case r.ItemsNeeded.More == nil:
		return "? edge"
	}
	return "? +" + number.Rough(*r.ItemsNeeded.More)
}

// rangeDecimals returns the decimals of the ends of intervals: two on a narrow terminal, unless the
// ends of one are so close that they would look the same.
func rangeDecimals(rows []verdict.Row, narrow bool) int {
	const close = 0.03
	if narrow && !slices.ContainsFunc(rows, func(r verdict.Row) bool { return r.Difference.High-r.Difference.Low < close }) {
		return 2
	}
	return 3
}

// verdictTable has the verdicts of several comparisons.
func verdictTable(list []*verdict.Comparison) *table.Table {
	t := &table.Table{Columns: []table.Column{
		{Head: "A", Min: 8}, {Head: "B", Min: 8}, {Head: "n", Rank: 3, Right: true}, {Head: "score A", Rank: 1, Right: true}, {Head: "B", Rank: 1, Right: true},
		{Head: "B-A", Right: true}, {Head: "95 %", Right: true}, {Head: "P worse", Rank: 2, Right: true}, {Head: "equiv.", Rank: 2, Right: true}, {Head: "better", Rank: 2, Right: true}, {Head: "verdict"},
	}}
	for _, c := range list {
		a, b := PairNames(c)
		if c.Across == verdict.AcrossPrompt { // what differs comes first, where names are cut
			model := " · " + terminal.Visible(c.A.Model)
			a, b = promptName(&c.A)+model, promptName(&c.B)+model
		}
		d := &c.Difference
		t.Add(a, b, number.Count(c.Items), number.Fixed(c.A.Mean, 3), number.Fixed(c.B.Mean, 3), number.Signed(d.Value, 3), number.SignedRange(d.Low, d.High, 3),
			number.Probability(d.Worse), number.Probability(d.Equivalent), number.Probability(d.Better), string(c.Word))
	}
	const usual = 0.95 + 1e-9 // the threshold of a single comparison, with room for rounding
	switch first := list[0]; {
	case first.Threshold > usual:
		t.Notes = []string{"all pairs: a verdict needs a p-value of at most " + number.FiveDecimals(1-first.Threshold)}
	case first.Together > 1:
		t.Notes = []string{holmNote(first)}
	}
	return t
}

// HolmFamily names the comparisons that are corrected together.
func HolmFamily(c *verdict.Comparison) string {
	comparisons := number.Plural(int64(c.Together), "comparison", "comparisons")
	if c.Across == verdict.AcrossPrompt {
		return comparisons + " of prompts"
	}
	return comparisons + " with this baseline"
}

// holmNote says what the verdicts on several models guarantee together.
func holmNote(c *verdict.Comparison) string {
	return "Verdicts are corrected for " + HolmFamily(c) + " (Holm): the maximum error rate of " + number.PlainPercent(1-c.Threshold) + " % holds for all together."
}

// differingItems lists items that only one side has right, each with the failure of the other side.
func differingItems(c *verdict.Comparison, o Options) table.List {
	list := table.List{Kind: table.Examples}
	for _, f := range c.Flips.List {
		side, run, failed := "B", &c.B, &f.B
		if f.Right == "b" {
			side, run, failed = "A", &c.A, &f.A
		}
		list.Items = append(list.Items, table.Item{Text: side + " ✗ " + terminal.Visible(failed.Label), Command: o.Program.Show(run.Ref, f.Item)})
	}
	return list
}

// DifferingTitle says how many items one side of a comparison has right more often than
// the other, and how many of them are listed.
func DifferingTitle(c *verdict.Comparison) string {
	all := c.Flips.OnlyA + c.Flips.OnlyB
	title := number.Plural(all, "item is", "items are")
	if repeated(c) {
		title += " right more often in one than in the other"
	} else {
		title += " right in one and not in the other"
	}
	if n := int64(len(c.Flips.List)); n < all {
		title += "; the first " + number.Count(n)
	}
	return title
}

// HorizonText prints a 50 % horizon with its interval.
func HorizonText(h *verdict.Horizon) string {
	if h == nil {
		return number.Missing
	}
	end := func(v float64) string {
		if v < 10 {
			return number.Fixed(v, 1)
		}
		return number.Count(int64(math.Round(v)))
	}
	switch {
	case strings.ContainsAny(h.Text, "<>"), h.Text == horizonsearch.NeverText:
		return h.Text
	case h.Low == 0:
		return h.Text + " (none–" + end(h.High) + ")"
	}
	return h.Text + " (" + end(h.Low) + "–" + end(h.High) + ")"
}

// compareData has one row for each line of the tables. The column level says what a row
// is over: "all", "family", "length" or "cell" (a family at a length).
func compareData(list []*verdict.Comparison) *table.Table {
	t := dataTable("run_a", "run_b", "model_a", "model_b", "metric", "level", "family", "length", "items",
		"mean_a", "mean_b", "difference", "low", "high", "p_worse", "p_equivalent", "p_better", "p", "p_holm", "verdict",
		"right_a", "right_b", "answers_a", "answers_b", "share_a", "share_b", "l50_a", "l50_b", "only_a", "only_b", "sd", "more_items")
	for _, c := range list {
		compareRows(t, c)
	}
	return t
}

// compareRows adds the rows of one comparison.
func compareRows(t *table.Table, c *verdict.Comparison) {
	head := []string{terminal.Visible(c.A.Name), terminal.Visible(c.B.Name), terminal.Visible(c.A.Model), terminal.Visible(c.B.Model), c.Metric}
	line := func(level, family, length string, items int64, rest []string) {
		t.Add(append(append(append([]string{}, head...), level, terminal.Visible(family), terminal.Visible(length), digits(items)), rest...)...)
	}
	line("all", "", "", c.Items, verdictCells(&c.A.SideResult, &c.B.SideResult, &c.Verdict, []string{Float(&c.P), Float(&c.Adjusted)}, []string{digits(c.Flips.OnlyA), digits(c.Flips.OnlyB)}))
	for _, part := range []struct {
		level string
		rows  []verdict.Row
	}{{"family", c.Families}, {"length", c.Lengths}} {
		for i := range part.rows {
			r := &part.rows[i]
			line(part.level, r.Family, r.Length, r.Items, verdictCells(&r.A, &r.B, &r.Verdict, []string{Float(&r.P), Float(&r.Adjusted)}, []string{"", ""}))
		}
	}
	for i := range c.Cells {
		cell := &c.Cells[i]
		line("cell", cell.Family, cell.Length, cell.Items, []string{
			Float(&cell.A.Mean), Float(&cell.B.Mean), Float(&cell.Value), "", "", "", "", "", "", "", "",
			digits(cell.A.Right), digits(cell.B.Right), digits(cell.A.Answers), digits(cell.B.Answers), "", "", "", "",
			digits(cell.OnlyA), digits(cell.OnlyB), Float(cell.SD), "",
		})
	}
}

// verdictCells returns the cells from the means to the end of a row. p has the p-value and the
// adjusted one; only has the numbers of items that only A and only B has right.
func verdictCells(a, b *verdict.SideResult, v *verdict.Verdict, p, only []string) []string {
	d := &v.Difference
	cells := []string{Float(&a.Mean), Float(&b.Mean), Float(&d.Value), Float(&d.Low), Float(&d.High), Float(&d.Worse), Float(&d.Equivalent), Float(&d.Better)}
	cells = append(append(cells, p...), string(v.Word), digits(a.Right), digits(b.Right), digits(a.Answers), digits(b.Answers), Float(&a.Share), Float(&b.Share))
	for _, l := range []*verdict.Horizon{a.Horizon, b.Horizon} {
		if l == nil {
			cells = append(cells, "")
		} else {
			cells = append(cells, Float(&l.Length))
		}
	}
	cells = append(append(cells, only...), "")
	if v.ItemsNeeded == nil {
		return append(cells, "")
	}
	return append(cells, optional(v.ItemsNeeded.More))
}

// PairNames returns names for the sides of a comparison: their models; their runs if the models are
// the same; in a comparison of prompts, their models with the prompts.
func PairNames(c *verdict.Comparison) (a, b string) {
	if c.Across == verdict.AcrossPrompt {
		return withPrompt(&c.A), withPrompt(&c.B)
	}
	a, b = terminal.Visible(c.A.Model), terminal.Visible(c.B.Model)
	if a == b {
		a, b = terminal.Visible(c.A.Name), terminal.Visible(c.B.Name)
	}
	return a, b
}

// withPrompt names a run by its model and its prompt variant.
func withPrompt(r *verdict.ComparedRun) string {
	return terminal.Visible(r.Model) + " (" + promptName(r) + ")"
}

// promptName names the prompt variant of a run.
func promptName(r *verdict.ComparedRun) string {
	if text := report.VariantText(r.Variant); text != "" {
		return text
	}
	return "the items’ own prompt"
}

// Sentence says the verdict in plain words.
func Sentence(c *verdict.Comparison) string {
	a, b := PairNames(c)
	d := &c.Difference
	span := "95 % " + number.SignedRange(d.Low, d.High, 3)
	switch c.Word {
	case verdict.Worse:
		return fmt.Sprintf("%s is worse than %s: its score is %s lower (%s).", b, a, number.Fixed(-d.Value, 3), span)
	case verdict.Better:
		return fmt.Sprintf("%s is better than %s: its score is %s higher (%s).", b, a, number.Fixed(d.Value, 3), span)
	case verdict.Equivalent:
		return fmt.Sprintf("%s and %s are equivalent: their scores differ by %s (%s), which is within ±%s.", b, a, number.Signed(d.Value, 3), span, number.Plain(c.Rope))
	case verdict.Withheld:
		return fmt.Sprintf("No verdict on %s compared with %s: %s.", b, a, terminal.Visible(strings.Join(c.Why, "; and ")))
	}
	return fmt.Sprintf("No verdict yet on %s compared with %s: its score differs by %s (%s).", b, a, number.Signed(d.Value, 3), span)
}

// Settling says how many more items would give a verdict. It is empty if s is nil, as it is with a
// verdict and from few items.
func Settling(s *verdict.ItemsNeeded) string {
	switch {
	case s == nil:
		return ""
	case s.More == nil:
		return "No number of items would give a verdict: the difference is at the edge of what counts as equivalent."
	}
	items := "items"
	if *s.More == 1 {
		items = "item"
	}
	return fmt.Sprintf("About %s more %s would give a verdict (%s), if they differ as these do; each look before then raises the error rate.", number.Rough(*s.More), items, s.Toward)
}
