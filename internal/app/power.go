package app

import (
	"cmp"
	"context"
	"slices"

	"verbatim"
	"verbatim/internal/report"
	"verbatim/internal/store"
	"verbatim/internal/verdict"
	"verbatim/internal/verdict/poweranalysis"
)

// maxRead bounds the positions of a run that are read to estimate how much its answers vary. The
// order of a plan takes tasks and lengths in turn, so that the first positions represent all.
const maxRead = 20_000

// power returns the statistical power of a number of items, from the variance of saved answers.
func (j *Job) power(ctx context.Context, targets []target, items int64) (*poweranalysis.Result, error) {
	o := verdict.Defaults(string(report.MetricScore), report.MetricScore.Score)
	compare, check := poweranalysis.AssumedVariability(), poweranalysis.AssumedVariability()
	if j.store != nil {
		k := savedAnswers{job: j, ctx: ctx, o: o}
		if err := k.list(); err != nil {
			return nil, err
		}
		repeats, rates, err := k.ofOne(targets[0].Name)
		if err != nil {
			return nil, err
		}
		pairs, err := k.ofTwo(targets)
		if err != nil {
			return nil, err
		}
		// Two models differ by more than one does from itself: repeats say nothing about
		// comparisons, and pairs nothing about checks.
		compare = *cmp.Or(pairs, rates, &compare)
		check = *cmp.Or(repeats, rates, &check)
	}
	return poweranalysis.Analyze(items, compare, check, o)
}

// savedAnswers are the runs from which the variance of answers is estimated.
type savedAnswers struct {
	job  *Job
	ctx  context.Context
	o    verdict.Options
	runs []store.RunSummary // with answers, without tests; the newest first
}

// list finds the runs.
func (k *savedAnswers) list() error {
	runs, err := k.job.store.Runs(k.ctx)
	for _, r := range slices.Backward(runs) {
		if r.Test == nil && r.Tally.Answered() > 0 {
			k.runs = append(k.runs, r)
		}
	}
	return err
}

// side returns the first records of a run, as a side of a comparison.
func (k *savedAnswers) side(r store.RunSummary) (verdict.Side, error) {
	return verdict.Side{Run: r.Run, Records: k.job.store.Records(k.ctx, r.N, store.Read{Scores: true, Positions: maxRead})}, nil
}

// ofOne returns how much answers of one model vary, in runs of this plan or of its tasks: between
// trials of an item, and by the shares of right answers. Nil is unknown.
func (k *savedAnswers) ofOne(model string) (repeats, rates *poweranalysis.Variability, err error) {
	var own []store.RunSummary
	for _, samePlan := range []bool{true, false} { // runs of this plan first
		for _, r := range k.runs {
			if r.Model == model && k.related(r.Plan) && (r.Plan.Hash == k.job.plan.Hash) == samePlan {
				own = append(own, r)
			}
		}
	}
	for _, r := range own {
		side, err := k.side(r)
		if err != nil {
			return nil, nil, err
		}
		if repeats == nil && r.Plan.Trials > 1 {
			if repeats, err = poweranalysis.RepeatVariability(side, k.o); err != nil {
				return nil, nil, err
			}
		}
		if rates == nil {
			if rates, err = poweranalysis.RateVariability(side, k.job.plan.Plan, k.o); err != nil {
				return nil, nil, err
			}
		}
	}
	return repeats, rates, nil
}

// related reports whether a plan has tasks of this one.
func (k *savedAnswers) related(p verbatim.Plan) bool {
	return p.Hash == k.job.plan.Hash || slices.ContainsFunc(p.Cells, func(c verbatim.Cell) bool {
		return slices.ContainsFunc(k.job.plan.Cells, func(own verbatim.Cell) bool { return own.Family == c.Family })
	})
}

// ofTwo returns how much the answers of two models to the items of this plan differ. The models are
// the first two targets, or the first and any other model. Nil is unknown.
func (k *savedAnswers) ofTwo(targets []target) (*poweranalysis.Variability, error) {
	newest := func(is func(model string) bool) int {
		return slices.IndexFunc(k.runs, func(r store.RunSummary) bool { return r.Plan.Hash == k.job.plan.Hash && is(r.Model) })
	}
	first := newest(func(model string) bool { return model == targets[0].Name })
	second := newest(func(model string) bool { return len(targets) > 1 && model == targets[1].Name })
	if second < 0 {
		second = newest(func(model string) bool { return model != targets[0].Name })
	}
	if first < 0 || second < 0 {
		return nil, nil
	}
	x, err := k.side(k.runs[first])
	if err != nil {
		return nil, err
	}
	y, err := k.side(k.runs[second])
	if err != nil {
		return nil, err
	}
	return poweranalysis.PairVariability(x, y, k.o)
}
