package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"verbatim"
	"verbatim/internal/errkind"
	"verbatim/internal/library"
	"verbatim/internal/pace"
	"verbatim/internal/run"
	"verbatim/internal/store"
	"verbatim/internal/terminal"
)

// A Job is the runs of one command, one for each model.
type Job struct {
	app     *App
	options Options
	plan    Plan
	store   *store.Store
	targets []target

	runs   []verbatim.Run
	budget *pace.Budget // nil: none
	// counted is the cost of each run that the budget was charged with.
	counted map[int64]verbatim.Money
	pacers  []*pace.Pacer // of the lanes
	loads   []laneLoad
	lanes   []run.Lane
	result  run.Result
	// lastFailure is the failure of the newest request without an answer, for each lane.
	lastFailure []*verbatim.Failure
	limiters    []*run.Limiter // of the lanes
	compared    bool           // a test compares the answers with those of a baseline
	empty       error          // the error of a finished run whose answers are all empty
	// progressText describes how far a test is; nil: the plan is run to its end.
	progressText func() string
	watch        func(*verbatim.Record) // called for every saved record; may be nil
}

// A laneLoad is the load of a lane on a server whose context or number of requests at once is
// known.
type laneLoad struct {
	run     int64
	pacer   *pace.Pacer
	slots   int
	context int64 // 0: not known
}

// Close closes the models and the database.
func (j *Job) Close() {
	if j.store != nil {
		j.store.Close()
	}
	closeTargets(j.targets)
}

// beginRun finds or makes the run of a target, and saves the proof that this command opened its model.
// Existed reports whether the run was saved before.
func (j *Job) beginRun(ctx context.Context, want verbatim.Run, t target) (r verbatim.Run, existed bool, err error) {
	r, existed, err = j.store.Begin(ctx, want, j.options.New)
	if err == nil {
		err = j.app.prove(ctx, j.store, r, t.options)
	}
	return r, existed, err
}

// endpoints returns the present states of the endpoints.
func (j *Job) endpoints() []pace.State {
	var states []pace.State
	for _, p := range j.pacers {
		states = append(states, p.State())
	}
	return states
}

// Saved returns the runs as they are saved now, with their number of answers.
func (j *Job) Saved(ctx context.Context) (runs []library.SavedRun, answered int64, err error) {
	for _, r := range j.runs {
		tally, err := j.store.Tally(ctx, r.N)
		if err != nil {
			return nil, 0, err
		}
		answered += tally.Answered()
		now, err := j.store.Find(ctx, fmt.Sprint(r.N), "")
		if err != nil {
			return nil, 0, err
		}
		runs = append(runs, library.SavedRun{Run: now, Store: j.store})
	}
	return runs, answered, nil
}

// Missing returns the error of a job with this number of answers: how many requests have none, the
// reason if it is known, and how to continue. It returns nil if every request has an answer. If the
// job ended at its time limit and none of its requests failed, it prints a note and returns nil.
func (j *Job) Missing(ctx, stop context.Context, answered int64) error {
	planned := j.plan.Count * int64(len(j.runs))
	images, shortened := j.skipped()
	if images > 0 {
		j.app.note("%d of %d requests were skipped: they have images, which the model does not take.", images, planned)
	}
	if shortened > 0 {
		j.app.note("%d of %d requests have no answer (prompt_shortened): the endpoint shortens long prompts, by its count of their tokens. What it answered is not graded, and longer prompts were not sent. Raise the context of the server and start again with --new, or use shorter lengths.", shortened, planned)
	}
	planned -= images + shortened
	if answered >= planned {
		if empty, ok := j.emptyAnswers(); ok {
			return errkind.Runtimef(j.emptyHint(empty), "%s", empty.Error())
		}
		return nil
	}
	what := fmt.Sprintf("%d of %d requests have no answer yet", planned-answered, planned)
	pending, err := j.inBatches(ctx)
	if err != nil {
		return err
	}
	failed := int64(0)
	for _, r := range j.runs {
		t, err := j.store.Tally(ctx, r.N)
		if err != nil {
			return err
		}
		failed += t[verbatim.CutOff] + t[verbatim.Errored]
	}
	if unsent := planned - answered - failed - int64(pending); failed > 0 && unsent > 0 {
		what += fmt.Sprintf(": %d failed, and %d were not sent", failed, unsent)
		if j.endedOnTime(stop) {
			what += " before the time of --for was over"
		}
	}
	if pending > 0 {
		what += fmt.Sprintf("; %d of them are in batches, which continue by themselves and are collected when the run is continued", pending)
	}
	if why, _ := j.trouble(); pending == 0 && why == "" && j.endedOnTime(stop) {
		j.app.note("The time of --for is over: %d of %d requests were not sent. Continue with: %s", planned-answered, planned, j.app.CommandLine())
		return nil
	}
	return j.Unfinished(stop, what)
}

