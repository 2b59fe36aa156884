package store

import (
	"context"
	"encoding/json"
	"fmt"

	"verbatim"
	"verbatim/internal/store/sqlite"
)

// insertPlan saves a plan unless it is saved already, and returns its row number. Another plan
// with the same hash is an error. Plans may differ in the name of their file of items, which is
// for people: the name that was saved first stays.
func insertPlan(ctx context.Context, c *sqlite.Conn, p verbatim.Plan) (int64, error) {
	body, err := json.Marshal(p)
	if err != nil {
		return 0, fmt.Errorf("plan %s: %w", p.Hash, err)
	}
	var id int64
	var known string
	found, err := c.QueryOne(ctx, func(r *sqlite.Rows) { id, known = r.Int(), r.Text() }, `SELECT id, body FROM plan WHERE hash = ?`, p.Hash)
	if err != nil {
		return 0, err
	}
	if !found {
		_, id, err = c.Exec(`INSERT INTO plan (hash, body) VALUES (?, ?)`, p.Hash, string(body))
		return id, err
	}
	saved, err := parsePlan(c.Path, known)
	if err != nil {
		return 0, err
	}
	if saved.Items != nil && p.Items != nil {
		saved.Items.Name = p.Items.Name
	}
	if again, err := json.Marshal(saved); err != nil || string(again) != string(body) {
		return 0, fmt.Errorf("plan %s is saved already with other contents", p.Hash)
	}
	return id, nil
}

// parsePlan reads the column body of the table plan.
func parsePlan(path, body string) (p verbatim.Plan, err error) {
	if err := json.Unmarshal([]byte(body), &p); err != nil {
		return p, sqlite.UnreadableError(path, "a plan", err)
	}
	return p, nil
}
