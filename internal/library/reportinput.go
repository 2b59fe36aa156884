package library

import (
	"context"
	"slices"

	"verbatim"
	"verbatim/internal/errkind"
	"verbatim/internal/report"
	"verbatim/internal/store"
)

// inputs reads runs for a report.
func inputs(ctx context.Context, metric report.Metric, runs []SavedRun) ([]report.Input, error) {
	var out []report.Input
	for _, r := range runs {
		measures := Measured(metric) || longTexts(&r.Plan)
		all := store.Read{Measures: measures, Attempts: true}
		some := store.Read{Measures: measures, Tables: true}
		_, unrecorded, err := r.Store.Unrecorded(ctx, r.N)
		if err != nil {
			return nil, err
		}
		out = append(out, report.Input{
			Run:        r.Run,
			Note:       BuiltInNote(&r.Run),
			Records:    r.Store.Records(ctx, r.N, all),
			Pieces:     r.Store.Pieces(ctx, r.N, some, r.Plan.Count, pieces(r.Plan.Count)),
			Record:     recordOf(ctx, r),
			Unrecorded: unrecorded,
		})
	}
	return out, nil
}

// Measured reports whether the score of a metric is among the measures of grades, which must be read
// then.
func Measured(metric report.Metric) bool {
	return metric == report.MetricSimilarity || metric == report.MetricSortBench
}

// longTexts reports whether a plan may have long texts. A report shows where the first error of their
// answers is, which is among the measures.
func longTexts(p *verbatim.Plan) bool {
	return slices.ContainsFunc(p.Cells, func(c verbatim.Cell) bool { return c.Length.Max >= report.LongText })
}

// recordOf returns the function that reads the record at a position of a run, with all its parts.
func recordOf(ctx context.Context, r SavedRun) func(int64) (verbatim.Record, error) {
	return func(seq int64) (verbatim.Record, error) {
		what := store.Read{Texts: true, Measures: true, Attempts: true, From: seq, Positions: 1}
		for rec, err := range r.Store.Records(ctx, r.N, what) {
			return rec, err
		}
		return verbatim.Record{}, errkind.Damagedf("position %d of run %s is not saved", seq, r.Name)
	}
}

// pieces returns the number of parts in which a run of this size is read at the same time. A small
// run is read faster than a second connection is opened. A large one has more parts than there are
// processors, because not all processors are equally fast.
func pieces(requests int64) int {
	const least, most = 10_000, 16
	return int(min(max(requests/least, 1), most))
}
