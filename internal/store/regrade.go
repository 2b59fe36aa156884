package store

import (
	"context"
	"maps"
	"slices"

	"verbatim"

	"verbatim/internal/store/sqlite"
)

// A GradeFunc grades a reply to an item: grade.Try is one.
type GradeFunc func(it *verbatim.Item, text string, finish verbatim.Finish) (verbatim.Grade, error)

// A RegradeResult counts what a regrade did.
type RegradeResult struct {
	Replies int64         // replies that were graded
	Changed int64         // those with another verdict than before
	Passed  int64         // scores without a reply, which are passed over
	Failed  int64         // replies that the grader failed on: they keep their grades
	Named   []FailedReply // the first MaxNamed of them
}

// MaxNamed is the most replies in RegradeResult.Named.
const MaxNamed = 20

// A FailedReply is a reply that the grader failed on.
type FailedReply struct {
	Item  string // its id
	Trial int
	Err   error
}

// Regrade grades all replies of a run again. The new grades replace the old ones. A reply that the
// grader fails on keeps its grade and is named in the result.
//
// changed, unless it is nil, is called for every record with a new verdict, in planned order and
// after the new grade is saved. A verdict is a grade without its grader and its measures.
func (s *Store) Regrade(ctx context.Context, run int64, judge GradeFunc, changed func(before verbatim.Record, after verbatim.Grade)) (RegradeResult, error) {
	var done RegradeResult
	var group []regraded
	save := func() error {
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
	for rec, err := range s.Records(ctx, run, Read{Texts: true, Measures: true}) {
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
			if err := save(); err != nil {
				return done, err
			}
		}
	}
	err := save()
	return done, err
}

// A regraded is a record with its earlier grade, and its new grade.
type regraded struct {
	before verbatim.Record
	after  verbatim.Grade
}

// saveGrades saves the new grades of records of a run in one transaction.
func (s *Store) saveGrades(ctx context.Context, run int64, group []regraded) error {
	return s.file.Update(ctx, func(c *sqlite.Conn) error {
		k := newInserter(c)
		for _, p := range group {
			if old := p.before.Grade; old.Grader == p.after.Grader && sameVerdict(old, &p.after) && maps.Equal(old.Measures, p.after.Measures) {
				continue // nothing to write
			}
			if err := k.regrade(ctx, positionKey(run, p.before.Seq), &p.after); err != nil {
				return err
			}
		}
		return k.flushCounts()
	})
}

// sameVerdict reports whether two grades are equal, except for their graders and measures.
func sameVerdict(a, b *verbatim.Grade) bool {
	return a.Outcome == b.Outcome && a.Label == b.Label && a.Detail == b.Detail &&
		a.Exact == b.Exact && a.Extracted == b.Extracted && a.Repair == b.Repair && a.Rule == b.Rule &&
		equal(a.Span, b.Span) && equal(finite(a.Score), finite(b.Score)) && slices.Equal(a.Flags, b.Flags)
}

// equal reports whether two values that may be missing are equal.
func equal[T comparable](a, b *T) bool {
	return (a == nil) == (b == nil) && (a == nil || *a == *b)
}