// skipped returns the numbers of requests that the models cannot take: those with images, and those
// with prompts that the endpoint shortens.
func (j *Job) skipped() (images, shortened int64) {
	for _, l := range j.result.Lanes {
		images += l.Unsupported
		shortened += l.Shortened
	}
	return images, shortened
}

// endedOnTime reports whether nothing but Options.MaxTime ended the run.
func (j *Job) endedOnTime(stop context.Context) bool {
	return j.options.MaxTime > 0 && !errkind.IsInterrupted(stop) && !j.outOfMoney() && !slices.ContainsFunc(j.result.Lanes, func(l run.LaneResult) bool { return l.Err != nil })
}

// Unfinished returns the error of requests without an answer, with the reason if it is known and a
// hint how to continue. What says how many they are.
func (j *Job) Unfinished(stop context.Context, what string) error {
	hint := "continue with: " + j.app.CommandLine()
	if errkind.IsInterrupted(stop) {
		return &errkind.Error{Kind: errkind.Interrupted, Err: errors.New("interrupted: " + what), Hint: hint}
	}
	if j.outOfMoney() {
		return j.budgetError(what)
	}
	if why, advice := j.trouble(); why != "" {
		if empty, ok := j.emptyAnswers(); ok {
			hint = j.emptyHint(empty)
		} else if advice != "" {
			hint = advice + "; then " + hint
		}
		return errkind.Runtimef(hint, "%s: %s", what, why)
	}
	if j.options.MaxTime > 0 {
		what += ": the time is up"
	}
	return errkind.Runtimef(hint, "%s", what)
}

// budgetError returns the error of requests that were not sent because of the budget. What says how
// many they are.
func (j *Job) budgetError(what string) error {
	b := j.budget.Balance()
	if b.Spent > b.Limit {
		what += fmt.Sprintf(": the budget of %v is less than what is spent already, %v", b.Limit, b.Spent)
	} else {
		what += fmt.Sprintf(": of the budget of %v %v is spent, and the next request may cost more than the rest", b.Limit, b.Spent)
	}
	if b.Spent == 0 && j.reasoningUnknown() {
		return errkind.Runtimef("give a larger budget, or --reasoning-tokens 0 for models that do not reason: without it a request may cost "+
			"what its room for reasoning costs", "%s", what)
	}
	return errkind.Runtimef("continue with a larger budget: "+j.app.commandLine(setFlag(j.app.Args, "DOLLARS", "--budget")), "%s", what)
}

// emptyAnswers returns the error of a lane that ended, or of a finished run, because all answers are
// empty; false without such an error.
func (j *Job) emptyAnswers() (run.EmptyError, bool) {
	for _, l := range j.result.Lanes {
		if e, ok := errors.AsType[run.EmptyError](l.Err); ok {
			return e, true
		}
	}
	return errors.AsType[run.EmptyError](j.empty)
}

// emptyHint returns what to do about empty answers, with the command that raises the limit.
func (j *Job) emptyHint(e run.EmptyError) string {
	if e.Flag == "" {
		_, hint := Describe(e)
		return hint
	}
	return e.Advice + ": " + j.app.commandLine(setFlag(j.app.Args, strconv.Itoa(e.Tokens), e.Flag))
}

// reasoningUnknown reports whether requests of a model still have tokens for reasoning that they may
// not need.
func (j *Job) reasoningUnknown() bool {
	return slices.ContainsFunc(j.limiters, (*run.Limiter).MayShrink)
}

// inBatches returns the number of requests without an answer that are in batches of the provider.
func (j *Job) inBatches(ctx context.Context) (n int, err error) {
	for _, r := range j.runs {
		positions, err := j.store.Positions(ctx, r.N)
		if err != nil {
			return 0, err
		}
		batches, err := j.store.Batches(ctx, r.N)
		if err != nil {
			return 0, err
		}
		for _, b := range batches {
			for _, seq := range b.Positions {
				if b.Pending() && positions.Pending(seq) {
					n++
				}
			}
		}
	}
	return n, nil
}

// outOfMoney reports whether the budget ended a lane.
func (j *Job) outOfMoney() bool {
	for _, l := range j.result.Lanes {
		if f, ok := errors.AsType[*verbatim.Failure](l.Err); ok && f.Class == verbatim.Quota && f.Who == "budget" {
			return j.budget != nil
		}
	}
	return false
}

// ended says why a test ended before its verdict; "" if the reason is unknown. What names what was
// left to send, such as "requests".
func (j *Job) ended(what string) string {
	if j.outOfMoney() {
		return "the budget does not suffice for the next " + what
	}
	why, _ := j.trouble()
	if why == "" && j.options.MaxTime > 0 {
		return "the time is up"
	}
	return why
}

// trouble returns the first known reason why requests have no answer, and what to do about it; ""
// if none is known.
func (j *Job) trouble() (why, advice string) {
	for i, l := range j.result.Lanes {
		err := l.Err
		if err == nil && j.lastFailure[i] != nil {
			err = j.lastFailure[i]
		}
		if err != nil {
			_, hint := Describe(err)
			return terminal.Visible(err.Error()), hint
		}
	}
	return "", ""
}
