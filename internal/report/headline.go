package report

import (
	"math"

	"verbatim"
)

// A Headline is the first table of a report.
type Headline struct {
	// Metric is what the runs are ranked by.
	Metric Metric        `json:"metric"`
	Rows   []HeadlineRow `json:"rows"`
}

// A Row is one run. Shares and means are over all of its answers.
type HeadlineRow struct {
	Run   int    `json:"run_index"` // in Report.Runs
	N     int64  `json:"n,omitempty"`
	Name  string `json:"name"`
	Model string `json:"model"`
	// Rank counts from 1, with its simultaneous interval from RankLow to RankHigh; 0 for a
	// run that is not ranked.
	Rank     int  `json:"rank"`
	RankLow  int  `json:"rank_low"`
	RankHigh int  `json:"rank_high"`
	Tied     bool `json:"tied,omitempty"` // another run has the same rank
	// Score is the mean of another metric than exactness; nil if exactness ranks.
	Score *Mean `json:"score,omitempty"`
	Exact Rate  `json:"exact"`
	// UpTo is nil if there are too few items to say it.
	UpTo *UpTo `json:"exact_up_to"`
	// Dollars are for 1,000 exact answers: the mean cost of a reply with a known cost, times
	// 1,000, divided by the exact share. Nil without a price or an exact answer.
	Dollars *verbatim.Money `json:"dollars_per_1000_exact"`
	// Seconds is the median time of a whole reply.
	Seconds *float64 `json:"median_seconds"`
}

// A Report is a report in its JSON form, with its first table.
type HeadlineReport struct {
	*Report
	Headline *Headline `json:"headline,omitempty"`
}

// HeadlineOf computes the first table of a report.
func HeadlineOf(r *Report) *Headline {
	h := &Headline{Metric: metric(r)}
	for _, p := range places(r) {
		b := &r.Runs[p.run]
		row := HeadlineRow{
			Run: p.run, N: b.Head.N, Name: b.Head.Name, Model: b.Head.Model,
			Rank: p.Rank, RankLow: p.RankLow, RankHigh: p.RankHigh, Tied: p.tied,
			Exact: b.Total.Exact, UpTo: upTo(b.Families), Dollars: dollars(&b.Total), Seconds: b.Total.Seconds.Median,
		}
		if h.Metric != MetricExact {
			row.Score = &b.Total.Score
		}
		h.Rows = append(h.Rows, row)
	}
	return h
}

// HeadlineRow returns the row of a run, given by its index in Report.Runs; nil without such a run.
func (h *Headline) Row(run int) *HeadlineRow {
	for i := range h.Rows {
		if h.Rows[i].Run == run {
			return &h.Rows[i]
		}
	}
	return nil
}

// metric returns the metric by which runs are ranked: exactness, unless the report has another.
func metric(r *Report) Metric {
	if r.Leaderboard != nil && r.Leaderboard.Metric != "" {
		return Metric(r.Leaderboard.Metric)
	}
	if len(r.Runs) > 0 && r.Runs[0].Head.Metric != MetricScore && r.Runs[0].Head.Metric != "" {
		return r.Runs[0].Head.Metric
	}
	return MetricExact
}

// dollars returns the cost of 1,000 exact answers; nil without a price or an exact answer.
func dollars(l *Line) *verbatim.Money {
	c := l.Cost
	if c == nil || c.Dollars == nil || c.Known == 0 || l.Exact.N == 0 {
		return nil
	}
	each := float64(*c.Dollars) / float64(c.Known)
	m := verbatim.Money(math.Round(min(1000*each/(*l.Exact.Share), float64(verbatim.MaxMoney))))
	return &m
}
