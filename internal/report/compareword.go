package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"verbatim/internal/verdict"
)

// pairNames returns what to call the sides of a comparison in a sentence: their
// models, or their runs where it is one model.
func pairNames(c *verdict.Comparison) (a, b string) {
	a, b = Visible(c.A.Model), Visible(c.B.Model)
	if a == b {
		a, b = Visible(c.A.Name), Visible(c.B.Name)
	}
	return a, b
}

// sentence says the verdict in plain words.
func sentence(c *verdict.Comparison) string {
	a, b := pairNames(c)
	d := &c.Difference
	span := "95 % " + spanOf(d.Range, 3)
	switch c.Word {
	case verdict.Worse:
		return fmt.Sprintf("%s is worse than %s: its score is %s lower (%s).", b, a, plainNumber(-d.Value, 3), span)
	case verdict.Better:
		return fmt.Sprintf("%s is better than %s: its score is %s higher (%s).", b, a, plainNumber(d.Value, 3), span)
	case verdict.Equivalent:
		return fmt.Sprintf("%s and %s are equivalent: their scores differ by %s (%s), which is within ±%s.", b, a, signed(d.Value, 3), span, bare(c.Rope))
	case verdict.Withheld:
		return fmt.Sprintf("No verdict on %s beside %s: %s.", b, a, Visible(strings.Join(c.Why, "; and ")))
	}
	return fmt.Sprintf("It is not known whether %s is better or worse than %s, or equivalent: its score differs by %s (%s).", b, a, signed(d.Value, 3), span)
}

// settling says what would settle an inconclusive verdict.
func settling(s *verdict.ItemsNeeded) string {
	switch {
	case s == nil:
		return ""
	case s.More == nil:
		return "No number of items would settle it: the difference lies on the edge of what counts as equivalent."
	}
	return fmt.Sprintf("About %s more items would settle it (%s), if they differ as these do.", rough(*s.More), s.Toward)
}

// rough prints a number of items with two digits that count: it is an estimate.
func rough(n int64) string {
	step := int64(1)
	for n/step >= 100 {
		step *= 10
	}
	return count((n + step - 1) / step * step)
}

// signed prints a difference with its sign.
func signed(v float64, decimals int) string {
	s := strconv.FormatFloat(v, 'f', decimals, 64)
	switch {
	case strings.Trim(s, "-0.") == "":
		return strings.TrimPrefix(s, "-")
	case v > 0:
		return "+" + s
	}
	return s
}

func plainNumber(v float64, decimals int) string { return strconv.FormatFloat(v, 'f', decimals, 64) }

// bare prints a number with the digits that it was given with.
func bare(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// round5 leaves five decimals of a number.
func round5(v float64) float64 { return math.Round(v*1e5) / 1e5 }

// spanOf prints an interval of differences.
func spanOf(r verdict.Range, decimals int) string {
	return signed(r.Low, decimals) + " to " + signed(r.High, decimals)
}

// chance prints a probability; 1.000 and 0.000 would claim to be certain.
func chance(p float64) string {
	switch {
	case p < 0.0005:
		return "<0.001"
	case p >= 0.9995:
		return ">0.999"
	}
	return strconv.FormatFloat(p, 'f', 3, 64)
}

// pValue prints a p-value.
func pValue(p float64) string {
	if p < 0.0001 {
		return "<0.0001"
	}
	return strconv.FormatFloat(p, 'f', 4, 64)
}

// lengthText prints a length at which half is right with its range.
func lengthText(l *verdict.Horizon) string {
	if l == nil {
		return missing
	}
	digit := func(v float64) string {
		if v < 10 {
			return strconv.FormatFloat(v, 'f', 1, 64)
		}
		return count(int64(math.Round(v)))
	}
	if strings.ContainsAny(l.Text, "<>") {
		return l.Text
	}
	return l.Text + " (" + digit(l.Low) + "–" + digit(l.High) + ")"
}

// shareText prints a share of right answers with its range.
func shareText(p *verdict.SideResult, decimals int) string {
	return percent(&p.Share) + " % (" + plainNumber(100*p.Range.Low, decimals) + "–" + plainNumber(100*p.Range.High, decimals) + ")"
}
