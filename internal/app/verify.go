package app

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"verbatim"
	"verbatim/internal/draw"
	"verbatim/internal/errkind"
	"verbatim/internal/library"
	"verbatim/internal/pace"
	"verbatim/internal/report"
	"verbatim/internal/report/result"
	"verbatim/internal/store"
	"verbatim/internal/task"
	"verbatim/internal/verdict/verification"
)

// VerifyKind is the kind of the Test of a verification.
const VerifyKind = "verify"

// VerifyOptions say which two endpoints are compared, and with which prompts.
type VerifyOptions struct {
	Options
	Selection  Selection // the plan without its trials; Seed is the start of the seeds
	Alpha      float64
	Share      float64
	MaxMissing float64
	// Logprobs compares log probabilities, too, if both endpoints offer them. Sampling compares
	// replies at a temperature, too, unless the model is simulated.
	Logprobs, Sampling bool
	// Limits are those of all verifications of a command; nil: of this one alone.
	Limits *VerifyLimits
}

// VerifyLimits are the budget and the time of several verifications, and of the probes of each.
type VerifyLimits struct {
	budget *pace.Budget // nil: none
	until  time.Time    // zero: none
}

// NewVerifyLimits returns the limits that options set, from now on.
func NewVerifyLimits(o Options) *VerifyLimits {
	l := &VerifyLimits{}
	if o.Pace.Budget != nil {
		l.budget = pace.NewBudget(*o.Pace.Budget, 0)
	}
	if o.MaxTime > 0 {
		l.until = time.Now().Add(o.MaxTime)
	}
	return l
}

// A Verification is a job that ends when two endpoints were seen to answer differently, or
// when its prompts are used up. It must be closed.
type Verification struct {
	Job
	options VerifyOptions
	test    *verification.Test
	earlier int            // finished tests of the same pair
	stages  []*verifyStage // of the probes with requests of their own
	begun   time.Time
}

// Verify sends the same prompts to two models. Both get them now, in turn. Each finished
// test is followed by one with new prompts.
func (a *App) Verify(stop, abort context.Context, o VerifyOptions) (*Verification, error) {
	if o.Limits == nil {
		o.Limits = NewVerifyLimits(o.Options)
	}
	v := &Verification{Job: Job{app: a, options: o.Options}, options: o, begun: time.Now()}
	err := v.open(stop, o.Params)
	if err == nil {
		err = v.refuseDifferentParameters()
	}
	var logprobs *verification.LogprobResult
	if err == nil {
		err = v.countEarlier(stop)
	}
	if err == nil {
		logprobs, err = v.compareLogprobs(stop, abort)
	}
	if err == nil {
		err = v.begin(stop, logprobs)
	}
	if err == nil && (logprobs == nil || logprobs.Finished) && v.limitTime(&v.Job) {
		err = v.send(stop, abort)
	}
	if err == nil && v.test.NeedsSampling() {
		err = v.compareSampled(stop, abort)
	}
	if err == nil {
		err = v.settle(stop, abort)
	}
	if err != nil {
		v.Close()
		return nil, err
	}
	return v, nil
}

// refuseDifferentParameters refuses two endpoints with different parameters of their own:
// the test would find the parameters.
func (v *Verification) refuseDifferentParameters() error {
	a, b := over(v.targets[0].Params, v.options.Params), over(v.targets[1].Params, v.options.Params)
	if sameParams(a, b) {
		return nil
	}
	return errkind.Usagef("give both the same in verbatim.toml, or on the command line",
		"the models have different parameters: %s, and %s", report.Parameters(a), report.Parameters(b))
}

// begin finds or makes the runs of both sides, and their lanes.
func (v *Verification) begin(ctx context.Context, logprobs *verification.LogprobResult) error {
	selection := v.options.Selection
	selection.Trials = 2
	selection.Seed = draw.Rand("verify", 1, v.pair(), selection.Seed, uint64(v.earlier)).Uint64() >> 12
	var err error
	if v.plan, err = selection.Plan(); err != nil {
		return err
	}
	reasoning, err := v.reasoningTokens(ctx, v.targets)
	if err != nil {
		return err
	}
	for side, t := range v.targets {
		want := v.app.runOf(t, v.plan.Plan, v.options.Params)
		want.Params.ReasoningTokens = reasoning
		want.Test = &verbatim.Test{Kind: VerifyKind, Settings: v.settings(side)}
		r, existed, err := v.store.Begin(ctx, want, v.options.New)
		if err != nil {
			return err
		}
		if err := v.app.prove(ctx, v.store, r, t.options); err != nil {
			return err
		}
		v.runs = append(v.runs, r)
		if existed && side == 0 {
			tally, err := v.store.Tally(ctx, r.N)
			if err != nil {
				return err
			}
			v.app.note("Continuing the test of run %d (%s): %d of at most %d requests are answered.", r.N, r.Name, tally.Answered(), v.plan.Count)
		}
	}
	if err := v.shareBudget(ctx, &v.Job); err != nil {
		return err
	}
	if err := v.prepare(ctx, logprobs); err != nil {
		return err
	}
	return v.openLanes()
}

