package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"verbatim/internal/verdict/earlystop"
)

// run opens the model and asks it. What it returns first is to be called in the end.
func (c *contest) run(stop, abort context.Context, cmd *cobra.Command, models []string) (done func(), err error) {
	if c.params, err = c.call.params(); err != nil {
		return nil, err
	}
	if c.limit, err = c.pacing.limit(); err != nil {
		return nil, err
	}
	options, err := c.call.options(c.env)
	if err != nil {
		return nil, err
	}
	options.Discovered = c.found
	targets, err := c.env.openTargets(stop, models, options)
	if err != nil {
		return nil, err
	}
	done = func() { closeTargets(targets) }
	if err := c.pacing.afford(targets, over(c.base.Params, c.params), c.limit); err != nil {
		return done, err
	}
	if c.store, err = c.env.createDatabase(stop, cmd); err != nil {
		return done, err
	}
	done = func() { c.store.Close(); closeTargets(targets) }
	if err := c.begin(stop, targets[0]); err != nil {
		return done, err
	}
	return done, c.ask(stop, abort)
}

// excuse returns an error where there is no outcome to print: after an interrupt,
// and where nothing was answered at all.
func (c *contest) excuse(stop context.Context, t *earlystop.Result) error {
	switch {
	case t.Finished && t.Pairs > 0:
		return nil
	case context.Cause(stop) == errInterrupted:
		return &exitError{code: exitInterrupted, err: fmt.Errorf("interrupted: %d of at most %d items are compared, and there is no verdict yet", t.Pairs, t.Allowed), hint: "continue with: " + c.again()}
	case t.Pairs > 0:
		return nil
	}
	why, advice := c.trouble()
	if c.outOfMoney() {
		why, advice = "the budget does not suffice for the first items", ""
	}
	if why != "" {
		why = ": " + why
	}
	hint := "continue with: " + c.again()
	if advice != "" {
		hint = advice + "; then " + hint
	}
	return failed(hint, "not one item could be compared%s", why)
}
