package cli

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"verbatim/internal/app"

	"verbatim/internal/errkind"
	"verbatim/internal/layout"

	"verbatim/internal/report"
	"verbatim/internal/table"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict"
	"verbatim/internal/verdict/earlystop"
)

// checkFlags holds the flags of `check`.
type checkFlags struct {
	runFlags
	tests        testFlags
	baseline     string
	inconclusive string
	junit        string
	markdown     string
	format       formatFlags
	layout       table.Format
}

// checkCommand returns the command `check`.
func checkCommand(env *Env) *cobra.Command {
	var c checkFlags
	cmd := &cobra.Command{
		Use:   "check --baseline RUN",
		Short: "Test an endpoint against a baseline run, for CI (exit 0, 3 or 4)",
		Long: `Run the items of a saved run, the baseline, again and test whether the model is
worse by more than --margin. The check stops as soon as the verdict is known.
That saves most of the requests if the model has not changed, or has changed
much.

Without --model the check uses the baseline's model. This requires an earlier
command of yours on this machine that ran it. A file or database from elsewhere
decides neither what is executed nor where a key is sent.

Items, prompts, token limits and parameters are those of the baseline. The
verdict is anytime-valid: its maximum error rate is --alpha, however early the
check stops. That is a theorem. If all items are used up, one last look at an
exact bound may decide, which adds at most as much. The same command continues
an interrupted or undecided check. After a verdict the check is closed, and the
same command starts another. The rates are averages over baselines: check after
a change, not every night against one baseline.

Several models are checked one after the other. --alpha then holds for all
verdicts together (Holm's correction), and the exit code is the worst one.

Exit codes:
  0    not worse by more than the margin
  3    worse
  4    undecided, or no verdict
  1    no answer at all, or a failure
  2    usage error
  130  interrupted`,
		Example: `  verbatim run --suite sortbench --model vllm:llama      the baseline, once
  verbatim check --baseline last                         has anything changed?
  verbatim check --baseline 1 --model vllm:llama-int4 --margin 0.02
  verbatim check -b 1 -m vllm:llama-int8 -m vllm:llama-int4
  verbatim check -b 1 --junit check.xml --markdown "$GITHUB_STEP_SUMMARY"`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.run(cmd, env)
		},
	}
	c.tests.register(cmd, "margin", 0.05, "largest accepted `loss` of the mean score, 0 to 1")
	c.request.register(cmd)
	c.pace.register(cmd)
	f := cmd.Flags()
	f.StringVarP(&c.baseline, "baseline", "b", "", "baseline `RUN`, required: a number, a name, a model, last, or an exported file")
	f.StringArrayVarP(&c.models, "model", "m", nil, "`model` to check; repeatable (default: the baseline's, if a command of yours ran it here)")
	f.IntVarP(&c.tests.Items, "items", "n", 0, "maximum number of `items` (default: all of the baseline's)")
	f.StringVar(&c.metric, "metric", "", "`score` that is compared: exact, extracted, similarity or sortbench (default: the suite's own)")
	f.StringVar(&c.reasoning, "reasoning-tokens", "auto", "`tokens` added to the token limit of each reply for reasoning; not sent as a parameter; auto: as in the baseline")
	f.StringVar(&c.inconclusive, "on-inconclusive", "undecided", "`result` of an undecided check: undecided (exit code 4), fail (3) or pass (0)")
	f.StringVar(&c.junit, "junit", "", "`file` for an additional JUnit report (default: none)")
	f.StringVar(&c.markdown, "markdown", "", "`file` for an additional Markdown summary; - prints it in place of the text (default: none)")
	f.BoolVar(&c.fresh, "new", false, "a new check, even if an open one could be continued")
	c.format.register(cmd, formats(true, false))
	f.BoolVarP(&c.quiet, "quiet", "q", false, "no progress output")
	cmd.RegisterFlagCompletionFunc("baseline", env.completeRuns())
	cmd.RegisterFlagCompletionFunc("model", completeModels)
	completeFlag(cmd, "metric", itemMetricNames)
	completeFlag(cmd, "on-inconclusive", fixedWords("undecided", "fail", "pass"))
	return cmd
}

