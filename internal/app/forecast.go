package app

import (
	"cmp"
	"context"
	"errors"
	"math"
	"runtime"
	"slices"
	"time"

	"verbatim"
	"verbatim/internal/pace"
	"verbatim/internal/pylit"
	"verbatim/internal/report"
	"verbatim/internal/run"
	"verbatim/internal/store"
	"verbatim/internal/store/sqlite"
	"verbatim/internal/verdict"
	"verbatim/internal/verdict/poweranalysis"
)

// A Forecast is the expected need of a run on each of its models, and its statistical power.
type Forecast struct {
	Plan   verbatim.Plan
	Budget *verbatim.Money
	Models []Estimate
	Power  *poweranalysis.Result // what its answers can detect; nil if every item is too much for one of the models
}

// Forecast estimates what Run would still have to do, without sending anything.
func (a *App) Forecast(ctx context.Context, plan Plan, o Options) (*Forecast, error) {
	o.ModelOptions.NoRequests = true
	j := &Job{app: a, options: o, plan: plan}
	defer j.Close()
	var err error
	if j.targets, err = a.openTargets(ctx, o.Models, o.ModelOptions, plan.form(o.Params)); err != nil {
		return nil, err
	}
	j.store, err = a.OpenDatabase(ctx)
	if e, ok := errors.AsType[*sqlite.Error](err); ok && e.Kind == sqlite.Missing {
		err = nil // nothing is saved yet
	}
	if err != nil {
		return nil, err
	}
	f := &Forecast{Plan: plan.Plan, Budget: o.Pace.Budget}
	for _, t := range j.targets {
		e, err := j.estimate(ctx, t, j.targets)
		if err != nil {
			return nil, err
		}
		f.Models = append(f.Models, e)
	}
	if items := f.items(); items > 0 {
		f.Power, err = j.power(ctx, j.targets, items)
	}
	return f, err
}

// items returns the number of items that can be sent to every model.
func (f *Forecast) items() int64 {
	left := f.Plan.Count
	for _, e := range f.Models {
		left = min(left, f.Plan.Count-e.TooLong-e.Skipped)
	}
	return left / int64(f.Plan.Trials)
}

// Mean bytes of a token if the model has no saved replies. Tokens of instructions have four or more
// bytes, those of digits and random letters two or fewer.
const (
	promptBytesPerToken = 3.0
	answerBytesPerToken = 2.0
)

// sampleSize is the number of requests that are drawn for an estimate. The order of a plan takes
// tasks and lengths in turn, so that the first requests represent all.
const sampleSize = 4096

// assumedReasoning is the number of reasoning tokens of a reply of a model that is known to reason,
// if no saved reply shows it.
const assumedReasoning = 1000

// An Estimate is the expected need of the rest of a run on one model: tokens, cost and time.
type Estimate struct {
	Model     string
	Requests  int64 // requests to send: they have no answer, and the model can take them
	Answered  int64
	Allowance int // tokens of each limit for reasoning
	// Reasons says whether the model reasons; nil: not known.
	Reasons *bool
	// Assumed is the number of reasoning tokens of a reply that the estimate assumes because no
	// saved reply shows it; 0: nothing is assumed.
	Assumed float64
	// Tokens of all requests together. Reasoning is part of Output.
	Input, Output, Reasoning float64
	MostOutput               float64 // if every reply ends at its limit
	Replies                  int64   // replies that the estimate is based on; 0: none
	Price                    *verbatim.Price
	Batch                    bool
	Cost, Most               *verbatim.Money // nil: the price is not known
	Context                  *int64          // tokens that the model takes in; nil: not known
	TooLong                  int64           // requests that do not fit into it, and are not sent
	Skipped                  int64           // requests with images, which it does not take
	Images                   int64           // requests with images that it may take, whose tokens are not counted
	Time                     *time.Duration  // nil: not known
}

