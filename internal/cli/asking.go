package cli

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/internal/layout"
	"verbatim/internal/model"
	"verbatim/internal/pace"
	"verbatim/internal/report"
	"verbatim/internal/run"
	"verbatim/internal/store"
	"verbatim/internal/terminal"
)

// An asking is one call of `run`: its runs, asked or finished already.
type asking struct {
	*runner
	env    *Env
	store  *store.Store
	plan   planned
	params verbatim.Params // of the command line
	limit  *verbatim.Money // nil: no budget

	runs   []verbatim.Run
	budget *pace.Budget
	// counted is, by run, what the budget was charged with for earlier calls.
	counted map[int64]verbatim.Money
	pacers  []*pace.Pacer // of the lanes
	lanes   []run.Lane
	result  run.Result
	// lastFailure is, of each lane, why the newest request without an answer has none.
	lastFailure []*verbatim.Failure
	// standing says how far a test is; nil: the plan is asked to its end.
	standing func() string
	watch    func(*verbatim.Record) // is told what is kept; nil: nobody wants to know
}

// carryOut opens the models and the store, asks what is left of the runs, and lets
// show print what was kept.
func (a *asking) carryOut(cmd *cobra.Command, options model.Options, show func(context.Context, []keptRun) error) error {
	stop, abort, release := a.env.interruptible(cmd.Context())
	defer release()
	targets, err := a.env.openTargets(stop, a.models, options)
	if err != nil {
		return err
	}
	defer closeTargets(targets)
	if err := a.pacing.afford(targets, a.params, a.limit); err != nil {
		return err
	}
	if a.store, err = a.env.createDatabase(stop, cmd); err != nil {
		return err
	}
	defer a.store.Close()

	if err := a.begin(stop, targets); err != nil {
		return err
	}
	if err := a.ask(stop, abort); err != nil {
		return err
	}
	return a.conclude(abort, stop, show)
}

// begin finds or makes the run of every target, and a lane for those that are
// not finished.
func (a *asking) begin(ctx context.Context, targets []target) error {
	thinking, err := a.allowance(ctx, targets)
	if err != nil {
		return err
	}
	var open []int
	for i, t := range targets {
		want := t.runOf(a.plan.Plan, a.params)
		want.Params.ReasoningTokens = thinking
		r, existed, err := a.store.Begin(ctx, want, a.fresh)
		if err != nil {
			return err
		}
		if err := a.env.prove(ctx, a.store, r, t.options); err != nil {
			return err
		}
		a.runs = append(a.runs, r)
		if existed {
			tally, err := a.store.Tally(ctx, r.N)
			if err != nil {
				return err
			}
			if tally.Answered() >= a.plan.Count {
				writeNote(a.env, "Run %d (%s) is finished: nothing is asked again; --new starts another.", r.N, r.Name)
				continue
			}
			writeNote(a.env, "Continuing run %d (%s): %d of %d requests are answered.", r.N, r.Name, tally.Answered(), a.plan.Count)
		}
		open = append(open, i)
	}
	if a.limit != nil {
		if err := a.open(ctx, pace.NewBudget(*a.limit, 0)); err != nil {
			return err
		}
	}
	for _, i := range open {
		lane, err := a.lane(a.runs[i], targets[i])
		if err != nil {
			return err
		}
		a.lanes = append(a.lanes, lane)
	}
	a.lastFailure = make([]*verbatim.Failure, len(a.lanes))
	return nil
}

// open charges the budget with what the runs have cost so far, including the most that
// failed attempts may have cost. What another process adds until a run is claimed is
// charged then.
func (a *asking) open(ctx context.Context, b *pace.Budget) error {
	a.budget, a.counted = b, map[int64]verbatim.Money{}
	for _, r := range a.runs {
		if err := a.count(ctx, r.N); err != nil {
			return err
		}
	}
	return nil
}

// ask runs the lanes. What goes wrong in one of them is told by conclude.
func (a *asking) ask(stop, abort context.Context) error {
	if a.asJSON {
		if err := a.writePlan(); err != nil {
			return err
		}
	}
	if len(a.lanes) == 0 {
		return nil
	}
	c := run.Config{Store: a.store, Lanes: a.lanes, Grade: gradeOf, Stop: stop}
	if a.duration > 0 {
		c.Until = time.Now().Add(a.duration)
	}
	var writeErr error
	c.Kept = func(lane int, rec verbatim.Record) {
		if rec.Failure != nil {
			a.lastFailure[lane] = rec.Failure
		}
		if a.watch != nil {
			a.watch(&rec)
		}
		if a.asJSON && writeErr == nil {
			writeErr = a.writeKept(lane, &rec)
		}
	}
	if !a.quiet {
		m := newMeter(a.env.Err, a.env.seal.ClearLine(), a.env.ErrWidth, time.Now, a.states, a.standing)
		defer m.close()
		c.Progress = m.update
	}
	defer a.env.saveMemory(a.lanes)()
	result, err := run.Run(abort, c)
	a.result = result
	var unsaved *store.Unsaved
	if context.Cause(abort) == errInterrupted && !errors.As(err, &unsaved) {
		return nil // conclude says how to continue
	}
	if context.Cause(stop) == errInterrupted {
		writeErr = nil // a closed terminal, of which conclude will say the same
	}
	return errors.Join(err, writeErr)
}

