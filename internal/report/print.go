package report

import (
	"verbatim/internal/number"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict"
)

// What other layouts than this package's print their numbers with, so that a number
// reads the same wherever it stands. What is not known is "–".

// CostText prints what is known of a cost, as "$0.12", with a plus where that is not
// all that it cost.
func CostText(c *Cost) string { return price(c) }

// CostWords say what a cost is known to be, and what of it is not.
func CostWords(c *Cost) []string { return costs(c) }

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
			if tail = terminal.Truncate(terminal.Visible(h.Name), most/2); h.N > 0 {
				tail = "run " + number.Count(h.N)
			}
		}
		switch model := terminal.Visible(h.Model); {
		case tail == "":
			names[i] = terminal.Truncate(model, most)
		case model == "":
			names[i] = tail
		default:
			names[i] = terminal.Truncate(model, most-terminal.Width(tail)-3) + " (" + tail + ")"
		}
	}
	return names
}

// FlipHead says how many items one side of a comparison has right more often than the
// other, and how many of them are listed.
func FlipHead(c *verdict.Comparison) string { return flipHead(c) }