// estimate estimates what is left of the run of a target.
func (j *Job) estimate(ctx context.Context, t target, all []target) (Estimate, error) {
	params := over(t.Params, j.options.Params)
	t = t.withParams(params)
	e := Estimate{Model: t.Name, Price: t.Price, Batch: j.options.Batch, Context: t.Context}
	var usage store.UsageStats
	var saved *store.Positions
	var err error
	if e.Allowance, err = j.reasoningTokens(ctx, all); err != nil {
		return e, err
	}
	if j.store != nil {
		if usage, err = j.store.UsageStats(ctx, t.Name, nil); err != nil {
			return e, err
		}
		if saved, err = j.savedPositions(ctx, t, e.Allowance); err != nil {
			return e, err
		}
	}
	e.Replies = usage.Replies
	if e.Reasons = j.reasons(t, usage); e.Reasons != nil && !*e.Reasons {
		e.Allowance = 0
	}
	if e.Reasons != nil && *e.Reasons && usage.Reasoning == nil {
		e.Assumed = assumedReasoning
	}
	if j.options.Batch && t.Price != nil {
		if p, ok := pace.Batch(*t.Price); ok {
			e.Price = &p
		}
	}
	if err := j.sample(&e, t, saved, usage, params); err != nil {
		return e, err
	}
	e.Time = j.time(e, t, usage)
	return e, nil
}

// reasons reports whether a model reasons, by its saved replies or, if they are few, by what is
// known of the model; nil: not known.
func (j *Job) reasons(t target, usage store.UsageStats) *bool {
	known := usage.Reasoning != nil && *usage.Reasoning > 0
	if !known && usage.Replies < run.FirstAnswers && t.Reasons != nil {
		return t.Reasons
	}
	if known || usage.Replies >= run.FirstAnswers {
		return &known
	}
	return nil
}

// savedPositions returns the answered positions of the run that this command would continue; nil if
// it would start one.
func (j *Job) savedPositions(ctx context.Context, t target, reasoning int) (*store.Positions, error) {
	if j.options.New {
		return nil, nil
	}
	runs, err := j.store.Runs(ctx)
	if err != nil {
		return nil, err
	}
	want := over(t.Params, j.options.Params)
	want.ReasoningTokens = reasoning
	for _, r := range slices.Backward(runs) {
		if r.Test == nil && r.Plan.Hash == j.plan.Hash && r.Model == t.Name && r.Origin == "" && SameParams(r.Params, want) {
			return j.store.Positions(ctx, r.N)
		}
	}
	return nil, nil
}

// sample computes the estimate from a sample of the requests that are left.
func (j *Job) sample(e *Estimate, t target, saved *store.Positions, usage store.UsageStats, params verbatim.Params) error {
	deck, err := j.plan.Deck()
	if err != nil {
		return err
	}
	limits := tokenLimits(verbatim.Params{ReasoningTokens: e.Allowance, MaxTokens: params.MaxTokens})
	var drawn, tooLong, skipped, images int64
	blind := t.Images != nil && !*t.Images
	cost := sampledCost{known: true}
	for p, ok := deck.Next(); ok; p, ok = deck.Next() {
		if saved != nil && saved.Answered(p.Seq) {
			e.Answered++
			continue
		}
		if e.Requests++; drawn >= sampleSize {
			continue
		}
		it, err := deck.Item(p)
		if err != nil {
			return err
		}
		drawn++
		r := verbatim.Request{Item: it, Prompt: deck.Prompt(it), Params: params}
		switch {
		case !holdsImage(r.Prompt):
		case blind:
			skipped++
			continue
		default:
			images++
		}
		r.MaxTokens, r.ContentTokens = limits(it)
		r.MaxTokens = run.WithinOutput(&r, t.MaxOutput)
		fits, err := t.fits(r.Prompt, it)
		if err != nil {
			return err
		}
		if !fits {
			tooLong++
			continue
		}
		input, output, reasoning := tokensOf(r, usage, e.Assumed)
		e.Input, e.Output, e.Reasoning, e.MostOutput = e.Input+input, e.Output+output, e.Reasoning+reasoning, e.MostOutput+float64(r.MaxTokens)
		if e.Price != nil {
			cost.add(*e.Price, r, input, output)
		}
	}
	if drawn > 0 {
		scale := float64(e.Requests) / float64(drawn)
		scaled := func(n int64) int64 { return int64(math.Round(float64(n) * scale)) }
		e.TooLong, e.Skipped, e.Images = scaled(tooLong), scaled(skipped), scaled(images)
		e.Input, e.Output, e.Reasoning, e.MostOutput = e.Input*scale, e.Output*scale, e.Reasoning*scale, e.MostOutput*scale
		cost.expected, cost.most = cost.expected*scale, cost.most*scale
		e.Requests -= e.TooLong + e.Skipped
	}
	if e.Price != nil && cost.known {
		e.Cost, e.Most = new(amount(cost.expected)), new(amount(cost.most))
	}
	return nil
}

