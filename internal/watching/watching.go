// Package watching begins, continues and reads the watches that a database holds. A watch is an
// enrolment run and a run for each time that the endpoint was looked at. Nothing else is saved:
// the state is computed from the records, so that it survives upgrades.
package watching

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"verbatim"
	"verbatim/internal/app"
	"verbatim/internal/draw"
	"verbatim/internal/errkind"
	"verbatim/internal/library"
	"verbatim/internal/model"
	"verbatim/internal/report"
	"verbatim/internal/report/result"
	"verbatim/internal/store"
	"verbatim/internal/store/sqlite"
	"verbatim/internal/verdict/sentinel"
)

// Kind is the kind of the tests of a watch.
const Kind = "sentinel"

// Settings are what a watch is begun with.
type Settings struct {
	Alpha     float64
	Tolerance float64
	Horizon   int // in days with calls
	Seed      uint64
	// Texts and Distances add to what is compared, MixUpstreams lets several of them serve, and
	// StrictName makes another model name an alarm (package sentinel).
	Texts, Distances, MixUpstreams, StrictName bool
	// Over is the time over which the rounds are spread.
	Over time.Duration
	// Again begins a new watch although there is one: its change is known.
	Again bool
}

// The names of settings in a saved run that are true or absent.
const (
	textsSetting     = "texts"
	distancesSetting = "distances"
	mixSetting       = "mix-upstreams"
	strictSetting    = "strict-name"
)

// save writes the settings that a watch is read with.
func (s *Settings) save() map[string]string {
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	m := map[string]string{"role": "enrolment", "alpha": number(s.Alpha), "tolerance": number(s.Tolerance), "horizon": strconv.Itoa(s.Horizon)}
	for name, set := range map[string]bool{textsSetting: s.Texts, distancesSetting: s.Distances, mixSetting: s.MixUpstreams, strictSetting: s.StrictName} {
		if set {
			m[name] = "true"
		}
	}
	return m
}

// greedy returns the parameters of a call: temperature 0 unless the user names one, and as many
// log probabilities as choosing items takes.
func greedy(p verbatim.Params, logprobs int) verbatim.Params {
	if p.Temperature == nil {
		p.Temperature = new(float64)
	}
	p.Logprobs = logprobs
	return p
}

// inherit returns the parameters of a call, with those of the enrolment where none are given: a
// fleet is watched without naming the parameters of each endpoint.
func inherit(p, enrolled verbatim.Params) verbatim.Params {
	if p.Temperature == nil {
		p.Temperature = enrolled.Temperature
	}
	if p.TopP == nil {
		p.TopP = enrolled.TopP
	}
	if p.Seed == nil {
		p.Seed = enrolled.Seed
	}
	if p.ReasoningBudget == nil {
		p.ReasoningBudget = enrolled.ReasoningBudget
	}
	if p.Extra == nil {
		p.Extra = enrolled.Extra
	}
	p.Effort, p.SystemAs = cmp.Or(p.Effort, enrolled.Effort), cmp.Or(p.SystemAs, enrolled.SystemAs)
	return p
}

// limitOf returns the token limit of a call: one token, or the smallest limit of the protocol.
func limitOf(wire string) int {
	if wire == "responses" {
		return 16
	}
	return 1
}

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
	summaries, err := s.Runs(ctx)
	if err != nil {
		return nil, err
	}
	var found []Saved
	place := map[string]int{}
	for i := range summaries {
		r := summaries[i].Run
		if r.Test == nil || r.Test.Kind != Kind || model != "" && r.Model != model {
			continue
		}
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
	e := sentinel.NewSaved(sentinel.EnrolmentConfig{Tolerance: tolerance, Distances: set[distancesSetting] != "", MixUpstreams: set[mixSetting] != "", Upstream: report.ReplyUpstream})
	for rec, err := range s.Records(ctx, r.N, store.Read{Texts: true}) {
		if err != nil {
			return w, err
		}
		e.Add(&rec)
	}
	var err error
	rules := sentinel.Rules{StrictName: set[strictSetting] != "", Upstream: report.ReplyUpstream}
	if w.Watch, err = sentinel.NewWatch(e.Result(), w.Alpha, w.Horizon, seed, rules); err != nil {
		return w, fmt.Errorf("run %s: %w", r.Name, err)
	}
	return w, nil
}

