package store

import (
	"cmp"
	"context"
	"strconv"

	"verbatim"

	"verbatim/internal/store/sqlite"
)

// Find returns the run that a name on a command line means:
//   - the number or the name of a run
//   - "last": the newest run
//   - the name of a model: its newest run, of the plan with the hash planHash unless that is ""
//   - the beginning of the name of exactly one run
//
// Otherwise it is an *UnknownRun error. The name of a model never means a run with a Test. Such a
// run answers a part of its plan only, and a test that compares with a model would find itself.
func (s *Store) Find(ctx context.Context, name, planHash string) (verbatim.Run, error) {
	var run verbatim.Run
	err := s.file.View(func(c *sqlite.Conn) error {
		id, err := find(ctx, c, name, planHash)
		if err != nil {
			return err
		}
		run, err = readRun(ctx, c, id)
		return err
	})
	return run, err
}

func find(ctx context.Context, c *sqlite.Conn, name, planHash string) (int64, error) {
	number, _ := strconv.ParseInt(name, 10, 64)
	var id int64
	for _, q := range []struct {
		sql  string
		args []any
	}{
		{`SELECT id FROM run WHERE id = ?`, []any{number}},
		{`SELECT id FROM run WHERE name = ?`, []any{name}},
		{`SELECT max(id) FROM run WHERE ?`, []any{name == "last"}},
		{`SELECT max(run.id) FROM run JOIN plan ON plan.id = run.plan WHERE model = ? AND ? IN ('', hash) AND test IS NULL`, []any{name, planHash}},
	} {
		if _, err := c.QueryOne(ctx, func(r *sqlite.Rows) { id = r.Int() }, q.sql, q.args...); err != nil || id != 0 {
			return id, err
		}
	}
	unknown := &UnknownRun{Name: name}
	var ids []int64
	collect := func(r *sqlite.Rows) {
		ids = append(ids, r.Int())
		unknown.Candidates = append(unknown.Candidates, r.Text())
	}
	// The names of a model's runs often begin with the name of the model.
	err := c.QueryEach(ctx, collect, `SELECT id, name FROM run WHERE ? <> '' AND substr(name, 1, ?) = ?
		AND NOT (test IS NOT NULL AND model = ?) ORDER BY id DESC LIMIT 10`, name, len(name), name, name)
	switch {
	case err != nil:
		return 0, err
	case len(ids) == 1:
		return ids[0], nil
	case len(ids) > 1:
		unknown.Ambiguous = true
		return 0, unknown
	}
	return 0, cmp.Or(c.QueryEach(ctx, collect, `SELECT id, name FROM run ORDER BY id DESC LIMIT 10`), error(unknown))
}
