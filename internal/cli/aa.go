package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"verbatim/internal/layout"
	"verbatim/internal/report"
	"verbatim/internal/store"
	"verbatim/internal/verdict"
	"verbatim/internal/verdict/retest"
)

// A retester holds the flags of `aa`. Those of a runner that it does not register
// stay at what run takes them for by default.
type retester struct {
	runner
	kept   string // a run to analyse instead of asking
	asJSON bool
}

func aaCommand(env *Env) *cobra.Command {
	var r retester
	cmd := &cobra.Command{
		Use:   "aa [MODEL]",
		Short: "Repeat items on one endpoint and estimate false alarms",
		Long: `Run the items of a plan twice against one endpoint and print how well its
answers agree. The output has the items that flip between right and wrong, the
share of the score variance that is between items, and the drift from the first
trial to the second.

It also estimates what 'verbatim compare' and 'verbatim check' would say if this
endpoint were compared with itself: the rate of false alarms, the rate of passed
checks, and the number of items needed.

It is an ordinary run with two trials: it is saved, and the same command
continues it. With --run RUN the command analyses a saved run with two or more
trials, and sends no requests.

Exit codes: 0 every planned request has an answer, 1 answers are missing or the
run failed, 2 usage error, 130 interrupted.`,
		Example: `  verbatim aa openai:gpt-4o-mini --task reverse,copy --items 20
  verbatim aa http://127.0.0.1:8080/v1 --suite simpe
  verbatim aa --run last --json`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return r.run(cmd, env, args)
		},
	}
	r.register(cmd)
	f := cmd.Flags()
	trials := f.Lookup("trials")
	trials.DefValue = "2"
	r.sel.trials = 2
	f.StringVar(&r.kept, "run", "", "saved `RUN` to analyse, without requests (default: none)")
	f.StringVar(&r.on, "metric", "", "`score` that is analysed: exact, extracted, similarity or sortbench (default: the suite's own)")
	f.DurationVar(&r.duration, "for", 0, "`time` after which no further request is sent, such as 1h (default: none)")
	f.BoolVarP(&r.quiet, "quiet", "q", false, "no progress output")
	cmd.RegisterFlagCompletionFunc("run", completeRuns(env))
	return cmd
}

func (r *retester) run(cmd *cobra.Command, env *Env, args []string) error {
	on, err := report.ParseMetric(r.on)
	if err != nil {
		return misused("", "--metric: %w", err)
	}
	r.asJSON, r.runner.asJSON = r.runner.asJSON, false // the one document comes at the end
	if r.kept != "" {
		return r.analyse(cmd, env, args, on)
	}
	if r.sel.trials < 2 {
		return misused("leave out --trials", "--trials %d: how far answers agree takes two of each item", r.sel.trials)
	}
	r.models = append(r.models, args...)
	a, options, err := r.resolve(env)
	if err != nil {
		return err
	}
	return a.carryOut(cmd, options, func(ctx context.Context, runs []keptRun) error { return r.show(ctx, env, runs, on) })
}

// analyse says of a kept run what it would say of one that it has asked.
func (r *retester) analyse(cmd *cobra.Command, env *Env, args []string, on report.Metric) error {
	if len(args)+len(r.models) > 0 {
		return misused("leave out --run, or the model", "--run %s is analysed, and no model is asked", r.kept)
	}
	lib := env.library(cmd)
	defer lib.Close()
	run, err := lib.find(cmd.Context(), r.kept)
	if err != nil {
		return err
	}
	if run.Plan.Trials < 2 {
		return misused("ask the endpoint with 'verbatim aa MODEL', or run it with --trials 2", "run %s asks each item once: how far answers agree takes two of each item", run.Name)
	}
	return r.show(cmd.Context(), env, []keptRun{run}, on)
}

// show analyses runs and prints what there is to say of them.
func (r *retester) show(ctx context.Context, env *Env, runs []keptRun, on report.Metric) error {
	docs := []report.AskedTwice{}
	for _, run := range runs {
		graders, err := run.store.Common(ctx, run.N)
		if err != nil {
			return err
		}
		doc := report.AskedTwice{N: run.N, Run: run.Name, Model: run.Model, Note: builtIn(&run.Run), Suite: run.Plan.Suite, Plan: run.Plan.Hash}
		read := store.Read{Graders: graders, Scores: true, Measures: on == report.MetricSimilarity || on == report.MetricSortBench}
		doc.Twice, err = retest.Analyze(run.Run, run.store.Records(ctx, run.N, read), verdict.Defaults(string(on), on.Score))
		if err != nil && !errors.Is(err, retest.ErrNoRepeats) { // an interrupted first pass is no error of its own
			return err
		}
		docs = append(docs, doc)
	}
	if r.asJSON {
		return writeJSON(env.Out, "aa", map[string]any{"runs": docs})
	}
	return layout.RetestText(env.Out, docs, env.style())
}
