package cli

import (
	"context"

	"github.com/spf13/cobra"

	"verbatim/internal/errkind"
	"verbatim/internal/layout"
	"verbatim/internal/library"
	"verbatim/internal/report"
	"verbatim/internal/table"
)

// aaFlags holds the flags of `aa`.
type aaFlags struct {
	runFlags
	saved  string // a run to analyse, without requests
	format formatFlags
	layout table.Format
}

// aaCommand returns the command `aa`.
func aaCommand(env *Env) *cobra.Command {
	var r aaFlags
	cmd := &cobra.Command{
		Use:   "aa [MODEL]",
		Short: "Repeat items on one endpoint and estimate false alarms",
		Long: `Run the items of a plan twice against one endpoint and print how well its
answers agree. The output has the items that flip between right and wrong. It
has the share of the score variance that is between items, and the drift from
the first trial to the second.

It also estimates what 'verbatim compare' and 'verbatim check' would say if this
endpoint were compared with itself: the rate of false alarms, the rate of passed
checks, and the number of items needed.

It is an ordinary run with two trials: it is saved, and the same command
continues it. With --run RUN the command analyses a saved run with two or more
trials, and sends no requests.

Exit codes:
  0    every planned request has an answer
  1    answers are missing, or the run failed
  2    usage error
  130  interrupted`,
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
	r.selection.Trials = 2
	f.StringVar(&r.saved, "run", "", "saved `RUN` to analyse, without requests (default: none)")
	f.StringVar(&r.metric, "metric", "", "`score` that is analysed: exact, extracted, similarity or sortbench (default: the suite's own)")
	r.format.register(cmd, formats(false, false))
	f.DurationVar(&r.maxTime, "for", 0, "`time` after which no further request is sent, such as 1h; requests in flight are finished (default: none)")
	f.BoolVarP(&r.quiet, "quiet", "q", false, "no progress output")
	cmd.RegisterFlagCompletionFunc("run", env.completeRuns())
	completeFlag(cmd, "metric", itemMetricNames)
	return cmd
}

func (r *aaFlags) run(cmd *cobra.Command, env *Env, args []string) error {
	metric, err := report.ParseAnswerMetric(r.metric)
	if err != nil {
		return errkind.Usagef("", "--metric: %w", err)
	}
	if r.layout, err = r.format.chosen(); err != nil {
		return err
	}
	if r.saved != "" {
		return r.analyse(cmd, env, args, metric)
	}
	if r.selection.Trials < 2 {
		return errkind.Usagef("leave out --trials", "--trials must be at least 2, got %d", r.selection.Trials)
	}
	r.models = append(r.models, args...)
	return r.send(cmd, env, func(ctx context.Context, runs []library.SavedRun) error { return r.print(ctx, env, runs, metric) })
}

// analyse prints the analysis of a saved run.
func (r *aaFlags) analyse(cmd *cobra.Command, env *Env, args []string, metric report.Metric) error {
	if len(args)+len(r.models) > 0 {
		return errkind.Usagef("leave out --run, or the model", "--run %s analyses a saved run, and sends nothing to a model", r.saved)
	}
	if name := firstOther(cmd, "run", "metric", "format", "json", "quiet", "db", "config"); name != "" {
		return errkind.Usagef("leave out one of them", "--%s does not go with --run %s, which analyses a saved run as it is", name, r.saved)
	}
	lib := env.app(cmd).Library()
	defer lib.Close()
	run, err := lib.Find(cmd.Context(), r.saved)
	if err != nil {
		return err
	}
	if run.Plan.Trials < 2 {
		return errkind.Usagef("use 'verbatim aa MODEL', or 'verbatim run' with --trials 2", "run %s has one trial of each item: the agreement of answers needs two", run.Name)
	}
	return r.print(cmd.Context(), env, []library.SavedRun{run}, metric)
}

// print prints the analysis of runs.
func (r *aaFlags) print(ctx context.Context, env *Env, runs []library.SavedRun, metric report.Metric) error {
	docs, err := library.Repeats(ctx, runs, metric)
	if err != nil {
		return err
	}
	return env.Print(layout.Retest(docs, env.layout()), r.layout)
}
