package number

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Missing is printed for an unknown number.
const Missing = "–"

// mostNames is how many names a sentence lists before it only counts them.
const mostNames = 4

// ShownNames returns how many of n names a sentence lists: all, or of more than five the first four.
func ShownNames(n int) int {
	if n > mostNames+1 {
		return mostNames
	}
	return n
}

// Names joins names in a sentence: "a, b and c", or "a, b, c, d and 28 more".
func Names(names []string) string {
	n := ShownNames(len(names))
	switch {
	case n < len(names):
		return strings.Join(names[:n], ", ") + " and " + strconv.Itoa(len(names)-n) + " more"
	case n < 2:
		return strings.Join(names, "")
	}
	return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
}

// Percent prints a share in per cent with one decimal. 100.0 means all and 0.0 means none: 2,999
// of 3,000 is >99.9.
func Percent(share *float64) string { return percent(share, 1, ">99.9", "<0.1") }

// WholePercent prints a share in whole per cent. 100 means all and 0 means none.
func WholePercent(share *float64) string { return percent(share, 0, ">99", "<1") }

// percent prints a share in per cent: as nearly or hardly if it would be rounded to all or none.
func percent(share *float64, decimals int, nearly, hardly string) string {
	if share == nil {
		return Missing
	}
	s := Fixed(100**share, decimals)
	switch {
	case s == Fixed(100, decimals) && *share < 1:
		return nearly
	case s == Fixed(0, decimals) && *share > 0:
		return hardly
	}
	return s
}

// PercentRange prints the ends of an interval in per cent. They are estimates, so they are rounded
// as usual.
func PercentRange(low, high *float64, decimals int) string {
	if low == nil || high == nil {
		return Missing
	}
	return Fixed(100**low, decimals) + "–" + Fixed(100**high, decimals)
}

// Score prints a mean score with three decimals. 1.000 means that all scores are 1.
func Score(v *float64) string {
	if v == nil {
		return Missing
	}
	s := Fixed(*v, 3)
	if s == "1.000" && *v < 1-1e-12 {
		return "0.999"
	}
	return s
}

// ScoreRange prints the ends of the interval of a mean score.
func ScoreRange(low, high *float64) string {
	if low == nil || high == nil {
		return Missing
	}
	return Fixed(*low, 3) + "–" + Fixed(*high, 3)
}

// Seconds prints a time in ms, s, minutes or hours, with two to four digits. Less than half a
// microsecond is "0 ms".
func Seconds(v *float64) string {
	if v == nil {
		return Missing
	}
	switch s := *v; {
	case s < 0.5e-6:
		return "0 ms"
	case s < 0.0995:
		return strconv.FormatFloat(1000*s, 'g', 2, 64) + " ms"
	case s < 9.995:
		return Fixed(s, 2) + " s"
	case s < 99.95:
		return Fixed(s, 1) + " s"
	case s < 3600:
		return fmt.Sprintf("%d m %02d s", int(s)/60, int(s)%60)
	default:
		return fmt.Sprintf("%d h %02d m", int(s)/3600, int(s)/60%60)
	}
}

// Count prints a whole number with commas between groups of three digits.
func Count(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Items prints numbers of items and answers: "20" for one answer to each item, "20×5" for five, and
// "20 (97)" for 97 answers if the items have different numbers of them.
func Items(items, answers int64) string {
	switch {
	case items <= 0 || items >= answers:
		return Count(answers)
	case answers%items == 0:
		return Count(items) + "×" + Count(answers/items)
	}
	return Count(items) + " (" + Count(answers) + ")"
}

// Short prints a number of 0 or more in at most five characters, such as 9,999 and 12.3k.
func Short(n int64) string {
	if n < 10_000 {
		return Count(n)
	}
	v, units := float64(n)/1e3, "kMGTPE"
	for scale := 1e6; v >= 999.5; scale *= 1e3 {
		v, units = float64(n)/scale, units[1:]
	}
	return strconv.FormatFloat(v, 'g', 3, 64) + units[:1]
}

// Value prints a measure: a whole number without decimals, others with three.
func Value(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return Count(int64(v))
	}
	return Fixed(v, 3)
}

// Rough prints an estimated number of items, rounded up to two significant digits.
func Rough(n int64) string {
	step := int64(1)
	for n/step >= 100 {
		step *= 10
	}
	return Count((n + step - 1) / step * step)
}

// Signed prints a difference with its sign, unless it is rounded to 0.
func Signed(v float64, decimals int) string {
	s := Fixed(v, decimals)
	switch {
	case strings.Trim(s, "-0.") == "":
		return strings.TrimPrefix(s, "-")
	case v > 0:
		return "+" + s
	}
	return s
}

// Fixed prints a number with a number of decimals.
func Fixed(v float64, decimals int) string { return strconv.FormatFloat(v, 'f', decimals, 64) }

// Plain prints a number with as many digits as are needed to read it back.
func Plain(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// Probability prints a probability with three decimals, never as 0.000 or 1.000, which would claim
// certainty.
func Probability(p float64) string {
	switch {
	case p < 0.0005:
		return "<0.001"
	case p >= 0.9995:
		return ">0.999"
	}
	return Fixed(p, 3)
}

// PValue prints a p-value with four decimals.
func PValue(p float64) string {
	if p < 0.0001 {
		return "<0.0001"
	}
	return Fixed(p, 4)
}

// SignedRange prints an interval of differences, as "-0.020 to +0.120".
func SignedRange(low, high float64, decimals int) string {
	return Signed(low, decimals) + " to " + Signed(high, decimals)
}

// FiveDecimals prints a number with at most five decimals.
func FiveDecimals(v float64) string { return Plain(math.Round(v*1e5) / 1e5) }

// PlainPercent prints a probability in per cent, with at most four significant digits.
func PlainPercent(p float64) string { return strconv.FormatFloat(100*p, 'g', 4, 64) }

// Plural prints a number with its noun: "1 item", "1,000 items".
func Plural(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Count(n) + " " + many
}

// Whole prints a number rounded to a whole one.
func Whole(v *float64) string {
	if v == nil {
		return Missing
	}
	return Count(int64(math.Round(*v)))
}
