package app

import (
	"context"

	"verbatim"
	"verbatim/internal/errkind"
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
	p := j.options.Pace.pacer(t, slots, limiter.Limit, j.budget, others)
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
