package app

import (
	"context"
	"time"

	"verbatim"
	"verbatim/internal/errkind"
	"verbatim/internal/pace"
	"verbatim/internal/report"
	"verbatim/internal/store"
	"verbatim/internal/terminal"
)

// Endpoints are the opened models of a test of several endpoints, with a database. Requests are sent
// to them in Rounds, which share a budget and a time limit. They must be closed.
type Endpoints struct {
	job    Job
	budget *pace.Budget // nil: none
	until  time.Time    // zero: none
}

// OpenEndpoints opens the named models, all before anything is sent, and the database. The first
// may be named once more: that compares it with itself.
func (a *App) OpenEndpoints(ctx context.Context, o Options) (*Endpoints, error) {
	e := &Endpoints{job: Job{app: a, options: o}}
	if err := e.open(ctx); err != nil {
		e.Close()
		return nil, err
	}
	return e, nil
}

func (e *Endpoints) open(ctx context.Context) (err error) {
	a, o := e.job.app, e.job.options
	seen := map[string]bool{}
	for i, name := range o.Models {
		opened, err := a.openTargets(ctx, []string{name}, o.ModelOptions, o.Params)
		if err != nil {
			return err
		}
		e.job.targets = append(e.job.targets, opened...)
		if i > 0 && seen[opened[0].Name] {
			return errkind.Usagef("name it once", "the endpoint %s is named twice after the first one", terminal.Visible(opened[0].Name))
		}
		seen[opened[0].Name] = i > 0
	}
	if o.ModelOptions.NoRequests { // nothing will be sent
		return nil
	}
	if err := o.Pace.afford(e.job.targets, o.Params); err != nil {
		return err
	}
	if o.Pace.Budget != nil {
		e.budget = pace.NewBudget(*o.Pace.Budget, 0)
	}
	e.job.store, err = a.CreateDatabase(ctx)
	if o.MaxTime > 0 {
		e.until = time.Now().Add(o.MaxTime)
	}
	return err
}

// Close closes the models and the database.
func (e *Endpoints) Close() { e.job.Close() }

// Store returns the database.
func (e *Endpoints) Store() *store.Store { return e.job.store }

// Of describes the endpoint with this index.
func (e *Endpoints) Of(i int) Endpoint { return endpointOf(e.job.targets[i]) }

// Simulated reports whether an endpoint makes its answers from the right ones.
func (e *Endpoints) Simulated(i int) bool { return e.job.targets[i].Simulated }

// Served reports whether a server or this program answers; otherwise a program of the user does.
func (e *Endpoints) Served(i int) bool {
	t := e.job.targets[i]
	return t.BuiltIn || t.Wire != ""
}

// Params returns the parameters of an endpoint's requests.
func (e *Endpoints) Params(i int) verbatim.Params {
	return over(e.job.targets[i].Params, e.job.options.Params)
}

// ReasoningTokens returns the number of tokens for reasoning that is added to the token limit of
// each reply of the endpoints with these indexes.
func (e *Endpoints) ReasoningTokens(ctx context.Context, of ...int) (int, error) {
	return e.job.reasoningTokens(ctx, e.targetsOf(of))
}

func (e *Endpoints) targetsOf(of []int) (targets []target) {
	for _, i := range of {
		targets = append(targets, e.job.targets[i])
	}
	return targets
}

// CallPlan returns the maximum cost of calls to an endpoint. Bytes and replyTokens are the means of
// a prompt and a reply.
func (e *Endpoints) CallPlan(kind string, i, calls, bytes, replyTokens int) *report.CallPlan {
	return callPlan(kind, e.job.targets[i], calls, bytes, replyTokens)
}

// Interrupted returns the error of a test that the user interrupted between two Rounds. What
// describes how far it is.
func (e *Endpoints) Interrupted(stop context.Context, what string) error {
	return e.job.Unfinished(stop, what)
}

// TimeIsUp reports whether nothing more may be sent.
func (e *Endpoints) TimeIsUp() bool { return !e.until.IsZero() && !time.Now().Before(e.until) }

// A Round sends requests to some endpoints at the same time, to each from a Source of its own.
type Round struct{ Job }

