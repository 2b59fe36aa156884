package app

import (
	"context"
	"errors"
	"fmt"
	"slices"

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
	// counted is, by run, what the budget was charged with for earlier calls.
	counted map[int64]verbatim.Money
	pacers  []*pace.Pacer // of the lanes
	loads   []laneLoad    // of those of whose servers is known what they run at once
	lanes   []run.Lane
	result  run.Result
	// lastFailure is, by lane, why the newest request without an answer has none.
	lastFailure []*verbatim.Failure
	rooms       []*room // of the lanes
	empty       error   // of a run that was finished before, and whose answers are all empty
	// progress says how far a test is; nil: the plan is run to its end.
	progressText func() string
	watch        func(*verbatim.Record) // gets what is saved; may be nil
}

// A laneLoad is the load that a lane puts on a server whose context, or number of
// requests at once, is known.
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

// Missing returns the error of requests without an answer, where answered have one: how
// many they are, why, as far as that is known, and how to continue. It is nil if none is
// missing. It is nil too, after a note, if the run ended at the time that was planned: the
// requests that are missing were not sent then, and none failed.
func (j *Job) Missing(ctx, stop context.Context, answered int64) error {
	planned := j.plan.Count * int64(len(j.runs))
	if n := j.unsupported(); n > 0 {
		j.app.note("%d of %d requests were skipped: they have images, which the model does not take.", n, planned)
		planned -= n
	}
	if answered >= planned {
		var empty emptyError
		if j.emptyAnswers(&empty) {
			return errkind.Runtimef(empty.hint(j.app), "%s", empty.Error())
		}
		return nil
	}
	what := fmt.Sprintf("%d of %d requests have no answer yet", planned-answered, planned)
	out, err := j.inBatches(ctx)
	if err != nil {
		return err
	}
	if out > 0 {
		what += fmt.Sprintf("; %d of them are in batches, which continue by themselves and are collected when the run is continued", out)
	}
	if out == 0 && j.endedOnTime(stop) {
		j.app.note("The time of --for is over: %d of %d requests were not sent. Continue with: %s", planned-answered, planned, j.app.CommandLine())
		return nil
	}
	return j.unfinished(stop, what)
}

// unsupported returns the number of requests that models cannot take, such as pictures.
func (j *Job) unsupported() (n int64) {
	for _, l := range j.result.Lanes {
		n += l.Unsupported
	}
	return n
}

// endedOnTime reports whether nothing but Options.MaxTime ended the run.
func (j *Job) endedOnTime(stop context.Context) bool {
	why, _ := j.trouble()
	return j.options.MaxTime > 0 && !errkind.IsInterrupted(stop) && !j.outOfMoney() && why == ""
}

// unfinished is the error of requests without an answer, where what says how many.
func (j *Job) unfinished(stop context.Context, what string) error {
	hint := "continue with: " + j.app.CommandLine()
	if errkind.IsInterrupted(stop) {
		return &errkind.Error{Kind: errkind.Interrupted, Err: errors.New("interrupted: " + what), Hint: hint}
	}
	if j.outOfMoney() {
		b := j.budget.Balance()
		if b.Spent > b.Limit {
			what += fmt.Sprintf(": the budget of %v is less than what is spent already, %v", b.Limit, b.Spent)
		} else {
			what += fmt.Sprintf(": of the budget of %v %v is spent, and the next request may cost more than the rest", b.Limit, b.Spent)
		}
		if b.Spent == 0 && j.roomUnknown() {
			hint = "give a larger budget, or --reasoning-tokens 0 for models that do not reason: without it a request may cost " +
				"what its room for reasoning costs"
			return errkind.Runtimef(hint, "%s", what)
		}
		hint = "continue with a larger budget: " + j.app.commandLine(replaceFlag(j.app.Args, "--budget", "DOLLARS"))
	} else if why, advice := j.trouble(); why != "" {
		what += ": " + why
		var empty emptyError
		switch {
		case j.emptyAnswers(&empty):
			hint = empty.hint(j.app)
		case advice != "":
			hint = advice + "; then " + hint
		}
	} else if j.options.MaxTime > 0 {
		what += ": the time is up"
	}
	return errkind.Runtimef(hint, "%s", what)
}

// emptyAnswers reports whether a lane ended, or a finished run is saved, whose answers are all
// empty.
func (j *Job) emptyAnswers(e *emptyError) bool {
	return slices.ContainsFunc(j.result.Lanes, func(l run.LaneResult) bool { return errors.As(l.Err, e) }) || errors.As(j.empty, e)
}

// roomUnknown reports whether a model may still have room that it does not need.
func (j *Job) roomUnknown() bool {
	for _, r := range j.rooms {
		r.mu.Lock()
		unknown := !r.plain && !r.reasons && r.answers < firstAnswers && r.params.ReasoningTokens > 0
		r.mu.Unlock()
		if unknown {
			return true
		}
	}
	return false
}

// inBatches returns the number of requests that are in batches of the provider.
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
		var f *verbatim.Failure
		if errors.As(l.Err, &f) && f.Class == verbatim.Quota && f.Who == "budget" {
			return j.budget != nil
		}
	}
	return false
}

// trouble says why requests have no answer, as far as one sentence can, and what to do
// about it.
func (j *Job) trouble() (why, advice string) {
	for i, l := range j.result.Lanes {
		err := l.Err
		if err == nil && j.lastFailure[i] != nil {
			err = j.lastFailure[i]
		}
		if err == nil {
			continue
		}
		_, hint := Describe(err)
		return terminal.Visible(err.Error()), hint
	}
	return "", ""
}
