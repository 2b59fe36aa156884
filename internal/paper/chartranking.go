package paper

import (
	"math"
	"strconv"
	"strings"

	"verbatim"

	"verbatim/internal/figure"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict"
)

// leaderboard draws mean scores with their intervals and ranks; without a leaderboard, the
// exact share of every run.
func (c *charts) leaderboard() []Figure {
	lead := c.report.Leaderboard
	if lead == nil || len(lead.Places) == 0 {
		return c.totals()
	}
	rows := c.Ranks(lead)
	p := figure.Panel{X: figure.Axis{Label: "mean score"}, Rows: rows[:min(len(rows), maxSeries)]}
	for i := range p.Rows {
		p.Rows[i].Note = rankRange(p.Rows[i].Place)
	}
	over := "each on its own items"
	if lead.Paired {
		over = "on the " + strconv.FormatInt(lead.Items, 10) + " items that all of them answered"
	}
	return []Figure{{Name: "leaderboard", Text: inWords(p.Rows),
		Caption: sentences("Mean score ("+terminal.Visible(lead.Metric)+") with its "+levelText(lead.Confidence)+" interval, "+over, "To the right: the ranks that the interval holds"),
		Figure:  figure.Figure{Panels: []figure.Panel{p}, Width: 120}}}
}

func (c *charts) totals() []Figure {
	p := figure.Panel{X: figure.Axis{Label: "exact share"}}
	for i := range c.Runs {
		if q := figure.Exact().Point(&c.Runs[i].Total); q.Known() {
			p.Rows = append(p.Rows, figure.Row{Name: c.Names[i], Label: c.Names[i], Note: decimals(q.Y), Value: q.Y, Low: q.Low, High: q.High})
		}
	}
	if len(p.Rows) == 0 {
		return nil
	}
	return []Figure{{Name: "totals", Caption: "Exact share over all tasks with its 95 % Wilson interval", Text: inWords(p.Rows),
		Figure: figure.Figure{Panels: []figure.Panel{p}, Width: 120}}}
}

// inWords returns the alternative text of rows.
func inWords(rows []figure.Row) string {
	var list []string
	for _, r := range rows {
		if math.IsNaN(r.Value) {
			list = append(list, r.Label+" has no answer")
			continue
		}
		s := r.Label + " " + decimals(r.Value) + " (" + decimals(r.Low) + " to " + decimals(r.High) + ")"
		if r.Note != "" && r.Note != decimals(r.Value) {
			s += ", " + r.Note
		}
		list = append(list, s)
	}
	return sentences(strings.Join(list, "; "))
}

// paidInWords returns the alternative text of the figure of cost.
func paidInWords(points []figure.Line) string {
	var list []string
	for _, l := range points {
		q := l.Points[0]
		list = append(list, l.Name+" "+strconv.FormatFloat(q.X, 'g', 3, 64)+" dollars, exact share "+decimals(q.Y))
	}
	return sentences(strings.Join(list, "; "))
}

// rankRange prints the rank interval of a run.
func rankRange(p *verdict.RankPlace) string {
	if p.Rank == 0 {
		return "not ranked"
	}
	return "rank " + figure.RankText(p)
}

// levelText prints a confidence level in per cent.
func levelText(level float64) string { return strconv.FormatFloat(100*level, 'g', 4, 64) + " %" }

// differences draws the difference of every run from the baseline.
func (c *charts) differences() []Figure {
	list := c.compared()
	if len(list) == 0 {
		return nil
	}
	base, _ := c.Name(&list[0].A.RunInfo)
	p := c.Differences(list)
	p.X.Label = "difference of the mean score to " + base
	return []Figure{{Name: "differences", Caption: differing(list[0], base), Text: inWords(p.Rows),
		Figure: figure.Figure{Panels: []figure.Panel{p}, Width: 120}}}
}

// taskDifferences draws these differences by task, a panel for each run.
func (c *charts) taskDifferences() []Figure {
	var panels []figure.Panel
	list := c.compared()
	for _, v := range list {
		if len(v.Families) < 2 || len(v.Families) > 40 {
			continue
		}
		p := c.DifferencesBy(v, v.Families)
		p.X.Label = "difference of the mean score"
		panels = append(panels, p)
	}
	if len(panels) == 0 {
		return nil
	}
	figure.SpanDifferences(panels)
	base, _ := c.Name(&list[0].A.RunInfo)
	figures := pages("differences-by-task", sentences("By task. "+differing(list[0], base), "The verdicts hold for all tasks of a model together (Holm)"), "", false, panels)
	for i := range figures {
		f := &figures[i].Figure
		if f.Columns = min(len(f.Panels), 2); f.Columns == 1 {
			f.Width = 120
		}
	}
	return figures
}

// compared returns the comparisons with the first baseline that are not withheld.
func (c *charts) compared() []*verdict.Comparison {
	var list []*verdict.Comparison
	for _, v := range c.report.Comparisons {
		if v != nil && v.Word != verdict.Withheld && len(list) < maxSeries && (len(list) == 0 || v.A.RunInfo.N == list[0].A.RunInfo.N && v.A.RunInfo.Name == list[0].A.RunInfo.Name) {
			list = append(list, v)
		}
	}
	return list
}

// differing is the caption of differences from a baseline.
func differing(v *verdict.Comparison, base string) string {
	s := sentences("Difference of the mean score to " + base + " on the items that both answered, with its " + levelText(v.Confidence) + " interval")
	if v.Rope > 0 {
		s = sentences(s, "Shaded: too small to matter (±"+strconv.FormatFloat(v.Rope, 'f', -1, 64)+")")
	}
	return s
}

// cost draws the exact share over the price of 1,000 answers. It is left out with fewer than
// two priced runs.
func (c *charts) cost() []Figure {
	p := figure.Panel{X: figure.Axis{Label: "dollars for 1,000 answers", Log2: true, Ticks: figure.Decades()}, Y: figure.Exact().Axis}
	for i := range c.Runs {
		t := &c.Runs[i].Total
		if t.Cost == nil || t.Cost.Dollars == nil || t.Cost.Known == 0 || *t.Cost.Dollars <= 0 {
			continue
		}
		q := figure.Exact().Point(t)
		q.X = float64(*t.Cost.Dollars) / float64(verbatim.Dollar) / float64(t.Cost.Known) * 1000
		p.Lines = append(p.Lines, figure.Line{Name: c.Names[i], Points: []figure.Point{q}})
	}
	if len(p.Lines) < 2 {
		return nil
	}
	return []Figure{{Name: "cost", Caption: "Exact share over all tasks, with its 95 % Wilson interval, by the price of 1,000 answers", Text: paidInWords(p.Lines),
		Figure: figure.Figure{Panels: []figure.Panel{p}, Width: 120}}}
}
