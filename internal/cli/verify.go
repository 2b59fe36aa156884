package cli

import (
	"github.com/spf13/cobra"

	"verbatim/internal/app"
	"verbatim/internal/errkind"
	"verbatim/internal/layout"
	"verbatim/internal/table"
	"verbatim/internal/verdict/verification"
)

// verifyFlags holds the flags of `verify`.
type verifyFlags struct {
	runFlags
	alpha      float64
	share      float64
	maxMissing float64
	format     string
	layout     table.Format
}

func verifyCommand(env *Env) *cobra.Command {
	var v verifyFlags
	cmd := &cobra.Command{
		Use:   "verify A B",
		Short: "Test whether two endpoints answer alike (exit 0, 3 or 4)",
		Long: `Send the same prompts to two endpoints and test whether their texts differ
beyond what each endpoint's own texts vary. Neither endpoint is assumed to be
the better one.

Each prompt is sent twice to each endpoint: once alone, and once more, at least
12 requests later, with others in flight. The endpoints differ at a prompt if
their texts differ more often from each other than from their own. The verdict
is DIFFER if that happens at more than --share of the prompts. It is
anytime-valid: its maximum rate of false alarms is --alpha, and the test stops
as soon as it is decided. The same weights with other arithmetic change 25 to
40 % of the texts, which is no difference here.

NO DIFFERENCE FOUND does not mean that both run the same model. The output says
how large a difference would have been seen. No verdict says why.

The temperature is 0 unless --temperature says otherwise. Both endpoints get
the same parameters. A finished test is closed: the same command starts another
one with new prompts. An interrupted test is continued.

Exit codes: 0 no difference found, 3 differ, 4 undecided, 1 no answer at all or
a failure, 2 usage error, 130 interrupted.`,
		Example: `  verbatim verify vllm:llama together:llama
  verbatim verify http://127.0.0.1:8080/v1 http://127.0.0.1:8081/v1
  verbatim verify openai:gpt-4o-mini openrouter:openai/gpt-4o-mini --length 64
  verbatim verify vllm:llama vllm2:llama --format junit > verify.xml`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return v.run(cmd, env, args)
		},
	}
	v.request.register(cmd)
	v.pace.register(cmd)
	f := cmd.Flags()
	f.StringSliceVarP(&v.selection.Tasks, "task", "t", []string{"copy", "reverse", "sort-int", "sort-word"}, "task `families` of the prompts; 'verbatim tasks' lists them")
	f.StringVarP(&v.selection.Lengths, "length", "l", "8,24", "`lengths` of the items; greater ones show more of a strong model")
	f.StringVarP(&v.selection.Items, "items", "n", "6", "`number` of items for each task and length")
	f.Uint64Var(&v.selection.Seed, "seed", 1, "first seed of the prompts, a `number`; each test of the same endpoints gets its own")
	f.Float64Var(&v.alpha, "alpha", 0.01, "maximum `rate` of false alarms, between 0 and 1")
	f.Float64Var(&v.share, "share", 0.5, "`share` of prompts up to which a difference is no difference, between 0 and 1")
	f.Float64Var(&v.maxMissing, "max-unanswered", 0.02, "no verdict if a larger `share` of the requests has no answer, 0 to 1")
	f.StringVar(&v.reasoning, "reasoning-tokens", "auto", "`tokens` added to the token limit of each reply for reasoning; not sent as a parameter; auto: 16384 until the first answers show no reasoning")
	f.BoolVar(&v.fresh, "new", false, "a new test, even if an unfinished one could be continued")
	formatFlag(cmd, &v.format, table.Formats())
	f.BoolVar(&v.runFlags.asJSON, "json", false, "same as --format json")
	f.DurationVar(&v.maxTime, "for", 0, "`time` after which no further request is sent, such as 1h (default: none)")
	f.BoolVarP(&v.quiet, "quiet", "q", false, "no progress output")
	cmd.ValidArgsFunction = completeModels
	completeDrawn(cmd)
	return cmd
}

// refuse checks the flags.
func (v *verifyFlags) refuse() error {
	switch {
	case !(v.alpha > 0 && v.alpha < 1):
		return errkind.Usagef("write a probability, such as 0.01", "--alpha %v: it must be between 0 and 1", v.alpha)
	case !(v.share > 0 && v.share < 1):
		return errkind.Usagef("write a share, such as 0.5", "--share %v: it must be between 0 and 1", v.share)
	case !(v.maxMissing >= 0 && v.maxMissing < 1):
		return errkind.Usagef("write a share, such as 0.02", "--max-unanswered %v: it must be at least 0 and below 1", v.maxMissing)
	}
	return nil
}

func (v *verifyFlags) run(cmd *cobra.Command, env *Env, models []string) (err error) {
	if v.runFlags.asJSON {
		v.format, v.runFlags.asJSON = "json", false // the document is printed at the end
	}
	if v.layout, err = findFormat(table.Formats(), v.format); err != nil {
		return err
	}
	if err := v.refuse(); err != nil {
		return err
	}
	v.models = models
	options, err := v.options(env)
	if err != nil {
		return err
	}
	if options.Params.Temperature == nil {
		options.Params.Temperature = new(float64)
	}
	v.selection.Trials, v.selection.Edition = 1, "standard"
	stop, abort, release := env.interruptible(cmd.Context())
	defer release()
	test, err := env.app(cmd).Verify(stop, abort, app.VerifyOptions{Options: options, Selection: v.selection.Selection, Alpha: v.alpha, Share: v.share, MaxMissing: v.maxMissing})
	if err != nil {
		return err
	}
	defer test.Close()
	if err := test.Interrupted(stop); err != nil {
		return err
	}
	doc, err := test.Report(abort)
	if err != nil {
		return err
	}
	doc.ExitCode = verifyCode(doc.Word)
	if err := env.print(layout.Verification(doc, layout.Options{Program: env.program()}), v.layout); err != nil {
		return err
	}
	if doc.ExitCode == exitDone {
		return nil
	}
	return exitStatus(doc.ExitCode)
}

// verifyCode returns the exit code of a verdict.
func verifyCode(w verification.Word) int {
	switch w {
	case verification.NoDifference:
		return exitDone
	case verification.Differ:
		return exitWorse
	}
	return exitUndecided
}
