package app

import (
	"context"
	"slices"

	"verbatim"
	"verbatim/internal/listsort"
	"verbatim/internal/report"
	"verbatim/internal/store"
	"verbatim/internal/verdict"
	"verbatim/internal/verdict/poweranalysis"
)

// maxRead bounds the positions of a run that are read to find how much its answers vary.
// They go through tasks and lengths in turn, so that the first represent all.
const maxRead = 20_000

// power returns the statistical power of so many items, from the variance of saved answers.
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
		compare = best(pairs, rates, compare)
		check = best(repeats, rates, check)
	}
	return poweranalysis.Analyze(items, compare, check, o)
}

// best returns the first that is not nil.
func best(first, second *poweranalysis.Variability, assumed poweranalysis.Variability) poweranalysis.Variability {
	switch {
	case first != nil:
		return *first
	case second != nil:
		return *second
	}
	return assumed
}

// savedAnswers are the runs from which the variance of answers is estimated.
type savedAnswers struct {
	job  *Job
	ctx  context.Context
	o    verdict.Options
	runs []store.RunSummary // with answers, without tests; the newest first
}

func (k *savedAnswers) list() error {
	runs, err := k.job.store.Runs(k.ctx)
	for _, r := range slices.Backward(runs) {
		if r.Test == nil && r.Tally.Answered() > 0 {
			k.runs = append(k.runs, r)
		}
	}
	return err
}

// reading reads the beginning of a run.
func (k *savedAnswers) reading(r store.RunSummary) (verdict.Side, error) {
	graders, err := k.job.store.Common(k.ctx, r.N)
	if err != nil {
		return verdict.Side{}, err
	}
	return verdict.Side{Run: r.Run, Records: k.job.store.Records(k.ctx, r.N, store.Read{Graders: graders, Scores: true, Positions: maxRead})}, nil
}

// ofOne returns how much answers of one model vary: to the same items, and by the shares
// of right answers, in runs of this plan or of its tasks. Nil is unknown.
func (k *savedAnswers) ofOne(model string) (repeats, rates *poweranalysis.Variability, err error) {
	var own []store.RunSummary
	for _, r := range k.runs {
		if r.Model == model && k.related(r.Plan) {
			own = append(own, r)
		}
	}
	// The runs of this plan first.
	listsort.Stable(own, func(x, y store.RunSummary) int { return k.foreign(x) - k.foreign(y) })
	for _, r := range own {
		reading, err := k.reading(r)
		if err != nil {
			return nil, nil, err
		}
		if repeats == nil && r.Plan.Trials > 1 {
			if repeats, err = poweranalysis.RepeatVariability(reading, k.o); err != nil {
				return nil, nil, err
			}
		}
		if rates == nil {
			if rates, err = poweranalysis.RateVariability(reading, k.job.plan.Plan, k.o); err != nil {
				return nil, nil, err
			}
		}
	}
	return repeats, rates, nil
}

// foreign is 1 for runs of other plans.
func (k *savedAnswers) foreign(r store.RunSummary) int {
	if r.Plan.Hash == k.job.plan.Hash {
		return 0
	}
	return 1
}

// related reports whether a plan has tasks of this one.
func (k *savedAnswers) related(p verbatim.Plan) bool {
	return p.Hash == k.job.plan.Hash || slices.ContainsFunc(p.Cells, func(c verbatim.Cell) bool {
		return slices.ContainsFunc(k.job.plan.Cells, func(own verbatim.Cell) bool { return own.Family == c.Family })
	})
}

// ofTwo returns how much answers of two models to the items of this plan differ: of the
// named ones, or of the first and any other.
func (k *savedAnswers) ofTwo(targets []target) (*poweranalysis.Variability, error) {
	of := func(is func(model string) bool) (store.RunSummary, bool) {
		for _, r := range k.runs {
			if r.Plan.Hash == k.job.plan.Hash && is(r.Model) {
				return r, true
			}
		}
		return store.RunSummary{}, false
	}
	first, ok := of(func(model string) bool { return model == targets[0].Name })
	if !ok {
		return nil, nil
	}
	second, ok := of(func(model string) bool { return len(targets) > 1 && model == targets[1].Name })
	if !ok {
		second, ok = of(func(model string) bool { return model != targets[0].Name })
	}
	if !ok {
		return nil, nil
	}
	x, err := k.reading(first)
	if err != nil {
		return nil, err
	}
	y, err := k.reading(second)
	if err != nil {
		return nil, err
	}
	return poweranalysis.PairVariability(x, y, k.o)
}
