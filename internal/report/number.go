package report

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"verbatim"
)

// missing is what stands where a number is not known.
const missing = "–"

// percent prints a share as per cent with one decimal. It says 100.0 and 0.0 of
// all and nothing only: 2,999 of 3,000 is >99.9, not 100.0.
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

// interval prints the ends of the interval as per cent. They are estimates, so
// they are rounded like any number.
func interval(r Rate, decimals int) string {
	if r.Low == nil || r.High == nil {
		return missing
	}
	return strconv.FormatFloat(100**r.Low, 'f', decimals, 64) + "–" + strconv.FormatFloat(100**r.High, 'f', decimals, 64)
}

// score prints a mean of scores with three decimals; like percent it keeps 1.000
// for means that are exactly that.
func score(m Mean) string {
	if m.Value == nil {
		return missing
	}
	s := strconv.FormatFloat(*m.Value, 'f', 3, 64)
	if s == "1.000" && *m.Value < 1-1e-12 {
		return "0.999"
	}
	return s
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
		return fmt.Sprintf("%d m %02d s", int(s)/60, int(s)%60)
	default:
		return fmt.Sprintf("%d h %02d m", int(s)/3600, int(s)/60%60)
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

func itoa(n uint64) string { return strconv.FormatUint(n, 10) }

// short prints a whole number in at most five characters, such as 9,999 and 12.3k.
func short(n int64) string {
	switch v := float64(n); {
	case n < 10_000:
		return count(n)
	case v < 999_500:
		return strconv.FormatFloat(v/1e3, 'g', 3, 64) + "k"
	case v < 999.5e6:
		return strconv.FormatFloat(v/1e6, 'g', 3, 64) + "M"
	default:
		return strconv.FormatFloat(v/1e9, 'g', 3, 64) + "G"
	}
}

func tokens(s Sum) string {
	if s.Total == nil {
		return missing
	}
	return short(*s.Total)
}

// number prints a measure: whole numbers as such, others with three decimals.
func number(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return count(int64(v))
	}
	return strconv.FormatFloat(v, 'f', 3, 64)
}

// Parameters returns what was sent beside the prompt, in words.
func Parameters(p verbatim.Params) string {
	parts := parameters(p)
	if p.Thinking > 0 {
		parts = append(parts, "thinking "+strconv.Itoa(p.Thinking))
	}
	return Visible(strings.Join(orDefaults(parts), ", "))
}

// orDefaults says of a model to which nothing was sent beside the prompt what it goes by.
func orDefaults(parameters []string) []string {
	if len(parameters) == 0 {
		return []string{"the model's defaults"}
	}
	return parameters
}

// parameters lists what was sent beside the prompt; the tokens that were allowed for
// thinking come with the limit, and are not among it.
func parameters(p verbatim.Params) []string {
	var parts []string
	if p.Temperature != nil {
		parts = append(parts, "temperature "+strconv.FormatFloat(*p.Temperature, 'g', -1, 64))
	}
	if p.TopP != nil {
		parts = append(parts, "top_p "+strconv.FormatFloat(*p.TopP, 'g', -1, 64))
	}
	if p.Seed != nil {
		parts = append(parts, "seed "+strconv.FormatInt(*p.Seed, 10))
	}
	if p.Effort != "" {
		parts = append(parts, "effort "+p.Effort)
	}
	if p.ReasoningBudget != nil {
		parts = append(parts, "reasoning budget "+strconv.FormatInt(*p.ReasoningBudget, 10))
	}
	if len(p.Extra) > 0 {
		if extra, err := json.Marshal(p.Extra); err == nil { // keys in order
			parts = append(parts, string(extra))
		}
	}
	return parts
}
