package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"verbatim"
	"verbatim/internal/report"
	"verbatim/internal/store"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict"
	"verbatim/internal/verdict/poweranalysis"
)

// mostRead bounds how many places of a run are looked at to find how much its
// answers vary: they go round the tasks and lengths, so that the first stand for all.
const mostRead = 20_000

// power says what the plan can tell, from how much kept answers vary.
func (a *asking) power(ctx context.Context, targets []target) (*poweranalysis.Result, error) {
	o := verdict.Defaults(string(report.MetricScore), report.MetricScore.Score)
	compare, check := poweranalysis.AssumedVariability(), poweranalysis.AssumedVariability()
	if a.store != nil {
		k := keptAnswers{a: a, ctx: ctx, o: o}
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
		// Two models differ by more than one does from itself, so that repeats say
		// nothing about comparing, and pairs nothing about checking.
		compare = best(pairs, rates, compare)
		check = best(repeats, rates, check)
	}
	return poweranalysis.Analyze(a.plan.Count/int64(a.plan.Trials), compare, check, o)
}

// best is the first that there is.
func best(first, second *poweranalysis.Variability, assumed poweranalysis.Variability) poweranalysis.Variability {
	switch {
	case first != nil:
		return *first
	case second != nil:
		return *second
	}
	return assumed
}

// keptAnswers are what the store knows of how much answers vary.
type keptAnswers struct {
	a    *asking
	ctx  context.Context
	o    verdict.Options
	runs []store.Listed // with answers, and of no test; the newest first
}

func (k *keptAnswers) list() error {
	runs, err := k.a.store.Runs(k.ctx)
	for _, r := range slices.Backward(runs) {
		if r.Test == nil && r.Tally.Answered() > 0 {
			k.runs = append(k.runs, r)
		}
	}
	return err
}

// reading opens the beginning of a run.
func (k *keptAnswers) reading(r store.Listed) (verdict.Side, error) {
	graders, err := k.a.store.Common(k.ctx, r.N)
	if err != nil {
		return verdict.Side{}, err
	}
	return verdict.Side{Run: r.Run, Records: k.a.store.Records(k.ctx, r.N, store.Read{Graders: graders, Scores: true, Places: mostRead})}, nil
}

// ofOne is how much answers of one model vary: to the same items, and as far as
// shares of right answers tell, in runs of this plan or of its tasks. Nil is not
// known.
func (k *keptAnswers) ofOne(model string) (repeats, rates *poweranalysis.Variability, err error) {
	var own []store.Listed
	for _, r := range k.runs {
		if r.Model == model && k.related(r.Plan) {
			own = append(own, r)
		}
	}
	// The runs of this plan first.
	slices.SortStableFunc(own, func(x, y store.Listed) int { return k.foreign(x) - k.foreign(y) })
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
			if rates, err = poweranalysis.RateVariability(reading, k.a.plan.Plan, k.o); err != nil {
				return nil, nil, err
			}
		}
	}
	return repeats, rates, nil
}

// foreign is 1 for runs of other plans.
func (k *keptAnswers) foreign(r store.Listed) int {
	if r.Plan.Hash == k.a.plan.Hash {
		return 0
	}
	return 1
}

// related reports whether a plan asks tasks of this one.
func (k *keptAnswers) related(p verbatim.Plan) bool {
	return p.Hash == k.a.plan.Hash || slices.ContainsFunc(p.Cells, func(c verbatim.Cell) bool {
		return slices.ContainsFunc(k.a.plan.Cells, func(own verbatim.Cell) bool { return own.Family == c.Family })
	})
}

// ofTwo is how much answers of two models to the items of this plan differ: of those
// that are named, or of the first and any other.
func (k *keptAnswers) ofTwo(targets []target) (*poweranalysis.Variability, error) {
	of := func(is func(model string) bool) (store.Listed, bool) {
		for _, r := range k.runs {
			if r.Plan.Hash == k.a.plan.Hash && is(r.Model) {
				return r, true
			}
		}
		return store.Listed{}, false
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

// powerText says what a plan can tell.
func powerText(p *poweranalysis.Result) string {
	c := &p.Check
	seen := fmt.Sprintf("a difference of %.3f or more", p.Compare.Detectable)
	if p.Compare.Detectable > 1 {
		seen = "no difference, for these are too few items"
	}
	equivalent := "no number of items"
	if p.Compare.Equivalent != nil {
		equivalent = digits(*p.Compare.Equivalent) + " items"
	}
	lines := []string{
		fmt.Sprintf("What answers to %s items can tell, with a chance of %.0f %% where none is named:", digits(p.Items), 100*p.Power),
		"  compare  " + seen + " is seen",
		fmt.Sprintf("           equivalence within ±%g takes %s", p.Compare.Rope, equivalent),
		"           " + spreadText(&p.Compare.Variability),
		fmt.Sprintf("  check    margin %g: unchanged, it passes with a chance of %.0f %%, after %s items on average", c.Margin, 100*c.Unchanged.Passed, rounded(c.Unchanged.MeanItems)),
		fmt.Sprintf("           worse by %.2f, it fails with a chance of %.0f %%, after %s items", c.Loss, 100*c.Worse.Worse, rounded(c.Worse.MeanItems)),
		"           " + spreadText(&c.Variability),
	}
	return strings.Join(lines, "\n")
}

func rounded(n float64) string { return digits(int64(n + 0.5)) }

// spreadText says what numbers rest on.
func spreadText(s *poweranalysis.Variability) string {
	var names []string
	for _, name := range s.Runs {
		names = append(names, terminal.Visible(name))
	}
	of := strings.Join(names, " and ")
	why := "20 % disagreement is assumed, without saved runs to estimate it from"
	switch s.Basis {
	case poweranalysis.FromPairs:
		why = fmt.Sprintf("as on the %s items of %s", digits(s.Items), of)
	case poweranalysis.FromRepeats:
		why = fmt.Sprintf("as repeated answers to %s items of %s", digits(s.Items), of)
	case poweranalysis.FromRates:
		why = fmt.Sprintf("by the shares of right answers in %s, were they independent", of)
	}
	return fmt.Sprintf("(sd of a difference %.2f: %s)", s.SD, why)
}
