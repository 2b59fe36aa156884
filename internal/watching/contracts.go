package watching

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"verbatim"
	"verbatim/internal/app"
	"verbatim/internal/report"
	"verbatim/internal/verdict/preflight"
	"verbatim/internal/verdict/sentinel"
)

// addContracts adds a run that tested contracts.
func (w *Saved) addContracts(r verbatim.Run) error {
	c, date := sentinel.ReadContracts(r.Test.Verdict), r.Test.Settings["date"]
	if w.tested = date; date == "" {
		w.tested = r.Started.UTC().Format(time.DateOnly)
		w.Keep(c)
		return nil
	}
	if err := w.AddContracts(date, c); err != nil {
		return fmt.Errorf("run %s: %w", r.Name, err)
	}
	return nil
}

// contractsDue reports whether the newest test of contracts is ContractDays old, or missing.
func (w *Saved) contractsDue(now time.Time) bool {
	last, err := time.Parse(time.DateOnly, w.tested)
	return err != nil || now.UTC().Sub(last) >= sentinel.ContractDays*24*time.Hour
}

// testContracts tests contracts on a date; "" is the beginning of the watch. It may spend what the calls
// before left of the budget.
func testContracts(stop, abort context.Context, a *app.App, o app.Options, before report.Probed, w *Saved, date string) (sentinel.Contracts, error) {
	if o.Pace.Budget != nil && before.Cost != nil && before.Cost.Dollars != nil {
		rest := max(0, *o.Pace.Budget-*before.Cost.Dollars)
		o.Pace.Budget = &rest
	}
	settings := map[string]string{"role": contractsRole, "watch": strconv.Itoa(w.Number), "date": date}
	var t *sentinel.ContractTest
	p := app.ProbeOptions{Options: o, Kind: kind, Settings: settings, InFlight: 1}
	p.Open = func(end app.Endpoint, params verbatim.Params, reasoning int) (app.ProbeTest, error) {
		t = sentinel.NewContractTest(preflight.Config{Wire: end.Wire, Seed: 1, Params: inherit(params, w.Run.Params), Reasoning: reasoning})
		return t, nil
	}
	if _, err := run(stop, abort, a, p); err != nil {
		return sentinel.Contracts{}, err
	}
	return sentinel.ReadContracts(t.Verdict()), nil
}
