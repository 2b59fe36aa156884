package store

import (
	"context"
	"maps"
	"slices"

	"verbatim"
	"verbatim/internal/store/sqlite"
)

// A Judge is a grader: package grade has it.
type GradeFunc func(it *verbatim.Item, text string, finish verbatim.Finish) verbatim.Grade

// RegradeResult counts what a regrade did.
type RegradeResult struct {
	Replies int64 // judged
	Changed int64 // of them, judged differently than by their newest grade before
	Passed  int64 // scores without a reply, which cannot be judged
}

// Regrade judges all replies of a run again, and keeps the new grades next to
// those of other versions; one of the same version takes the place of the old.
// Nothing is asked. changed, which may be nil, is called for every record whose
// verdict is another now, with its grade from before, in planned order and after
// the new grade is saved; its measures do not count as verdict.
func (s *Store) Regrade(ctx context.Context, run int64, judge GradeFunc, changed func(before verbatim.Record, after verbatim.Grade)) (RegradeResult, error) {
	var done RegradeResult
	type pair struct {
		before verbatim.Record
		after  verbatim.Grade
	}
	var group []pair
	keep := func() error {
		err := s.file.Update(ctx, func(c *sqlite.Conn) error {
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
		if err != nil {
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
		group = append(group, pair{rec, judge(rec.Item, rec.Reply.Text, rec.Reply.Finish)})
		if len(group) == GroupSize {
			if err := keep(); err != nil {
				return done, err
			}
		}
	}
	return done, keep()
}

// regrade keeps another grade of an answered place, and makes it the one that
// the record shows unless a newer version of the same grader has judged.
func (k *inserter) regrade(ctx context.Context, place int64, g *verbatim.Grade) error {
	by, err := k.addGrade(ctx, place, g)
	if err != nil {
		return err
	}
	name, version := splitGrader(g.Grader)
	if byName, byVersion := splitGrader(by); name == byName && version < byVersion {
		return nil
	}
	return k.promote(ctx, place, g)
}

// addGrade keeps a grade next to those of other versions, and returns the grader
// whose grade the record shows.
func (k *inserter) addGrade(ctx context.Context, place int64, g *verbatim.Grade) (by string, err error) {
	version, err := k.words.id(g.Grader)
	if err != nil {
		return "", err
	}
	had, err := k.c.QueryOne(ctx, func(*sqlite.Rows) {}, `SELECT 1 FROM grade WHERE place = ? AND grader = ?`, place, version)
	if err != nil {
		return "", err
	}
	if _, _, err := k.grade(place, g); err != nil {
		return "", err
	}
	if !had {
		k.tally[tallyKey{place >> 32, version, -1}]++
	}
	_, err = k.c.QueryOne(ctx, func(r *sqlite.Rows) { by = r.Text() }, `SELECT text FROM reply JOIN word ON word.id = grader WHERE place = ?`, place)
	return by, err
}

// promote makes a grade that is saved the one that the record shows. The counts
// are taken from the file as it is now: another process may have regraded it.
func (k *inserter) promote(ctx context.Context, place int64, g *verbatim.Grade) error {
	outcome, err := codeOf(outcomes, g.Outcome)
	if err != nil {
		return err
	}
	grader, err := k.words.id(g.Grader)
	if err != nil {
		return err
	}
	old := tallyKey{run: place >> 32}
	var it savedItem
	var trial int
	if _, err := k.c.QueryOne(ctx, func(r *sqlite.Rows) {
		old.grader, old.outcome, trial = r.Int(), r.Int(), int(r.Int())
		it = savedItem{id: r.Int(), tail: r.Raw(), series: r.Int(), facts: r.Int(), grader: r.Int()}
	}, `SELECT r.grader, r.outcome, r.trial, i.id, i.tail, i.series, i.facts, i.grader FROM reply r JOIN item i ON i.id = r.item WHERE place = ?`, place); err != nil {
		return err
	}
	brief, err := k.brief(place, it, trial, outcome, g)
	if err != nil {
		return err
	}
	k.tally[old]--
	k.tally[tallyKey{old.run, grader, outcome}]++
	_, _, err = k.c.Exec(`UPDATE reply SET grader = ?, outcome = ?, brief = ? WHERE place = ?`, grader, outcome, brief, place)
	return err
}

// sameVerdict reports whether two grades say the same, whoever says it.
func sameVerdict(a, b *verbatim.Grade) bool {
	as, bs := finite(a.Score), finite(b.Score)
	return a.Outcome == b.Outcome && a.Label == b.Label && a.Detail == b.Detail &&
		a.Exact == b.Exact && a.Extracted == b.Extracted && a.Repair == b.Repair &&
		(as == nil) == (bs == nil) && (as == nil || *as == *bs) && slices.Equal(a.Flags, b.Flags)
}
