package store

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"verbatim"
	"verbatim/internal/store/sqlite"
)

// addRun saves a run with a uid and returns its number. It gets a new name if its own is in use
// or not a plainName.
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
	occupied := !plainName(run.Name)
	if !occupied {
		occupied, err = c.QueryOne(ctx, func(*sqlite.Rows) {}, `SELECT 1 FROM run WHERE name = ?`, run.Name)
	}
	if err == nil && occupied {
		run.Name, err = freshName(ctx, c, run.Model, run.Plan.Hash)
	}
	if err != nil {
		return 0, err
	}
	price, err := jsonOf(run.Price, "price of the run")
	if err != nil {
		return 0, err
	}
	test, err := encodeTest(run.Test)
	if err != nil {
		return 0, err
	}
	load, err := jsonOf(run.Load, "load of the run")
	if err != nil {
		return 0, err
	}
	_, id, err := c.Exec(`INSERT INTO run (id, uid, name, plan, model, params, started, ended, tool, origin, price, test, load) VALUES (nullif(?, 0), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		number, uid, run.Name, plan, run.Model, string(params), instant(run.Started), instant(run.Ended), run.Tool, run.Origin, price, test, load)
	if err == nil && run.Test != nil && run.Test.Verdict != "" {
		err = saveVerdict(c, id, *run.Test)
	}
	return id, err
}

// saveLoad replaces the load of a run.
func saveLoad(c *sqlite.Conn, run int64, load verbatim.Load) error {
	text, err := jsonOf(&load, "load of the run")
	if err == nil {
		_, _, err = c.Exec(`UPDATE run SET load = ? WHERE id = ?`, text, run)
	}
	return err
}

// selectRun selects runs for scanRun.
const selectRun = `
	SELECT run.id, run.name, plan.body, run.model, run.params, run.started, run.ended, run.tool, run.origin, run.price,
		run.test, run.verdict, run.closed, run.uid, run.load
	FROM run LEFT JOIN plan ON plan.id = run.plan` // a run whose plan is missing is an error, and not left out

// A savedRun is a run and its uid.
type savedRun struct {
	Run verbatim.Run
	UID string
}

// scanRun reads a row of selectRun.
func scanRun(r *sqlite.Rows) (saved savedRun, err error) {
	run := &saved.Run
	if run.N, run.Name = r.Int(), r.Text(); !plainName(run.Name) {
		// A name becomes a part of file names and of printed commands. A database from elsewhere
		// may have any.
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
	if run.Price, err = scanJSON[verbatim.Price](r, "the price of a run"); err != nil {
		return saved, err
	}
	if run.Test, err = scanTest(r); err != nil {
		return saved, err
	}
	saved.UID = r.Text()
	run.Load, err = scanJSON[verbatim.Load](r, "the load of a run")
	return saved, err
}

// readRun returns the run with a number. Without one it is an *UnknownRun error.
func readRun(ctx context.Context, c *sqlite.Conn, id int64) (verbatim.Run, error) {
	saved, err := readSavedRun(ctx, c, id)
	return saved.Run, err
}

// readSavedRun returns the run with a number and its uid. Without one it is an *UnknownRun error.
func readSavedRun(ctx context.Context, c *sqlite.Conn, id int64) (savedRun, error) {
	found, err := sqlite.QueryList(ctx, c, scanRun, selectRun+` WHERE run.id = ?`, id)
	if err != nil {
		return savedRun{}, err
	}
	if len(found) == 0 {
		return savedRun{}, &UnknownRun{Name: fmt.Sprint(id)}
	}
	return found[0], nil
}

// An UnknownRun error is that of a name on the command line that means no run, or more than one.
type UnknownRun struct {
	Name       string
	Ambiguous  bool     // the names of the Candidates begin with Name; otherwise they are the newest runs
	Candidates []string // names of runs, newest first, at most ten
}

// Error names the run that was asked for and the candidates.
func (e *UnknownRun) Error() string {
	if e.Ambiguous {
		return fmt.Sprintf("%q is the beginning of more than one run: %s", e.Name, strings.Join(e.Candidates, ", "))
	}
	s := fmt.Sprintf("no run is called %q", e.Name)
	switch newest := e.Candidates[:min(3, len(e.Candidates))]; len(newest) {
	case 0:
	case 1:
		s += "; the newest is " + newest[0]
	default:
		s += "; the newest are " + strings.Join(newest, ", ")
	}
	return s
}
