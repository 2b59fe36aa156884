// Package watching begins, continues and reads the watches of a database (package sentinel). A watch is
// an enrolment run, and a run for each time that the endpoint was looked at. Each run saves the state
// after it, so that the next one reads no records. A state of another version is computed again from the
// records, so that a watch survives upgrades.
//
// Enrol begins a watch (with the Settings of settings.go), Load reads watches (saved.go), Today looks at
// an endpoint, and Look at several of them (look.go). Plan says what these would send (plan.go).
package watching

import (
	"context"
	"strconv"
	"time"

	"verbatim"
	"verbatim/internal/app"
	"verbatim/internal/draw"
	"verbatim/internal/errkind"
	"verbatim/internal/library"
	"verbatim/internal/model"
	"verbatim/internal/report"

	"verbatim/internal/verdict/sentinel"
)

// kind is the kind of the tests of a watch.
const kind = "sentinel"

// Enrol begins a watch. An enrolment that was interrupted is continued.
func Enrol(stop, abort context.Context, a *app.App, o app.Options, set Settings) (*report.Enrolment, error) {
	settings := set.save()
	var e *sentinel.Enrolment
	p := app.ProbeOptions{Options: o, Kind: kind, Settings: settings, InFlight: 1}
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
		seed := draw.Rand(kind, 1, end.Name, set.Seed, uint64(watch)).Uint64()
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
	return &report.Enrolment{Format: report.EnrolmentFormat, EnrolmentResult: e.Result(), Probed: probed, Alpha: set.Alpha, Horizon: set.Horizon}, nil
}

// wait waits until a time, or until the command is interrupted.
func wait(stop context.Context, until time.Time) {
	select {
	case <-stop.Done():
	case <-time.After(time.Until(until)):
	}
}

// today looks at a watched endpoint.
func today(stop, abort context.Context, a *app.App, o app.Options, now time.Time) (*report.Watched, error) {
	settings := map[string]string{"role": dayRole}
	var w *Saved
	var t *sentinel.Today
	date := now.UTC().Format(time.DateOnly)
	p := app.ProbeOptions{Options: o, Kind: kind, Settings: settings, InFlight: 1}
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

// Names returns the models of all watches that an earlier command of this user opened. refused has an
// error for each of the others: a database must not decide what is executed or where a key is sent.
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

// run sends the calls of a test, and describes the run.
func run(stop, abort context.Context, a *app.App, o app.ProbeOptions) (report.Probed, error) {
	probe, err := a.Probe(stop, abort, o)
	if err != nil {
		return report.Probed{}, err
	}
	defer probe.Close()
	if err := probe.Interrupted(stop); err != nil {
		return report.Probed{}, err
	}
	return probe.Report(abort)
}

// Status describes a watch.
func Status(w *Saved) *report.Watched {
	doc := &report.Watched{Format: report.WatchFormat, Model: w.Model, Number: w.Number, Alpha: w.Alpha, Horizon: w.Horizon, Capital: w.Capital(), Days: w.Days(), Items: len(w.Enrolled.Items),
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

// WouldSee adds how fast a change would be seen, if the watch deviates as often as so far until then.
func WouldSee(w *Saved, doc *report.Watched) {
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
