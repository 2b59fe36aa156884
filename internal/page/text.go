package page

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"verbatim/internal/layout"
	"verbatim/internal/number"
	"verbatim/internal/report"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict"
)

// A safeText is a text of a model, a server or a file that is safe to show: see
// terminal.Visible. Templates isolate it from the text around it, so that letters which
// are written from right to left reorder nothing else.
type safeText string

// The most characters of a name and of a sentence that are shown.
const (
	longestName     = 120
	longestSentence = 1200
)

// name returns a name that is safe and fits a cell of a table.
func name(s string) safeText { return safeText(bounded(s, longestName)) }

// sentence returns a safe text that may quote texts of others.
func sentence(s string) safeText { return safeText(bounded(s, longestSentence)) }

// bounded returns the first characters of s as terminal.Visible shows them, with … if s is
// longer. It reads no more of s than it returns.
func bounded(s string, most int) string {
	end, n := 0, 0
	for end < len(s) && n < most {
		_, size := utf8.DecodeRuneInString(s[end:])
		end += size
		n++
	}
	if end == len(s) {
		return terminal.Visible(s)
	}
	return terminal.Visible(s[:end]) + "…"
}

// names joins several names.
func names(counts []report.Count) safeText {
	const most = 12
	var parts []string
	for i, c := range counts {
		if i == most {
			parts = append(parts, "and "+count(int64(len(counts)-most))+" more")
			break
		}
		parts = append(parts, string(name(c.Name)))
	}
	return safeText(strings.Join(parts, ", "))
}

// missing is shown for an unknown number.
const missing = "–"

func percent(share *float64) string { return number.Percent(share) }
func count(n int64) string          { return number.Count(n) }
func seconds(v *float64) string     { return number.Seconds(v) }
func price(c *report.Cost) string   { return layout.CostText(c) }
func score(v float64) string        { return number.Score(&v) }
func signed(v float64) string       { return number.Signed(v, 3) }
func span(r verdict.Range) string   { return number.SignedRange(r.Low, r.High, 3) }

// interval prints the interval of a rate in per cent; empty without one.
func interval(r report.Rate) string {
	if r.Low == nil || r.High == nil {
		return ""
	}
	return number.PercentRange(r.Low, r.High, 1)
}

// mean prints a mean of scores, or that it is unknown.
func mean(v *float64) string { return number.Score(v) }

// chance prints a probability in per cent; an estimate is never 0 or 100.
func chance(p float64) string {
	switch {
	case p < 0.0005:
		return "<0.1 %"
	case p >= 0.9995:
		return ">99.9 %"
	}
	return strconv.FormatFloat(100*p, 'f', 1, 64) + " %"
}

// pValue prints a p-value as "p = 0.0123" or "p < 0.0001".
func pValue(p float64) string {
	text := number.PValue(p)
	if less, ok := strings.CutPrefix(text, "<"); ok {
		return "p < " + less
	}
	return "p = " + text
}

// some prints a count, and a dash for 0: a column of zeros hides the others.
func some(n int64) string {
	if n == 0 {
		return missing
	}
	return count(n)
}

// plural prints a count with the noun in its number.
func plural(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return count(n) + " " + many
}

// total prints a sum of tokens.
func total(s report.Sum) string {
	if s.Total == nil {
		return missing
	}
	return count(*s.Total)
}

// tokens prints a number of tokens that a histogram estimates.
func tokens(v *float64) string {
	if v == nil {
		return missing
	}
	return count(int64(math.Round(*v)))
}
