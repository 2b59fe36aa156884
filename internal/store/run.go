package store

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"verbatim"
	"verbatim/internal/store/lease"
	"verbatim/internal/store/sqlite"
)

// A Tally counts the positions of a run by outcome. Positions that were never asked
// are in none of them.
type Tally map[verbatim.Outcome]int64

// Answered is the number of positions with an answer.
func (t Tally) Answered() (n int64) {
	for o, k := range t {
		if o.Answered() {
			n += k
		}
	}
	return n
}

// Saved is the number of positions with any outcome.
func (t Tally) Saved() (n int64) {
	for _, k := range t {
		n += k
	}
	return n
}

// Begin returns the run to ask: the newest one of want's Plan, Model, Params,
// Origin and Test, finished or not, with existed true; or a new one, when there is
// none or fresh is set. Tests are the same by their Kind, Against and Settings,
// and a closed one is never gone on with: a new run is begun in its place. A new
// run gets its number and name here; its Started is want's, or now when that is
// zero, and its test is open. Two processes that begin the same run at the same
// time get the same one, and only one of them can write it.
func (s *Store) Begin(ctx context.Context, want verbatim.Run, fresh bool) (run verbatim.Run, existed bool, err error) {
	err = s.file.Update(ctx, func(c *sqlite.Conn) error {
		params, err := json.Marshal(want.Params)
		if err != nil {
			return fmt.Errorf("parameters of the run: %w", err)
		}
		test, err := encodeTest(want.Test)
		if err != nil {
			return err
		}
		if _, err := insertPlan(ctx, c, want.Plan); err != nil {
			return err
		}
		var id int64
		if !fresh {
			_, err := c.QueryOne(ctx, func(r *sqlite.Rows) { id = r.Int() }, `
				SELECT max(run.id) FROM run JOIN plan ON plan.id = run.plan
				WHERE hash = ? AND model = ? AND params = ? AND origin = ? AND test IS ? AND verdict IS NULL`,
				want.Plan.Hash, want.Model, string(params), want.Origin, test)
			if err != nil {
				return err
			}
		}
		if existed = id != 0; !existed {
			if want.Started.IsZero() {
				want.Started = time.Now()
			}
			if want.Test != nil {
				asked := *want.Test
				asked.Verdict, asked.Closed = "", time.Time{}
				want.Test = &asked
			}
			if id, err = addRun(ctx, c, want, lease.NewToken()); err != nil {
				return err
			}
		}
		run, err = readRun(ctx, c, id)
		return err
	})
	return run, existed, err
}

// addRun keeps a run under a uid and returns its number. The name is run's if it
// has one that is free and could be ours, else a new one.
func addRun(ctx context.Context, c *sqlite.Conn, run verbatim.Run, uid string) (int64, error) {
	return addNumberedRun(ctx, c, 0, run, uid)
}