// A sampledCost adds up the expected and the maximum cost of requests.
type sampledCost struct {
	expected, most float64 // in the unit of verbatim.Money
	known          bool
}

func (c *sampledCost) add(price verbatim.Price, r verbatim.Request, input, output float64) {
	n, m := int64(math.Ceil(input)), int64(math.Ceil(output))
	if cost := pace.Cost(price, verbatim.Usage{Prompt: &n, Completion: &m}); cost != nil {
		c.expected += float64(*cost)
	} else {
		c.known = false // the prompt is longer than those that the price is for
	}
	c.most += float64(pace.Reservation(price, r))
}

// amount returns an amount of money, at most the largest one.
func amount(f float64) verbatim.Money {
	if f >= math.MaxInt64 {
		return math.MaxInt64
	}
	return verbatim.Money(f)
}

// tokensOf estimates the tokens of one request from the saved replies to items of the
// same family or, without any, of all families.
func tokensOf(r verbatim.Request, usage store.UsageStats, assumed float64) (input, output, reasoning float64) {
	family := usage.Families[r.Item.Facts[verbatim.FactFamily]]
	rate := func(of func(store.UsageStat) *float64, usual float64) float64 {
		return *cmp.Or(of(family), of(usage.UsageStat), &usual)
	}
	input = float64(run.PromptBytes(r.Prompt)) * rate(func(h store.UsageStat) *float64 { return h.PromptRate }, 1/promptBytesPerToken)
	reasoning = rate(func(h store.UsageStat) *float64 { return h.Reasoning }, assumed)
	output = float64(len(pylit.Answer(r.Item.Want)))*rate(func(h store.UsageStat) *float64 { return h.AnswerRate }, 1/answerBytesPerToken) + reasoning
	return input, min(output, float64(r.MaxTokens)), min(reasoning, float64(r.MaxTokens))
}

// time estimates the time that the rest of the run takes; nil if it is unknown.
func (j *Job) time(e Estimate, t target, usage store.UsageStats) *time.Duration {
	if e.Batch || e.Requests == 0 {
		return nil
	}
	inFlight := cmp.Or(j.options.Pace.Concurrency, t.Limits.Concurrency, localInFlight)
	minutes, known := 0.0, false
	if usage.Seconds != nil {
		minutes, known = *usage.Seconds*float64(e.Requests)/float64(inFlight)/60, true
	} else if t.Speed > 0 { // it runs in this process, each request on a processor
		minutes, known = (e.Input+e.Output)/t.Speed/float64(min(inFlight, runtime.GOMAXPROCS(0)))/60, true
	}
	for _, bound := range []struct{ of, flag, own float64 }{
		{float64(e.Requests), j.options.Pace.RequestsPerMinute, float64(t.Limits.RequestsPerMinute)},
		{e.Input + e.Output, j.options.Pace.TokensPerMinute, float64(t.Limits.TokensPerMinute)},
	} {
		if rate := cmp.Or(bound.flag, bound.own); rate > 0 {
			minutes, known = max(minutes, bound.of/rate), true
		}
	}
	if !known {
		return nil
	}
	return new(time.Duration(min(minutes*float64(time.Minute), math.MaxInt64/2)))
}

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
