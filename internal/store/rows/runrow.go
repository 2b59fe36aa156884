package rows

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"verbatim"
	"verbatim/internal/store/sqlite"
)

// AddRun keeps a run under a uid and returns its number. The name is run's if it
// has one that is free and could be ours, else a new one.
func AddRun(ctx context.Context, c *sqlite.Conn, run verbatim.Run, uid string) (int64, error) {
	return AddNumberedRun(ctx, c, 0, run, uid)
}

// AddNumberedRun is addRun for a run that has a number; 0 is the next one.
func AddNumberedRun(ctx context.Context, c *sqlite.Conn, number int64, run verbatim.Run, uid string) (int64, error) {
	plan, err := InsertPlan(ctx, c, run.Plan)
	if err != nil {
		return 0, err
	}
	params, err := json.Marshal(run.Params)
	if err != nil {
		return 0, fmt.Errorf("parameters of the run: %w", err)
	}
	occupied := !PlainName(run.Name)
	if !occupied {
		occupied, err = c.QueryOne(ctx, func(*sqlite.Rows) {}, `SELECT 1 FROM run WHERE name = ?`, run.Name)
	}
	if err == nil && occupied {
		run.Name, err = freshName(ctx, c, run.Model, run.Plan.Hash)
	}
	if err != nil {
		return 0, err
	}
	price, err := encodePrice(run.Price)
	if err != nil {
		return 0, err
	}
	test, err := EncodeTest(run.Test)
	if err != nil {
		return 0, err
	}
	load, err := EncodeLoad(run.Load)
	if err != nil {
		return 0, err
	}
	_, id, err := c.Exec(`INSERT INTO run (id, uid, name, plan, model, params, started, ended, tool, origin, price, test, load) VALUES (nullif(?, 0), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		number, uid, run.Name, plan, run.Model, string(params), Instant(run.Started), Instant(run.Ended), run.Tool, run.Origin, price, test, load)
	if err == nil && run.Test != nil && run.Test.Verdict != "" {
		err = SaveVerdict(c, id, *run.Test)
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

// EncodeLoad is the JSON of a load; NULL where it is not known.
func EncodeLoad(l *verbatim.Load) (any, error) {
	if l == nil {
		return nil, nil
	}
	b, err := json.Marshal(l)
	if err != nil {
		return nil, fmt.Errorf("load of the run: %w", err)
	}
	return string(b), nil
}

// SelectRun selects runs for ScanRun.
const SelectRun = `
	SELECT run.id, run.name, plan.body, run.model, run.params, run.started, run.ended, run.tool, run.origin, run.price,
		run.test, run.verdict, run.closed, run.uid, run.load
	FROM run LEFT JOIN plan ON plan.id = run.plan` // a run whose plan is missing is an error, and not left out

// A SavedRun is a run and its uid.
type SavedRun struct {
	Run verbatim.Run
	UID string
}

// ScanRun reads a row of SelectRun.
func ScanRun(r *sqlite.Rows) (saved SavedRun, err error) {
	run := &saved.Run
	if run.N, run.Name = r.Int(), r.Text(); !PlainName(run.Name) || run.Name[0] == '-' {
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
	saved.UID = r.Text()
	if load := r.Bytes(); load != nil {
		run.Load = new(verbatim.Load)
		if err := json.Unmarshal(load, run.Load); err != nil {
			return saved, sqlite.UnreadableError(r.Path, "the load of a run", err)
		}
	}
	return saved, nil
}

// ReadRun returns the run with the number id.
func ReadRun(ctx context.Context, c *sqlite.Conn, id int64) (verbatim.Run, error) {
	run, _, err := ReadRunUID(ctx, c, id)
	return run, err
}

// ReadRunUID returns the run with the number id, and its uid.
func ReadRunUID(ctx context.Context, c *sqlite.Conn, id int64) (run verbatim.Run, uid string, err error) {
	found, err := sqlite.QueryList(ctx, c, ScanRun, SelectRun+` WHERE run.id = ?`, id)
	if err != nil {
		return run, "", err
	}
	if len(found) == 0 {
		return run, "", &UnknownRun{Name: fmt.Sprint(id)}
	}
	return found[0].Run, found[0].UID, nil
}

// An UnknownRun error says that a name on the command line names no run, or
// more than one.
type UnknownRun struct {
	Name       string
	Ambiguous  bool     // Candidates are the runs that Name fits
	Candidates []string // names of runs that may have been meant, newest first, at most ten
}

// Error names what was asked for and what there is.
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