// addNumberedRun is addRun for a run that has a number; 0 is the next one.
func addNumberedRun(ctx context.Context, c *sqlite.Conn, number int64, run verbatim.Run, uid string) (int64, error) {
	plan, err := insertPlan(ctx, c, run.Plan)
	if err != nil {
		return 0, err
	}
	params, err := json.Marshal(run.Params)
	if err != nil {
		return 0, fmt.Errorf("parameters of the run: %w", err)
	}
	taken := !plainName(run.Name)
	if !taken {
		taken, err = c.QueryOne(ctx, func(*sqlite.Rows) {}, `SELECT 1 FROM run WHERE name = ?`, run.Name)
	}
	if err == nil && taken {
		run.Name, err = freshName(ctx, c, run.Model, run.Plan.Hash)
	}
	if err != nil {
		return 0, err
	}
	price, err := encodePrice(run.Price)
	if err != nil {
		return 0, err
	}
	test, err := encodeTest(run.Test)
	if err != nil {
		return 0, err
	}
	_, id, err := c.Exec(`INSERT INTO run (id, uid, name, plan, model, params, started, ended, tool, origin, price, test) VALUES (nullif(?, 0), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		number, uid, run.Name, plan, run.Model, string(params), instant(run.Started), instant(run.Ended), run.Tool, run.Origin, price, test)
	if err == nil && run.Test != nil && run.Test.Verdict != "" {
		err = conclude(c, id, clean(run.Test.Verdict), run.Test.Closed)
	}
	return id, err
}

// encodePrice is the JSON of a price; NULL where it is not known.
func encodePrice(p *verbatim.Price) (any, error) {
	if p == nil {
		return nil, nil
	}
	b, err := json.Marshal(p)
	if err != nil {
		return nil, fmt.Errorf("price of the run: %w", err)
	}
	return string(b), nil
}

const selectRun = `
	SELECT run.id, run.name, plan.body, run.model, run.params, run.started, run.ended, run.tool, run.origin, run.price,
		run.test, run.verdict, run.closed, run.uid
	FROM run LEFT JOIN plan ON plan.id = run.plan` // a run whose plan is missing is an error, and not left out

// A savedRun is a run and its uid.
type savedRun struct {
	run verbatim.Run
	uid string
}

// scanRun reads a row of selectRun.
func scanRun(r *sqlite.Rows) (saved savedRun, err error) {
	run := &saved.run
	if run.N, run.Name = r.Int(), r.Text(); !plainName(run.Name) || run.Name[0] == '-' {
		// Names become those of files and words of printed commands. One that this
		// program would not give comes with a file from elsewhere.
		run.Name = fmt.Sprint(run.N)
	}
	if run.Plan, err = parsePlan(r.Path, r.Text()); err != nil {
		return saved, err
	}
	run.Model = r.Text()
	if err := json.Unmarshal(r.Bytes(), &run.Params); err != nil {
		return saved, sqlite.UnreadableError(r.Path, "the parameters of a run", err)
	}
	run.Started, run.Ended = moment(r.OptInt()), moment(r.OptInt())
	run.Tool, run.Origin = r.Text(), r.Text()
	if price := r.Bytes(); price != nil {
		run.Price = new(verbatim.Price)
		if err := json.Unmarshal(price, run.Price); err != nil {
			return saved, sqlite.UnreadableError(r.Path, "the price of a run", err)
		}
	}
	if run.Test, err = scanTest(r); err != nil {
		return saved, err
	}
	saved.uid = r.Text()
	return saved, nil
}

// readRun returns the run with the number id.
func readRun(ctx context.Context, c *sqlite.Conn, id int64) (verbatim.Run, error) {
	run, _, err := readRunUID(ctx, c, id)
	return run, err
}

// readRunUID returns the run with the number id, and its uid.
func readRunUID(ctx context.Context, c *sqlite.Conn, id int64) (run verbatim.Run, uid string, err error) {
	found, err := sqlite.QueryList(ctx, c, scanRun, selectRun+` WHERE run.id = ?`, id)
	if err != nil {
		return run, "", err
	}
	if len(found) == 0 {
		return run, "", &UnknownRun{Name: fmt.Sprint(id)}
	}
	return found[0].run, found[0].uid, nil
}

// A Listed run is a run with what there is of it.
type RunSummary struct {
	verbatim.Run
	Tally Tally
	Out   int64       // positions that are out in batches
	Lease *lease.Held // who writes it at the moment; nil when nobody does
}

// Runs lists the runs, the oldest first. It takes the same short time however
// many replies there are.
func (s *Store) Runs(ctx context.Context) ([]RunSummary, error) {
	var runs []RunSummary
	err := s.file.View(func(c *sqlite.Conn) error {
		saved, err := sqlite.QueryList(ctx, c, scanRun, selectRun+` ORDER BY run.id`)
		if err != nil {
			return err
		}
		at := map[int64]int{}
		for i := range saved {
			at[saved[i].run.N] = i
			runs = append(runs, RunSummary{Run: saved[i].run, Tally: Tally{}})
		}
		err = c.QueryEach(ctx, func(r *sqlite.Rows) {
			if i, ok := at[r.Int()]; ok {
				runs[i].Tally[decode(outcomes, r.Int())] += r.Int()
			}
		}, `SELECT run, outcome, sum(n) FROM tally GROUP BY run, outcome`)
		if err != nil {
			return err
		}
		err = c.QueryEach(ctx, func(r *sqlite.Rows) {
			if i, ok := at[r.Int()]; ok {
				runs[i].Out = r.Int()
			}
		}, `SELECT run, sum(n) FROM batch WHERE state < ? GROUP BY run`, phaseOver)
		if err != nil {
			return err
		}
		now := time.Now()
		return c.QueryEach(ctx, func(r *sqlite.Rows) {
			i, ok := at[r.Int()]
			l := lease.Held{PID: int(r.Int()), Host: r.Text(), Since: time.Unix(0, r.Int()), Beat: time.Unix(0, r.Int())}
			if ok && lease.HolderAlive(l, r.Text(), now) {
				l.Run = runs[i].Name
				runs[i].Lease = &l
			}
		}, `SELECT run, pid, host, since, beat, machine FROM lease`)
	})
	return runs, err
}

// Tally counts what there is of one run.
func (s *Store) Tally(ctx context.Context, run int64) (Tally, error) {
	t := Tally{}
	err := s.file.With(func(c *sqlite.Conn) error { return readTally(ctx, c, run, t) })
	return t, err
}

func readTally(ctx context.Context, c *sqlite.Conn, run int64, t Tally) error {
	return c.QueryEach(ctx, func(r *sqlite.Rows) { t[decode(outcomes, r.Int())] += r.Int() },
		`SELECT outcome, sum(n) FROM tally WHERE run = ? AND n > 0 GROUP BY outcome`, run)
}

// End marks the run as finished at the time now, unless a position of it is saved
// without an answer, which is asked again when the run is continued, or is out
// in a batch. It reports whether the run is finished.
func (s *Store) End(ctx context.Context, run int64, now time.Time) (bool, error) {
	ended := false
	err := s.file.Update(ctx, func(c *sqlite.Conn) error {
		t := Tally{}
		if err := readTally(ctx, c, run, t); err != nil {
			return err
		}
		out, err := c.QueryOne(ctx, func(*sqlite.Rows) {}, `SELECT 1 FROM batch WHERE run = ? AND state < ?`, run, phaseOver)
		if ended = t.Answered() == t.Saved() && !out && err == nil; !ended {
			return err
		}
		_, _, err = c.Exec(`UPDATE run SET ended = ? WHERE id = ? AND ended IS NULL`, now.UnixNano(), run)
		return err
	})
	return ended, err
}

// plainName reports whether a name is made of what stem makes names of. One that begins
// with a dash would be read as a flag, and "last" and numbers name runs already.
func plainName(name string) bool {
	for _, r := range name {
		if !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' || r == '_' || r == '-') {
			return false
		}
	}
	number := strings.Trim(name, "0123456789") == ""
	return !number && name != "last" && name[0] != '-' && len(name) <= 100
}

// instant is a time as it is saved: nanoseconds since 1970, or NULL for the zero
// time and for times that do not fit.
func instant(t time.Time) any {
	if t.IsZero() || t.Year() < 1678 || t.Year() > 2261 {
		return nil
	}
	return t.UnixNano()
}

// moment is the reverse of instant, in UTC.
func moment(ns *int64) time.Time {
	if ns == nil {
		return time.Time{}
	}
	return time.Unix(0, *ns).UTC()
}
