package app

import (
	"cmp"
	"context"
	"encoding/json"
	"runtime/debug"
	"slices"
	"time"

	"verbatim"
	"verbatim/internal/errkind"
	"verbatim/internal/library"
	"verbatim/internal/pace"
	"verbatim/internal/run"
	"verbatim/internal/store"
	"verbatim/internal/task"
	"verbatim/internal/terminal"
)

// lane makes the lane of a run: the items of the plan in their order, their prompts and
// token limits, the model and its pacer.
func (j *Job) lane(r verbatim.Run, t target) (run.Lane, error) {
	return j.laneOf(r, t, func(saved *store.Positions) (verbatim.Source, error) {
		deck, err := j.plan.Deck()
		if err != nil {
			return nil, err
		}
		places := func() (run.Planned, bool) {
			p, ok := deck.Next()
			return run.Planned{Seq: p.Seq, Request: func() (verbatim.Request, error) { return requestAt(deck, p, r.Params) }}, ok
		}
		return &run.Fixed{Places: places, Saved: saved}, nil
	})
}

// laneOf makes a lane of a run whose requests come from a Source. The lane calls source once no
// other process can write the run.
func (j *Job) laneOf(r verbatim.Run, t target, source func(saved *store.Positions) (verbatim.Source, error)) (run.Lane, error) {
	warmup, err := j.warmupRequests(r.Params)
	if err != nil {
		return run.Lane{}, err
	}
	if err := j.checkStructure(t); err != nil {
		return run.Lane{}, err
	}
	t = t.withParams(r.Params)
	limiter, err := j.limiter(r, t)
	if err != nil {
		return run.Lane{}, err
	}
	j.limiters = append(j.limiters, limiter)
	others := len(j.runs) > 1 // other models get requests too
	slots := 0
	if t.Slots != nil && !j.options.Batch {
		slots = t.Slots(context.Background())
	}
	usage, err := j.store.UsageStats(context.Background(), t.Name, nil)
	if err != nil {
		return run.Lane{}, err
	}
	p := j.options.Pace.pacer(t, slots, usage.InFlight, limiter.Limit, j.budget, others)
	if slots > 0 && p.Concurrency > slots {
		j.app.note("%s says that it runs %d at once, but up to %d requests are sent: the others wait in its queue, and the times include that wait. Leave out --concurrency, or set it to %d.",
			terminal.Visible(t.Name), slots, p.Concurrency, slots)
	}
	j.pacers = append(j.pacers, p)
	if load := (laneLoad{run: r.N, pacer: p, slots: slots}); slots > 0 || t.Context != nil {
		if t.Context != nil {
			load.context = *t.Context
		}
		j.loads = append(j.loads, load)
	}
	lane := run.Lane{
		Run:      r,
		Model:    limiter.Wrap(p.Wrap(j.withServerQueue(withLimits(t), t, p))),
		Check:    limiter.Check,
		Jobs:     p.Concurrency,
		InFlight: p.Concurrency,
		Patience: patience,
		Over:     p.Stop,
		Warmup:   warmup,
		Source:   source,
		Claimed:  func(w *store.Writer) error { return j.claimed(w, r.N, p) },
	}
	if !others && !t.local() && p.Concurrency > 1 { // with one request in flight, the order is exactly the planned one
		lane.Jobs += waitRoom // the Pacer bounds the requests in flight
	}
	if b, ok := t.Model.(verbatim.Batcher); ok {
		lane.Batch = j.batching(b, p, limiter)
	} else if j.options.Batch {
		return run.Lane{}, errkind.Usagef("leave out --batch; OpenAI, Anthropic and Gemini have batches", "%s takes no batches", t.Name)
	}
	return lane, nil
}

// limiter returns the Limiter of a run. It has learned from the saved replies of the run.
func (j *Job) limiter(r verbatim.Run, t target) (*run.Limiter, error) {
	l := run.NewLimiter(run.TokenLimitConfig{Context: t.Context, MaxOutput: t.MaxOutput, Reasons: t.Reasons, Params: r.Params, KeepGoing: j.options.KeepGoing, Compared: j.compared})
	for rec, err := range j.store.Records(context.Background(), r.N, store.Read{Texts: true, Attempts: true}) {
		if err != nil {
			return nil, err
		}
		if rec.Reply == nil {
			continue
		}
		if l.Learn(rec.Reply); l.KnowsEnough() {
			break
		}
	}
	return l, nil
}

