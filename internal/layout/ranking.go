package layout

import (
	"bufio"
	"strconv"
	"strings"

	"verbatim/internal/csvfile"
	"verbatim/internal/number"
	"verbatim/internal/report"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict/autorank"
)

// rankingCaveat says why the analysis of published tables is not the default.
const rankingCaveat = "The analysis of the SortBench paper (Bayesian signed rank test, equal within a tenth of the pooled standard deviation), to compute published tables again. It is not the default: two models are \"equal\" there as soon as some 71 % of the items tie, however bad one of them is at the rest."

// rankNames returns what to call the runs: their models, or where two are of one
// model their names.
func rankNames(r *autorank.Ranking) []string {
	names := make([]string, len(r.Runs))
	seen := make(map[string]int)
	for _, h := range r.Runs {
		seen[h.Model]++
	}
	for i, h := range r.Runs {
		names[i] = terminal.Visible(h.Model)
		if seen[h.Model] > 1 {
			names[i] = terminal.Visible(h.Name)
		}
	}
	return names
}

// rankTitle names a table by its length.
func rankTitle(t *autorank.Table) string {
	if t.Length == "" {
		return "all lengths, " + number.Count(int64(t.Items)) + " items"
	}
	return "length " + terminal.Visible(t.Length) + ", " + number.Count(int64(t.Items)) + " items"
}

// rankSheet lays a table of ranks out.
func rankSheet(t *autorank.Table, names []string) *sheet {
	s := &sheet{head: []sheetColumn{
		{"", 0, true, 0}, {"model", 0, false, 12}, {"M", 0, true, 0}, {"SD", 0, true, 0}, {"interval", 3, true, 0}, {"d", 1, true, 0}, {"magnitude", 2, false, 0},
		{"smaller", 4, true, 0}, {"equal", 4, true, 0}, {"vs best", 0, false, 0}, {"smaller", 5, true, 0}, {"equal", 5, true, 0}, {"vs above", 5, false, 0},
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
		s.rows = append(s.rows, append(append(row, pairCells(best)...), pairCells(above)...))
	}
	return s
}

// rankPair finds the test of two ranks; nil: there is none.
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

// weightedSheet lays a table of weighted means out.
func weightedSheet(t *autorank.WeightedTable, names []string) *sheet {
	s := &sheet{head: []sheetColumn{{"model", 0, false, 12}}}
	for _, c := range t.Columns {
		s.head = append(s.head, sheetColumn{c, 0, true, 0})
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
		s.rows = append(s.rows, row)
	}
	return s
}

func weightedTitle(t *autorank.WeightedTable) string {
	return "means weighted by length, mode " + terminal.Visible(t.Mode)
}

// rankingText writes a Ranking for a terminal.
func rankingText(b *strings.Builder, r *autorank.Ranking, s terminal.Style) {
	for _, line := range terminal.Wrap(rankingCaveat, s.Columns()) {
		b.WriteString(s.Paint(terminal.Faint, line) + "\n")
	}
	b.WriteString("\n" + facts(rankingFacts(r), s))
	names := rankNames(r)
	for i := range r.Tables {
		b.WriteString("\n" + s.Paint(terminal.Bold, rankTitle(&r.Tables[i])) + "\n")
		rankSheet(&r.Tables[i], names).write(b, s)
	}
	for i := range r.Weighted {
		b.WriteString("\n" + s.Paint(terminal.Bold, weightedTitle(&r.Weighted[i])) + "\n")
		weightedSheet(&r.Weighted[i], names).write(b, s)
	}
}

func rankingFacts(r *autorank.Ranking) []fact {
	compared := []string{strconv.Itoa(len(r.Runs)) + " runs", number.Count(r.Items) + " items that all of them answered", "score: " + report.Metric(r.Metric).String()}
	if r.LeftOut > 0 {
		compared = append(compared, number.Count(r.LeftOut)+" items left out, which some run did not answer")
	}
	return []fact{{"compared", compared}}
}

// rankingMarkdown leaves write errors to the Flush of its caller.
func rankingMarkdown(out *bufio.Writer, r *autorank.Ranking) {
	out.WriteString("> " + escaped(rankingCaveat) + "\n\n")
	markdownFacts(out, rankingFacts(r))
	names := rankNames(r)
	for i := range r.Tables {
		out.WriteString("\n## " + marked(rankTitle(&r.Tables[i])) + "\n\n")
		sheetMarkdown(out, rankSheet(&r.Tables[i], names))
	}
	for i := range r.Weighted {
		out.WriteString("\n## " + marked(weightedTitle(&r.Weighted[i])) + "\n\n")
		sheetMarkdown(out, weightedSheet(&r.Weighted[i], names))
	}
}

func sheetMarkdown(out *bufio.Writer, t *sheet) {
	head, rule := "|", "|"
	for _, h := range t.head {
		head += " " + marked(h.name) + " |"
		if h.right {
			rule += "--:|"
		} else {
			rule += ":--|"
		}
	}
	out.WriteString(head + "\n" + rule + "\n")
	for _, r := range t.rows {
		out.WriteString("|")
		for _, cell := range r {
			out.WriteString(" " + marked(cell) + " |")
		}
		out.WriteString("\n")
	}
}

// rankingCSV leaves write errors to the caller, as package csv does.
func rankingCSV(out *csvfile.Writer, r *autorank.Ranking) {
	out.Write([]string{"metric", "length", "items", "rank", "run", "model", "n", "mean", "sd", "low", "high", "d", "magnitude", "d_above",
		"p_smaller_best", "p_equal_best", "p_larger_best", "decision_best", "p_smaller_above", "p_equal_above", "p_larger_above", "decision_above"})
	for i := range r.Tables {
		t := &r.Tables[i]
		for _, row := range t.Rows {
			h := &r.Runs[row.Run]
			cells := []string{r.Metric, terminal.Visible(t.Length), strconv.Itoa(t.Items), strconv.Itoa(row.Rank), terminal.Visible(h.Name), terminal.Visible(h.Model), strconv.Itoa(row.N),
				float(&row.Mean), float(&row.SD), float(&row.Low), float(&row.High), float(row.D), row.Magnitude, float(row.DAbove)}
			for _, p := range []*autorank.Pair{rankPair(t, 1, row.Rank), rankPair(t, row.Rank-1, row.Rank)} {
				if p == nil {
					cells = append(cells, "", "", "", "")
				} else {
					cells = append(cells, float(&p.Smaller), float(&p.Equal), float(&p.Larger), p.Word)
				}
			}
			out.Write(cells)
		}
	}
}
