package cli

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"verbatim/internal/errkind"
	"verbatim/internal/layout"
	"verbatim/internal/library"

	"verbatim/internal/report"

	"verbatim/internal/store"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict"
	"verbatim/internal/verdict/autorank"
)

// compareFlags holds the flags of `compare`.
type compareFlags struct {
	metric, out     string
	format          formatFlags
	method          string
	baseline        string
	flips           string
	rope            float64
	maxUnanswered   float64
	maxTruncatedGap float64
	allPairs        bool
	across          string
	raw             bool
}

// compareCommand returns the command `compare`.
func compareCommand(env *Env) *cobra.Command {
	var c compareFlags
	defaults := verdict.Defaults("", nil)
	cmd := &cobra.Command{
		Use:   "compare RUN...",
		Short: "Compare runs: worse, equivalent or better, with probabilities",
		Long: `Compare runs on the items that all of them answered. The first run is the
baseline A; every other run is a B that is compared with it. The verdict on B is
worse, equivalent or better if its posterior probability is at least 95 %.
Equivalent means that the mean scores differ by at most --rope. Otherwise there
is no verdict, and the output says how many more items would give one. The error
rate of a posterior is not guaranteed.

RUN is a number that 'verbatim runs' prints, a run's name or its prefix, "last",
or a file that 'verbatim export' wrote. It can also be a model's name: the
newest run of the same plan as the first run. Runs with other items, editions,
prompts or graders are refused.

"Worse" and "better" also need a p-value of the sign-flip test of at most 0.05.
Two equal models then get a false verdict in at most 5 % of comparisons, however
few items differ. The verdicts on several runs have Holm's correction: the 5 %
hold for all of them together.

With --across prompt, the runs are of one model, or of several, and differ in
their prompts (--shots, --paraphrase, --system). Every run is compared with the
first of its model: the difference is the effect of the prompt.

Exit codes: 0 done, whatever the verdict, 1 failed, 2 usage error.`,
		Example: `  verbatim compare 1 2
  verbatim compare openai:gpt-4o anthropic:claude-haiku-4-5
  verbatim compare 1 2 3 --rope 0.05 --metric extracted
  verbatim compare 1 2 --across prompt
  verbatim compare 1 2 3 4 5 6 7 --method signed-rank
  verbatim compare 1 2 --json | jq '.comparisons[0].verdict'`,
		Args:              cobra.MinimumNArgs(1),
		ValidArgsFunction: env.completeRuns(),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.run(cmd, env, args)
		},
	}
	f := cmd.Flags()
	f.StringVar(&c.metric, "metric", "", "`score` that is compared: exact, extracted, similarity, sortbench or score, the suite's own; or over trials pass@K, all@K, all or majority (default: exact)")
	f.StringVar(&c.method, "method", posterior, "`method`: posterior, or signed-rank as in the SortBench paper")
	f.Float64Var(&c.rope, "rope", defaults.Rope, "largest `difference` of mean scores that counts as equivalent, 0 to 1")
	singleFlag(f, &c.baseline, "baseline", "", "baseline `RUN` that the others are compared with (default: the first)")
	f.StringVar(&c.across, "across", "", "`what` differs between the runs: prompt pairs runs of one model that differ in their prompt variants only (default: the models)")
	f.BoolVar(&c.allPairs, "all-pairs", false, "comparisons of every run with every other; each verdict then needs a higher probability")
	f.StringVar(&c.flips, "flips", strconv.Itoa(defaults.Flips), "maximum `number` of listed items that only one of two runs has right, or all")
	f.Float64Var(&c.maxUnanswered, "max-unanswered", defaults.MaxUnanswered, "no verdict if a larger `share` of the pairs lacks an answer, 0 to 1")
	f.Float64Var(&c.maxTruncatedGap, "max-truncated-gap", defaults.MaxTruncatedGap, "no verdict if the shares of truncated answers have a larger `difference`, 0 to 1")
	c.format.register(cmd, formats(false, true))
	completeFlag(cmd, "metric", metricNames)
	completeFlag(cmd, "method", fixedWords(posterior, signedRank))
	completeFlag(cmd, "across", fixedWords(verdict.AcrossPrompt))
	f.StringVarP(&c.out, "output", "o", "", "output `file` (default: the standard output)")
	f.BoolVar(&c.raw, "raw", false, "CSV cells unchanged, even if a spreadsheet may read them as formulas")
	return cmd
}

