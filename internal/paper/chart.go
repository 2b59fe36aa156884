package paper

import (
	"strconv"

	"verbatim/internal/report"
	"verbatim/internal/verdict"
)

// Charts returns the figures of an ordinary report, numbered from 1. A figure without data is
// left out. They are:
//
//   - the exact share, the extracted share and the score over length, a panel for each task
//   - the exact share by task and length, a heat map for each run
//   - the failure labels
//   - the runs by rank, and their differences from the baseline
//   - time over length, and the exact share by cost
//   - the length of the reasoning by outcome
//   - the exact share by the facts of a grouping
//
// Shares have their 95 % Wilson intervals. A run has the same color, dash and mark in all
// figures.
func Charts(r *report.Report) (list []Figure) {
	c := &charts{report: r}
	c.Names = seriesNames(r)
	c.Runs = r.Runs[:len(c.Names)]
	c.Other = func(h *verdict.RunInfo) string { return nameOf(h.Model, h.Name) }
	for _, draw := range []func() []Figure{
		c.exact, c.extracted, c.score, c.heat, c.failures, c.leaderboard, c.differences, c.taskDifferences, c.time, c.firstToken, c.cost, c.reasoning, c.groups,
	} {
		list = append(list, draw()...)
	}
	for i := range list {
		f := &list[i]
		f.Number = i + 1
		if f.Figure.Names == nil {
			f.Figure.Names = c.Names
		}
		f.Caption = sentences(f.Caption, c.left(), notes(r))
		f.Figure.Title, f.Figure.Text = "Figure "+strconv.Itoa(f.Number)+". "+f.Caption, f.Text
	}
	return list
}
