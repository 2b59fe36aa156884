package store

import (
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/bits"
	"slices"

	"verbatim"
	"verbatim/internal/store/sqlite"
)

// grade saves the grade of a position, and replaces an older one. It returns the word of the grader
// and the code of the outcome.
func (k *inserter) grade(position int64, g *verbatim.Grade) (grader, outcome int64, err error) {
	args, grader, outcome, err := k.gradeRow(k.args[:0], position, g)
	if err == nil {
		_, _, err = k.c.Exec(`INSERT OR REPLACE`+intoGrade+gradeValues, args...)
	}
	return grader, outcome, err
}

const (
	intoGrade   = ` INTO grade (place, grader, outcome, label, exact, extracted, score, repair, flags, detail, measures, rule, span) VALUES `
	gradeValues = `(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
)

// gradeRow appends the values of intoGrade to args. It also returns the word of the grader and
// the code of the outcome.
func (k *inserter) gradeRow(args []any, position int64, g *verbatim.Grade) (row []any, grader, outcome int64, err error) {
	if outcome, err = codeOf(outcomes, g.Outcome); err != nil {
		return nil, 0, 0, err
	}
	if !g.Outcome.Answered() || g.Grader == "" {
		return nil, 0, 0, fmt.Errorf("a grade needs a grader and the outcome of an answer: it has %q and %q", g.Grader, g.Outcome)
	}
	w := k.Words
	grader = w.Id(g.Grader)
	row = append(args, position, grader, outcome, w.Id(clean(g.Label)), g.Exact, g.Extracted, finite(g.Score), w.maybe(clean(g.Repair)),
		w.maybe(encodeFlags(g.Flags)), blobOf(g.Detail), k.measures(g.Measures), w.maybe(clean(g.Rule)), packSpan(g.Span))
	return row, grader, outcome, w.Err
}

// packSpan packs a span into one number; nil for no span.
func packSpan(s *verbatim.Span) any {
	if s == nil {
		return nil
	}
	return int64(s.Start)<<32 | int64(s.End)
}

// unpackSpan unpacks what packSpan packed.
func unpackSpan(packed *int64) *verbatim.Span {
	if packed == nil {
		return nil
	}
	return &verbatim.Span{Start: int(*packed >> 32), End: int(*packed & (1<<32 - 1))}
}

// measures packs measures as pairs of uvarints: the word of the name, and the bits of the number
// in reversed order of bytes, so that 0 takes one byte and a small integer three. Numbers that
// are not finite are left out.
func (k *inserter) measures(m map[string]float64) any {
	if len(m) == 0 {
		return nil
	}
	b := make([]byte, 0, 128)
	for name, v := range m {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			continue
		}
		b = binary.AppendUvarint(b, uint64(k.Words.Id(clean(name))))
		b = binary.AppendUvarint(b, bits.ReverseBytes64(math.Float64bits(v)))
	}
	return b
}

// measures unpacks what inserter.measures has packed into the map to, or into a new one if to is
// nil.
func (m *stringTable) measures(to map[string]float64, packed []byte) map[string]float64 {
	if to == nil && len(packed) > 0 {
		to = make(map[string]float64, 8)
	}
	for len(packed) > 0 {
		id, n := binary.Uvarint(packed)
		v, k := binary.Uvarint(packed[max(n, 0):])
		if n <= 0 || k <= 0 {
			m.err = cmp.Or(m.err, error(sqlite.UnreadableError(m.c.Path, "the measures of a grade", nil)))
			return nil
		}
		packed = packed[n+k:]
		to[m.Lookup(int64(id))] = math.Float64frombits(bits.ReverseBytes64(v))
	}
	return to
}

func encodeFlags(flags []string) string {
	if len(flags) == 0 {
		return ""
	}
	b, _ := json.Marshal(flags) // a list of strings always has a JSON form
	return string(b)
}

// Graders returns the number of answers of a run by the grader that has graded them, such as
// "text/1".
func (s *Store) Graders(ctx context.Context, run int64) (map[string]int64, error) {
	graders := map[string]int64{}
	err := s.file.View(func(c *sqlite.Conn) error {
		return c.QueryEach(ctx, func(r *sqlite.Rows) { graders[r.Text()] = r.Int() },
			`SELECT text, sum(n) FROM tally JOIN word ON word.id = grader WHERE run = ? AND n > 0 GROUP BY grader`, run)
	})
	return graders, err
}

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

// Regrade replaces the grade of a position with an answer. It reads the old one from the database,
// because another process may have regraded the record.
func (k *inserter) regrade(ctx context.Context, position int64, g *verbatim.Grade) error {
	grader, outcome, err := k.grade(position, g)
	if err != nil {
		return err
	}
	old := tallyKey{run: position >> 32}
	var it savedItem
	var trial int
	if _, err := k.c.QueryOne(ctx, func(r *sqlite.Rows) {
		old.grader, old.outcome, trial = r.Int(), r.Int(), int(r.Int())
		it = savedItem{ID: r.Int(), Tail: r.Raw(), Series: r.Int(), facts: r.Int(), grader: r.Int()}
	}, `SELECT r.grader, r.outcome, r.trial, i.id, i.tail, i.series, i.facts, i.grader FROM reply r JOIN item i ON i.id = r.item WHERE place = ?`, position); err != nil {
		return err
	}
	brief := k.brief(position, it, trial, outcome, g)
	if k.Words.Err != nil {
		return k.Words.Err
	}
	k.tally[old]--
	k.tally[tallyKey{old.run, grader, outcome}]++
	_, _, err = k.c.Exec(`UPDATE reply SET grader = ?, outcome = ?, brief = ? WHERE place = ?`, grader, outcome, brief, position)
	return err
}
