package watching

import (
	"context"

	"verbatim"
	"verbatim/internal/app"
	"verbatim/internal/report"
	"verbatim/internal/verdict/preflight"
	"verbatim/internal/verdict/sentinel"
)

// contractTokens is the mean token limit of the calls that test contracts.
const contractTokens = 57

// Plan returns what an enrolment and a year of a watch would send. It sends nothing.
func Plan(ctx context.Context, a *app.App, o app.Options, set Settings) (enrolment, year *report.CallPlan, err error) {
	p := app.ProbeOptions{Options: o, Kind: "sentinel init"}
	p.Open = func(_ app.Endpoint, params verbatim.Params, _ int) (app.ProbeTest, error) {
		return sentinel.NewEnrolment(sentinel.EnrolmentConfig{Tolerance: sentinel.MaxTolerance, Params: greedy(params, 0), Texts: set.Texts}), nil
	}
	one, daily := 1, 1
	if set.Texts { // an eighth of the calls of an enrolment have 28 tokens, and a quarter of a year's
		one, daily = 4, 8
	}
	if enrolment, err = a.PlanProbe(ctx, p, one); err != nil {
		return nil, nil, err
	}
	if year, err = a.PlanProbe(ctx, p, daily); err != nil {
		return nil, nil, err
	}
	p.Open = func(end app.Endpoint, params verbatim.Params, _ int) (app.ProbeTest, error) {
		return sentinel.NewContractTest(preflight.Config{Wire: end.Wire, Seed: 1, Params: params}), nil
	}
	contracts, err := a.PlanProbe(ctx, p, contractTokens)
	if err != nil {
		return nil, nil, err
	}
	enrolment = enrolment.Plus(contracts)
	year = year.Times(365 * sentinel.Usual).Plus(contracts.Times((365/sentinel.ContractDays + 1) * sentinel.MaxContractCalls))
	year.Kind = "a year of sentinel run"
	return enrolment, year, nil
}
