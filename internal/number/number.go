package number

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Missing is what stands where a number is not known.
const Missing = "–"

// Percent prints a share as per cent with one decimal. It says 100.0 and 0.0 of
// all and nothing only: 2,999 of 3,000 is >99.9, not 100.0.
func Percent(share *float64) string {
	if share == nil {
		return Missing
	}
	s := strconv.FormatFloat(100**share, 'f', 1, 64)
	switch {
	case s == "100.0" && *share < 1:
		return ">99.9"
	case s == "0.0" && *share > 0:
		return "<0.1"
	}
	return s
}

// PercentRange prints the ends of the interval as per cent. They are estimates, so
// they are rounded like any number.
func PercentRange(low, high *float64, decimals int) string {
	if low == nil || high == nil {
		return Missing
	}
	return strconv.FormatFloat(100**low, 'f', decimals, 64) + "–" + strconv.FormatFloat(100**high, 'f', decimals, 64)
}

// Score prints a mean of scores with three decimals; like percent it keeps 1.000
// for means that are exactly that.
func Score(v *float64) string {
	if v == nil {
		return Missing
	}
	s := strconv.FormatFloat(*v, 'f', 3, 64)
	if s == "1.000" && *v < 1-1e-12 {
		return "0.999"
	}
	return s
}

// ScoreRange prints the ends of the interval of a mean of scores.
func ScoreRange(low, high *float64) string {
	if low == nil || high == nil {
		return Missing
	}
	return Fixed(*low, 3) + "–" + Fixed(*high, 3)
}

// Seconds prints a time with two or three significant digits.
func Seconds(v *float64) string {
	if v == nil {
		return Missing
	}
	switch s := *v; {
	case s < 0.0995:
		return strconv.FormatFloat(1000*s, 'g', 2, 64) + " ms"
	case s < 9.995:
		return strconv.FormatFloat(s, 'f', 2, 64) + " s"
	case s < 99.95:
		return strconv.FormatFloat(s, 'f', 1, 64) + " s"
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

// Items prints answers as their items, × trials if items were asked several times, or with
// the answers in brackets if their trials differ: "20", "20×5", "20 (97)".
func Items(items, answers int64) string {
	switch {
	case items <= 0 || items >= answers:
		return Count(answers)
	case answers%items == 0:
		return Count(items) + "×" + Count(answers/items)
	}
	return Count(items) + " (" + Count(answers) + ")"
}

// Short prints a whole number in at most five characters, such as 9,999 and 12.3k.
func Short(n int64) string {
	switch v := float64(n); {
	case n < 10_000:
		return Count(n)
	case v < 999_500:
		return strconv.FormatFloat(v/1e3, 'g', 3, 64) + "k"
	case v < 999.5e6:
		return strconv.FormatFloat(v/1e6, 'g', 3, 64) + "M"
	default:
		return strconv.FormatFloat(v/1e9, 'g', 3, 64) + "G"
	}
}

// Value prints a measure: whole numbers as such, others with three decimals.
func Value(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return Count(int64(v))
	}
	return strconv.FormatFloat(v, 'f', 3, 64)
}

// Rough prints a number of items with two digits that count: it is an estimate.
func Rough(n int64) string {
	step := int64(1)
	for n/step >= 100 {
		step *= 10
	}
	return Count((n + step - 1) / step * step)
}

// Signed prints a difference with its sign.
func Signed(v float64, decimals int) string {
	s := strconv.FormatFloat(v, 'f', decimals, 64)
	switch {
	case strings.Trim(s, "-0.") == "":
		return strings.TrimPrefix(s, "-")
	case v > 0:
		return "+" + s
	}
	return s
}

func Fixed(v float64, decimals int) string { return strconv.FormatFloat(v, 'f', decimals, 64) }

// Plain prints a number with the digits that it was given with.
func Plain(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// Probability prints a probability; 1.000 and 0.000 would claim to be certain.
func Probability(p float64) string {
	switch {
	case p < 0.0005:
		return "<0.001"
	case p >= 0.9995:
		return ">0.999"
	}
	return strconv.FormatFloat(p, 'f', 3, 64)
}

// PValue prints a p-value.
func PValue(p float64) string {
	if p < 0.0001 {
		return "<0.0001"
	}
	return strconv.FormatFloat(p, 'f', 4, 64)
}

// SignedRange prints an interval of differences, as "-0.020 to +0.120".
func SignedRange(low, high float64, decimals int) string {
	return Signed(low, decimals) + " to " + Signed(high, decimals)
}

// FiveDecimals prints a number with at most five decimals.
func FiveDecimals(v float64) string { return Plain(math.Round(v*1e5) / 1e5) }

// WholePercent prints a share as whole per cent, and says 100 and 0 of all and
// nothing only.
func WholePercent(share *float64) string {
	if share == nil {
		return Missing
	}
	s := strconv.FormatFloat(100**share, 'f', 0, 64)
	switch {
	case s == "100" && *share < 1:
		return ">99"
	case s == "0" && *share > 0:
		return "<1"
	}
	return s
}

// SampledProbability prints a probability that was drawn, with the digits that count.
func SampledProbability(p float64) string {
	switch {
	case p < 0.005:
		return "<0.01"
	case p >= 0.995:
		return ">0.99"
	}
	return strconv.FormatFloat(p, 'f', 2, 64)
}

// PlainPercent prints a probability in per cent without needless digits.
func PlainPercent(p float64) string { return strconv.FormatFloat(100*p, 'g', 4, 64) }

func Plural(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Count(n) + " " + many
}

func Whole(v *float64) string {
	if v == nil {
		return Missing
	}
	return Count(int64(math.Round(*v)))
}
