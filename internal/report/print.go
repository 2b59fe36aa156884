package report

import "verbatim/internal/verdict"

// What other layouts than this package's print their numbers with, so that a number
// reads the same wherever it stands. What is not known is "–".

// PercentText prints a share as per cent with one decimal, as "93.1": 100.0 and 0.0
// of all and of nothing only.
func PercentText(share *float64) string { return percent(share) }

// WholePercentText prints a share as per cent without decimals, for drawings: 100 and 0
// of all and of nothing only.
func WholePercentText(share *float64) string { return wholeShare(share) }

// IntervalText prints the ends of the interval of a rate as per cent, as "87–97".
func IntervalText(r Rate, decimals int) string { return interval(r, decimals) }

// ScoreText prints a mean of scores with three decimals: 1.000 for a full one only.
func ScoreText(m Mean) string { return score(m) }

// SecondsText prints a time with its unit, as "820 ms" or "7 m 12 s".
func SecondsText(v *float64) string { return seconds(v) }

// CountText prints a whole number with commas between groups of three digits.
func CountText(n int64) string { return count(n) }

// ShortCountText prints a whole number in at most five characters, as "12.3k".
func ShortCountText(n int64) string { return short(n) }

// CostText prints what is known of a cost, as "$0.12", with a plus where that is not
// all that it cost.
func CostText(c *Cost) string { return price(c) }

// CostWords say what a cost is known to be, and what of it is not.
func CostWords(c *Cost) []string { return costs(c) }

// DifferenceText prints a difference with its sign, as "+0.120".
func DifferenceText(v float64, decimals int) string { return signed(v, decimals) }

// RangeText prints an interval of differences, as "-0.020 to +0.120".
func RangeText(r verdict.Range, decimals int) string { return spanOf(r, decimals) }

// NumberText prints a number with so many decimals.
func NumberText(v float64, decimals int) string { return plainNumber(v, decimals) }

// ChanceText prints a probability with three decimals; one that is nearly 0 or 1 as
// "<0.001" or ">0.999", since the numbers never are certain.
func ChanceText(p float64) string { return chance(p) }

// PValueText prints a p-value with four decimals.
func PValueText(p float64) string { return pValue(p) }

// LimitLengthText prints the length at which half of the answers are right, with its
// range.
func LimitLengthText(l *verdict.Horizon) string { return lengthText(l) }

// Sentence says the verdict of a comparison in plain words, and Settling what would
// settle one that is inconclusive; empty: nothing is left to settle. What outsiders
// wrote is Visible in both.
func Sentence(c *verdict.Comparison) string { return sentence(c) }

// Settling is described with Sentence.
func Settling(c *verdict.Comparison) string { return settling(c.ItemsNeeded) }

// PairNames returns what to call the sides of a comparison: their models, or their
// runs where it is one model. They are Visible.
func PairNames(c *verdict.Comparison) (a, b string) { return pairNames(c) }

// CutText shortens s, which must be Visible, to so many columns of a terminal, with …
// at its end where something is left out.
func CutText(s string, columns int) string { return cut(s, columns) }

// Columns is how many columns of a terminal s takes.
func Columns(s string) int { return wide(s) }

// ShowCommand is the command that shows an item of a run.
func (s Style) ShowCommand(run, item string, flags ...string) string {
	return s.show(run, item, flags...)
}

// RunNames returns what to call the runs: their models, or where several are of one
// model their models with what differs: the number, or before it is kept the name. The
// names are Visible and of at most 60 columns.
func RunNames(runs []Block) []string {
	const most = 60
	seen := make(map[string]int)
	for i := range runs {
		seen[runs[i].Head.Model]++
	}
	names := make([]string, len(runs))
	for i := range runs {
		h := &runs[i].Head
		tail := ""
		if seen[h.Model] > 1 || h.Model == "" {
			if tail = cut(Visible(h.Name), most/2); h.N > 0 {
				tail = "run " + count(h.N)
			}
		}
		switch model := Visible(h.Model); {
		case tail == "":
			names[i] = cut(model, most)
		case model == "":
			names[i] = tail
		default:
			names[i] = cut(model, most-wide(tail)-3) + " (" + tail + ")"
		}
	}
	return names
}

// FlipHead says how many items one side of a comparison has right more often than the
// other, and how many of them are listed.
func FlipHead(c *verdict.Comparison) string { return flipHead(c) }
