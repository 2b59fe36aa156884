package run

import (
	"context"
	"errors"
	"fmt"
	"time"

	"verbatim"
)

// unsent reports whether an error is of a request that was not sent.
func unsent(err error) bool {
	var f *verbatim.Failure
	return !errors.As(err, &f) || len(f.Attempts) == 0
}

// gradeReply makes the record of what came back of a request that was asked then and
// took so long.
func (l *lane) gradeReply(r *verbatim.Request, reply *verbatim.Reply, err error, begun time.Time, took time.Duration) verbatim.Record {
	rec := verbatim.Record{Seq: r.Seq, Item: r.Item, Trial: r.Trial, Prompt: r.Prompt, MaxTokens: r.MaxTokens}
	if err != nil {
		rec.Failure = failure(err)
		rec.Outcome = outcome(rec.Failure)
		if len(rec.Failure.Attempts) == 0 && rec.Outcome != verbatim.Skipped {
			rec.Failure.Attempts = []verbatim.Attempt{{N: r.Attempt, Start: begun, Total: took,
				Status: rec.Failure.Status, Class: rec.Failure.Class, Err: err.Error()}}
		}
		return rec
	}
	if reply.Times.Start.IsZero() {
		reply.Times.Start, reply.Times.Total = begun, took
	}
	grade, err := judge(l.e.Grade, r.Item, reply)
	if err != nil {
		// The answer was paid for and is not lost: it is in the attempt. But what
		// no grader has seen is no answer yet.
		rec.Outcome = verbatim.Errored
		rec.Failure = &verbatim.Failure{Class: verbatim.Content, Who: "grader", Err: err, Attempts: append(reply.Attempts,
			verbatim.Attempt{N: r.Attempt, Start: begun, Total: took, Class: verbatim.Content, Err: err.Error(), Partial: reply.Text, Cost: reply.Cost})}
		return rec
	}
	rec.Reply, rec.Grade, rec.Outcome = reply, &grade, grade.Outcome
	return rec
}

// attempt asks a model for a reply in *reply. A model that panics has failed at this
// request and at no other.
func attempt(ctx context.Context, m verbatim.Model, r *verbatim.Request, reply *verbatim.Reply) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = panicked(p)
		}
	}()
	return verbatim.AskInPlace(ctx, m, r, reply)
}

// panicked makes a failure of a model's panic.
func panicked(p any) error {
	return &verbatim.Failure{Class: verbatim.Content, Who: "model", Hint: "this is a defect of verbatim: please report it", Err: fmt.Errorf("panic: %v", p)}
}

// judge grades a reply.
func judge(grade func(*verbatim.Item, string, verbatim.Finish) verbatim.Grade, it *verbatim.Item, r *verbatim.Reply) (g verbatim.Grade, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("grading item %q: panic: %v", it.ID, p)
		}
	}()
	g = grade(it, r.Text, r.Finish)
	if !g.Outcome.Answered() || g.Grader == "" {
		err = fmt.Errorf("grading item %q: a grade by %q says %q", it.ID, g.Grader, g.Outcome)
	}
	return g, err
}

// failure makes a Failure of an error of which no more is known than its text.
func failure(err error) *verbatim.Failure {
	var f *verbatim.Failure
	switch {
	case errors.As(err, &f):
		own := *f // the attempts are ours to add to
		return &own
	case errors.Is(err, context.DeadlineExceeded):
		return &verbatim.Failure{Class: verbatim.Deadline, Err: err}
	}
	return &verbatim.Failure{Class: verbatim.Transport, Err: err}
}

// outcome says what a failure makes of a request. An end of the budget or of the
// endpoint that comes before it is sent skips it: there is no attempt. So does a prompt that
// the model cannot take.
func outcome(f *verbatim.Failure) verbatim.Outcome {
	switch {
	case f.Class == verbatim.Cut:
		return verbatim.CutOff
	case f.Class == verbatim.Unsupported, final(f) && len(f.Attempts) == 0:
		return verbatim.Skipped
	}
	return verbatim.Errored
}

// final reports whether a failure ends its lane: asking on would only fail again.
func final(f *verbatim.Failure) bool {
	return f.Class == verbatim.Quota || f.Class == verbatim.Auth
}
