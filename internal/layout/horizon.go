package layout

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"verbatim/internal/number"
	"verbatim/internal/report"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict/horizonsearch"
)

func writeLimit(l *report.LimitSearch, b *strings.Builder, s terminal.Style) {
	b.WriteString(runTitle(l.Model, l.N, l.Run, l.Note, terminal.Faint, s))
	for _, line := range terminal.Wrap(limitSentence(l), s.Columns()) {
		b.WriteString(s.Paint(terminal.Bold, line) + "\n")
	}
	if l.Limit == nil {
		return
	}
	b.WriteString("\n" + limitChart(l, s) + "\n")
	for _, line := range terminal.Wrap(limitEnding(l), s.Columns()) {
		b.WriteString(line + "\n")
	}
	if l.More != "" {
		b.WriteString("  " + l.More + "\n") // whole, so that it can be copied
	}
}

// limitSentence says what was found.
func limitSentence(l *report.LimitSearch) string {
	task := terminal.Visible(l.Task) + ": "
	if l.Limit == nil {
		return task + "nothing was answered"
	}
	right := "right"
	if l.Metric == report.MetricExtracted {
		right = "right, once unwrapped,"
	}
	m := l.Limit
	switch {
	case m.Above > 0.5:
		return fmt.Sprintf("%s%s more than half of the time up to %d %s, the longest asked (probability %s; 95 %%: %s)",
			task, right, m.Longest, l.Unit, number.Probability(m.Above), between(m))
	case m.Below > 0.5:
		return fmt.Sprintf("%s%s less than half of the time already at %d %s, the shortest asked (probability %s; 95 %%: %s)",
			task, right, m.Shortest, l.Unit, number.Probability(m.Below), between(m))
	}
	return fmt.Sprintf("%s%s half of the time up to %s %s (95 %%: %s)", task, right, m.Text, l.Unit, between(m))
}

// limitEnding says how many answers it rests on and why no more were asked.
func limitEnding(l *report.LimitSearch) string {
	m := l.Limit
	s := number.Count(m.Answered) + " items answered"
	if m.Unanswered > 0 {
		s += ", " + number.Count(m.Unanswered) + " asked without an answer"
	}
	switch l.Ended {
	case horizonsearch.Narrow:
		s += "; the interval is as narrow as was asked for"
	case horizonsearch.ItemsUsed:
		s += "; that is as many as were to be asked"
	case horizonsearch.AboveRange:
		s += "; longer ones are needed to find the horizon"
	case horizonsearch.BelowRange:
		s += "; shorter ones are needed to find the horizon"
	default:
		s += "; the search is not at its end"
	}
	if l.More == "" {
		return s + "."
	}
	return s + ". To go on:"
}

// limitChart lists the lengths with how often answers were right, and draws the curve
// that was fitted to them with its band.
func limitChart(l *report.LimitSearch, s terminal.Style) string {
	rows := [][4]string{{"length", "right", "curve", "95 %"}}
	for _, n := range l.Limit.Lengths {
		asked := number.Missing
		if n.Of > 0 {
			asked = number.Count(n.Right) + "/" + number.Count(n.Of)
		}
		rate := rateOf(n)
		rows = append(rows, [4]string{number.Count(int64(n.Length)), asked, number.Percent(rate.Share), number.PercentRange(rate.Low, rate.High, 0)})
	}
	var widths [4]int
	for _, r := range rows {
		for i, cell := range r {
			widths[i] = max(widths[i], terminal.Width(cell))
		}
	}
	var b strings.Builder
	for i, r := range rows {
		line := ""
		for c, cell := range r {
			line += terminal.PadLeft(cell, widths[c]) + strings.Repeat(" ", gap)
		}
		if i == 0 {
			line = s.Paint(terminal.Faint, strings.TrimRight(line, " "))
		} else {
			line += s.Paint(terminal.Drawing, bar(rateOf(l.Limit.Lengths[i-1]), min(s.Columns()-terminal.Width(line)-1, mostBar)))
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

// LimitText writes searches for a terminal: what was found in a sentence, and the
// shares of right answers by length.
func LimitText(w io.Writer, searches []report.LimitSearch, s terminal.Style) error {
	var b strings.Builder
	for i := range searches {
		if i > 0 {
			b.WriteString("\n")
		}
		writeLimit(&searches[i], &b, s)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// between prints the ends of the interval. One that is beyond the lengths asked
// rests on no answers, and is not printed as if it did.
func between(m *horizonsearch.Horizon) string {
	low, high := lengthEnd(m.Low), lengthEnd(m.High)
	if m.High > float64(m.Longest) {
		high = "more than " + strconv.Itoa(m.Longest)
		if m.Low > float64(m.Longest) {
			return high
		}
	}
	if m.Low < float64(m.Shortest) {
		low = "less than " + strconv.Itoa(m.Shortest)
		if m.High < float64(m.Shortest) {
			return low
		}
	}
	return low + " to " + high
}

// lengthEnd prints an estimated length: whole from ten on, as horizon.Estimate does.
func lengthEnd(n float64) string {
	if n < 10 {
		return strconv.FormatFloat(n, 'f', 1, 64)
	}
	return strconv.FormatFloat(n, 'f', 0, 64)
}

// mostBar is how wide a bar is on a wide terminal.
const mostBar = 50

func rateOf(n horizonsearch.LengthShare) report.Rate {
	return report.Rate{N: n.Right, Of: n.Of, Share: &n.Share, Low: &n.Low, High: &n.High}
}
