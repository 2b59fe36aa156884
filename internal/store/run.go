package store

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"time"

	"verbatim"
	"verbatim/internal/store/sqlite"
)

// A Tally is the number of positions of a run by outcome. It leaves out positions without a
// record.
type Tally map[verbatim.Outcome]int64

// Answered returns the number of positions with an answer.
func (t Tally) Answered() (n int64) {
	for o, k := range t {
		if o.Answered() {
			n += k
		}
	}
	return n
}

// Saved returns the number of positions with a record.
func (t Tally) Saved() (n int64) {
	for _, k := range t {
		n += k
	}
	return n
}

// Begin returns the newest run with the Plan, Model, Params, Origin and Test of want, finished or
// not; existed is true then. Without one, or if fresh is set, it saves a new run and returns it.
// Tests are equal if their Kind, Baseline and Settings are; a run with a closed test is never
// returned. A new run gets a number and a name; its Started is that of want, or now if that is
// zero, and its test is open. Two processes that begin the same run at the same time get the same
// one, and only one of them can write it.
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
			if id, err = addRun(ctx, c, 0, want, newToken()); err != nil {
				return err
			}
		}
		run, err = readRun(ctx, c, id)
		return err
	})
	return run, existed, err
}

// A RunSummary is a run with its progress.
type RunSummary struct {
	verbatim.Run
	Tally Tally
	Out   int64 // the number of positions in pending batches
	Lease *Held // the process that writes the run now; nil without one
}

// Runs returns the runs, the oldest first. Its time does not depend on the number of replies.
func (s *Store) Runs(ctx context.Context) ([]RunSummary, error) {
	var runs []RunSummary
	err := s.file.View(func(c *sqlite.Conn) error {
		saved, err := sqlite.QueryList(ctx, c, scanRun, selectRun+` ORDER BY run.id`)
		if err != nil {
			return err
		}
		at := map[int64]int{}
		for i := range saved {
			at[saved[i].Run.N] = i
			runs = append(runs, RunSummary{Run: saved[i].Run, Tally: Tally{}})
		}
		err = c.QueryEach(ctx, func(r *sqlite.Rows) {
			if i, ok := at[r.Int()]; ok {
				runs[i].Tally[Decode(outcomes, r.Int())] += r.Int()
			}
		}, `SELECT run, outcome, sum(n) FROM tally WHERE n > 0 GROUP BY run, outcome`)
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
			l := Held{PID: int(r.Int()), Host: r.Text(), Since: time.Unix(0, r.Int()), Beat: time.Unix(0, r.Int())}
			if ok && holderAlive(l, r.Text(), now) {
				l.Run = runs[i].Name
				runs[i].Lease = &l
			}
		}, `SELECT run, pid, host, since, beat, machine FROM lease`)
	})
	return runs, err
}

// Tally returns the Tally of a run.
func (s *Store) Tally(ctx context.Context, run int64) (Tally, error) {
	t := Tally{}
	err := s.file.With(func(c *sqlite.Conn) error { return readTally(ctx, c, run, t) })
	return t, err
}

func readTally(ctx context.Context, c *sqlite.Conn, run int64, t Tally) error {
	return c.QueryEach(ctx, func(r *sqlite.Rows) { t[Decode(outcomes, r.Int())] += r.Int() },
		`SELECT outcome, sum(n) FROM tally WHERE run = ? AND n > 0 GROUP BY outcome`, run)
}

// End marks the run as finished at the time now, unless it has a record without an answer, whose
// position is sent again when the run is continued, or a pending batch. unsupported is the number
// of records without an answer because the model does not support the item: these do not count.
// End reports whether the run is finished.
func (s *Store) End(ctx context.Context, run, unsupported int64, now time.Time) (bool, error) {
	ended := false
	err := s.file.Update(ctx, func(c *sqlite.Conn) error {
		t := Tally{}
		if err := readTally(ctx, c, run, t); err != nil {
			return err
		}
		out, err := c.QueryOne(ctx, func(*sqlite.Rows) {}, `SELECT 1 FROM batch WHERE run = ? AND state < ?`, run, phaseOver)
		if ended = t.Answered()+unsupported == t.Saved() && !out && err == nil; !ended {
			return err
		}
		_, _, err = c.Exec(`UPDATE run SET ended = ? WHERE id = ? AND ended IS NULL`, now.UnixNano(), run)
		return err
	})
	return ended, err
}

