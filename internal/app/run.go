package app

import (
	"context"
	"errors"
	"time"

	"verbatim"
	"verbatim/internal/errkind"
	"verbatim/internal/grade"
	"verbatim/internal/run"
	"verbatim/internal/store"
)

// Run opens the models and the database, sends the requests of the plan that have no answer yet, and
// saves the replies. When stop ends, nothing more is sent. When abort ends, requests in flight are
// given up. The Job must be closed.
func (a *App) Run(stop, abort context.Context, plan Plan, o Options) (*Job, error) {
	j := &Job{app: a, options: o, plan: plan}
	err := j.open(stop, o.Params)
	if err == nil {
		err = j.begin(stop)
	}
	if err == nil {
		err = j.send(stop, abort)
	}
	if err != nil {
		j.Close()
		return nil, err
	}
	return j, nil
}

// open opens the models and the database. Params are added to the own parameters of each model.
func (j *Job) open(ctx context.Context, params verbatim.Params) (err error) {
	if j.targets, err = j.app.openTargets(ctx, j.options.Models, j.options.ModelOptions, j.plan.form(params)); err != nil {
		return err
	}
	if err := j.options.Pace.afford(j.targets, params); err != nil {
		return err
	}
	j.store, err = j.app.CreateDatabase(ctx)
	return err
}

// begin finds or makes the run of every target, and a lane for each that is not
// finished.
func (j *Job) begin(ctx context.Context) error {
	reasoning, err := j.reasoningTokens(ctx, j.targets)
	if err != nil {
		return err
	}
	var open []int
	complete := make([]bool, len(j.targets)) // every request has an answer
	for i, t := range j.targets {
		want := j.app.runOf(t, j.plan.Plan, j.options.Params)
		want.Params.ReasoningTokens = reasoning
		r, existed, err := j.beginRun(ctx, want, t)
		if err != nil {
			return err
		}
		j.runs = append(j.runs, r)
		if existed {
			tally, err := j.store.Tally(ctx, r.N)
			if err != nil {
				return err
			}
			complete[i] = tally.Answered() >= j.plan.Count
			finished := complete[i] && !r.Ended.IsZero()
			if complete[i] && !finished { // a process ended after the last answer, before it could mark the run
				if finished, err = j.store.End(ctx, r.N, 0, time.Now()); err != nil {
					return err
				}
			}
			if finished {
				j.app.note("Run %d (%s) is finished: no request is sent; --new starts another.", r.N, r.Name)
				if err := j.checkFinished(r, t); err != nil {
					return err
				}
				continue
			}
			j.app.note("Continuing run %d (%s): %d of %d requests are answered.", r.N, r.Name, tally.Answered(), j.plan.Count)
		}
		open = append(open, i)
	}
	if err := j.openBudget(ctx); err != nil {
		return err
	}
	for _, i := range open {
		lane, err := j.lane(j.runs[i], j.targets[i])
		if err != nil {
			return err
		}
		if complete[i] {
			lane.Warmup = nil // only batches are collected
		}
		j.lanes = append(j.lanes, lane)
	}
	return nil
}

// checkFinished keeps the error of a finished run whose answers are all empty: a repeat of the
// command fails too.
func (j *Job) checkFinished(r verbatim.Run, t target) error {
	limiter, err := j.limiter(r, t)
	if err != nil {
		return err
	}
	if err := limiter.Check(); err != nil && j.empty == nil {
		j.empty = err
	}
	return nil
}

// send runs the lanes. Missing returns the errors of single lanes.
func (j *Job) send(stop, abort context.Context) error {
	e := &j.options.Events
	if e.Started != nil {
		if err := e.Started(j.plan.Plan, j.runs); err != nil {
			return err
		}
	}
	if len(j.lanes) == 0 {
		return nil
	}
	c := run.Config{Store: j.store, Lanes: j.lanes, Grade: grade.Of, Stop: stop}
	if j.options.MaxTime > 0 {
		var cancel context.CancelFunc
		c.Stop, cancel = context.WithTimeout(stop, j.options.MaxTime)
		defer cancel()
	}
	j.lastFailure = make([]*verbatim.Failure, len(j.lanes))
	var writeErr error
	c.Saved = func(lane int, rec verbatim.Record) {
		if rec.Failure != nil && !rec.Failure.Class.Skips() { // skipped, not missing
			j.lastFailure[lane] = rec.Failure
		}
		if j.watch != nil {
			j.watch(&rec)
		}
		if e.Saved != nil && writeErr == nil {
			writeErr = e.Saved(j.lanes[lane].Run, &rec)
		}
	}
	if e.Watch != nil {
		update, done := e.Watch(Activity{Endpoints: j.endpoints, Progress: j.progressText})
		defer done()
		c.Progress = update
	}
	defer j.saveMemory()()
	defer j.explainWait(func() bool { return errkind.IsInterrupted(stop) })()
	result, err := run.Run(abort, c)
	j.result = result
	err = errors.Join(err, j.saveLoads(abort))
	if _, unsaved := errors.AsType[*store.Unsaved](err); !unsaved && errkind.IsInterrupted(abort) {
		return nil // Missing says how to continue
	}
	if errkind.IsInterrupted(stop) {
		writeErr = nil // the terminal is closed; Missing returns the interrupt
	}
	return errors.Join(err, writeErr)
}

// saveLoads saves the loads of the runs. Reports warn of loads above the server's number of requests
// at once.
func (j *Job) saveLoads(ctx context.Context) error {
	if errkind.IsInterrupted(ctx) {
		return nil // the database may be locked
	}
	for _, l := range j.loads {
		peak := l.pacer.State().Peak
		if peak == 0 {
			continue
		}
		if err := j.store.AddLoad(ctx, l.run, verbatim.Load{Peak: peak, Slots: l.slots, Context: l.context}); err != nil {
			return err
		}
	}
	return nil
}
