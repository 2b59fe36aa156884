// Package imported saves the runs that another tool made, with grades of this program. Start
// reading at Save.
package imported

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

// A Result says what became of a run of another tool.
type Result struct {
	Run    verbatim.Run
	Saved  int64 // records
	Known  int64 // records that the database had already
	Differ int64 // replies that the file grades otherwise than our graders
	Failed int64 // replies that a grader failed on: saved as attempts, and graded by another import
}

// Save grades the replies of a run that another tool made, and saves it. A run that was
// imported before goes on where it ended.
func Save(ctx context.Context, s *store.Store, r exchange.Run) (Result, error) {
	return save(ctx, s, r, grade.Try)
}

// save saves a run with the grades that the function of gives.
func save(ctx context.Context, s *store.Store, r exchange.Run, of store.GradeFunc) (done Result, err error) {
	done.Run, err = begin(ctx, s, r.Run)
	if err != nil {
		return done, err
	}
	now := &done.Run
	positions, err := s.Positions(ctx, now.N)
	if err != nil {
		return done, err
	}
	w, err := s.Write(ctx, nil, now.N)
	if err != nil {
		return done, err
	}
	defer w.Close()
	unsupported := int64(0) // records of items that the model could not take
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
		differs, err := gradeReply(&rec, of)
		switch {
		case err != nil:
			ungraded(&rec, err)
			done.Failed++
		case differs:
			done.Differ++
		}
		if err := w.Put(ctx, now.N, rec); err != nil {
			return done, err
		}
		done.Saved++
	}
	if err := w.Close(); err != nil {
		return done, err
	}
	if _, err := s.End(ctx, now.N, unsupported, endOf(r.Run)); err != nil {
		return done, err
	}
	return done, nil
}

// endOf is when an imported run ended: as its file says, otherwise the time at which it
// began. How long it took is not known then, least of all by the import.
func endOf(r verbatim.Run) time.Time {
	switch {
	case !r.Ended.IsZero():
		return r.Ended
	case !r.Started.IsZero():
		return r.Started
	}
	return time.Now()
}

// begin returns the run that r was imported as before, or a new one. Where the
// file says when it was asked, this distinguishes two evaluations of the same items.
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

// gradeReply grades a reply with one of our graders and reports whether what its
// file says of it (its strict verdict) is another.
func gradeReply(rec *verbatim.Record, of store.GradeFunc) (differs bool, err error) {
	if rec.Reply == nil {
		return false, nil
	}
	given := rec.Grade
	if !strings.HasSuffix(rec.Item.Grader, "-reference") && rec.Item.Grader != "sortbench" {
		reasoning.SplitCommon(rec.Reply) // the reference editions read it themselves
	}
	g, err := of(rec.Item, rec.Reply.Text, rec.Reply.Finish)
	if err != nil {
		return false, err
	}
	rec.Grade, rec.Outcome = &g, g.Outcome
	return given != nil && given.Exact != g.Exact, nil
}

// ungraded makes a failed attempt of a reply that could not be graded, as a run does: the text
// is saved, and the item counts as not answered.
func ungraded(rec *verbatim.Record, err error) {
	r := rec.Reply
	rec.Failure = &verbatim.Failure{Class: verbatim.Content, Who: "grader", Err: err, Attempts: append(r.Attempts,
		verbatim.Attempt{N: len(r.Attempts) + 1, Start: r.Times.Start, Total: r.Times.Total, Class: verbatim.Content, Err: err.Error(), Partial: r.Text, Cost: r.Cost})}
	rec.Reply, rec.Grade, rec.Outcome = nil, nil, verbatim.Errored
}
