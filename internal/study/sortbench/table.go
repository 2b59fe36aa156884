package sortbench

import (
	"fmt"
	"slices"
	"strconv"

	"verbatim/internal/number"
	"verbatim/internal/paper"
	"verbatim/internal/verdict/autorank"
)

// fixed prints a number with three decimals, as the paper's tables do.
func fixed(v float64) string {
	s := strconv.FormatFloat(v, 'f', 3, 64)
	if s == "-0.000" {
		return "0.000"
	}
	return s
}

// fixedOr is fixed for a number that may be unknown.
func fixedOr(v *float64) string {
	if v == nil {
		return paper.Missing
	}
	return fixed(*v)
}

// modeWords returns the head of a group of Table 1.
func modeWords(mode string) string {
	switch mode {
	case "basic":
		return "Basic"
	case "advanced":
		return "Advanced"
	case "debug":
		return "Debug"
	}
	return "All tasks"
}

// scoreTable is Table 1.
func (a *analysis) scoreTable() paper.Table {
	t := paper.Table{
		Number: 1, Name: "table-1",
		Caption: "The scores of every model over the basic, the advanced and the debug tasks and over all of them: means with the length of the lists for their weight, the highest ModelScore first.",
		Columns: []paper.Column{
			{Head: "Tasks"}, {Head: "Model"}, {Head: "ModelScore", Short: "Score", Right: true}, {Head: "SortingScore", Short: "Sorting", Right: true},
			{Head: "FaithfulnessScore", Short: "Faithfulness", Right: true}, {Head: "ValidityScore", Short: "Validity", Right: true},
		},
	}
	columns := [measures]string{"model_score", "sorting", "faithfulness", "validity"}
	for i, m := range a.modes {
		for j, r := range m.rows {
			name := a.all[r.entrant].name
			row := paper.Row{Key: m.mode + "/" + name, Cells: []string{"", name}, Rule: j == 0 && i > 0}
			if j == 0 {
				row.Cells[0] = modeWords(m.mode)
			}
			for k, mean := range r.means {
				row.Cells = append(row.Cells, fixedOr(mean))
				if mean != nil {
					row.Values = append(row.Values, paper.Value{Column: columns[k], Number: *mean})
				}
			}
			t.Rows = append(t.Rows, row)
		}
	}
	if len(a.modes) < len(modes())+1 {
		t.Notes = append(t.Notes, "The runs have no lists of "+number.Names(a.missingModes())+" tasks: \"All tasks\" is without them.")
	}
	return t
}

// missingModes lists the modes without a list.
func (a *analysis) missingModes() []string {
	return slices.DeleteFunc(modes(), func(mode string) bool {
		return slices.ContainsFunc(a.modes, func(t modeTable) bool { return t.mode == mode })
	})
}

// leastSmaller is the probability of being smaller than the best from which on the paper's tables
// have an effect size.
const leastSmaller = 0.80

// lengthTable is the table of one length. Those of the paper's lengths have its numbers, 2 to 9;
// others have none.
func (a *analysis) lengthTable(r *rankTable) paper.Table {
	t := paper.Table{
		Name:    "table-length-" + strconv.Itoa(r.length),
		Caption: fmt.Sprintf("The SortBenchScore of lists of length %d, over all tasks.", r.length),
		Columns: []paper.Column{
			{Head: "Model"}, {Head: "M", LaTeX: "$M$", Right: true}, {Head: "SD", LaTeX: "$SD$", Right: true}, {Head: "CI", Right: true}, {Head: "d", LaTeX: "$d$", Right: true},
			{Head: "p_smaller(best)", LaTeX: "$p^{best}_{smaller}$", Short: "p(best)", Right: true}, {Head: "p_smaller(above)", LaTeX: "$p^{above}_{smaller}$", Short: "p(above)", Right: true},
		},
	}
	if i := slices.Index(paperLengths(), r.length); i >= 0 {
		t.Number = i + 2
		t.Name = "table-" + strconv.Itoa(t.Number)
	}
	for _, row := range r.Rows {
		t.Rows = append(t.Rows, r.row(a.all[row.Run].name, &row))
	}
	t.Notes = a.lengthNotes(r)
	return t
}

// paperLengths lists the lengths of Tables 2 to 9.
func paperLengths() []int { return []int{2, 4, 8, 16, 32, 64, 128, 256} }

