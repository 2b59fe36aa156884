package cli

import (
	"context"
	"strings"
	"time"

	"verbatim"
	"verbatim/internal/exchange"
	"verbatim/internal/grade"
	"verbatim/internal/reasoning"
	"verbatim/internal/store"
)

// A Result is the run that Save has saved, with numbers of its records.
type importedRun struct {
	Run    verbatim.Run
	Saved  int64 // records that were saved
	Known  int64 // records that the database had already
	Differ int64 // saved replies that the file grades differently than this program
	Failed int64 // saved replies that a grader failed on: another import grades them again
}

// saveImported grades the replies of a run that another tool made, and saves it. If the run was imported
// before, Save adds the records without an answer.
func saveImported(ctx context.Context, s *store.Store, r exchange.Run) (importedRun, error) {
	return save(ctx, s, r, grade.Try)
}

// save is Save with another function than grade.Try.
func save(ctx context.Context, s *store.Store, r exchange.Run, try store.GradeFunc) (done importedRun, err error) {
	done.Run, err = begin(ctx, s, r.Run)
	if err != nil {
		return done, err
	}
	n := done.Run.N
	positions, err := s.Positions(ctx, n)
	if err != nil {
		return done, err
	}
	w, err := s.Write(ctx, nil, n)
	if err != nil {
		return done, err
	}
	defer w.Close()
	unsupported := int64(0) // records of items that the model does not support
	for rec, err := range r.Records {
		if err != nil {
			return done, err
		}
		if rec.Failure != nil && rec.Failure.Class == verbatim.Unsupported {
			unsupported++
		}
		if positions.Answered(rec.Seq) {
			done.Known++
			continue
		}
		differs, err := gradeReply(&rec, try)
		switch {
		case err != nil:
			fail(&rec, err)
			done.Failed++
		case differs:
			done.Differ++
		}
		if err := w.Put(ctx, n, rec); err != nil {
			return done, err
		}
		done.Saved++
	}
	if err := w.Close(); err != nil {
		return done, err
	}
	_, err = s.End(ctx, n, unsupported, endOf(r.Run))
	return done, err
}

// endOf returns the end of an imported run. If its file has none, it is the start, because the
// duration of the run is unknown; without a start it is now.
func endOf(r verbatim.Run) time.Time {
	switch {
	case !r.Ended.IsZero():
		return r.Ended
	case !r.Started.IsZero():
		return r.Started
	}
	return time.Now()
}

// begin returns the run as which r was imported before, or a new one. If r has a start, only a run
// with the same start is the same evaluation.
func begin(ctx context.Context, s *store.Store, r verbatim.Run) (verbatim.Run, error) {
	if r.Started.IsZero() {
		begun, _, err := s.Begin(ctx, r, false)
		return begun, err
	}
	list, err := s.Runs(ctx)
	if err != nil {
		return r, err
	}
	for _, known := range list {
		if known.Plan.Hash == r.Plan.Hash && known.Model == r.Model && known.Origin == r.Origin && known.Started.Equal(r.Started) {
			return known.Run, nil
		}
	}
	begun, _, err := s.Begin(ctx, r, true)
	return begun, err
}

// gradeReply grades the reply of a record, if it has one. differs says that the grade of its file
// has another value of Exact.
func gradeReply(rec *verbatim.Record, try store.GradeFunc) (differs bool, err error) {
	if rec.Reply == nil {
		return false, nil
	}
	given := rec.Grade
	if !strings.HasSuffix(rec.Item.Grader, "-reference") && rec.Item.Grader != "sortbench" {
		reasoning.SplitCommon(rec.Reply) // the graders of reference editions do so themselves
	}
	g, err := try(rec.Item, rec.Reply.Text, rec.Reply.Finish)
	if err != nil {
		return false, err
	}
	rec.Grade, rec.Outcome = &g, g.Outcome
	return given != nil && given.Exact != g.Exact, nil
}

// fail turns a reply that could not be graded into a failed attempt with its text, as a run does:
// the item has no answer then.
func fail(rec *verbatim.Record, err error) {
	r := rec.Reply
	rec.Failure = &verbatim.Failure{Class: verbatim.Content, Who: "grader", Err: err, Attempts: append(r.Attempts,
		verbatim.Attempt{N: len(r.Attempts) + 1, Start: r.Times.Start, Total: r.Times.Total, Class: verbatim.Content, Err: err.Error(), Partial: r.Text, Cost: r.Cost})}
	rec.Reply, rec.Grade, rec.Outcome = nil, nil, verbatim.Errored
}