// addRun saves a run with a uid and returns its number: the given one, or the next one for 0. It
// gets a new name if its own is in use or not a plainName.
func addRun(ctx context.Context, c *sqlite.Conn, number int64, run verbatim.Run, uid string) (int64, error) {
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

// plainName reports whether a run may have a name: up to 100 of the characters that Stem allows.
// A name that begins with a hyphen would be read as a flag. "last" and numbers mean other runs.
func plainName(name string) bool {
	for _, r := range name {
		if !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' || r == '_' || r == '-') {
			return false
		}
	}
	number := strings.Trim(name, "0123456789") == ""
	return !number && name != "last" && name[0] != '-' && len(name) <= 100
}

// Stem returns the beginning of a run's name, made of the model and the plan. Characters with a
// meaning to shells or file systems become hyphens.
func Stem(model, planHash string) string {
	var b strings.Builder
	for _, r := range model {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.', r == '_':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	name := b.String()
	if len(name) > 60 {
		name = name[:60]
	}
	name = strings.Trim(name, "-.")
	if name == "" {
		name = "model"
	}
	return fmt.Sprintf("%s-%.6s", name, planHash)
}

// freshName returns the stem with a number above those of all runs with that stem.
func freshName(ctx context.Context, c *sqlite.Conn, model, planHash string) (string, error) {
	stem := Stem(model, planHash) + "-"
	last := 0
	err := c.QueryEach(ctx, func(r *sqlite.Rows) {
		if n, err := strconv.Atoi(strings.TrimPrefix(r.Text(), stem)); err == nil {
			last = max(last, n)
		}
	}, `SELECT name FROM run WHERE substr(name, 1, ?) = ?`, len(stem), stem)
	return stem + strconv.Itoa(last+1), err
}

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

// AddLoad combines the load of a part of a run with the load of the run, and saves it. The peak is
// the highest of both, and the newest known slots and context count.
func (s *Store) AddLoad(ctx context.Context, run int64, load verbatim.Load) error {
	return s.file.Update(ctx, func(c *sqlite.Conn) error {
		known, err := readRun(ctx, c, run)
		if err != nil {
			return err
		}
		if before := known.Load; before != nil {
			load.Peak = max(load.Peak, before.Peak)
			load.Slots = cmp.Or(load.Slots, before.Slots)
			load.Context = cmp.Or(load.Context, before.Context)
		}
		return saveLoad(c, run, load)
	})
}

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

// CloseTest closes the open test of a run with its verdict, and with the state from which a later test
// continues, at the time now. From then on, Begin
// begins another run for such a test, and Write refuses this one. A run without a test, a closed
// test (a *testClosed error) and an empty verdict are errors, and nothing is changed. When
// CloseTest returns, the verdict is committed.
func (s *Store) CloseTest(ctx context.Context, run int64, verdict, state string, now time.Time) error {
	if verdict = clean(verdict); verdict == "" {
		return fmt.Errorf("run %d: a test is closed with a verdict, and this one is empty", run)
	}
	return s.file.Update(ctx, func(c *sqlite.Conn) error {
		known, err := readRun(ctx, c, run)
		switch {
		case err != nil:
			return err
		case known.Test == nil:
			return fmt.Errorf("run %s is not a test: only a test is closed with a verdict", known.Name)
		}
		if err := checkTestOpen(known); err != nil {
			return err
		}
		known.Test.Verdict, known.Test.Closed, known.Test.State = verdict, now, state
		return saveVerdict(c, run, *known.Test)
	})
}

// Tests returns the runs whose test is of a kind, of one model or, with model "", of all, the
// oldest first. It reads no records: its time depends only on the number of runs.
func (s *Store) Tests(ctx context.Context, kind, model string) ([]verbatim.Run, error) {
	var found []verbatim.Run
	err := s.file.View(func(c *sqlite.Conn) error {
		saved, err := sqlite.QueryList(ctx, c, scanRun, selectRun+` WHERE run.test IS NOT NULL AND (run.model = ? OR ? = '') ORDER BY run.id`, model, model)
		for i := range saved {
			if saved[i].Run.Test.Kind == kind {
				found = append(found, saved[i].Run)
			}
		}
		return err
	})
	return found, err
}

// encodeTest returns the column test of a run: the JSON of a test without its verdict and the
// time of it, and without its state while it is open; nil for no test. Begin finds an open test
// by this text.
func encodeTest(t *verbatim.Test) (any, error) {
	if t == nil {
		return nil, nil
	}
	open := *t
	if open.Verdict == "" {
		open.State = ""
	}
	open.Verdict, open.Closed = "", time.Time{}
	return jsonOf(&open, "test of the run")
}

// scanTest reads the columns test, verdict and closed of a run.
func scanTest(r *sqlite.Rows) (*verbatim.Test, error) {
	t, err := scanJSON[verbatim.Test](r, "the test of a run")
	verdict, closed := r.Text(), moment(r.OptInt())
	if t != nil {
		t.Verdict, t.Closed = verdict, closed
	}
	return t, err
}

// sameTest reports whether the column test of a run has the kind, the baseline and the settings
// of a test.
func sameTest(saved []byte, t *verbatim.Test) bool {
	if saved == nil || t == nil {
		return saved == nil && t == nil
	}
	var known verbatim.Test
	if json.Unmarshal(saved, &known) != nil {
		return false
	}
	return known.Kind == t.Kind && known.Baseline == t.Baseline && maps.Equal(known.Settings, t.Settings)
}

// saveVerdict closes the test of a run with the verdict, the time and the state of a test.
func saveVerdict(c *sqlite.Conn, run int64, test verbatim.Test) error {
	body, err := encodeTest(&test)
	if err == nil {
		_, _, err = c.Exec(`UPDATE run SET test = ?, verdict = ?, closed = ? WHERE id = ?`, body, clean(test.Verdict), instant(test.Closed), run)
	}
	return err
}

// checkTestOpen returns a *testClosed error if the run is a closed test.
func checkTestOpen(run verbatim.Run) error {
	if run.Test != nil && run.Test.Verdict != "" {
		return &testClosed{Run: run.Name, Test: *run.Test}
	}
	return nil
}

// A testClosed error is that of a change to a run whose test has its verdict already.
type testClosed struct {
	Run  string // its name
	Test verbatim.Test
}

// Error names the run and its verdict.
func (e *testClosed) Error() string {
	return fmt.Sprintf("run %s is closed: its %s has ended with %q", e.Run, e.Test.Kind, e.Test.Verdict)
}

// Hint says what to do about it.
func (e *testClosed) Hint() string { return "give the same command again: it starts a new run" }

// Proof returns the uid of a run, which it keeps in every export and import, and its saved proof,
// "" without one. A proof is neither exported nor imported. Package library makes proofs.
func (s *Store) Proof(ctx context.Context, run int64) (uid, proof string, err error) {
	err = s.file.With(func(c *sqlite.Conn) error {
		found, err := c.QueryOne(ctx, func(r *sqlite.Rows) { uid, proof = r.Text(), r.Text() }, `SELECT uid, coalesce(proof, '') FROM run WHERE id = ?`, run)
		if err == nil && !found {
			err = &UnknownRun{Name: fmt.Sprint(run)}
		}
		return err
	})
	return uid, proof, err
}

// SetProof saves the proof of a run.
func (s *Store) SetProof(ctx context.Context, run int64, proof string) error {
	return s.file.Update(ctx, func(c *sqlite.Conn) error {
		_, _, err := c.Exec(`UPDATE run SET proof = ? WHERE id = ?`, proof, run)
		return err
	})
}
