package store

import (
	"context"
	"strconv"

	"verbatim"
	"verbatim/internal/store/rows"
	"verbatim/internal/store/sqlite"
)

// Find returns the run that name means on a command line: the number of a run,
// its name, "last" for the newest, the name of a model for its newest run (of the
// plan with the hash planHash, unless that is empty), or the unique beginning of
// a run's name. Otherwise it is an *UnknownRun error. A model's name never means a
// run that has a Test: such a run asks part of its plan, and a test that compares
// with a model would find itself.
func (s *Store) Find(ctx context.Context, name, planHash string) (verbatim.Run, error) {
	var run verbatim.Run
	err := s.file.View(func(c *sqlite.Conn) error {
		id, err := find(ctx, c, name, planHash)
		if err != nil {
			return err
		}
		run, err = rows.ReadRun(ctx, c, id)
		return err
	})
	return run, err
}

func find(ctx context.Context, c *sqlite.Conn, name, planHash string) (int64, error) {
	number, _ := strconv.ParseInt(name, 10, 64)
	last := 0
	if name == "last" {
		last = 1
	}
	var id int64
	for _, q := range []struct {
		sql  string
		args []any
	}{
		{`SELECT id FROM run WHERE id = ?`, []any{number}},
		{`SELECT id FROM run WHERE name = ?`, []any{name}},
		{`SELECT max(id) FROM run WHERE ? = 1`, []any{last}},
		{`SELECT max(run.id) FROM run JOIN plan ON plan.id = run.plan WHERE model = ? AND ? IN ('', hash) AND test IS NULL`, []any{name, planHash}},
	} {
		if _, err := c.QueryOne(ctx, func(r *sqlite.Rows) { id = r.Int() }, q.sql, q.args...); err != nil || id != 0 {
			return id, err
		}
	}
	unknown := &rows.UnknownRun{Name: name}
	var ids []int64
	collect := func(r *sqlite.Rows) {
		ids = append(ids, r.Int())
		unknown.Candidates = append(unknown.Candidates, r.Text())
	}
	// The name of a model is often how its runs' names begin.
	err := c.QueryEach(ctx, collect, `SELECT id, name FROM run WHERE ? <> '' AND substr(name, 1, ?) = ?
		AND NOT (test IS NOT NULL AND model = ?) ORDER BY id DESC LIMIT 10`, name, len(name), name, name)
	if err != nil || len(ids) == 1 {
		return append(ids, 0)[0], err
	}
	if unknown.Ambiguous = len(ids) > 1; !unknown.Ambiguous {
		err = c.QueryEach(ctx, collect, `SELECT id, name FROM run ORDER BY id DESC LIMIT 10`)
	}
	if err != nil {
		return 0, err
	}
	return 0, unknown
}