// batching returns the functions by which a lane sends its requests in batches.
func (j *Job) batching(m verbatim.Batcher, p *pace.Pacer, limiter *run.Limiter) *run.Batching {
	return &run.Batching{
		Model: m, Submit: j.options.Batch, Forget: j.options.ForgetBatches, Afford: p.Afford, Hold: p.Hold, GiveUp: p.GiveUp,
		Settle: func(q verbatim.Request, reply *verbatim.Reply, err error) {
			p.Settle(q, reply, err)
			if err == nil {
				limiter.Learn(reply)
			}
		},
		Most: limiter.Most, Limit: limiter.LimitWithin, Again: limiter.Refused, Talk: j.app.Note,
	}
}

// checkStructure refuses models that cannot give answers in the plan's form.
func (j *Job) checkStructure(t target) error {
	v := j.plan.Variant
	if v == nil || v.As == "" {
		return nil
	}
	if t.Wire == "" && !t.Simulated {
		return errkind.Usagef("leave out --as, or ask a model behind a server", "%s takes neither tools nor schemas", t.Name)
	}
	if j.options.Batch && v.As == verbatim.AsTool {
		return errkind.Usagef("leave out --batch", "--as tool does not go with --batch: the results of a batch do not say which requests offered a tool")
	}
	return nil
}

// tokenLimits returns the function that gives the token limits of an item under a run's parameters:
// of the reply, and of its content. A limit of the user is both.
func tokenLimits(p verbatim.Params) func(*verbatim.Item) (reply, content int) {
	return func(it *verbatim.Item) (reply, content int) {
		if p.MaxTokens > 0 {
			return p.MaxTokens, p.MaxTokens
		}
		content = task.MaxTokens(it, 0)
		return content + p.ReasoningTokens, content
	}
}

