package library

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"verbatim/internal/errkind"
	"verbatim/internal/report"

	"verbatim/internal/store"
	"verbatim/internal/verdict"
)

// A Report is a report with the runs that it is about.
type Report struct {
	*report.Report
	Runs []NamedRun // without repetitions, in the order in which they are named
	// Baseline is the index of the run that the others are compared with; below 0: the leader,
	// which is the first run of report.HeadlineOrder.
	Baseline int
	metric   report.Metric  // by which runs are ranked and compared
	sides    []verdict.Side // of the runs; nil if they cannot be compared
}

// ReportOf computes the report of the runs. Rank and Compare rank and compare them by the metric of
// the options, or by exactness without one.
func ReportOf(ctx context.Context, o report.Options, named []NamedRun) (*Report, error) {
	r := &Report{metric: cmp.Or(o.Metric, report.MetricExact), Baseline: -1}
	var saved []SavedRun
	for _, run := range named {
		if !slices.ContainsFunc(r.Runs, run.Same) {
			r.Runs, saved = append(r.Runs, run), append(saved, run.SavedRun)
		}
	}
	in, err := inputs(ctx, o.Metric, saved)
	if err != nil {
		return nil, err
	}
	r.Report, err = report.Of(o, in...)
	if _, ok := errors.AsType[*report.GroupError](err); ok {
		return nil, errkind.Usagef("", "%w", err)
	}
	if err != nil || len(r.Runs) < 2 {
		return r, err
	}
	r.sides = Sides(ctx, r.Runs, store.Read{Scores: true, Measures: Measured(r.metric)})
	return r, nil
}

// maxMatched is the largest number of requests that a report matches by their items, which takes
// memory for each of them. Runs of one plan without repeats are matched by their positions, whatever
// their number.
const maxMatched = 100_000

// matchable reports whether the runs can be compared in bounded memory.
func (r *Report) matchable() bool {
	var requests int64
	byPosition := true
	for _, run := range r.Runs {
		requests += run.Plan.Count
		byPosition = byPosition && run.Plan.Trials == 1 && run.Plan.Hash == r.Runs[0].Plan.Hash
	}
	return byPosition || requests <= maxMatched
}

// Rank adds the leaderboard of several runs, or the reason for its absence.
func (r *Report) Rank() error {
	if r.sides == nil {
		return nil
	}
	if !r.matchable() {
		r.sides = nil
		r.Warnings = append(r.Warnings, report.Warning{Kind: "leaderboard", Text: "The runs are neither ranked nor compared: they have too many requests to be matched item by item for this report. " +
			"`compare` takes the memory for it."})
		return nil
	}
	var err error
	r.Leaderboard, err = verdict.Rank(r.sides, verdict.RankOptions{Metric: string(r.metric), Score: r.metric.Score, ItemScore: r.metric.ItemScore()})
	return r.warnRefused("leaderboard", "The runs are not ranked", err)
}

// Compare adds the comparison of every run with the baseline, with the intervals of horizons if they
// are shown. It must be called after Rank, which finds the leader.
func (r *Report) Compare(horizons bool) error {
	if r.sides == nil {
		return nil
	}
	base := r.baseline()
	others := slices.DeleteFunc(report.HeadlineOrder(r.Report), func(i int) bool { return i == base })
	list := make([]*verdict.Comparison, len(others))
	refused := make([]error, len(list))
	o := verdict.Defaults(string(r.metric), r.metric.Score)
	o.ItemScore = r.metric.ItemScore()
	o.Together = len(list)
	if o.Horizons = new(verdict.HorizonCache); !horizons {
		o.Resamples = 0
	}
	var all errgroup.Group
	all.SetLimit(4)
	for i := range list {
		all.Go(func() (err error) {
			list[i], err = verdict.Compare(r.sides[base], r.sides[others[i]], o)
			if _, ok := errors.AsType[*verdict.Refusal](err); ok {
				refused[i], err = err, nil
			}
			return err
		})
	}
	if err := all.Wait(); err != nil {
		return err
	}
	for i, c := range list {
		if c != nil {
			r.Comparisons = append(r.Comparisons, c)
			continue
		}
		what := fmt.Sprintf("%s is not compared with %s", r.Runs[others[i]].Name, r.Runs[base].Name)
		if err := r.warnRefused("comparison", what, refused[i]); err != nil {
			return err
		}
	}
	verdict.Adjust(r.Comparisons)
	return nil
}

// baseline returns the index of the run that the others are compared with.
func (r *Report) baseline() int {
	if r.Baseline >= 0 {
		return r.Baseline
	}
	return report.HeadlineOrder(r.Report)[0]
}

// warnRefused makes a refusal a warning of the report, and returns any other error.
func (r *Report) warnRefused(kind, what string, err error) error {
	refusal, ok := errors.AsType[*verdict.Refusal](err)
	if !ok {
		return err
	}
	r.Warnings = append(r.Warnings, report.Warning{Kind: kind, Text: fmt.Sprintf("%s: %v.", what, refusal)})
	return nil
}
