package cli

import (
	"github.com/spf13/cobra"

	"verbatim/internal/errkind"
)

// untilFlags holds the flags of `run --until-verdict`.
type untilFlags struct {
	on       bool
	baseline string
	tests    testFlags
}

func (u *untilFlags) register(cmd *cobra.Command, env *Env) {
	f := cmd.Flags()
	f.BoolVar(&u.on, "until-verdict", false, "early stop: items of the --baseline run until the verdict is known")
	f.StringVar(&u.baseline, "baseline", "", "baseline `RUN` of --until-verdict (default: none)")
	u.tests.register(cmd, "rope", 0.02, "with --until-verdict: largest `difference` of mean scores that counts as equivalent, 0 to 1")
	cmd.RegisterFlagCompletionFunc("baseline", env.completeRuns())
}

// check refuses flags that do not go together.
func (u *untilFlags) check(cmd *cobra.Command) error {
	if !u.on {
		if name := firstGiven(cmd, "baseline", "rope", "alpha", "scope", "max-unanswered", "max-truncated-gap"); name != "" {
			return errkind.Usagef("add --until-verdict, or leave it out", "--%s goes with --until-verdict", name)
		}
		return nil
	}
	if u.baseline == "" {
		return errkind.Usagef("'verbatim runs' lists the runs", "--until-verdict: say with --baseline which run to compare with")
	}
	if name := firstGiven(cmd, "suite", "task", "length", "lists", "edition", "seed", "trials", "shots", "paraphrase", "system", "no-system", "warmup", "batch"); name != "" {
		return errkind.Usagef("leave it out", "--%s does not go with --until-verdict: items and prompts are those of the --baseline run", name)
	}
	return nil
}
