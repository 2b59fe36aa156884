package cli

import (
	"context"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"verbatim/internal/layout"
	"verbatim/internal/report"
	"verbatim/internal/verdict/earlystop"
)

// An until holds the flags of `run --until-verdict`.
type until struct {
	on      bool
	against string
	tests   testFlags
}

func (u *until) register(cmd *cobra.Command, env *Env) {
	f := cmd.Flags()
	f.BoolVar(&u.on, "until-verdict", false, "early stop: items of the --baseline run until the verdict is known")
	f.StringVar(&u.against, "baseline", "", "baseline `RUN` of --until-verdict (default: none)")
	u.tests.register(cmd, "rope", 0.02, "with --until-verdict: largest `difference` of mean scores that counts as equivalent, 0 to 1")
	cmd.RegisterFlagCompletionFunc("baseline", completeRuns(env))
}

// refuse says what makes no sense in the flags together.
func (u *until) refuse(cmd *cobra.Command) error {
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
			return misused("add --until-verdict, or leave it out", "--%s goes with --until-verdict", name)
		}
		return nil
	}
	if u.against == "" {
		return misused("'verbatim runs' lists the runs", "--until-verdict: say with --baseline which run to compare with")
	}
	if name := changed("suite", "task", "length", "lists", "edition", "seed", "trials", "shots", "paraphrase", "system", "no-system", "warmup", "batch"); name != "" {
		return misused("leave it out", "--%s does not go with --until-verdict: items and prompts are those of the --baseline run", name)
	}
	return nil
}

// untilVerdict is `run --until-verdict`.
func (r *runner) untilVerdict(cmd *cobra.Command, env *Env) error {
	u := &r.until
	if r.sel.items != "" {
		n, err := strconv.Atoi(r.sel.items)
		if err != nil || n < 1 {
			return misused("write how many at most, or leave it out to ask all", "--items %s: with --until-verdict it takes a number of 1 or more", r.sel.items)
		}
		u.tests.items = n
	}
	if err := u.tests.check(r.on); err != nil {
		return err
	}
	if err := r.check(); err != nil {
		return err
	}
	if len(r.models) > 1 {
		return misused("name one; the other one is the run named by --baseline", "--until-verdict compares one model with a run")
	}
	begun := time.Now()
	t := &contest{asking: &asking{runner: r, env: env}, flags: &u.tests, kind: "until-verdict"}
	stop, abort, release := env.interruptible(cmd.Context())
	defer release()
	lib := env.library(cmd)
	defer lib.Close()
	if err := t.find(abort, lib, u.against); err != nil {
		return err
	}
	done, err := t.run(stop, abort, cmd, r.models)
	if done != nil {
		defer done()
	}
	if err != nil {
		return err
	}
	return t.conclude(stop, abort, begun)
}

// conclude prints what the test has come to. The exit code says, as that of any
// run, whether what was to be asked is answered, and nothing of the verdict.
func (c *contest) conclude(stop, abort context.Context, begun time.Time) error {
	tested, err := c.settle(stop, abort)
	if err != nil {
		return err
	}
	if err := c.excuse(stop, tested); err != nil {
		return err
	}
	doc, err := c.document(abort, tested, begun)
	if err != nil {
		return err
	}
	left := c.left(tested)
	if left != nil {
		doc.ExitCode = exitFailed
	}
	if c.asJSON {
		err = c.writeLine(verdictLine{"verdict", doc})
	} else {
		err = layout.CheckText(c.env.Out, doc, c.env.style())
	}
	if err != nil {
		return err
	}
	return left
}

// left is the error of a test that could not ask all that it had to.
func (c *contest) left(t *earlystop.Result) error {
	switch hint := "continue with: " + c.again(); {
	case !t.Finished:
		return failed(hint, "the asking ended after %d of at most %d items, without a verdict", t.Pairs, t.Allowed)
	case t.Unanswered > 0 && t.Word.Settled():
		return failed("", "%d of %d items that were asked have no answer", t.Unanswered, t.Unanswered+t.Pairs)
	case t.Unanswered > 0:
		return failed(hint, "%d of %d items that were asked have no answer yet", t.Unanswered, t.Unanswered+t.Pairs)
	}
	return nil
}

// verdictLine is the last line of `run --until-verdict --json`.
type verdictLine struct {
	Kind    string        `json:"kind"` // "verdict"
	Verdict *report.Check `json:"verdict"`
}
