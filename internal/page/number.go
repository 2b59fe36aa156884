package page

import (
	"math"
	"strconv"
	"strings"

	"verbatim/internal/layout"
	"verbatim/internal/number"
	"verbatim/internal/report"
	"verbatim/internal/verdict"
)

// missing is what stands where a number is not known.
const missing = "–"

func percent(share *float64) string { return number.Percent(share) }
func count(n int64) string          { return number.Count(n) }
func seconds(v *float64) string     { return number.Seconds(v) }
func price(c *report.Cost) string   { return layout.CostText(c) }
func score(v float64) string        { return number.Score(&v) }
func signed(v float64) string       { return number.Signed(v, 3) }
func span(r verdict.Range) string   { return number.SignedRange(r.Low, r.High, 3) }

// interval prints the ends of the interval of a rate as per cent; empty where it
// has none.
func interval(r report.Rate) string {
	if r.Low == nil || r.High == nil {
		return ""
	}
	return number.PercentRange(r.Low, r.High, 1)
}

// scores prints an interval of scores.
func scores(r verdict.Range) string {
	return number.Fixed(r.Low, 3) + "–" + number.Fixed(r.High, 3)
}

// mean prints a mean of scores that may not be known.
func mean(v *float64) string { return number.Score(v) }

// chance prints a probability as per cent; nothing that was estimated is certain.
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

// some prints a count, and a dash for none: a column of zeros hides what is there.
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
