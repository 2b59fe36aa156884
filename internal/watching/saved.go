package watching

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"verbatim"
	"verbatim/internal/app"
	"verbatim/internal/report"
	"verbatim/internal/store"
	"verbatim/internal/store/sqlite"
	"verbatim/internal/verdict/sentinel"
)

// A Saved is a watch of a database.
type Saved struct {
	*sentinel.Watch
	Model   string
	Number  int // from 1: of the watches of this model
	Alpha   float64
	Horizon int
	Run     verbatim.Run // the enrolment
	runs    int          // finished runs of the newest date
	date    string       // the newest date
	tested  string       // the date of the newest test of contracts; "": none
}

// Load reads the newest watch of each model; model "" is all. They are in the order of their
// enrolments. Those without a finished enrolment are left out.
func Load(ctx context.Context, s *store.Store, model string) ([]Saved, error) {
	runs, err := s.Tests(ctx, Kind, model)
	if err != nil {
		return nil, err
	}
	var found []Saved
	place := map[string]int{}
	for _, r := range runs {
		switch {
		case r.Test.Settings["role"] == "enrolment" && r.Test.Verdict == sentinel.Enrolled:
			w, err := loadEnrolment(ctx, s, r)
			if err != nil {
				return nil, err
			}
			if at, ok := place[r.Model]; ok {
				found[at] = w
			} else {
				place[r.Model] = len(found)
				found = append(found, w)
			}
		case r.Test.Settings["role"] == "day" && r.Test.Verdict != "":
			at, ok := place[r.Model]
			if ok && r.Test.Settings["watch"] == strconv.Itoa(found[at].Number) {
				if err := found[at].addRun(ctx, s, r); err != nil {
					return nil, err
				}
			}
		case r.Test.Settings["role"] == contractsRole && r.Test.Verdict != "":
			at, ok := place[r.Model]
			if ok && r.Test.Settings["watch"] == strconv.Itoa(found[at].Number) {
				if err := found[at].addContracts(r); err != nil {
					return nil, err
				}
			}
		}
	}
	return found, nil
}

// loadEnrolment makes the watch of an enrolment run.
func loadEnrolment(ctx context.Context, s *store.Store, r verbatim.Run) (Saved, error) {
	set := r.Test.Settings
	w := Saved{Model: r.Model, Run: r}
	var tolerance float64
	var seed uint64
	var errs [5]error
	w.Number, errs[0] = strconv.Atoi(set["watch"])
	w.Alpha, errs[1] = strconv.ParseFloat(set["alpha"], 64)
	tolerance, errs[2] = strconv.ParseFloat(set["tolerance"], 64)
	w.Horizon, errs[3] = strconv.Atoi(set["horizon"])
	seed, errs[4] = strconv.ParseUint(set["seed"], 10, 64)
	if err := errors.Join(errs[:]...); err != nil || !(w.Alpha > 0 && w.Alpha < 1) || !(tolerance > 0 && tolerance < 1) {
		return w, fmt.Errorf("run %s: the settings of its watch cannot be read", r.Name)
	}
	rules := sentinel.Rules{StrictName: set[strictSetting] != "", Upstream: report.ReplyUpstream}
	result, err := sentinel.ReadEnrolment(r.Test.State)
	if err != nil { // an earlier version saved none, or another one
		if result, err = enrolmentOfRecords(ctx, s, r, tolerance); err != nil {
			return w, err
		}
	}
	if w.Watch, err = sentinel.NewWatch(result, w.Alpha, w.Horizon, seed, rules); err != nil {
		return w, fmt.Errorf("run %s: %w", r.Name, err)
	}
	return w, nil
}

// enrolmentOfRecords computes what an enrolment found.
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
	var file *sqlite.Error
	if errors.As(err, &file) && file.Kind == sqlite.Missing {
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
