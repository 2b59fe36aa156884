package page

import (
	"math"
	"strconv"

	"verbatim/internal/report"
	"verbatim/internal/verdict"
)

// missing is what stands where a number is not known.
const missing = "–"

// minus is the sign of negative numbers: a hyphen is shorter than a digit.
const minus = "−"

// percent prints a share as per cent with one decimal, without the sign. It says
// 100.0 and 0.0 of all and nothing only: 2,999 of 3,000 is >99.9, not 100.0.
func percent(share *float64) string {
	if share == nil {
		return missing
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

// interval prints the ends of the interval of a rate as per cent; empty where it
// has none.
func interval(r report.Rate) string {
	if r.Low == nil || r.High == nil {
		return ""
	}
	return shares(*r.Low, *r.High)
}

// shares prints two shares as per cent, from one to the other.
func shares(low, high float64) string {
	return strconv.FormatFloat(100*low, 'f', 1, 64) + "–" + strconv.FormatFloat(100*high, 'f', 1, 64)
}

// mean prints a mean of scores with three decimals; 1.000 says that all are 1.
func mean(v *float64) string {
	if v == nil {
		return missing
	}
	s := plain(*v)
	if s == "1.000" && *v < 1-1e-12 {
		return "0.999"
	}
	return s
}

// plain prints a score with three decimals.
func plain(v float64) string {
	s := strconv.FormatFloat(math.Abs(v), 'f', 3, 64)
	if v < 0 && s != "0.000" {
		return minus + s
	}
	return s
}

// signed prints a difference of scores with its sign.
func signed(v float64) string {
	if s := plain(v); v > 0 && s != "0.000" {
		return "+" + s
	} else {
		return s
	}
}

// span prints an interval of differences.
func span(r verdict.Range) string { return signed(r.Low) + " to " + signed(r.High) }

// scores prints an interval of scores.
func scores(r verdict.Range) string { return plain(r.Low) + "–" + plain(r.High) }

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

// seconds prints a time with two or three significant digits.
func seconds(v *float64) string {
	if v == nil {
		return missing
	}
	switch s := *v; {
	case s < 0.0995:
		return strconv.FormatFloat(1000*s, 'g', 2, 64) + " ms"
	case s < 9.995:
		return strconv.FormatFloat(s, 'f', 2, 64) + " s"
	case s < 99.95:
		return strconv.FormatFloat(s, 'f', 1, 64) + " s"
	case s < 3600:
		return strconv.Itoa(int(s)/60) + " min " + strconv.Itoa(int(s)%60) + " s"
	default:
		return strconv.Itoa(int(s)/3600) + " h " + strconv.Itoa(int(s)/60%60) + " min"
	}
}

// count prints a whole number with commas between groups of three digits.
func count(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
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