// RoundOptions determine the requests of a Round. A side is an index of Of.
type RoundOptions struct {
	Of   []int // indexes of endpoints
	Plan Plan
	// Run sets the Test and the parameters of the run of a side.
	Run func(side int, r *verbatim.Run)
	// Begun is called once the runs are known, before anything else.
	Begun func(runs []verbatim.Run) error
	// Resume adds a saved record of a side.
	Resume func(side int, rec *verbatim.Record) error
	// Finished reports, after Resume, whether nothing is left to send.
	Finished func() bool
	Source   func(side int) verbatim.Source
	InFlight int           // of each side
	Progress func() string // for the progress line
	Quiet    bool          // no note that a run is continued
	// KeepGoing sends further requests even if the first answers are all empty.
	KeepGoing bool
}

// maxUntuned is the number of requests in flight that a tuned concurrency allows from the start.
const maxUntuned = 8

// Round finds or makes a run for each side, gives its saved records to Resume, and sends the
// requests of its Source. After an error it returns the Round too.
func (e *Endpoints) Round(stop, abort context.Context, o RoundOptions) (*Round, error) {
	r := &Round{Job{app: e.job.app, options: e.job.options, store: e.job.store, targets: e.targetsOf(o.Of), plan: o.Plan}}
	r.options.KeepGoing, r.options.Batch = o.KeepGoing, false
	if r.options.Pace.Concurrency == 0 && o.InFlight > maxUntuned {
		r.options.Pace.Concurrency = o.InFlight // a tuned one would begin lower
	}
	if err := r.begin(stop, &o); err != nil {
		return r, err
	}
	if e.budget != nil {
		if err := r.charge(stop, e.budget); err != nil {
			return r, err
		}
	}
	if o.Finished() || e.TimeIsUp() {
		return r, nil
	}
	if !e.until.IsZero() {
		r.options.MaxTime = time.Until(e.until)
	}
	if err := r.openLanes(&o); err != nil {
		return r, err
	}
	return r, r.send(stop, abort)
}

// begin finds or makes the runs, and reads their records.
func (r *Round) begin(ctx context.Context, o *RoundOptions) error {
	for side, t := range r.targets {
		want := r.app.runOf(t, r.plan.Plan, r.options.Params)
		o.Run(side, &want)
		begun, existed, err := r.beginRun(ctx, want, t)
		if err != nil {
			return err
		}
		r.runs = append(r.runs, begun)
		if existed && side == 0 && !o.Quiet {
			tally, err := r.store.Tally(ctx, begun.N)
			if err != nil {
				return err
			}
			r.app.note("Continuing the test of run %d (%s): %d of at most %d requests are answered.", begun.N, begun.Name, tally.Answered(), r.plan.Count)
		}
	}
	if err := o.Begun(r.runs); err != nil {
		return err
	}
	for side, run := range r.runs {
		for rec, err := range r.store.Records(ctx, run.N, store.Read{Texts: true}) {
			if err != nil {
				return err
			}
			if err := o.Resume(side, &rec); err != nil {
				return err
			}
		}
	}
	return nil
}

// openLanes makes the lane of each side.
func (r *Round) openLanes(o *RoundOptions) error {
	for side, run := range r.runs {
		t := r.targets[side]
		t.Slots, t.Waiting = nil, nil // the test sets the number of requests in flight
		lane, err := r.laneOf(run, t, func(*store.Positions) (verbatim.Source, error) { return o.Source(side), nil })
		if err != nil {
			return err
		}
		lane.Batch = nil
		lane.Jobs, lane.InFlight = o.InFlight, o.InFlight
		r.lanes = append(r.lanes, lane)
	}
	r.progressText = o.Progress
	return nil
}

// Runs returns the runs of the sides.
func (r *Round) Runs() []verbatim.Run { return r.runs }

// Ended says why no more was sent; "" if the reason is unknown.
func (r *Round) Ended() string {
	if r.outOfMoney() {
		return "the budget does not suffice for the next requests"
	}
	why, _ := r.trouble()
	return why
}

// Continue returns the command line that continues the test.
func (e *Endpoints) Continue() string { return e.job.app.CommandLine() }
