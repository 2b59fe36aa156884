package cli

import (
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"verbatim/internal/cli/flags"
	"verbatim/internal/errkind"
	"verbatim/internal/layout"
	"verbatim/internal/layout/verdicts"
	"verbatim/internal/output"
)

// untilFlags holds the flags of `run --until-verdict`.
type untilFlags struct {
	on       bool
	baseline string
	tests    flags.Test
}

func (u *untilFlags) register(cmd *cobra.Command, env *Env) {
	f := cmd.Flags()
	f.BoolVar(&u.on, "until-verdict", false, "early stop: items of the --baseline run until the verdict is known")
	f.StringVar(&u.baseline, "baseline", "", "baseline `RUN` of --until-verdict (default: none)")
	u.tests.Register(cmd, "rope", 0.02, "with --until-verdict: largest `difference` of mean scores that counts as equivalent, 0 to 1")
	cmd.RegisterFlagCompletionFunc("baseline", completeRuns(env))
}

// check refuses flags that do not go together.
func (u *untilFlags) check(cmd *cobra.Command) error {
	changed := func(names ...string) string {
		for _, name := range names {
			if cmd.Flags().Changed(name) {
				return name
			}
		}
		return ""
	}
	if !u.on {
		if name := changed("baseline", "rope", "alpha", "scope", "max-unanswered", "max-truncated-gap"); name != "" {
			return errkind.Usagef("add --until-verdict, or leave it out", "--%s goes with --until-verdict", name)
		}
		return nil
	}
	if u.baseline == "" {
		return errkind.Usagef("'verbatim runs' lists the runs", "--until-verdict: say with --baseline which run to compare with")
	}
	if name := changed("suite", "task", "length", "lists", "edition", "seed", "trials", "shots", "paraphrase", "system", "no-system", "warmup", "batch"); name != "" {
		return errkind.Usagef("leave it out", "--%s does not go with --until-verdict: items and prompts are those of the --baseline run", name)
	}
	return nil
}

// untilVerdict is `run --until-verdict`.
func (r *runFlags) untilVerdict(cmd *cobra.Command, env *Env) error {
	u := &r.until
	if r.selection.Items != "" {
		n, err := strconv.Atoi(r.selection.Items)
		if err != nil || n < 1 {
			return errkind.Usagef("write how many at most, or leave it out to ask all", "--items %s: with --until-verdict it takes a number of 1 or more", r.selection.Items)
		}
		u.tests.Items = n
	}
	if err := u.tests.Check(r.metric); err != nil {
		return err
	}
	if len(r.models) > 1 {
		return errkind.Usagef("name one; the other one is the run named by --baseline", "--until-verdict compares one model with a run")
	}
	o, err := r.options(env)
	if err != nil {
		return err
	}
	begun := time.Now()
	stop, abort, release := env.interrupts.Contexts(cmd.Context())
	defer release()
	a := env.app(cmd)
	lib := a.Library()
	defer lib.Close()
	test, err := a.Test(stop, abort, lib, u.tests.Options("until-verdict", u.baseline, o))
	if err != nil {
		return err
	}
	defer test.Close()
	if err := test.NoOutcome(stop); err != nil {
		return err
	}
	doc, err := test.Report(abort, begun)
	if err != nil {
		return err
	}
	// The exit code says, as for any run, whether requests have no answer. It does not
	// depend on the verdict.
	missing := test.Missing()
	if missing != nil {
		doc.ExitCode = exitFailed
	}
	if r.asJSON {
		err = output.Verdict(env.Out, doc)
	} else {
		err = env.printText(verdicts.Check(doc, layout.Options{Program: env.program()}))
	}
	if err != nil {
		return err
	}
	return missing
}
