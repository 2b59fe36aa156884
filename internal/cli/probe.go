package cli

import (
	"cmp"
	"context"

	"github.com/spf13/cobra"

	"verbatim/internal/app"

	"verbatim/internal/layout"
	"verbatim/internal/report"
	"verbatim/internal/table"
)

// probeFlags holds the flags of the commands that test one endpoint.
type probeFlags struct {
	runFlags
	seed   uint64
	plan   bool
	reply  int // tokens of a reply, for the plan
	format formatFlags
}

// registerProbe adds the flags that say how the calls are sent and what is printed.
func (p *probeFlags) registerProbe(cmd *cobra.Command) {
	p.request.register(cmd)
	p.pace.register(cmd)
	f := cmd.Flags()
	f.Uint64Var(&p.seed, "seed", 1, "seed of the prompts, a `number`")
	f.StringVar(&p.reasoning, "reasoning-tokens", "auto", "`tokens` added to the token limit of each reply for reasoning; not sent as a parameter; auto: 16384 until the first answers show no reasoning")
	f.BoolVar(&p.plan, "plan", false, "the calls, tokens and dollars at most; nothing is sent")
	f.BoolVar(&p.fresh, "new", false, "a new test, even if an unfinished one could be continued")
	p.format.register(cmd, formats(true, false))
	f.DurationVar(&p.maxTime, "for", 0, "`time` after which no further request is sent, such as 10m; requests in flight are finished (default: none)")
	f.BoolVarP(&p.quiet, "quiet", "q", false, "no progress output")
	cmd.ValidArgsFunction = completeModels
}

// probe runs a test of one endpoint, and prints the document that finish makes of it. The exit
// code is that of finish.
func (p *probeFlags) probe(cmd *cobra.Command, env *Env, models []string, o app.ProbeOptions, finish func(report.Probed) (*table.Document, int)) error {
	return p.within(cmd, env, models, func(stop, abort context.Context, a *app.App, options app.Options) (*table.Document, int, error) {
		o.Options = options
		if p.plan {
			plan, err := a.PlanProbe(stop, o, p.reply)
			if err != nil {
				return nil, 0, err
			}
			return layout.CallPlans(plan), exitDone, nil
		}
		probe, err := a.Probe(stop, abort, o)
		if err != nil {
			return nil, 0, err
		}
		defer probe.Close()
		if err := probe.Interrupted(stop); err != nil {
			return nil, 0, err
		}
		probed, err := probe.Report(abort)
		if err != nil {
			return nil, 0, err
		}
		doc, code := finish(probed)
		return doc, code, nil
	})
}

// within reads the flags and calls do, which returns a document and the exit code. It prints the
// document.
func (p *probeFlags) within(cmd *cobra.Command, env *Env, models []string, do func(stop, abort context.Context, a *app.App, o app.Options) (*table.Document, int, error)) error {
	format, err := p.format.chosen()
	if err != nil {
		return err
	}
	p.models = models
	options, err := p.options(env)
	if err != nil {
		return err
	}
	stop, abort, release := env.Handler.contexts(cmd.Context())
	defer release()
	doc, code, err := do(stop, abort, env.app(cmd), options)
	if err != nil {
		return err
	}
	return cmp.Or(env.Print(doc, format), exitError(code))
}

// probeCode returns the exit code of a test of endpoints.
func probeCode(broken, undecided bool) int {
	switch {
	case broken:
		return Worse
	case undecided:
		return Undecided
	}
	return exitDone
}
