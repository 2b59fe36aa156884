package cli

import (
	"cmp"
	"slices"

	"github.com/spf13/cobra"

	"verbatim/internal/app"
	"verbatim/internal/errkind"
	"verbatim/internal/report"
	"verbatim/internal/verdict/earlystop"
)

// testFlags holds the flags of a test that compares with a baseline.
type testFlags struct {
	boundName       string // "margin" or "rope"
	bound           float64
	alpha           float64
	scope           string
	Items           int
	maxUnanswered   float64
	maxTruncatedGap float64
	metric          report.Metric
}

// Register adds the flags. The one for the bound has this name, default and help.
func (t *testFlags) register(cmd *cobra.Command, name string, bound float64, usage string) {
	t.boundName = name
	f := cmd.Flags()
	f.Float64Var(&t.bound, name, bound, usage)
	f.Float64Var(&t.alpha, "alpha", 0.05, "maximum error `rate` of the verdict, between 0 and 1")
	f.StringVar(&t.scope, "scope", string(earlystop.Endpoint), "scope of the verdict, a `name`: endpoint (future answers too) or benchmark (answers to these items)")
	f.Float64Var(&t.maxUnanswered, "max-unanswered", 0.02, "no verdict if a larger `share` of the items has no answer, 0 to 1")
	f.Float64Var(&t.maxTruncatedGap, "max-truncated-gap", 0.02, "no verdict if the token limit truncated one side more often by a larger `share`, 0 to 1")
	completeFlag(cmd, "scope", fixedWords(string(earlystop.Endpoint), string(earlystop.Benchmark)))
}

// Check checks the values, except for the ranges that flagcheck checks. Options needs it.
func (t *testFlags) Check(metric string) (err error) {
	if t.metric, err = report.ParseAnswerMetric(metric); err != nil {
		return errkind.Usagef("", "--metric: %w", err)
	}
	if !slices.Contains(earlystop.Scopes(), earlystop.Scope(t.scope)) {
		return errkind.Usagef("the scopes are endpoint and benchmark", "there is no scope %q", t.scope)
	}
	return cmp.Or(refuseProbability("alpha", t.alpha, "0.05"), refuseUnanswered(t.maxUnanswered))
}

// refuseProbability returns a usage error unless the value of a flag is above 0 and below 1.
func refuseProbability(flag string, value float64, example string) error {
	if value > 0 && value < 1 {
		return nil
	}
	return errkind.Usagef("write a probability, such as "+example, "--%s %v: it must be between 0 and 1", flag, value)
}

// refuseUnanswered returns a usage error if the value of --max-unanswered is no share.
func refuseUnanswered(share float64) error {
	if share >= 0 && share < 1 {
		return nil
	}
	return errkind.Usagef("write a share, such as 0.02", "--max-unanswered %v: it must be at least 0 and below 1", share)
}

// Options returns the options of a test of this kind against the baseline run.
func (t *testFlags) Options(kind, baseline string, o app.Options) app.TestOptions {
	return app.TestOptions{
		Options: o, Kind: kind, Baseline: baseline, BoundName: t.boundName, Metric: t.metric,
		Verdict: earlystop.Options{
			Scope: earlystop.Scope(t.scope), Bound: t.bound, Alpha: t.alpha, Items: t.Items,
			MaxUnanswered: t.maxUnanswered, MaxTruncatedGap: t.maxTruncatedGap, Score: t.metric.Score,
		},
	}
}
