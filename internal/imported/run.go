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
}

// Save grades the replies of a run that another tool made, and saves it. A run that was
// imported before goes on where it ended.
func Save(ctx context.Context, s *store.Store, r exchange.Run) (done Result, err error) {
	done.Run, err = begin(ctx, s, r.Run)
	if err != nil {
		return done, err
	}
	now := &done.Run
	places, err := s.Positions(ctx, now.N)
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
		if places.Answered(rec.Seq) {
			done.Known++
			continue
		}
		if gradeReply(&rec) {
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

// endOf is when an imported run ended: as its file says, or else no later than it
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

// gradeReply grades a reply with our graders and reports whether what its
// file says of it (its strict verdict) is another.
func gradeReply(rec *verbatim.Record) (differs bool) {
	if rec.Reply == nil {
		return false
	}
	given := rec.Grade
	if !strings.HasSuffix(rec.Item.Grader, "-reference") && rec.Item.Grader != "sortbench" {
		reasoning.SplitCommon(rec.Reply) // the reference editions read it themselves
	}
	g := grade.Of(rec.Item, rec.Reply.Text, rec.Reply.Finish)
	rec.Grade, rec.Outcome = &g, g.Outcome
	return given != nil && given.Exact != g.Exact
}