// refuse checks the flags.
func (c *checkFlags) refuse() error {
	switch {
	case c.baseline == "":
		return errkind.Usagef("'verbatim runs' lists the runs, 'verbatim run' makes one", "--baseline: say which run to compare with")
	case c.layout.Name != "text" && c.markdown == "-":
		return errkind.Usagef("name a file for the Markdown", "--format %s and --markdown - would both write to the standard output", c.layout.Name)
	}
	switch c.inconclusive {
	case "undecided", "fail", "pass":
	default:
		return errkind.Usagef("it takes undecided, fail or pass", "--on-inconclusive: there is no %q", c.inconclusive)
	}
	for _, f := range []struct{ flag, path string }{{"--junit", c.junit}, {"--markdown", c.markdown}} {
		if dir, err := os.Stat(filepath.Dir(f.path)); err != nil || !dir.IsDir() {
			return errkind.Usagef("name a file in a folder that is there", "%s %s: there is no folder %s", f.flag, f.path, filepath.Dir(f.path))
		}
	}
	return c.tests.Check(c.metric)
}

func (c *checkFlags) run(cmd *cobra.Command, env *Env) error {
	var err error
	if c.layout, err = c.format.chosen(); err != nil {
		return err
	}
	if err := c.refuse(); err != nil {
		return err
	}
	options, err := c.options(env)
	if err != nil {
		return err
	}
	o := c.tests.Options("check", c.baseline, options)
	o.Repeat = true
	begun := time.Now()
	stop, abort, release := env.Handler.contexts(cmd.Context())
	defer release()
	a := env.app(cmd)
	lib := a.Library()
	defer lib.Close()
	tests, err := a.Test(stop, abort, lib, o)
	if err != nil {
		return err
	}
	var docs []*report.Check
	var nones []error
	worst := exitDone
	for _, test := range tests {
		defer test.Close()
		none := test.NoOutcome(stop)
		if kind, _ := app.Describe(none); none != nil && kind == errkind.Interrupted {
			return none
		}
		doc, err := test.Report(abort, begun)
		if err != nil {
			return err
		}
		if doc.ExitCode = c.code(test.Tested); none != nil {
			doc.ExitCode = Failed
			if nones = append(nones, none); len(tests) > 1 {
				nones[len(nones)-1] = fmt.Errorf("%s: %w", doc.Run.Model, none)
			}
		}
		docs, worst = append(docs, doc), worse(worst, doc.ExitCode)
	}
	d := layout.Checks(docs, worst, env.layout())
	if len(nones) == len(docs) { // the files are written all the same
		return errors.Join(append(nones, c.writeFiles(env, d))...)
	}
	if err := c.write(env, d); err != nil {
		return err
	}
	return cmp.Or(errors.Join(nones...), exitError(worst))
}

// worse returns the worse of two exit codes: without an answer, worse, undecided, passed.
func worse(a, b int) int {
	order := []int{exitDone, Undecided, Worse, Failed}
	return order[max(slices.Index(order, a), slices.Index(order, b))]
}

// code returns the exit code of a verdict.
func (c *checkFlags) code(t *earlystop.Result) int {
	switch {
	case t.Word == verdict.Pass:
		return exitDone
	case t.Word == verdict.Worse || c.inconclusive == "fail":
		return Worse
	case t.Word == verdict.Inconclusive && t.Finished && c.inconclusive == "pass":
		return exitDone
	}
	return Undecided
}

// write prints the outcome and writes the files. Each is written even if another fails.
func (c *checkFlags) write(env *Env, doc *table.Document) error {
	var err error
	if c.markdown != "-" {
		err = env.Print(doc, c.layout)
	}
	return errors.Join(err, c.writeFiles(env, doc))
}

// writeFiles writes the files that the flags name.
func (c *checkFlags) writeFiles(env *Env, doc *table.Document) error {
	write := func(path, name string) error {
		if path == "" {
			return nil
		}
		format, err := findFormat(table.Formats(), name)
		if err != nil {
			return err
		}
		return env.writeResult(path, contentOf(name), func(w *File, _ terminal.Style) error {
			return format.Write(w, doc, terminal.Style{})
		})
	}
	return errors.Join(write(c.junit, "junit"), write(c.markdown, "md"))
}
