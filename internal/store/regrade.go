package store

import (
	"context"
	"maps"
	"slices"

	"verbatim"
	"verbatim/internal/store/rows"
	"verbatim/internal/store/sqlite"
)

// A GradeFunc grades a reply, or says why it cannot: package grade has it.
type GradeFunc func(it *verbatim.Item, text string, finish verbatim.Finish) (verbatim.Grade, error)

// RegradeResult counts what a regrade did.
type RegradeResult struct {
	Replies int64         // judged
	Changed int64         // of them, judged differently than by their newest grade before
	Passed  int64         // scores without a reply, which cannot be judged
	Failed  int64         // replies that the grader failed on: their grades stay as they were
	Named   []FailedReply // the first MaxNamed of them
}

// MaxNamed is the most replies that RegradeResult.Named lists.
const MaxNamed = 20

// A FailedReply is a reply that could not be graded.
type FailedReply struct {
	Item  string // its id
	Trial int
	Err   error
}

// Regrade judges all replies of a run again, and keeps the new grades next to
// those of other versions; one of the same version takes the place of the old.
// Nothing is asked. changed, which may be nil, is called for every record whose
// verdict is another now, with its grade from before, in planned order and after
// the new grade is saved; its measures do not count as verdict. A reply that the grader fails
// on keeps its grade and is named in the result.
func (s *Store) Regrade(ctx context.Context, run int64, judge GradeFunc, changed func(before verbatim.Record, after verbatim.Grade)) (RegradeResult, error) {
	var done RegradeResult
	var group []regraded
	keep := func() error {
		if err := s.saveGrades(ctx, run, group); err != nil {
			return err
		}
		for _, p := range group {
			done.Replies++
			if !sameVerdict(p.before.Grade, &p.after) {
				done.Changed++
				if changed != nil {
					changed(p.before, p.after)
				}
			}
		}
		group = group[:0]
		return nil
	}
	for rec, err := range s.Records(ctx, run, rows.Read{Texts: true, Measures: true}) {
		if err != nil {
			return done, err
		}
		if !rec.Outcome.Answered() {
			continue
		}
		if rec.Reply == nil {
			done.Passed++
			continue
		}
		g, err := judge(rec.Item, rec.Reply.Text, rec.Reply.Finish)
		if err != nil {
			if done.Failed++; len(done.Named) < MaxNamed {
				done.Named = append(done.Named, FailedReply{rec.Item.ID, rec.Trial, err})
			}
			continue
		}
		group = append(group, regraded{rec, g})
		if len(group) == GroupSize {
			if err := keep(); err != nil {
				return done, err
			}
		}
	}
	return done, keep()
}

// A regraded record has a grade from before and a new one.
type regraded struct {
	before verbatim.Record
	after  verbatim.Grade
}

// saveGrades saves the new grades of records of a run in one transaction.
func (s *Store) saveGrades(ctx context.Context, run int64, group []regraded) error {
	return s.file.Update(ctx, func(c *sqlite.Conn) error {
		k := rows.NewInserter(c)
		for _, p := range group {
			if old := p.before.Grade; old.Grader == p.after.Grader && sameVerdict(old, &p.after) && maps.Equal(old.Measures, p.after.Measures) {
				continue // nothing to write
			}
			if err := k.Regrade(ctx, rows.PositionKey(run, p.before.Seq), &p.after); err != nil {
				return err
			}
		}
		return k.FlushCounts()
	})
}

// sameVerdict reports whether two grades say the same, whatever their graders.
func sameVerdict(a, b *verbatim.Grade) bool {
	as, bs := rows.Finite(a.Score), rows.Finite(b.Score)
	return a.Outcome == b.Outcome && a.Label == b.Label && a.Detail == b.Detail &&
		a.Exact == b.Exact && a.Extracted == b.Extracted && a.Repair == b.Repair && a.Rule == b.Rule && sameSpan(a.Span, b.Span) &&
		(as == nil) == (bs == nil) && (as == nil || *as == *bs) && slices.Equal(a.Flags, b.Flags)
}

func sameSpan(a, b *verbatim.Span) bool {
	return (a == nil) == (b == nil) && (a == nil || *a == *b)
}
