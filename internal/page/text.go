package page

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"verbatim/internal/number"
	"verbatim/internal/report"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict"
)

// A safeText is a text of a model, a server or a file that has passed through
// terminal.Visible. Templates put it into a bdi element, so that letters which are written
// from right to left do not reorder the text around it.
type safeText string

// The most characters of a name and of a sentence that are shown.
const (
	longestName     = 120
	longestSentence = 1200
)

// name makes a name safe, and short enough for a cell of a table.
func name(s string) safeText { return safeText(bounded(s, longestName)) }

// sentence makes a sentence safe, which may quote texts from outside.
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

// names lists the names of counts, at most twelve of them.
func names(counts []report.Count) safeText {
	const most = 12
	var parts []string
	for i, c := range counts {
		if i == most {
			parts = append(parts, "and "+number.Count(int64(len(counts)-most))+" more")
			break
		}
		parts = append(parts, string(name(c.Name)))
	}
	return safeText(strings.Join(parts, ", "))
}

// missing is shown for an unknown number.
const missing = number.Missing

func signed(v float64) string     { return number.Signed(v, 3) }
func span(r verdict.Range) string { return number.SignedRange(r.Low, r.High, 3) }

// interval prints the interval of a rate in per cent; empty without one.
func interval(r report.Rate) string {
	if r.Low == nil || r.High == nil {
		return ""
	}
	return number.PercentRange(r.Low, r.High, 1)
}

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

// some prints a count, and a dash for 0: among dashes, the counts are easy to find.
func some(n int64) string {
	if n == 0 {
		return missing
	}
	return number.Count(n)
}

// total prints a sum of tokens.
func total(s report.Sum) string {
	if s.Total == nil {
		return missing
	}
	return number.Count(*s.Total)
}
