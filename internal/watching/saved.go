package watching

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"verbatim"
	"verbatim/internal/app"
	"verbatim/internal/report"
	"verbatim/internal/store"
	"verbatim/internal/store/sqlite"
	"verbatim/internal/verdict/sentinel"
)

// A Saved is a watch that is saved in a database.
type Saved struct {
	*sentinel.Watch
	Model  string
	Number int          // of the watches of this model, from 1
	Run    verbatim.Run // the enrolment
	runs   int          // finished runs of the newest date
	date   string       // the newest date
	tested string       // the date of the newest test of contracts; "": never tested
}

// The roles of the runs of a watch. Those that test contracts have no date if the watch began with them.
const (
	enrolmentRole = "enrolment"
	dayRole       = "day"
	contractsRole = "contracts"
)

// Load reads the newest watch of a model, or of each model if model is "". Watches are in the order in
// which their models were first enrolled. Models without a finished enrolment are left out.
func Load(ctx context.Context, s *store.Store, model string) ([]Saved, error) {
	runs, err := s.Tests(ctx, kind, model)
	if err != nil {
		return nil, err
	}
	var found []Saved
	for _, r := range runs {
		at := slices.IndexFunc(found, func(w Saved) bool { return w.Model == r.Model })
		switch role := r.Test.Settings["role"]; {
		case role == enrolmentRole && r.Test.Verdict == sentinel.Enrolled:
			w, err := loadEnrolment(ctx, s, r)
			if err != nil {
				return nil, err
			}
			if at < 0 {
				at, found = len(found), append(found, w)
			}
			found[at] = w
		case at < 0 || r.Test.Verdict == "" || r.Test.Settings["watch"] != strconv.Itoa(found[at].Number):
			// not finished, or of an earlier watch
		case role == dayRole:
			err = found[at].addRun(ctx, s, r)
		case role == contractsRole:
			err = found[at].addContracts(r)
		}
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}

// loadEnrolment makes the watch of an enrolment run.
func loadEnrolment(ctx context.Context, s *store.Store, r verbatim.Run) (Saved, error) {
	set := r.Test.Settings
	w := Saved{Model: r.Model, Run: r}
	var alpha, tolerance float64
	var horizon int
	var seed uint64
	var errs [5]error
	w.Number, errs[0] = strconv.Atoi(set["watch"])
	alpha, errs[1] = strconv.ParseFloat(set["alpha"], 64)
	tolerance, errs[2] = strconv.ParseFloat(set["tolerance"], 64)
	horizon, errs[3] = strconv.Atoi(set["horizon"])
	seed, errs[4] = strconv.ParseUint(set["seed"], 10, 64)
	if err := errors.Join(errs[:]...); err != nil || !(alpha > 0 && alpha < 1) || !(tolerance > 0 && tolerance < 1) {
		return w, fmt.Errorf("run %s: the settings of its watch cannot be read", r.Name)
	}
	rules := sentinel.Rules{StrictName: set[strictSetting] != "", Upstream: report.ReplyUpstream}
	result, err := sentinel.ReadEnrolment(r.Test.State)
	if err != nil { // without a state that can be used, the records are read
		if result, err = enrolmentOfRecords(ctx, s, r, tolerance); err != nil {
			return w, err
		}
	}
	if w.Watch, err = sentinel.NewWatch(result, alpha, horizon, seed, rules); err != nil {
		return w, fmt.Errorf("run %s: %w", r.Name, err)
	}
	return w, nil
}

// enrolmentOfRecords computes the result of an enrolment from its records.
func enrolmentOfRecords(ctx context.Context, s *store.Store, r verbatim.Run, tolerance float64) (*sentinel.EnrolmentResult, error) {
	set := r.Test.Settings
	e := sentinel.NewSaved(sentinel.EnrolmentConfig{Tolerance: tolerance, Distances: set[distancesSetting] != "", MixUpstreams: set[mixSetting] != "", Upstream: report.ReplyUpstream})
	for rec, err := range s.Records(ctx, r.N, store.Read{Texts: true, Attempts: true}) {
		if err != nil {
			return nil, err
		}
		e.Add(&rec)
	}
	return e.Result(), nil
}

// addRun adds a finished run of a day by its saved state, or by its records if no state can be used.
func (w *Saved) addRun(ctx context.Context, s *store.Store, r verbatim.Run) error {
	date := r.Test.Settings["date"]
	if date != w.date {
		w.date, w.runs = date, 0
	}
	if w.Restore(date, r.Test.State) == nil {
		w.runs++
		return nil
	}
	t, err := w.Today(date, w.runs, verbatim.Params{}, 1)
	if err != nil {
		return fmt.Errorf("run %s: %w", r.Name, err)
	}
	w.runs++
	for rec, err := range s.Records(ctx, r.N, store.Read{Texts: true, Attempts: true}) {
		if err != nil {
			return err
		}
		t.Add(&rec)
	}
	return nil
}

// find reads the watch of a model from the database of the program; nil if there is no watch, or
// no database.
func find(ctx context.Context, a *app.App, model string) (*Saved, error) {
	s, err := a.OpenDatabase(ctx)
	if file, ok := errors.AsType[*sqlite.Error](err); ok && file.Kind == sqlite.Missing {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer s.Close()
	found, err := Load(ctx, s, model)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return &found[0], nil
}