func (c *compareFlags) run(cmd *cobra.Command, env *Env, args []string) error {
	format, err := c.format.chosen()
	if err != nil {
		return err
	}
	if err := onlyCSV("raw", c.raw, format.Name); err != nil {
		return err
	}
	if c.method == signedRank {
		if flag := firstGiven(cmd, "rope", "across", "all-pairs", "flips", "max-unanswered", "max-truncated-gap"); flag != "" {
			return errkind.Usagef("leave it out: the signed-rank analysis follows the paper", "--%s does not go with --method %s", flag, signedRank)
		}
	}
	options, err := c.options()
	if err != nil {
		return err
	}
	lib := env.app(cmd).Library()
	defer lib.Close()
	runs, err := c.find(cmd.Context(), lib, args)
	if err != nil {
		return err
	}
	for i := range runs {
		if err := report.Metric(options.Metric).CheckTrials(&runs[0].Run, &runs[i].Run); err != nil {
			return err
		}
	}
	sides := library.Sides(cmd.Context(), runs, store.Read{Scores: true, Measures: c.method == signedRank || library.Measured(report.Metric(c.metric))})
	compared, err := c.compare(sides, options)
	if err != nil {
		return usageOfRefusal(err)
	}
	return env.writeResult(c.out, contentOf(format.Name), func(w *File, s terminal.Style) error {
		return format.Write(w, layout.Compare(compared, layout.Options{Raw: c.raw, Program: env.program()}), s)
	})
}

// usageOfRefusal makes a usage error of a verdict.Refusal, whose text names items and files as
// others spelt them. It returns other errors as they are.
func usageOfRefusal(err error) error {
	if refused, ok := errors.AsType[*verdict.Refusal](err); ok {
		return errkind.Usagef(terminal.Visible(refused.Hint()), "%s", terminal.Visible(refused.Error()))
	}
	return err
}

// options checks the flags and returns the options of the comparison.
func (c *compareFlags) options() (verdict.Options, error) {
	metric, err := parseMetric(c.metric)
	if err != nil {
		return verdict.Options{}, err
	}
	if c.method != posterior && c.method != signedRank {
		return verdict.Options{}, errkind.Usagef("the methods are "+posterior+" and "+signedRank, "there is no method %q", c.method)
	}
	if metric == "" {
		metric = report.MetricExact
		if c.method == signedRank { // it reproduces published tables
			metric = report.MetricScore
		}
	}
	if metric.OverTrials() && c.method == signedRank {
		return verdict.Options{}, errkind.Usagef("leave out one of them", "--metric %s does not go with --method %s, which takes scores of answers", metric, signedRank)
	}
	o := verdict.Defaults(string(metric), metric.Score)
	o.ItemScore = metric.ItemScore()
	o.Rope, o.MaxUnanswered, o.MaxTruncatedGap = c.rope, c.maxUnanswered, c.maxTruncatedGap
	if c.across != "" && c.across != verdict.AcrossPrompt {
		return o, errkind.Usagef("use --across prompt", "--across must be prompt, got %q", c.across)
	}
	o.AcrossPrompt = c.across != ""
	if o.AcrossPrompt && c.allPairs {
		return o, errkind.Usagef("leave one of them out", "--all-pairs does not go with --across")
	}
	o.Flips = -1
	if c.flips != "all" {
		if o.Flips, err = strconv.Atoi(c.flips); err != nil || o.Flips < 0 {
			return o, errkind.Usagef("give a number, or all", "--flips cannot be %q", c.flips)
		}
	}
	return o, nil
}

// find returns the runs that the arguments name, the baseline first.
func (c *compareFlags) find(ctx context.Context, lib *library.Library, args []string) ([]library.NamedRun, error) {
	if c.baseline != "" {
		args = append([]string{c.baseline}, args...)
	}
	all, err := lib.Named(ctx, args)
	if err != nil {
		return nil, err
	}
	var runs []library.NamedRun
	for _, run := range all {
		known := slices.IndexFunc(runs, run.Same)
		switch {
		case known == 0 && c.baseline != "": // an argument may name the baseline too
			continue
		case known >= 0:
			return nil, errkind.Usagef("'verbatim runs' lists the runs; 'verbatim run --new' repeats a run",
				"%s and %s are the same run (%s)", runs[known].Given, run.Given, run.Name)
		}
		runs = append(runs, run)
	}
	if len(runs) < 2 {
		return nil, errkind.Usagef("name a second run", "there is nothing to compare %s with", runs[0].Name)
	}
	return runs, nil
}

// The values of --method.
const (
	posterior  = "posterior"
	signedRank = "signed-rank"
)

// compare compares the runs by the method.
func (c *compareFlags) compare(sides []verdict.Side, o verdict.Options) (*report.Compared, error) {
	if c.method == signedRank {
		r, err := autorank.Rank(sides, autorank.Options{Metric: o.Metric, Score: o.Score, Measures: report.SortBenchMeasures()})
		if err != nil {
			return nil, err
		}
		return report.Ranked(r), nil
	}
	list, err := verdict.CompareSeveral(sides, o, c.allPairs)
	if err != nil {
		return nil, err
	}
	return report.Comparing(list), nil
}
