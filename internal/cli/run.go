package cli

import (
	"cmp"
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/internal/app"

	"verbatim/internal/errkind"
	"verbatim/internal/layout"

	"verbatim/internal/library"

	"verbatim/internal/report"
	"verbatim/internal/run"
)

// runFlags holds the flags of `run`. Other commands that send requests register some of them:
// the others have the defaults of run.
type runFlags struct {
	selection selectionFlags
	request   requestFlags
	pace      paceFlags
	models    []string
	reasoning string // a number of tokens, or auto
	maxTokens int    // of each reply; 0: not given
	keepGoing bool
	batch     bool
	forget    bool
	maxTime   time.Duration
	warmup    int
	fresh     bool
	asJSON    bool
	quiet     bool
	metric    string
	until     untilFlags
}

// runCommand returns the command `run`.
func runCommand(env *Env) *cobra.Command {
	var r runFlags
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Run a suite against one or several models and print the table",
		Long: `Run a suite against one or several models, save every answer as it arrives, and
print the table of results. The same command again continues an unfinished run
and sends only the requests that have no answer yet. A finished run is not
repeated; --new starts another.

Without --model the command looks for a model server on this machine: llama.cpp,
vLLM, SGLang, LM Studio or Ollama. If it finds no server, it runs nano, the
small language model inside this program, and the first line says so. A paid
endpoint gets requests only if you name it.

Ctrl-C once waits for the requests in flight and saves their answers; twice
stops at once.

With --until-verdict the command compares one model with the run of --baseline.
It stops as soon as the verdict is known.

Exit codes:
  0    every planned request has an answer, or --for ended the run
  1    answers are missing, or the run failed
  2    usage error
  130  interrupted`,
		Example: `  verbatim run
  verbatim run --model http://127.0.0.1:8080/v1 -j 2
  verbatim run --model openai:gpt-4o-mini --suite simpe --budget 0.50
  verbatim run --model anthropic:claude-haiku-4-5 --suite sortbench --batch
  verbatim run -m vllm:llama -m ollama:llama3.2 -t sort-int -l 4..64 -n 10
  verbatim run --items mine.jsonl --trials 3
  verbatim run --for 10m
  verbatim run --model openai:gpt-4o-mini --until-verdict --baseline 1`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := r.until.check(cmd); err != nil {
				return err
			}
			if r.until.on {
				return r.untilVerdict(cmd, env)
			}
			return r.run(cmd, env)
		},
	}
	r.register(cmd)
	r.until.register(cmd, env)
	f := cmd.Flags()
	f.DurationVar(&r.maxTime, "for", 0, "`time` after which no further request is sent, such as 1h; requests in flight are finished (default: none)")
	f.IntVar(&r.warmup, "warmup", 0, "warm-up `requests` that are sent first and not saved (default 0)")
	f.BoolVar(&r.forget, "forget-batches", false, "new requests for batches in unknown state, which are given up: they may be billed twice")
	f.BoolVarP(&r.quiet, "quiet", "q", false, "no progress output")
	f.StringVar(&r.metric, "metric", "", "`score` that ranks models and fills the score column: score (the suite's own), exact, extracted, similarity or sortbench, or over trials pass@K, all@K, all or majority (default: exact ranks, next to the suite's own)")
	completeFlag(cmd, "metric", metricNames)
	r.registerJSON(cmd)
	return cmd
}

// register adds the flags that run, plan and aa have in common.
func (r *runFlags) register(cmd *cobra.Command) {
	r.selection.register(cmd)
	r.registerRequests(cmd)
	cmd.Flags().BoolVar(&r.batch, "batch", false, "batch API of the provider: half the price, replies within a day (OpenAI, Anthropic, Gemini)")
}

// registerJSON adds --json to a command that has no --format.
func (r *runFlags) registerJSON(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&r.asJSON, "json", false, "JSON output instead of text")
}

// registerRequests adds the flags that say to which models requests are sent, and how.
func (r *runFlags) registerRequests(cmd *cobra.Command) {
	r.request.register(cmd)
	r.pace.register(cmd)
	f := cmd.Flags()
	f.StringArrayVarP(&r.models, "model", "m", nil, "`model` to run; repeatable: the models get each item in turn; 'verbatim models' lists the forms (default: a local server, or nano)")
	f.StringVar(&r.reasoning, "reasoning-tokens", "auto", "`tokens` added to the token limit of each reply for reasoning; not sent as a parameter; auto: 16384 until the first answers show no reasoning")
	f.IntVar(&r.maxTokens, "max-tokens", 0, "`tokens` that each reply may have, reasoning included (default: what the answer needs, and --reasoning-tokens)")
	f.BoolVar(&r.keepGoing, "keep-going", false, "further requests even if the first ten answers are all empty")
	f.BoolVar(&r.fresh, "new", false, "a new run, even if an unfinished one could be continued")
	cmd.RegisterFlagCompletionFunc("model", completeModels)
}

// maxReasoningTokens bounds --reasoning-tokens, which takes a word too and so has no valueRange.
const maxReasoningTokens = 1_000_000_000

