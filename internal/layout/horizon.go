package layout

import (
	"fmt"
	"strconv"

	"verbatim/internal/number"
	"verbatim/internal/report"

	"verbatim/internal/table"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict/horizonsearch"
)

// Horizons returns the document of searches for a horizon: a sentence with the result, and the
// shares of right answers by length.
func Horizons(searches []report.HorizonSearch, o Options) *table.Document {
	return &table.Document{
		Title: "verbatim horizon", Raw: o.Raw, Value: report.HorizonList{Format: report.HorizonFormat, Horizons: searches},
		Data: func() *table.Table { return horizonData(searches) },
		Body: func(int) []table.Block {
			var body []table.Block
			for i := range searches {
				if i > 0 {
					body = append(body, table.Blank{})
				}
				body = append(body, horizonBody(&searches[i])...)
			}
			return body
		},
	}
}

func horizonBody(l *report.HorizonSearch) []table.Block {
	body := append(runTitle(l.Model, l.N, l.Run, l.Note), table.Paragraph{Text: horizonSentence(l), Paint: terminal.Bold})
	if l.Limit == nil {
		return body
	}
	body = append(body, table.Blank{}, horizonTable(l.Limit), table.Blank{}, table.Paragraph{Text: stopReason(l)})
	if l.More != "" {
		body = append(body, table.Command(terminal.Visible(l.More)))
	}
	return body
}

// horizonData has one row for each length of each search.
func horizonData(searches []report.HorizonSearch) *table.Table {
	t := dataTable("run", "name", "model", "task", "unit", "metric", "horizon", "horizon_low", "horizon_high", "length", "right", "answered", "curve", "low", "high")
	for i := range searches {
		l := &searches[i]
		if l.Limit == nil {
			continue
		}
		for _, n := range l.Limit.Lengths {
			t.Add(digits(l.N), terminal.Visible(l.Run), terminal.Visible(l.Model), terminal.Visible(l.Task), l.Unit, string(l.Metric), Float(l.Limit.L50), Float(&l.Limit.Low), Float(&l.Limit.High),
				digits(n.Length), digits(n.Right), digits(n.Of), Float(&n.Share), Float(&n.Low), Float(&n.High))
		}
	}
	return t
}

// horizonSentence says the result of a search.
func horizonSentence(l *report.HorizonSearch) string {
	task := terminal.Visible(l.Task) + ": "
	if l.Limit == nil {
		return task + "no request was answered"
	}
	right := "right"
	if l.Metric == report.MetricExtracted {
		right = "right (extracted)"
	}
	m := l.Limit
	switch h := m.Hole; {
	case h != nil:
		return fmt.Sprintf("%snot monotone: %s of %s %s at %d–%d %s, but %s of %s from there to %d: there is no single horizon",
			task, number.Count(h.Right), number.Count(h.Of), right, h.From, h.To, l.Unit, number.Count(h.RightAgain), number.Count(h.OfAgain), h.Longest)
	case m.Above > 0.5:
		return fmt.Sprintf("%s%s more than half of the time up to %d %s, the longest tested (probability %s; 95 %%: %s)",
			task, right, m.Longest, l.Unit, number.Probability(m.Above), between(m))
	case m.Text == horizonsearch.NeverText:
		return fmt.Sprintf("%s%s not more than half of the time at any length (probability %s; 95 %%: %s)",
			task, right, number.Probability(m.Never), between(m))
	case m.Below > 0.5:
		return fmt.Sprintf("%s%s less than half of the time at %d %s, the shortest tested (probability %s; 95 %%: %s)",
			task, right, m.Shortest, l.Unit, number.Probability(m.Below), between(m))
	}
	return fmt.Sprintf("%s%s half of the time up to %s %s (95 %%: %s)", task, right, m.Text, l.Unit, between(m))
}

// stopReason says how many answers there are and why no more were requested.
func stopReason(l *report.HorizonSearch) string {
	m := l.Limit
	s := number.Plural(int64(m.Answered), "item", "items") + " answered"
	if m.Unanswered > 0 {
		s += ", " + number.Count(m.Unanswered) + " sent without an answer"
	}
	switch ended := l.Ended; {
	case m.Hole != nil:
		s += "; the curve does not fit the answers"
	case ended == horizonsearch.Narrow:
		s += "; the interval is as narrow as requested"
	case ended == horizonsearch.ItemsUsed:
		s += "; that is the requested number"
	case ended == horizonsearch.AboveRange:
		s += "; longer ones are needed to find the horizon"
	case ended == horizonsearch.NeverHalf:
		s += "; at no length are more than half of the answers right"
	case ended == horizonsearch.BelowRange:
		s += "; shorter ones are needed to find the horizon, if there is one"
	default:
		s += "; the search is not finished"
	}
	if l.More == "" {
		return s + "."
	}
	return s + ". Continue with:"
}

// horizonTable has a row for each length, with the right answers and the fitted curve with its band.
func horizonTable(h *horizonsearch.Horizon) *table.Table {
	t := &table.Table{Columns: []table.Column{
		{Head: "length", Right: true}, {Head: "right", Right: true}, {Head: "curve", Right: true}, {Head: "95 %", Right: true},
		{Drawing: &table.Drawing{Min: 1, Max: 49, Paint: true, Head: func(int) string { return "" },
			Cell: func(i, width int) string { return bar(rateOf(h.Lengths[i]), width) }}},
	}}
	for _, n := range h.Lengths {
		right := number.Missing
		if n.Of > 0 {
			right = number.Count(n.Right) + "/" + number.Count(n.Of)
		}
		rate := rateOf(n)
		t.Add(number.Count(int64(n.Length)), right, number.Percent(rate.Share), number.PercentRange(rate.Low, rate.High, 0))
	}
	return t
}

// between prints the ends of the interval. An end outside the tested lengths is not printed as a
// number, since no answers are near it.
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
		if m.Low == 0 {
			low = "no length"
		}
		if m.High < float64(m.Shortest) {
			return low
		}
	}
	return low + " to " + high
}

// lengthEnd prints an estimated length, from 10 on as a whole number, as horizon.Estimate does.
func lengthEnd(n float64) string {
	if n < 10 {
		return strconv.FormatFloat(n, 'f', 1, 64)
	}
	return strconv.FormatFloat(n, 'f', 0, 64)
}

// rateOf returns the fitted share of a length as a rate.
func rateOf(n horizonsearch.LengthShare) report.Rate {
	return report.Rate{N: n.Right, Of: n.Of, Share: &n.Share, Low: &n.Low, High: &n.High}
}
