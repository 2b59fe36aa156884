package run

import (
	"context"
	"errors"
	"fmt"
	"time"

	"verbatim"
)

// unsent reports whether err is the error of a request that was not sent.
func unsent(err error) bool {
	f, ok := errors.AsType[*verbatim.Failure](err)
	return !ok || len(f.Attempts) == 0
}

// gradeReply returns the record of a request: with the graded reply, or with the failure err. The
// request was sent at begun and took took.
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
		// The reply has no grade, so it is no answer. It was paid for, and its text is saved
		// with the attempt.
		rec.Outcome = verbatim.Errored
		rec.Failure = &verbatim.Failure{Class: verbatim.Content, Who: "grader", Err: err, Attempts: append(reply.Attempts,
			verbatim.Attempt{N: r.Attempt, Start: begun, Total: took, Class: verbatim.Content, Err: err.Error(), Partial: reply.Text, Cost: reply.Cost})}
		return rec
	}
	rec.Reply, rec.Grade, rec.Outcome = reply, &grade, grade.Outcome
	return rec
}

// attempt sends a request to a model, which writes *reply. A panic of the model is a failure of this
// request alone.
func attempt(ctx context.Context, m verbatim.Model, r *verbatim.Request, reply *verbatim.Reply) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = panicked(p)
		}
	}()
	return m.Ask(ctx, r, reply)
}

// panicked returns the failure of a model that panicked with the value p.
func panicked(p any) error {
	return &verbatim.Failure{Class: verbatim.Content, Who: "model", Hint: "this is a defect of verbatim: please report it", Err: fmt.Errorf("panic: %v", p)}
}

// judge grades a reply. The error is a panic of the grader, or a grade that no grader may give.
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

// failure returns a copy of the *verbatim.Failure that err is. Any other error becomes one of class
// transport or deadline.
func failure(err error) *verbatim.Failure {
	if f, ok := errors.AsType[*verbatim.Failure](err); ok {
		return new(*f) // attempts may be added to the copy
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return &verbatim.Failure{Class: verbatim.Deadline, Err: err}
	}
	return &verbatim.Failure{Class: verbatim.Transport, Err: err}
}

// outcome returns the outcome of a request with a failure. It is skipped if the model cannot take its
// prompt, or if the budget or the endpoint ended before it was sent: then it has no attempt.
func outcome(f *verbatim.Failure) verbatim.Outcome {
	switch {
	case f.Class == verbatim.Cut:
		return verbatim.CutOff
	case f.Class == verbatim.Unsupported, final(f) && len(f.Attempts) == 0:
		return verbatim.Skipped
	}
	return verbatim.Errored
}

// final reports whether a failure ends its lane: all further requests would fail too.
func final(f *verbatim.Failure) bool {
	return f.Class == verbatim.Quota || f.Class == verbatim.Auth
}
