package paper

import (
	"strconv"

	"verbatim/internal/report"
	"verbatim/internal/verdict"
)

// Charts returns the figures of an ordinary report, numbered from 1, as far as it
// has what they show: the exact share, the extracted share and the score over length,
// a panel for each task; tasks by length as a heat map for each run; what goes wrong;
// the runs by rank; the differences to the baseline; time over length; cost next to
// the exact share; the length of reasoning by outcome; the exact share by the facts of a grouping. Shares have their 95 % Wilson intervals. A run has the same color,
// dash and mark in all of them.
func Charts(r *report.Report) []Figure {
	c := &charts{report: r}
	c.Names = seriesNames(r)
	c.Runs = r.Runs[:len(c.Names)]
	c.Other = func(h *verdict.RunInfo) string { return nameOf(h.Model, h.Name) }
	for _, draw := range []func() []Figure{
		c.exact, c.extracted, c.score, c.heat, c.failures, c.leaderboard, c.differences, c.taskDifferences, c.time, c.firstToken, c.cost, c.reasoning, c.groups,
	} {
		c.list = append(c.list, draw()...)
	}
	for i := range c.list {
		f := &c.list[i]
		f.Number = i + 1
		if f.Figure.Names == nil {
			f.Figure.Names = c.Names
		}
		f.Caption = sentences(f.Caption, c.left(), notes(r))
		f.Figure.Title, f.Figure.Text = "Figure "+strconv.Itoa(f.Number)+". "+f.Caption, f.Text
	}
	return c.list
}
