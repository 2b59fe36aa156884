package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"verbatim"

	"verbatim/internal/store/sqlite"
)

// A Verification is the result of Verify for a run.
type Verification struct {
	Run     verbatim.Run
	Records int64    // the number of saved records, by the counts of the commits
	Wrong   []string // descriptions of damage; empty: none was found
}

// Verify reads the whole file and looks for damage. It runs SQLite's integrity check, decodes every
// text, and compares
//   - references with the rows of other tables
//   - counts with the rows
//   - briefs with the columns that they repeat
//   - items, prompts and images with their hashes
//
// It calls run for every run, in their order, and returns descriptions of damage that belongs to
// no run. err is an error of reading the file. SQLite has no checksums: a changed byte in a text
// or a number of a reply is not found if the result is still valid.
func (s *Store) Verify(ctx context.Context, run func(Verification)) (wrong []string, err error) {
	list, err := s.Runs(ctx)
	if err != nil {
		return nil, err
	}
	for i := range list {
		v := Verification{Run: list[i].Run}
		err := s.file.View(func(c *sqlite.Conn) error { return verifyRun(ctx, c, &v) })
		for _, err := range []error{err, s.Export(ctx, io.Discard, v.Run.N)} { // an export reads the whole run
			if err := v.add(err); err != nil {
				return nil, err
			}
		}
		run(v)
	}
	err = s.file.View(func(c *sqlite.Conn) error {
		wrong, err = verifyFile(ctx, c)
		return err
	})
	return wrong, err
}

// add appends the description of a Corrupt error to v.Wrong, and returns any other error.
func (v *Verification) add(err error) error {
	e, ok := errors.AsType[*sqlite.Error](err)
	if !ok || e.Kind != sqlite.Corrupt {
		return err
	}
	text := e.What
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	if !slices.Contains(v.Wrong, text) {
		v.Wrong = append(v.Wrong, text)
	}
	return nil
}

// verifyRun does runChecks of a run and compares its counts, in one view of the file.
func verifyRun(ctx context.Context, c *sqlite.Conn, v *Verification) (err error) {
	if v.Records, err = savedCount(ctx, c, v.Run.N); err != nil {
		return err
	}
	first, last := span(v.Run.N)
	if v.Wrong, err = failedChecks(ctx, c, runChecks, first, last); err != nil {
		return err
	}
	wrong, err := miscounted(ctx, c, v.Run.N)
	if wrong > 0 {
		v.Wrong = append(v.Wrong, fmt.Sprintf("%d counts of outcomes are not those of the records", wrong))
	}
	return err
}

// miscounted returns the number of counts of a run that differ from the numbers of rows. The rows
// are counted here: SQLite would sort them first.
func miscounted(ctx context.Context, c *sqlite.Conn, run int64) (wrong int, err error) {
	first, last := span(run)
	counts := map[[2]int64]int64{}
	err = c.QueryEach(ctx, func(r *sqlite.Rows) { counts[[2]int64{r.Int(), r.Int()}]-- },
		`SELECT coalesce(grader, 0), outcome FROM reply WHERE place BETWEEN ? AND ?`, first, last)
	if err != nil {
		return 0, err
	}
	err = c.QueryEach(ctx, func(r *sqlite.Rows) { counts[[2]int64{r.Int(), r.Int()}] += r.Int() },
		`SELECT grader, outcome, n FROM tally WHERE run = ?`, run)
	for _, n := range counts {
		if n != 0 {
			wrong++
		}
	}
	return wrong, err
}

// A rowCheck is a statement that counts damaged rows; what describes them.
type rowCheck struct {
	what string
	sql  string
}

// failedChecks returns descriptions of the damage that checks find.
func failedChecks(ctx context.Context, c *sqlite.Conn, checks []rowCheck, args ...any) (wrong []string, err error) {
	for _, check := range checks {
		var n int64
		if _, err := c.QueryOne(ctx, func(r *sqlite.Rows) { n = r.Int() }, check.sql, args...); err != nil {
			return nil, err
		}
		if n > 0 {
			wrong = append(wrong, fmt.Sprintf(check.what, n))
		}
	}
	return wrong, nil
}