// row returns the row of one model.
func (r *rankTable) row(name string, row *autorank.Row) paper.Row {
	out := paper.Row{Key: name, Values: []paper.Value{{Column: "n", Number: float64(row.N)}, {Column: "m", Number: row.Mean}, {Column: "sd", Number: row.SD}, {Column: "ci_low", Number: row.Low}, {Column: "ci_high", Number: row.High}}}
	best, above := r.pair(1, row.Rank), r.pair(row.Rank-1, row.Rank)
	d := paper.Missing
	if best != nil && best.Smaller >= leastSmaller && row.D != nil {
		d = fixed(*row.D)
	}
	if row.D != nil && row.Rank > 1 {
		out.Values = append(out.Values, paper.Value{Column: "d", Number: *row.D})
	}
	for _, with := range []struct {
		name string
		pair *autorank.Pair
	}{{"best", best}, {"above", above}} {
		if p := with.pair; p != nil {
			out.Values = append(out.Values, paper.Value{Column: "p_smaller_" + with.name, Number: p.Smaller}, paper.Value{Column: "p_equal_" + with.name, Number: p.Equal}, paper.Value{Column: "p_larger_" + with.name, Number: p.Larger})
		}
	}
	out.Cells = []string{name, fixed(row.Mean), fixed(row.SD), "[" + fixed(row.Low) + ", " + fixed(row.High) + "]", d, smallerText(best), smallerText(above)}
	return out
}

// smallerText prints the probability that the lower one of a pair has smaller scores.
func smallerText(p *autorank.Pair) string {
	if p == nil {
		return paper.Missing
	}
	return fixed(p.Smaller)
}

// pair returns the test of two ranks; nil without one.
func (r *rankTable) pair(upper, lower int) *autorank.Pair {
	for i := range r.Pairs {
		if p := &r.Pairs[i]; p.Upper == upper && p.Lower == lower {
			return p
		}
	}
	return nil
}

// lengthNotes says how many scores of each model are undefined.
func (a *analysis) lengthNotes(r *rankTable) []string {
	var without []string
	for _, row := range r.Rows {
		if n := r.Items - row.N; n > 0 {
			without = append(without, fmt.Sprintf("%s %d", a.all[row.Run].name, n))
		}
	}
	if len(without) == 0 {
		return nil
	}
	return []string{"Lists without a score, since the reply's list has too few values to divide by: " + number.Names(without) + ". Means pass over them, and the test counts them as equal."}
}

// verdictTable lists the tests of all pairs of models at all lengths. Tables 2 to 9 have some of
// them.
func (a *analysis) verdictTable() paper.Table {
	t := paper.Table{
		Name:    "table-verdicts",
		Caption: "The Bayesian signed rank test of every pair of models at every length: how likely B's scores are smaller than A's, equal within the region of practical equivalence, and larger. A decision takes .95.",
		Columns: []paper.Column{{Head: "Length", Right: true}, {Head: "A"}, {Head: "B"}, {Head: "ROPE", Right: true}, {Head: "p(smaller)", LaTeX: "$p_{smaller}$", Right: true},
			{Head: "p(equal)", LaTeX: "$p_{equal}$", Right: true}, {Head: "p(larger)", LaTeX: "$p_{larger}$", Right: true}, {Head: "Decision"}},
	}
	for i := range a.ranks {
		r := &a.ranks[i]
		for j, p := range r.Pairs {
			upper, lower := a.all[r.Rows[p.Upper-1].Run].name, a.all[r.Rows[p.Lower-1].Run].name
			t.Rows = append(t.Rows, paper.Row{
				Key: strconv.Itoa(r.length) + "/" + upper + "/" + lower, Rule: j == 0 && i > 0,
				Cells:  []string{strconv.Itoa(r.length), upper, lower, strconv.FormatFloat(p.Rope, 'f', 4, 64), fixed(p.Smaller), fixed(p.Equal), fixed(p.Larger), p.Word},
				Values: []paper.Value{{Column: "rope", Number: p.Rope}, {Column: "p_smaller", Number: p.Smaller}, {Column: "p_equal", Number: p.Equal}, {Column: "p_larger", Number: p.Larger}},
			})
		}
	}
	return t
}