// shareBudget charges the budget of all probes with what the runs of a job have cost so far.
func (v *Verification) shareBudget(ctx context.Context, j *Job) error {
	if v.options.Limits.budget == nil {
		return nil
	}
	return j.charge(ctx, v.options.Limits.budget)
}

// limitTime gives a job the time that is left. It reports whether there is any.
func (v *Verification) limitTime(j *Job) bool {
	until := v.options.Limits.until
	if until.IsZero() {
		return true
	}
	j.options.MaxTime = time.Until(until)
	return j.options.MaxTime > 0
}

// pair names the two endpoints.
func (v *Verification) pair() string { return v.targets[0].Name + "\n" + v.targets[1].Name }

// settings are what makes two tests different. The other endpoint is one of them, so that
// two verifications never share a run.
func (v *Verification) settings(side int) map[string]string {
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	return map[string]string{
		"other": v.targets[1-side].Name,
		"side":  string("AB"[side]),
		"alpha": number(v.options.Alpha),
		"share": number(v.options.Share),
	}
}

// countEarlier counts the finished tests of the same two endpoints.
func (v *Verification) countEarlier(ctx context.Context) error {
	runs, err := v.store.Runs(ctx)
	for i := range runs {
		if t := runs[i].Test; t != nil && t.Kind == VerifyKind && t.Verdict != "" && runs[i].Model == v.targets[0].Name &&
			t.Settings["other"] == v.targets[1].Name && t.Settings["side"] == "A" && t.Settings["probe"] == "" {
			v.earlier++
		}
	}
	return err
}

// prepare makes the test and adds what earlier calls saved.
func (v *Verification) prepare(ctx context.Context, logprobs *verification.LogprobResult) error {
	deck, err := v.plan.Deck()
	if err != nil {
		return err
	}
	var dealt []task.Place
	type item struct{ cell, index int }
	prompts := map[item]int{}
	c := verification.Config{Alpha: v.options.Alpha, Share: v.options.Share, MaxMissing: v.options.MaxMissing, Logprobs: logprobs, Sampling: v.samples()}
	for p, ok := deck.Next(); ok; p, ok = deck.Next() {
		dealt = append(dealt, p)
		key := item{p.Cell, p.Index}
		if p.Trial == 0 {
			prompts[key] = len(prompts)
		} else if c.Positions[1] == nil {
			c.Positions[1] = make([]int64, len(prompts))
		}
		if p.Trial == 0 {
			c.Positions[0] = append(c.Positions[0], p.Seq)
		} else {
			c.Positions[1][prompts[key]] = p.Seq
		}
	}
	params := v.runs[0].Params
	limits := verifyLimitsOf(params)
	c.Request = func(position int64) (verbatim.Request, error) {
		p := dealt[position]
		it, err := deck.Item(p)
		if err != nil {
			return verbatim.Request{}, err
		}
		r := verbatim.Request{Seq: position, Trial: p.Trial, Attempt: 1, Item: it, Prompt: deck.Prompt(it), Params: params}
		r.Params.Structure = deck.Structure(it)
		r.MaxTokens, r.ContentTokens = limits(it)
		return r, nil
	}
	if v.test, err = verification.New(c); err != nil {
		return err
	}
	for side, r := range v.runs {
		for rec, err := range v.store.Records(ctx, r.N, store.Read{Texts: true}) {
			if err != nil {
				return err
			}
			if err := v.test.Resume(side, &rec); err != nil {
				return err
			}
		}
	}
	return nil
}

// verifyLimitsOf returns the token limits of each item: a token for each byte of the right answer
// and a few more, with no room for talk, since only the beginning of a text is compared.
func verifyLimitsOf(p verbatim.Params) func(*verbatim.Item) (reply, content int) {
	const least, more = 28, 8
	limits, bare := tokenLimits(p), task.MaxTokens(&verbatim.Item{}, 0)
	return func(it *verbatim.Item) (reply, content int) {
		reply, content = limits(it)
		if content == 0 {
			return reply, 0 // the user's limit
		}
		tight := max(least, content-bare+more)
		return reply - content + tight, tight
	}
}