// runChecks have two arguments: the first and the last key of a run.
var runChecks = []rowCheck{
	{what: "%d records have no item", sql: `SELECT count(*) FROM reply WHERE place BETWEEN ? AND ? AND NOT EXISTS (SELECT 1 FROM item WHERE id = reply.item)`},
	{what: "%d records have no question", sql: `SELECT count(*) FROM reply WHERE place BETWEEN ? AND ? AND NOT EXISTS (SELECT 1 FROM question q WHERE q.item = reply.item)`},
	{what: "%d replies have no text", sql: `SELECT count(*) FROM reply r WHERE r.place BETWEEN ? AND ? AND r.finish IS NOT NULL AND NOT EXISTS (SELECT 1 FROM answer a WHERE a.place = r.place)`},
	{what: "%d answers have no grade by the grader that is named", sql: `SELECT count(*) FROM reply r WHERE r.place BETWEEN ? AND ? AND r.grader IS NOT NULL AND NOT EXISTS (SELECT 1 FROM grade g WHERE g.place = r.place AND g.grader = r.grader AND g.outcome = r.outcome)`},
	{what: "%d grades belong to no answer", sql: `SELECT count(*) FROM grade g WHERE g.place BETWEEN ? AND ? AND NOT EXISTS (SELECT 1 FROM reply r WHERE r.place = g.place AND r.grader IS NOT NULL)`},
	{what: "%d texts belong to no reply", sql: `SELECT count(*) FROM answer a WHERE a.place BETWEEN ? AND ? AND NOT EXISTS (SELECT 1 FROM reply r WHERE r.place = a.place AND r.finish IS NOT NULL)`},
	{what: "%d failures belong to no record without an answer", sql: `SELECT count(*) FROM failure f WHERE f.place BETWEEN ? AND ? AND NOT EXISTS (SELECT 1 FROM reply r WHERE r.place = f.place AND r.grader IS NULL)`},
}

// fileChecks are about rows that belong to no run.
var fileChecks = []rowCheck{
	{what: "%d items have no question", sql: `SELECT count(*) FROM item WHERE NOT EXISTS (SELECT 1 FROM question q WHERE q.item = item.id)`},
	{what: "%d items have words that are missing", sql: `SELECT count(*) FROM item WHERE NOT EXISTS (SELECT 1 FROM word WHERE id = item.series)
		OR facts IS NOT NULL AND NOT EXISTS (SELECT 1 FROM word WHERE id = item.facts)
		OR grader IS NOT NULL AND NOT EXISTS (SELECT 1 FROM word WHERE id = item.grader)`},
	{what: "%d prompts belong to no item", sql: `SELECT count(*) FROM prompt p WHERE NOT EXISTS (SELECT 1 FROM item WHERE id = p.item)`},
	{what: "%d records belong to no run", sql: `SELECT count(*) FROM reply r WHERE NOT EXISTS (SELECT 1 FROM run WHERE id = r.place >> 32) AND NOT EXISTS (SELECT 1 FROM incoming WHERE run = r.place >> 32)`},
	{what: "%d texts belong to no run", sql: `SELECT count(*) FROM answer a WHERE NOT EXISTS (SELECT 1 FROM run WHERE id = a.place >> 32) AND NOT EXISTS (SELECT 1 FROM incoming WHERE run = a.place >> 32)`},
	{what: "%d grades belong to no run", sql: `SELECT count(*) FROM grade g WHERE NOT EXISTS (SELECT 1 FROM run WHERE id = g.place >> 32) AND NOT EXISTS (SELECT 1 FROM incoming WHERE run = g.place >> 32)`},
	{what: "%d counts belong to no run", sql: `SELECT count(*) FROM tally t WHERE NOT EXISTS (SELECT 1 FROM run WHERE id = t.run) AND NOT EXISTS (SELECT 1 FROM incoming WHERE run = t.run)`},
	{what: "%d runs have no plan", sql: `SELECT count(*) FROM run r WHERE NOT EXISTS (SELECT 1 FROM plan WHERE id = r.plan)`},
}

// maxFindings is the most findings of SQLite's integrity check that are reported.
const maxFindings = 20

// verifyFile runs SQLite's integrity check and fileChecks.
func verifyFile(ctx context.Context, c *sqlite.Conn) (wrong []string, err error) {
	err = c.QueryEach(ctx, func(r *sqlite.Rows) {
		if found := r.Text(); found != "ok" {
			wrong = append(wrong, found)
		}
	}, fmt.Sprintf("PRAGMA integrity_check(%d)", maxFindings))
	if err != nil {
		return nil, err
	}
	failed, err := failedChecks(ctx, c, fileChecks)
	return append(wrong, failed...), err
}
