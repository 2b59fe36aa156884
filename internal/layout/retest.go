package layout

import (
	"fmt"
	"io"
	"strings"

	"verbatim/internal/number"
	"verbatim/internal/report"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict/retest"
)

// RetestText writes runs for a terminal.
func RetestText(w io.Writer, runs []report.AskedTwice, s terminal.Style) error {
	var b strings.Builder
	for i := range runs {
		if i > 0 {
			b.WriteString("\n")
		}
		writeRetest(&runs[i], &b, s)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// runTitle names a run, with what must be said wherever its numbers appear.
func runTitle(model string, n int64, run, note string, p terminal.Paint, s terminal.Style) string {
	text := s.Paint(p, terminal.Truncate(terminal.Visible(model)+" · run "+number.Count(n)+" · "+terminal.Visible(run), s.Columns())) + "\n"
	if note != "" {
		for _, line := range terminal.Wrap(terminal.Visible(note), s.Columns()) {
			text += s.Paint(terminal.Alert, line) + "\n"
		}
	}
	return text
}

func retestItems(t *retest.Result) []string {
	parts := []string{number.Count(t.Items) + " with two answers"}
	if t.MaxAnswers > 2 {
		parts[0] = number.Count(t.Items) + " with two to " + number.Count(t.MaxAnswers) + " answers"
	}
	if t.Unanswered > 0 {
		parts = append(parts, number.Count(t.Unanswered)+" without, which are left out")
	}
	if t.Undefined > 0 {
		parts = append(parts, number.Count(t.Undefined)+" answers with an undefined score count 0")
	}
	return parts
}

func portionRange(p retest.Proportion) string {
	return number.Fixed(100*p.Low, 1) + "–" + number.Fixed(100*p.High, 1)
}

// knownNumber prints a number that may not be known.
func knownNumber(v *float64, decimals int) string {
	if v == nil {
		return number.Missing
	}
	return number.Fixed(*v, decimals)
}

func driftText(d retest.Drift) string {
	s := "last pass less first " + number.Signed(d.Value, 3) + " (95 %: " + number.SignedRange(d.Low, d.High, 3) + ")"
	if d.Seen {
		return s + ": the endpoint changed between them, and what follows is of one that did not"
	}
	return s + ": none seen"
}

func paragraph(text string, s terminal.Style) string {
	return strings.Join(terminal.Wrap(text, s.Columns()), "\n") + "\n"
}

// errorRates is the table of what verdicts say by numbers of items.
func errorRates(t *retest.Result, s terminal.Style) string {
	rows := [][]string{{"items", "compare:", "worse", "better", "equiv.", "open", "check:", "worse", "pass", "open", "asked"}}
	for _, n := range t.Sizes {
		c, k := n.Compare, n.Check
		rows = append(rows, []string{number.Count(int64(n.Items)), "", number.Percent(&c.Worse.Share), number.Percent(&c.Better.Share), number.Percent(&c.Equivalent.Share), number.Percent(&c.Inconclusive.Share),
			"", number.Percent(&k.Worse.Share), number.Percent(&k.Pass.Share), number.Percent(&k.Undecided.Share), number.Fixed(k.MeanItems, 0)})
	}
	note := fmt.Sprintf("Shares in %%, within %s points. Compare with a ROPE of ±%s, check with a margin of %s. Asked: items until the verdict, on average.",
		number.Fixed(100*t.Precision(), 1), number.Plain(t.Rope), number.Plain(t.Margin))
	out := columnsOf(rows, s)
	for _, line := range terminal.Wrap(note, s.Columns()) {
		out += s.Paint(terminal.Faint, line) + "\n"
	}
	return out
}

// retestAdvice says what the run's own number of items is good for.
func retestAdvice(t *retest.Result) string {
	var parts []string
	for _, e := range t.RequiredMargins {
		parts = append(parts, fmt.Sprintf("in %s %% of checks with a margin of %s", number.Fixed(100*e.Share, 0), number.Fixed(e.Margin, 3)))
	}
	return fmt.Sprintf("Unchanged, it passes %s at these %s items. More items allow smaller margins:", strings.Join(parts, ", "), number.Count(t.Items))
}

// requiredItems is the table of how many items it takes to pass.
func requiredItems(t *retest.Result, s terminal.Style) string {
	rows := [][]string{{"margin", "passes", "items", "resampled"}}
	for _, n := range t.RequiredItems {
		passed := number.Missing
		if n.Passed != nil {
			passed = number.Percent(&n.Passed.Share) + " (" + portionRange(*n.Passed) + ")"
		}
		rows = append(rows, []string{number.Plain(n.Margin), number.Fixed(100*n.Share, 0) + " %", number.Count(n.Items), passed})
	}
	return columnsOf(rows, s)
}

// columnsOf sets rows in columns, the first row as the head, to the right.
func columnsOf(rows [][]string, s terminal.Style) string {
	widths := make([]int, len(rows[0]))
	for _, r := range rows {
		for i, cell := range r {
			widths[i] = max(widths[i], terminal.Width(cell))
		}
	}
	var b strings.Builder
	for n, r := range rows {
		line := ""
		for i, cell := range r {
			if i > 0 {
				line += strings.Repeat(" ", gap)
			}
			line += terminal.PadLeft(cell, widths[i])
		}
		line = strings.TrimRight(line, " ")
		if n == 0 {
			line = s.Paint(terminal.Faint, line)
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

func writeRetest(a *report.AskedTwice, b *strings.Builder, s terminal.Style) {
	b.WriteString(runTitle(a.Model, a.N, a.Run, a.Note, terminal.Bold, s))
	t := a.Twice
	if t == nil {
		b.WriteString("No item has two answers.\n")
		return
	}
	b.WriteString(facts([]fact{
		{"items", retestItems(t)},
		{"flips", []string{number.Percent(&t.Flips.Share) + " % of the items are right in one answer and not in another (" + portionRange(t.Flips) + "; " + number.Count(t.Flips.N) + " of " + number.Count(t.Flips.Of) + ")"}},
		{"scores", []string{"on " + report.Metric(t.Metric).String(), "sd " + number.Fixed(t.Within, 3) + " within an item", number.Fixed(t.Between, 3) + " between items", "intraclass correlation " + knownNumber(t.ICC, 2)}},
		{"drift", []string{driftText(t.Drift)}},
	}, s))
	b.WriteString("\n" + paragraph(fmt.Sprintf("What verdicts say of it beside itself, in %s resamples. Worse and better are false alarms: nothing has changed.", number.Count(int64(t.Resamples))), s))
	b.WriteString(errorRates(t, s))
	b.WriteString("\n" + paragraph(retestAdvice(t), s))
	b.WriteString(requiredItems(t, s))
}