// states tells how the endpoints are asked at this moment.
func (a *asking) states() []pace.State {
	var states []pace.State
	for _, p := range a.pacers {
		states = append(states, p.State())
	}
	return states
}

// conclude prints what show makes of the runs and says what is left, how to
// continue, and by the exit code whether everything was answered.
func (a *asking) conclude(ctx, stop context.Context, show func(ctx context.Context, runs []keptRun) error) error {
	// The table is wanted after an interrupt too.
	ctx = context.WithoutCancel(ctx)
	left, answered := int64(0), int64(0)
	var kept []keptRun
	for _, r := range a.runs {
		tally, err := a.store.Tally(ctx, r.N)
		if err != nil {
			return err
		}
		left += a.plan.Count - tally.Answered()
		answered += tally.Answered()
		now, err := a.store.Find(ctx, fmt.Sprint(r.N), "")
		if err != nil {
			return err
		}
		kept = append(kept, keptRun{now, a.store})
	}
	// A table of nothing would hide the reason.
	var unshown error
	if answered > 0 || a.asJSON {
		unshown = show(ctx, kept)
	}
	if left == 0 || unshown != nil && context.Cause(stop) != errInterrupted {
		return unshown
	}
	what := fmt.Sprintf("%d of %d requests have no answer yet", left, a.plan.Count*int64(len(a.runs)))
	out, err := a.out(ctx)
	if err != nil {
		return err
	}
	if out > 0 {
		what += fmt.Sprintf("; %d of them are out in batches, which go on by themselves and are collected when the run is continued", out)
	}
	return errors.Join(a.unfinished(stop, what), unshown)
}

// unfinished is the error of requests without an answer, of which what says how
// many: it says why, as far as that is known, and how to continue.
func (a *asking) unfinished(stop context.Context, what string) error {
	hint := "continue with: " + a.again()
	if context.Cause(stop) == errInterrupted {
		return &exitError{code: exitInterrupted, err: errors.New("interrupted: " + what), hint: hint}
	}
	if a.outOfMoney() {
		b := a.budget.Balance()
		if b.Spent > b.Limit {
			what += fmt.Sprintf(": the budget of %v is less than what is spent already, %v", b.Limit, b.Spent)
		} else {
			what += fmt.Sprintf(": of the budget of %v %v is spent, and the next request may cost more than the rest", b.Limit, b.Spent)
		}
		hint = "continue with a larger budget: " + a.env.commandLine(withFlag(a.env.Args, "--budget", "DOLLARS"))
	} else if why, advice := a.trouble(); why != "" {
		what += ": " + why
		if advice != "" {
			hint = advice + "; then " + hint
		}
	} else if a.duration > 0 {
		what += ": the time is up"
	}
	return failed(hint, "%s", what)
}

// out returns how many requests are out in batches.
func (a *asking) out(ctx context.Context) (n int, err error) {
	for _, r := range a.runs {
		places, err := a.store.Places(ctx, r.N)
		if err != nil {
			return 0, err
		}
		batches, err := a.store.Batches(ctx, r.N)
		if err != nil {
			return 0, err
		}
		for _, b := range batches {
			for _, seq := range b.Places {
				if b.Out() && places.Out(seq) {
					n++
				}
			}
		}
	}
	return n, nil
}

// outOfMoney reports whether the budget is why a lane has ended.
func (a *asking) outOfMoney() bool {
	for _, l := range a.result.Lanes {
		var f *verbatim.Failure
		if errors.As(l.Err, &f) && f.Class == verbatim.Quota && f.Who == "budget" {
			return a.budget != nil
		}
	}
	return false
}

// trouble says why requests have no answer, as far as one sentence can, and what
// to do about it.
func (a *asking) trouble() (why, advice string) {
	for i, l := range a.result.Lanes {
		err := l.Err
		if err == nil && a.lastFailure[i] != nil {
			err = a.lastFailure[i]
		}
		if err == nil {
			continue
		}
		_, _, hint := describe(err)
		return terminal.Visible(err.Error()), hint
	}
	return "", ""
}

// summary prints the tables of the runs, and who leads.
func (a *asking) summary(ctx context.Context, on report.Metric, runs []keptRun) error {
	p := publication{on: on}
	for _, r := range runs {
		ref := strconv.FormatInt(r.N, 10)
		p.runs = append(p.runs, namedRun{r, ref, ref})
	}
	if err := p.fold(ctx, report.Options{Metric: on}); err != nil {
		return err
	}
	if err := p.rank(ctx); err != nil {
		return err
	}
	if a.asJSON {
		return a.writeSummary(p.Report)
	}
	return layout.Text(a.env.Out, p.Report, a.env.style())
}