// addRun adds a finished run of a day.
func (w *Saved) addRun(ctx context.Context, s *store.Store, r verbatim.Run) error {
	date := r.Test.Settings["date"]
	if date != w.date {
		w.date, w.runs = date, 0
	}
	t, err := w.Today(date, w.runs, verbatim.Params{}, 1)
	if err != nil {
		return fmt.Errorf("run %s: %w", r.Name, err)
	}
	w.runs++
	for rec, err := range s.Records(ctx, r.N, store.Read{Texts: true}) {
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

// Enrol begins a watch. An enrolment that was interrupted is continued.
func Enrol(stop, abort context.Context, a *app.App, o app.Options, set Settings) (*result.Enrolment, error) {
	settings := set.save()
	var e *sentinel.Enrolment
	p := app.ProbeOptions{Options: o, Kind: Kind, Settings: settings, InFlight: 1}
	p.Open = func(end app.Endpoint, params verbatim.Params, _ int) (app.ProbeTest, error) {
		before, err := find(stop, a, end.Name)
		if err != nil {
			return nil, err
		}
		watch := 1
		if before != nil {
			if !set.Again {
				return nil, errkind.Usagef("`verbatim sentinel run` looks at it; `verbatim sentinel accept` begins a new watch if a change is known", "%s is watched since %s",
					end.Name, before.Run.Started.UTC().Format(time.DateOnly))
			}
			watch = before.Number + 1
		}
		seed := draw.Rand(Kind, 1, end.Name, set.Seed, uint64(watch)).Uint64()
		settings["watch"], settings["seed"] = strconv.Itoa(watch), strconv.FormatUint(seed, 10)
		logprobs := verbatim.MaxLogprobs
		if end.Wire == "anthropic" {
			logprobs = 0
		}
		e = sentinel.NewEnrolment(sentinel.EnrolmentConfig{
			Seed: seed, Tolerance: set.Tolerance, Params: greedy(params, logprobs), Limit: limitOf(end.Wire),
			Texts: set.Texts, Distances: set.Distances, MixUpstreams: set.MixUpstreams, Upstream: report.ReplyUpstream,
			Every: set.Over / sentinel.Rounds, Wait: func(until time.Time) { wait(stop, until) },
		})
		return e, nil
	}
	probed, err := run(stop, abort, a, p)
	if err != nil {
		return nil, err
	}
	if e.Verdict() == sentinel.Enrolled {
		begun, err := find(stop, a, probed.Run.Model)
		if err == nil && begun != nil {
			_, err = testContracts(stop, abort, a, o, probed, begun, "")
		}
		if err != nil && !errkind.IsInterrupted(stop) {
			a.Note("The watch has begun, but contracts were not tested: " + err.Error())
		}
	}
	return &result.Enrolment{Format: result.EnrolmentFormat, EnrolmentResult: e.Result(), Probed: probed, Alpha: set.Alpha, Horizon: set.Horizon}, nil
}

// wait waits until a time, or until the command is to stop.
func wait(stop context.Context, until time.Time) {
	select {
	case <-stop.Done():
	case <-time.After(time.Until(until)):
	}
}

// Today looks at a watched endpoint.
func Today(stop, abort context.Context, a *app.App, o app.Options, now time.Time) (*result.Watched, error) {
	settings := map[string]string{"role": "day"}
	var w *Saved
	var t *sentinel.Today
	date := now.UTC().Format(time.DateOnly)
	p := app.ProbeOptions{Options: o, Kind: Kind, Settings: settings, InFlight: 1}
	p.Open = func(end app.Endpoint, params verbatim.Params, _ int) (app.ProbeTest, error) {
		var err error
		if w, err = find(stop, a, end.Name); err != nil {
			return nil, err
		}
		if w == nil {
			return nil, errkind.Usagef("begin with `verbatim sentinel init`", "%s is not watched", end.Name)
		}
		n := 0
		if date == w.date {
			n = w.runs
		}
		settings["watch"], settings["date"], settings["n"] = strconv.Itoa(w.Number), date, strconv.Itoa(n)
		if t, err = w.Today(date, n, greedy(inherit(params, w.Run.Params), 0), limitOf(end.Wire)); err != nil {
			return nil, errkind.Usagef("`verbatim sentinel accept` begins a new watch", "%w", err)
		}
		return t, nil
	}
	probed, err := run(stop, abort, a, p)
	if err != nil {
		return nil, err
	}
	if t.Word() == sentinel.Quiet && w.contractsDue(now) {
		c, err := testContracts(stop, abort, a, o, probed, w, date)
		if err == nil {
			err = w.AddContracts(date, c)
		}
		if err != nil {
			a.Note("Contracts were not tested: " + err.Error())
		}
	}
	doc := Status(w)
	doc.Probed, doc.Word, doc.Deviating = &probed, t.Word(), t.Deviations()
	return doc, nil
}

// Names returns the models of all watches that an earlier command of this user opened: a database
// does not decide what is executed or where a key is sent. The others are errors by their names.
func Names(ctx context.Context, a *app.App, o model.Options) (names []string, refused []error, err error) {
	s, err := a.OpenDatabase(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer s.Close()
	found, err := Load(ctx, s, "")
	if err != nil {
		return nil, nil, err
	}
	for i := range found {
		name, _, err := a.Repeatable(ctx, library.SavedRun{Run: found[i].Run, Store: s}, o)
		if err != nil {
			refused = append(refused, err)
			continue
		}
		names = append(names, name)
	}
	if len(found) == 0 {
		err = errkind.Usagef("begin with `verbatim sentinel init MODEL`", "no endpoint is watched")
	}
	return names, refused, err
}

// run sends the calls of a test.
func run(stop, abort context.Context, a *app.App, o app.ProbeOptions) (result.Probed, error) {
	probe, err := a.Probe(stop, abort, o)
	if err != nil {
		return result.Probed{}, err
	}
	defer probe.Close()
	if err := probe.Interrupted(stop); err != nil {
		return result.Probed{}, err
	}
	return probe.Report(abort)
}

// Status describes a watch.
func Status(w *Saved) *result.Watched {
	doc := &result.Watched{Format: result.WatchFormat, Model: w.Model, Number: w.Number, Alpha: w.Alpha, Horizon: w.Horizon, Capital: w.Capital(), Days: w.Days(), Items: len(w.Enrolled.Items),
		Tolerance: w.Enrolled.Tolerance, Since: w.Run.Started, Word: sentinel.Quiet, Upstreams: w.Enrolled.Upstreams}
	doc.Spent.Enrolment = w.Enrolled.Calls
	for _, d := range doc.Days {
		doc.Spent.Days += d.Calls + d.Elsewhere
		if doc.First == "" && d.Deviations > 0 {
			doc.First = d.Date
		}
	}
	if day, ok := w.Alarm(); ok {
		doc.Alarm, doc.Word = &day, sentinel.Alarm
	}
	return doc
}

// seenWatches is the number of simulated watches behind each rate of a status.
const seenWatches = 400

// WouldSee adds how fast a change would be seen, of a watch that deviates as it has so far.
func WouldSee(w *Saved, doc *result.Watched) {
	m := sentinel.Model{Alpha: w.Alpha, Tolerance: w.Enrolled.Tolerance, Horizon: w.Horizon, Day: min(len(doc.Days), w.Horizon-1)}
	calls, deviations := w.Enrolled.Measured, w.Enrolled.Deviations
	for _, d := range doc.Days {
		calls, deviations = calls+d.Calls, deviations+d.Deviations
	}
	if calls > 0 && doc.Alarm == nil {
		m.Before = min(float64(deviations)/float64(calls), w.Enrolled.Tolerance)
	}
	for _, rate := range sentinel.SeenRates() {
		if rate > w.Enrolled.Tolerance {
			doc.Seen = append(doc.Seen, m.Seen(rate, seenWatches))
		}
	}
}
