package library

import (
	"context"
	"errors"

	"verbatim/internal/report"

	"verbatim/internal/store"
	"verbatim/internal/verdict"
	"verbatim/internal/verdict/retest"
)

// Repeats analyses how well the answers to repeated items agree, in runs with two or more trials. A
// run without repeated items yet has a result without an analysis.
func Repeats(ctx context.Context, runs []SavedRun, metric report.Metric) ([]report.Retest, error) {
	docs := []report.Retest{}
	for _, run := range runs {
		if err := CheckGraders(ctx, run); err != nil {
			return nil, err
		}
		doc := report.Retest{N: run.N, Run: run.Name, Model: run.Model, Note: BuiltInNote(&run.Run), Suite: run.Plan.Suite, Plan: run.Plan.Hash}
		read := store.Read{Scores: true, Measures: Measured(metric)}
		var err error
		doc.Twice, err = retest.Analyze(run.Run, run.Store.Records(ctx, run.N, read), verdict.Defaults(string(metric), metric.Score))
		if err != nil && !errors.Is(err, retest.ErrNoRepeats) {
			return nil, err
		}
		docs = append(docs, doc)
	}
	return docs, nil
}