// warmupRequests returns the first requests of the plan, which are sent for warm-up.
func (j *Job) warmupRequests(params verbatim.Params) ([]verbatim.Request, error) {
	if j.options.Warmup == 0 {
		return nil, nil
	}
	deck, err := j.plan.Deck()
	if err != nil {
		return nil, err
	}
	var out []verbatim.Request
	for len(out) < j.options.Warmup {
		p, ok := deck.Next()
		if !ok {
			break
		}
		r, err := requestAt(deck, p, params)
		if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, nil
}

// requestAt returns the first request at a position of a deck, under a run's parameters.
func requestAt(deck *task.Deck, p task.Position, params verbatim.Params) (verbatim.Request, error) {
	it, err := deck.Item(p)
	if err != nil {
		return verbatim.Request{}, err
	}
	r := verbatim.Request{Seq: p.Seq, Trial: p.Trial, Item: it, Attempt: 1, Prompt: deck.Prompt(it), Params: params}
	r.MaxTokens, r.ContentTokens = tokenLimits(params)(it)
	r.Params.Structure = deck.Structure(it)
	return r, nil
}

// patience is the number of requests at the start that may fail before a lane ends.
const patience = 8

// firstAttempts is the number of attempts of a request until the endpoint has answered once.
const firstAttempts = 3

// Requests in flight of a model if neither the user nor the model's settings limit them.
const (
	maxTuned      = 256 // at most, tuned
	maxTunedEach  = 64  // at most, tuned, if several models get requests
	localInFlight = 4   // of models inside this program or its children
)

// waitRoom is the number of requests that may wait for a retry, in addition to those in flight. Only
// when it is reached, no new request is sent: some prompts that always fail stop no others.
const waitRoom = 64

// pacer makes the Pacer of a model. Slots is the number of requests that its server runs at once, 0
// if unknown, and bore how many were in flight when it was asked before, 0 if it was not. Limit returns
// the token limit of a request. Others says that other models get requests too.
func (p *Pace) pacer(t target, slots, bore int, limit func(*verbatim.Request) int, budget *pace.Budget, others bool) *pace.Pacer {
	c := pace.Config{
		Start: bore, Attempts: p.MaxAttempts, FirstAttempts: firstAttempts, Total: p.Deadline, Price: t.Price, Budget: budget, Limit: limit,
		RequestsPerMinute: cmp.Or(p.RequestsPerMinute, float64(t.Limits.RequestsPerMinute)),
		TokensPerMinute:   cmp.Or(p.TokensPerMinute, float64(t.Limits.TokensPerMinute)),
	}
	if c.Price == nil {
		c.Budget = nil // --unpriced
	}
	switch {
	case p.Concurrency > 0:
		c.Concurrency = p.Concurrency
	case t.Limits.Concurrency > 0:
		c.Concurrency = t.Limits.Concurrency
	case slots > 0: // more would wait in the server's queue, and its times would be the queue's
		c.Concurrency = slots
	case t.local():
		c.Concurrency = localInFlight
	case others:
		// Requests that wait here delay the next item, and models get each item in turn.
		c.Concurrency, c.Adaptive = maxTunedEach, true
	default:
		c.Concurrency, c.Adaptive = maxTuned, true
	}
	return pace.New(c)
}

// openBudget makes the budget of the job, if it has one.
func (j *Job) openBudget(ctx context.Context) error {
	if j.options.Pace.Budget == nil {
		return nil
	}
	if j.budget == nil { // otherwise it is shared with other jobs
		j.budget = pace.NewBudget(*j.options.Pace.Budget, 0)
	}
	return j.charge(ctx, j.budget)
}

// charge charges a budget with the cost of the runs so far, including the maximum cost of failed
// attempts. Claimed charges what another process adds until a run is claimed.
func (j *Job) charge(ctx context.Context, b *pace.Budget) error {
	j.budget, j.counted = b, map[int64]verbatim.Money{}
	for _, r := range j.runs {
		if err := j.count(ctx, r.N); err != nil {
			return err
		}
	}
	return nil
}

// claimed is called once no other process can write the run. It charges the cost of the run, and
// lets the Pacer save its reservations.
func (j *Job) claimed(w *store.Writer, run int64, p *pace.Pacer) error {
	if p.Budget == nil {
		return nil
	}
	p.Save(w.Reservations(run))
	return j.count(context.Background(), run)
}

// count charges the budget with the part of a run's cost that was not charged before.
func (j *Job) count(ctx context.Context, run int64) error {
	spent, err := j.store.Spending(ctx, run)
	if err != nil {
		return err
	}
	j.budget.Charge(spent.Total() - j.counted[run])
	j.counted[run] = spent.Total()
	return nil
}

// costly lists extra parameters with which a request may cost more than its reservation: several
// replies, other token limits, other tariffs, and tools with a price of their own.
func costly() []string {
	return []string{"n", "best_of", "candidateCount", "max_tokens", "max_completion_tokens", "max_output_tokens", "maxOutputTokens", "num_predict",
		"service_tier", "tools", "web_search_options", "plugins"}
}

// afford returns an error if the budget cannot be enforced: a price is unknown, or the extra
// parameters may raise the cost. Params are added to the own parameters of each model.
func (p *Pace) afford(targets []target, params verbatim.Params) error {
	if p.Budget == nil {
		return nil
	}
	for _, t := range targets {
		extra := over(t.Params, params).Extra
		for _, name := range costly() {
			if _, there := extra[name]; there && t.Price != nil {
				return errkind.Usagef("leave it out, or run without a budget",
					"the extra parameter %q may make a request of %s cost more than is reserved for it: the budget cannot be enforced", name, t.Name)
			}
		}
		if t.Price == nil && !p.AllowUnpriced {
			return errkind.Usagef("name its price in verbatim.toml or with --prices FILE, or run it without a price with --unpriced",
				"the price of %s is unknown: the budget cannot be enforced", t.Name)
		}
	}
	return nil
}

// unexplained is the time after --for for which a command waits without a note.
const unexplained = time.Second

// explainWait prints a note if requests are still in flight some time after Options.MaxTime. They are
// finished, each within its own time limit: the provider may bill them, and their answers are saved.
// release must be called.
func (j *Job) explainWait(interrupted func() bool) (release func()) {
	if j.options.MaxTime <= 0 {
		return func() {}
	}
	timer := time.AfterFunc(j.options.MaxTime+unexplained, func() {
		n := 0
		for _, s := range j.endpoints() {
			n += s.InFlight
		}
		if n > 0 && !interrupted() {
			j.app.note("The time of --for is over. Waiting for the requests in flight (%d), which may be billed: each ends with its reply or at the limit of --timeout or --idle-timeout. "+
				"Press Ctrl-C twice to end now and lose the replies.", n)
		}
	})
	return func() { timer.Stop() }
}

// reasoningTokens returns the number of tokens of each limit that are for reasoning. It is the same
// for all models, because they are compared. The option counts first, then the number of a run that
// is continued, then the default. What other runs have shown does not count: the same command sends
// the same requests in every database.
func (j *Job) reasoningTokens(ctx context.Context, targets []target) (int, error) {
	if n := j.options.ReasoningTokens; n != nil {
		return *n, nil
	}
	if !j.options.New && j.store != nil {
		n, found, err := j.savedReasoning(ctx, targets)
		if err != nil || found {
			return n, err
		}
	}
	tokens := run.DefaultReasoningTokens
	if j.options.Params.MaxTokens > 0 {
		tokens = 0 // the user's limit is the whole limit
	}
	for _, t := range targets {
		if n := over(t.Params, j.options.Params).ReasoningBudget; n != nil {
			tokens = max(tokens, int(*n)) // some APIs require a token limit above it
		}
	}
	return tokens, nil
}

// savedReasoning returns the tokens for reasoning of the run that this command continues. It is
// the newest run of each target with the same plan and parameters; of several, the largest number.
func (j *Job) savedReasoning(ctx context.Context, targets []target) (n int, found bool, err error) {
	runs, err := j.store.Runs(ctx)
	if err != nil {
		return 0, false, err
	}
	for _, t := range targets {
		want := over(t.Params, j.options.Params)
		for _, r := range slices.Backward(runs) {
			has := r.Params
			has.ReasoningTokens = 0
			// Plans of searches are those of no other runs.
			ordinary := r.Test == nil || r.Test.Kind == SearchKind
			if ordinary && r.Plan.Hash == j.plan.Hash && r.Model == t.Name && r.Origin == "" && SameParams(has, want) {
				n, found = max(n, r.Params.ReasoningTokens), true
				break
			}
		}
	}
	return n, found, nil
}

// SameParams reports whether parameters are the same for the database, which saves them as JSON.
func SameParams(a, b verbatim.Params) bool {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && string(x) == string(y)
}

// manyInFlight is the number of requests in flight above which memory is more important than the
// time of the garbage collector.
const manyInFlight = maxTuned

// TuneCollector sets the percentage by which the heap grows between two collections, unless the
// user has set GOGC. Restore sets the earlier percentage.
//
// Usually some ten megabytes are in use. With the default of 100 %, collections take a fifth of all
// work then; 400 % costs 20 MB.
func TuneCollector(getenv func(string) string, percent int) (restore func()) {
	if getenv("GOGC") != "" {
		return func() {}
	}
	before := debug.SetGCPercent(percent)
	return func() { debug.SetGCPercent(before) }
}

// saveMemory lets the heap grow by 100 % only if more requests than usual are in flight: each holds
// some 10 kB and a stack.
func (j *Job) saveMemory() (restore func()) {
	inFlight := 0
	for _, l := range j.lanes {
		inFlight += l.InFlight
	}
	if inFlight <= manyInFlight {
		return func() {}
	}
	return TuneCollector(j.app.Getenv, 100)
}

// manyAnswers is the number of answers counted by item above which memory is more important than the
// time of the garbage collector.
const manyAnswers = 100_000

// SaveReportMemory lets the heap grow by 100 % only for a report of many answers to items with
// several trials, which takes memory for each item.
func SaveReportMemory(getenv func(string) string, runs []library.NamedRun) (restore func()) {
	answers := int64(0)
	for _, r := range runs {
		if r.Plan.Trials > 1 {
			answers += r.Plan.Count
		}
	}
	if answers <= manyAnswers {
		return func() {}
	}
	return TuneCollector(getenv, 100)
}
