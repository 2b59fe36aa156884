package layout

import (
	"strconv"

	"verbatim/internal/number"
	"verbatim/internal/report"
	"verbatim/internal/table"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict"
	"verbatim/internal/verdict/autorank"
)

// rankingCaveat says why the analysis of published tables is not the default.
const rankingCaveat = "The analysis of the SortBench paper (Bayesian signed rank test, equal within a tenth of the pooled standard deviation), to compute published tables again. It is not the default: two models are \"equal\" there as soon as some 71 % of the items tie, however bad one of them is at the rest."

// rankNames returns a name for each run: its model, or the name of the run if several runs have the
// model.
func rankNames(runs []verdict.RunInfo) []string {
	names := make([]string, len(runs))
	count := make(map[string]int) // of the runs of a model
	for i := range runs {
		count[runs[i].Model]++
	}
	for i := range runs {
		names[i] = terminal.Visible(runs[i].Model)
		if count[runs[i].Model] > 1 {
			names[i] = terminal.Visible(runs[i].Name)
		}
	}
	return names
}

// rankTitle names a table by its length.
func rankTitle(t *autorank.Table) string {
	lengths := "all lengths"
	if t.Length != "" {
		lengths = "length " + terminal.Visible(t.Length)
	}
	return lengths + ", " + number.Plural(int64(t.Items), "item", "items")
}

// rankTable lays out a table of ranks.
func rankTable(t *autorank.Table, names []string) *table.Table {
	s := &table.Table{Columns: []table.Column{
		{Right: true}, {Head: "model", Min: 12}, {Head: "M", Right: true}, {Head: "SD", Right: true}, {Head: "interval", Rank: 3, Right: true}, {Head: "d", Rank: 1, Right: true}, {Head: "magnitude", Rank: 2},
		{Head: "smaller", Rank: 4, Right: true}, {Head: "equal", Rank: 4, Right: true}, {Head: "vs best"}, {Head: "smaller", Rank: 5, Right: true}, {Head: "equal", Rank: 5, Right: true}, {Head: "vs above", Rank: 5},
	}}
	for i, r := range t.Rows {
		best, above := rankPair(t, 1, r.Rank), rankPair(t, r.Rank-1, r.Rank)
		row := []string{strconv.Itoa(r.Rank), names[r.Run], number.Fixed(r.Mean, 3), number.Fixed(r.SD, 3), number.Fixed(r.Low, 3) + "–" + number.Fixed(r.High, 3), number.Missing, r.Magnitude}
		if r.D != nil {
			row[5] = number.Fixed(*r.D, 3)
		}
		if i == 0 {
			row[5], row[6] = number.Missing, number.Missing
		}
		s.Add(append(append(row, pairCells(best)...), pairCells(above)...)...)
	}
	return s
}

// rankPair returns the test of two ranks; nil without one.
func rankPair(t *autorank.Table, upper, lower int) *autorank.Pair {
	for i := range t.Pairs {
		if p := &t.Pairs[i]; p.Upper == upper && p.Lower == lower {
			return p
		}
	}
	return nil
}

func pairCells(p *autorank.Pair) []string {
	if p == nil {
		return []string{number.Missing, number.Missing, number.Missing}
	}
	return []string{number.Fixed(p.Smaller, 3), number.Fixed(p.Equal, 3), p.Word}
}

// weightedTable lays out a table of weighted means.
func weightedTable(t *autorank.WeightedTable, names []string) *table.Table {
	s := &table.Table{Columns: []table.Column{{Head: "model", Min: 12}}}
	for _, c := range t.Columns {
		s.Columns = append(s.Columns, table.Column{Head: c, Right: true})
	}
	for _, r := range t.Rows {
		row := []string{names[r.Run]}
		for _, m := range r.Means {
			if m == nil {
				row = append(row, number.Missing)
			} else {
				row = append(row, number.Fixed(*m, 3))
			}
		}
		s.Add(row...)
	}
	return s
}

func weightedTitle(t *autorank.WeightedTable) string {
	return "means weighted by length, mode " + terminal.Visible(t.Mode)
}

// rankingBody lays out a Ranking.
func rankingBody(r *autorank.Ranking) []table.Block {
	body := []table.Block{table.Paragraph{Text: rankingCaveat, Paint: terminal.Faint}, table.Blank{}, rankingFacts(r)}
	names := rankNames(r.Runs)
	for i := range r.Tables {
		body = append(body, table.Blank{}, table.Heading{Text: rankTitle(&r.Tables[i])}, rankTable(&r.Tables[i], names))
	}
	for i := range r.Weighted {
		body = append(body, table.Blank{}, table.Heading{Text: weightedTitle(&r.Weighted[i])}, weightedTable(&r.Weighted[i], names))
	}
	return body
}

func rankingFacts(r *autorank.Ranking) table.Facts {
	compared := []string{strconv.Itoa(len(r.Runs)) + " runs", number.Plural(r.Items, "item", "items") + " that all of them answered", "score: " + report.Metric(r.Metric).String()}
	if r.LeftOut > 0 {
		compared = append(compared, number.Plural(r.LeftOut, "item", "items")+" left out, which some run did not answer")
	}
	return table.Facts{{Name: "compared", Parts: compared}}
}

// rankingData has one row for each rank.
func rankingData(r *autorank.Ranking) *table.Table {
	out := dataTable("metric", "length", "items", "rank", "run", "model", "n", "mean", "sd", "low", "high", "d", "magnitude", "d_above",
		"p_smaller_best", "p_equal_best", "p_larger_best", "decision_best", "p_smaller_above", "p_equal_above", "p_larger_above", "decision_above")
	for i := range r.Tables {
		t := &r.Tables[i]
		for _, row := range t.Rows {
			h := &r.Runs[row.Run]
			cells := []string{r.Metric, terminal.Visible(t.Length), strconv.Itoa(t.Items), strconv.Itoa(row.Rank), terminal.Visible(h.Name), terminal.Visible(h.Model), strconv.Itoa(row.N),
				Float(&row.Mean), Float(&row.SD), Float(&row.Low), Float(&row.High), Float(row.D), row.Magnitude, Float(row.DAbove)}
			for _, p := range []*autorank.Pair{rankPair(t, 1, row.Rank), rankPair(t, row.Rank-1, row.Rank)} {
				if p == nil {
					cells = append(cells, "", "", "", "")
				} else {
					cells = append(cells, Float(&p.Smaller), Float(&p.Equal), Float(&p.Larger), p.Word)
				}
			}
			out.Add(cells...)
		}
	}
	return out
}