// options checks the flags of requests and returns their values.
func (r *runFlags) options(env *Env) (o app.Options, err error) {
	o = app.Options{Models: r.models, Batch: r.batch, ForgetBatches: r.forget, New: r.fresh, KeepGoing: r.keepGoing, MaxTime: r.maxTime, Warmup: r.warmup,
		Events: r.events(env)}
	if r.reasoning != "auto" {
		n, err := strconv.Atoi(r.reasoning)
		if err != nil || n < 0 || n > maxReasoningTokens {
			return o, errkind.Usagef("write a number of tokens, such as 8192, or auto", "--reasoning-tokens: %q is not a number from 0 to %d", r.reasoning, maxReasoningTokens)
		}
		o.ReasoningTokens = &n
	}
	if r.maxTokens > 0 && r.reasoning != "auto" {
		return o, errkind.Usagef("leave out --reasoning-tokens: --max-tokens is the whole limit", "--max-tokens and --reasoning-tokens exclude each other")
	}
	if r.batch && r.warmup > 0 {
		return o, errkind.Usagef("leave out --warmup", "requests in batches have no warm-up")
	}
	if o.Params, err = r.request.Params(); err != nil {
		return o, err
	}
	o.Params.MaxTokens = r.maxTokens
	if o.Pace, err = r.pace.Values(); err != nil {
		return o, err
	}
	o.ModelOptions, err = r.request.Options(env.app(nil), env.Err)
	return o, err
}

// events returns the functions that print the progress and, with --json, a line for each record.
func (r *runFlags) events(env *Env) app.Events {
	var e app.Events
	if r.asJSON {
		e.Started = func(plan verbatim.Plan, runs []verbatim.Run) error { return writePlan(env.Out, plan, runs) }
		e.Saved = func(run verbatim.Run, r *verbatim.Record) error { return writeSaved(env.Out, run, r) }
	}
	if !r.quiet {
		e.Watch = func(a app.Activity) (update func(run.Progress), done func()) {
			m := newMeter(env.Err, env.Seal.ClearLine(), env.ErrWidth, time.Now, a.Endpoints, a.Progress)
			return m.Update, m.Close
		}
	}
	return e
}

func (r *runFlags) run(cmd *cobra.Command, env *Env) error {
	metric, err := parseMetric(r.metric)
	if err == nil {
		err = metric.CheckTrials(&verbatim.Run{Plan: verbatim.Plan{Trials: r.selection.Trials}})
	}
	if err != nil {
		return err
	}
	return r.send(cmd, env, func(ctx context.Context, runs []library.SavedRun) error {
		return r.writeSummary(ctx, env, metric, runs)
	})
}

// send runs the plan and calls print for the saved runs. It returns an error if requests have no
// answer.
func (r *runFlags) send(cmd *cobra.Command, env *Env, print func(context.Context, []library.SavedRun) error) error {
	o, err := r.options(env)
	if err != nil {
		return err
	}
	plan, err := r.selection.Plan()
	if err != nil {
		return err
	}
	stop, abort, release := env.Handler.contexts(cmd.Context())
	defer release()
	job, err := env.app(cmd).Run(stop, abort, plan, o)
	if err != nil {
		return err
	}
	defer job.Close()
	ctx := context.WithoutCancel(abort) // results are printed after an interrupt too
	runs, answered, err := job.Saved(ctx)
	if err != nil {
		return err
	}
	var unprinted error
	if answered > 0 || r.asJSON { // an empty table would hide the reason
		unprinted = print(ctx, runs)
	}
	if unprinted != nil && !errkind.IsInterrupted(stop) {
		return unprinted
	}
	return errors.Join(job.Missing(ctx, stop, answered), unprinted)
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
	stop, abort, release := env.Handler.contexts(cmd.Context())
	defer release()
	a := env.app(cmd)
	lib := a.Library()
	defer lib.Close()
	tests, err := a.Test(stop, abort, lib, u.tests.Options("until-verdict", u.baseline, o))
	if err != nil {
		return err
	}
	test := tests[0]
	defer test.Close()
	if err := test.NoOutcome(stop); err != nil {
		return err
	}
	doc, err := test.Report(abort, begun)
	if err != nil {
		return err
	}
	// As for any run, the exit code says whether every request has an answer. It does not depend
	// on the verdict.
	missing := test.Missing()
	if missing != nil {
		doc.ExitCode = Failed
	}
	if r.asJSON {
		err = writeVerdict(env.Out, doc)
	} else {
		err = env.printText(layout.Check(doc, env.layout()))
	}
	return cmp.Or(err, missing)
}

// writeSummary prints the tables of the runs, and their ranking.
func (r *runFlags) writeSummary(ctx context.Context, env *Env, metric report.Metric, runs []library.SavedRun) error {
	var named []library.NamedRun
	for _, run := range runs {
		ref := strconv.FormatInt(run.N, 10)
		named = append(named, library.NamedRun{SavedRun: run, Given: ref, Ref: ref})
	}
	defer app.SaveReportMemory(env.Getenv, named)()
	summary, err := library.ReportOf(ctx, report.Options{Metric: metric}, named)
	if err != nil {
		return err
	}
	if err := summary.Rank(); err != nil {
		return err
	}
	if r.asJSON {
		return writeSummary(env.Out, summary.Report)
	}
	d := layout.Report(summary.Report, env.layout())
	all, err := runs[0].Store.Runs(ctx)
	if err != nil {
		return err
	}
	if len(all) == len(runs) { // the first runs of this database
		layout.AddNextSteps(d, summary.Report, env.program())
	}
	return env.printText(d)
}