// openLanes makes the lanes of both sides, unless nothing is left to send.
func (v *Verification) openLanes() error {
	if v.test.TextsFinished() {
		return nil
	}
	for side, r := range v.runs {
		lane, err := v.laneOf(r, v.targets[side], func(*store.Positions) (verbatim.Source, error) { return v.test.Source(side), nil })
		if err != nil {
			return err
		}
		lane.Batch = nil
		lane.Jobs, lane.InFlight = verification.MaxInFlight, verification.MaxInFlight
		v.lanes = append(v.lanes, lane)
	}
	v.lastFailure = make([]*verbatim.Failure, len(v.lanes))
	v.progressText = func() string {
		ended, all := v.test.Progress()
		return fmt.Sprintf("%d of at most %d prompts", ended, all)
	}
	return nil
}

// settle closes the test in the store if it has a verdict.
func (v *Verification) settle(stop, abort context.Context) error {
	word := v.test.Result().Word
	if !word.Settled() {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(abort), 5*time.Second)
	defer cancel()
	for _, r := range v.allRuns() {
		if err := v.store.CloseTest(ctx, r.N, string(word), time.Now()); err != nil {
			return err
		}
	}
	return nil
}

// allRuns returns the runs of all probes, those of the texts first.
func (v *Verification) allRuns() []verbatim.Run {
	runs := slices.Clone(v.runs)
	for _, stage := range v.stages {
		runs = append(runs, stage.runs...)
	}
	return runs
}

// Report returns the result of the test.
func (v *Verification) Report(ctx context.Context) (*result.Verification, error) {
	ctx = context.WithoutCancel(ctx)
	doc := &result.Verification{Result: v.test.Result(), Earlier: v.earlier, Seconds: time.Since(v.begun).Seconds(), Started: v.begun, Again: v.app.CommandLine()}
	var spent store.Spending
	answered := int64(0)
	for i, r := range v.allRuns() {
		if i < len(v.runs) {
			side, err := v.side(ctx, &r)
			if err != nil {
				return nil, err
			}
			doc.Sides[i] = side
		}
		paid, err := v.store.Spending(ctx, r.N)
		if err != nil {
			return nil, err
		}
		tally, err := v.store.Tally(ctx, r.N)
		if err != nil {
			return nil, err
		}
		spent.Replies, spent.Tries, spent.Unpriced = spent.Replies+paid.Replies, spent.Tries+paid.Tries, spent.Unpriced+paid.Unpriced
		answered += tally.Answered()
		doc.Paid = doc.Paid || !report.Free(r.Price, report.Paid(paid, tally.Answered()))
	}
	for _, stage := range v.stages {
		if stage.probe == verification.Sampling {
			doc.Sampled = [2]string{strconv.FormatInt(stage.runs[0].N, 10), strconv.FormatInt(stage.runs[1].N, 10)}
		}
	}
	doc.Cost = report.Paid(spent, answered)
	if !doc.Finished {
		doc.Ended = v.ended()
	}
	doc.Complete()
	return doc, nil
}

// ended says why no more was sent before the test was finished; "" if nothing is known.
func (v *Verification) ended() (why string) {
	jobs := []*Job{&v.Job}
	for _, stage := range v.stages {
		jobs = append(jobs, &stage.Job)
	}
	for _, j := range jobs {
		if j.outOfMoney() {
			return "the budget does not suffice for the next requests"
		}
		if why == "" {
			why, _ = j.trouble()
		}
	}
	if until := v.options.Limits.until; why == "" && !until.IsZero() && !time.Now().Before(until) {
		why = "the time is up"
	}
	return why
}

// side returns one of the two endpoints, with what its server says about who served.
func (v *Verification) side(ctx context.Context, r *verbatim.Run) (result.VerifiedSide, error) {
	side := result.VerifiedSide{CheckedRun: result.CheckedRun{N: r.N, Name: r.Name, Model: r.Model, Note: library.BuiltInNote(r), Ref: strconv.FormatInt(r.N, 10)}}
	served := map[string]bool{}
	for rec, err := range v.store.Records(ctx, r.N, store.Read{Texts: true}) {
		if err != nil {
			return side, err
		}
		if name := result.ServedBy(&rec); name != "" {
			served[name] = true
		}
	}
	side.Served = slices.Sorted(maps.Keys(served))
	return side, nil
}

// Interrupted returns an error if the test was interrupted before it was finished, or if
// nothing was answered; otherwise nil.
func (v *Verification) Interrupted(stop context.Context) error {
	result := v.test.Result()
	ended, all := v.test.Progress()
	switch {
	case result.Word.Settled():
		return nil
	case errkind.IsInterrupted(stop):
		return v.unfinished(stop, fmt.Sprintf("%d of at most %d prompts are compared, and there is no verdict yet", ended, all))
	case result.Calls == 0:
		return v.unfinished(stop, "no request has an answer")
	}
	return nil
}
