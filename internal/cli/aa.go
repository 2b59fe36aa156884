package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"verbatim/internal/report"
	"verbatim/internal/store"
	"verbatim/internal/verdict"
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
		Short: "Ask one endpoint the same items twice, and say what the verdicts make of it",
		Long: `Ask an endpoint the same items twice and say how far its answers agree with each
other: how many flip between right and wrong, how much of the variance of scores is
between items, whether it drifted from the first pass to the second. Then say what
'verbatim compare' and 'verbatim check' would say of this endpoint beside itself: how
often they would raise a false alarm, how often a check of it would pass, and how
many items that takes.

It is an ordinary run with two trials: it is kept, and continued by the same command.
With --run RUN a kept run with two trials or more is analysed, and nothing is asked.`,
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
	f.StringVar(&r.kept, "run", "", "analyse this kept `RUN`, and ask nothing")
	f.StringVar(&r.on, "on", "", "which `score` is compared: exact, payload, similarity or sortbench (default: the suite's own)")
	f.DurationVar(&r.duration, "for", 0, "stop asking after this `time`, such as 1h")
	f.BoolVarP(&r.quiet, "quiet", "q", false, "no progress")
	cmd.RegisterFlagCompletionFunc("run", completeRuns(env))
	return cmd
}

func (r *retester) run(cmd *cobra.Command, env *Env, args []string) error {
	on, err := report.ParseOn(r.on)
	if err != nil {
		return misused("", "--on: %w", err)
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
func (r *retester) analyse(cmd *cobra.Command, env *Env, args []string, on report.On) error {
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
func (r *retester) show(ctx context.Context, env *Env, runs []keptRun, on report.On) error {
	docs := []report.AskedTwice{}
	for _, run := range runs {
		graders, err := run.store.Common(ctx, run.N)
		if err != nil {
			return err
		}
		doc := report.AskedTwice{N: run.N, Run: run.Name, Model: run.Model, Note: builtIn(&run.Run), Suite: run.Plan.Suite, Plan: run.Plan.Hash}
		read := store.Read{Graders: graders, Scores: true, Measures: on == report.OnSimilarity || on == report.OnSortBench}
		doc.Twice, err = verdict.AskedTwice(run.Run, run.store.Records(ctx, run.N, read), verdict.Defaults(string(on), on.Score))
		if err != nil && !errors.Is(err, verdict.ErrNotTwice) { // an interrupted first pass is no error of its own
			return err
		}
		docs = append(docs, doc)
	}
	if r.asJSON {
		return writeJSON(env.Out, "aa", map[string]any{"runs": docs})
	}
	return report.TwiceText(env.Out, docs, env.style())
}
