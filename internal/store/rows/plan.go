package rows

import (
	"context"
	"encoding/json"
	"fmt"

	"verbatim"
	"verbatim/internal/store/sqlite"
)

// InsertPlan returns the number of the plan, which is saved now if it was not. A
// plan is what its hash says; two plans with one hash and other contents are an
// error. The name of a file of items is for people: the first one that was saved
// stays.
func InsertPlan(ctx context.Context, c *sqlite.Conn, p verbatim.Plan) (int64, error) {
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
	if found {
		// Both sides in today's spelling: what was saved may lack newer fields.
		k, err := parsePlan(c.Path, known)
		if err != nil {
			return 0, err
		}
		if k.Items != nil && p.Items != nil {
			items := *k.Items
			items.Name = p.Items.Name
			k.Items = &items
		}
		if again, err := json.Marshal(k); err != nil || string(again) != string(body) {
			return 0, fmt.Errorf("plan %s is saved already with other contents", p.Hash)
		}
	}
	if !found {
		_, id, err = c.Exec(`INSERT INTO plan (hash, body) VALUES (?, ?)`, p.Hash, string(body))
	}
	return id, err
}

// parsePlan is the reverse of InsertPlan.
func parsePlan(path, body string) (p verbatim.Plan, err error) {
	if err := json.Unmarshal([]byte(body), &p); err != nil {
		return p, sqlite.UnreadableError(path, "a plan", err)
	}
	return p, nil
}
