package paper

import (
	"math"
	"strconv"

	"verbatim"
	"verbatim/internal/report"
	"verbatim/internal/verdict"
)

func ptr[T any](v T) *T { return &v }

var chartSizes = []int{2, 4, 8, 16, 32}

// rateOf is the rate of n right answers of so many; its interval is made up.
func rateOf(n, of int64) report.Rate {
	if of == 0 {
		return report.Rate{}
	}
	share := float64(n) / float64(of)
	return report.Rate{N: n, Of: of, Share: ptr(share), Low: ptr(share * 0.9), High: ptr(share*0.9 + 0.1)}
}

func lineOf(n, of int64) report.Line {
	l := report.Line{Answered: of, Exact: rateOf(n, of), Extracted: rateOf(min(n+1, of), of)}
	if of > 0 {
		l.Score = report.Mean{Value: ptr(math.Sqrt(float64(n) / float64(of))), N: of}
		l.Seconds = report.Duration{Median: ptr(0.5 + float64(n)), N: of}
		l.Failures = []report.Count{{Name: "quoted", N: (of - n) / 5}, {Name: "cut_short", N: of - n - (of-n)/5}}
	}
	return l
}

// blockOf is a run whose answers get worse with the length and from model to model.
func blockOf(i int, model string, tasks ...string) report.Block {
	b := report.Block{Head: report.Head{N: int64(i + 1), Name: model + "-1", Model: model, Metric: report.MetricScore}}
	for t, task := range tasks {
		f := report.Family{Name: task}
		for k, size := range chartSizes {
			l := lineOf(max(0, int64(20-2*k*(i+1)-t)), 20)
			l.Lengths = &verbatim.Lengths{Min: size, Max: size}
			l.Length = strconv.Itoa(size)
			f.Lines = append(f.Lines, l)
		}
		f.Total = lineOf(50, 100)
		b.Families = append(b.Families, f)
	}
	b.Total = lineOf(int64(60-10*i), 100)
	b.Total.Cost = &report.Cost{Dollars: ptr(verbatim.Money(i+1) * verbatim.Dollar / 10), Known: 100}
	return b
}

func comparisonOf(a, b report.Block, word verdict.Word, value float64) *verdict.Comparison {
	c := &verdict.Comparison{Rope: 0.02, Confidence: 0.95}
	c.A.RunInfo = verdict.RunInfo{N: a.Head.N, Name: a.Head.Name, Model: a.Head.Model}
	c.B.RunInfo = verdict.RunInfo{N: b.Head.N, Name: b.Head.Name, Model: b.Head.Model}
	c.Verdict = verdict.Verdict{Word: word, Difference: verdict.Difference{Value: value, Range: verdict.Range{Low: value - 0.05, High: value + 0.05}}}
	for _, f := range a.Families {
		c.Families = append(c.Families, verdict.Row{Family: f.Name, Verdict: c.Verdict})
	}
	return c
}

// whole is a report that has everything.
func whole() *report.Report {
	r := &report.Report{Runs: []report.Block{blockOf(0, "alpha", "reverse", "sort"), blockOf(1, "beta", "reverse", "sort"), blockOf(2, "gamma", "reverse", "sort")}}
	r.Comparisons = []*verdict.Comparison{comparisonOf(r.Runs[0], r.Runs[1], verdict.Worse, -0.1), comparisonOf(r.Runs[0], r.Runs[2], verdict.Inconclusive, 0.01)}
	r.Leaderboard = &verdict.Leaderboard{Metric: "score", Confidence: 0.95, Paired: true, Items: 100}
	for i := range r.Runs {
		h := r.Runs[i].Head
		r.Leaderboard.Places = append(r.Leaderboard.Places, verdict.RankPlace{
			RunInfo: verdict.RunInfo{N: h.N, Name: h.Name, Model: h.Model}, Items: 100, Mean: 0.8 - float64(i)/10, Range: verdict.Range{Low: 0.6 - float64(i)/10, High: 0.9 - float64(i)/10},
			Rank: i + 1, RankLow: max(1, i), RankHigh: i + 1})
	}
	return r
}
