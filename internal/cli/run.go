package cli

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"verbatim/internal/model"
	"verbatim/internal/report"
)

// A runner holds the flags of `run`.
type runner struct {
	sel      selection
	call     calling
	pacing   pacing
	models   []string
	thinking string
	batch    bool
	forget   bool
	duration time.Duration
	warmup   int
	fresh    bool
	asJSON   bool
	quiet    bool
	on       string
	until    until
}

func runCommand(env *Env) *cobra.Command {
	var r runner
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Ask a suite of a model, or of several, and print the table",
		Long: `Ask a suite of one or several models, keep every answer as it arrives, and print
the table. The same command again continues an unfinished run: it asks only what
has no answer yet. A finished run is not asked again; --new starts another.

Without --model a model server on this machine is looked for (llama.cpp, vLLM,
SGLang, LM Studio, Ollama); where there is none, nano is asked, the small language
model inside this program, and the first line says so. A paid endpoint is never
asked unless it is named.

Ctrl-C once finishes what is in flight and keeps it; twice stops now.

Exit codes: 0 every planned request is answered, 1 some are not or something
failed, 2 the command makes no sense, 130 interrupted.`,
		Example: `  verbatim run
  verbatim run --model http://127.0.0.1:8080/v1 -j 2
  verbatim run --model openai:gpt-4o-mini --suite simpe --budget 0.50
  verbatim run --model anthropic:claude-haiku-4-5 --suite sortbench --batch
  verbatim run --model vllm:llama --model ollama:llama3.2 --task sort-int --length 4..64 --items 10
  verbatim run --items mine.jsonl --trials 3
  verbatim run --for 10m
  verbatim run --model openai:gpt-4o-mini --until-verdict --against 1`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := r.until.refuse(cmd); err != nil {
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
	f.DurationVar(&r.duration, "for", 0, "stop asking after this `time`, such as 1h")
	f.IntVar(&r.warmup, "warmup", 0, "ask this many items first and do not keep them")
	f.BoolVar(&r.forget, "forget-batches", false, "give up batches of which it cannot be found out whether the provider has them: they may be paid twice")
	f.BoolVarP(&r.quiet, "quiet", "q", false, "no progress")
	f.StringVar(&r.on, "on", "", "which `score` the table shows: exact, payload, similarity or sortbench (default: the suite's own)")
	return cmd
}

// register adds the flags that run and plan have in common.
func (r *runner) register(cmd *cobra.Command) {
	r.sel.register(cmd)
	r.registerAsking(cmd)
	cmd.Flags().BoolVar(&r.batch, "batch", false, "hand the requests over in batches: half the price, answered within a day (OpenAI, Anthropic, Gemini)")
}

// registerAsking adds the flags that say who is asked and how.
func (r *runner) registerAsking(cmd *cobra.Command) {
	r.call.register(cmd)
	r.pacing.register(cmd)
	f := cmd.Flags()
	f.StringArrayVarP(&r.models, "model", "m", nil, "a `model`; may be repeated: they are asked item by item in turn ('verbatim models' shows the forms)")
	f.StringVar(&r.thinking, "thinking", "auto", "`tokens` allowed for thinking, on top of those for the answer; auto: by what the model's kept replies took, else 8192 with --effort and 0 without")
	f.BoolVar(&r.fresh, "new", false, "start another run instead of continuing")
	f.BoolVar(&r.asJSON, "json", false, "print JSON")
	cmd.RegisterFlagCompletionFunc("model", completeModels)
}

// mostThinking bounds the tokens that a model is allowed for thinking.
const mostThinking = 1_000_000_000

// check refuses what does not go together.
func (r *runner) check() error {
	if n, err := strconv.Atoi(r.thinking); r.thinking != "auto" && (err != nil || n < 0 || n > mostThinking) {
		return misused("write a number of tokens, such as 8192, or auto", "--thinking: %q is not a number from 0 to %d", r.thinking, mostThinking)
	}
	if r.batch && r.warmup > 0 {
		return misused("leave out --warmup", "requests in batches have no warm-up")
	}
	return nil
}

// resolve reads what the flags say, before anything is opened.
func (r *runner) resolve(env *Env) (*asking, model.Options, error) {
	a := &asking{runner: r, env: env}
	if err := r.check(); err != nil {
		return nil, model.Options{}, err
	}
	var err error
	if a.params, err = r.call.params(); err != nil {
		return nil, model.Options{}, err
	}
	if a.limit, err = r.pacing.limit(); err != nil {
		return nil, model.Options{}, err
	}
	if a.plan, err = r.sel.plan(); err != nil {
		return nil, model.Options{}, err
	}
	options, err := r.call.options(env)
	return a, options, err
}

func (r *runner) run(cmd *cobra.Command, env *Env) error {
	a, options, err := r.resolve(env)
	if err != nil {
		return err
	}
	on, err := report.ParseOn(r.on)
	if err != nil {
		return misused("", "--on: %w", err)
	}
	return a.carryOut(cmd, options, func(ctx context.Context, runs []keptRun) error { return a.summary(ctx, on, runs) })
}

func completeModels(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	names := []string{model.NanoName + "\t" + model.NanoDoc}
	for _, p := range model.Providers() {
		names = append(names, p.Name+":")
	}
	for _, k := range model.SimKinds() {
		names = append(names, "sim:"+k.Name+"\t"+k.Doc)
	}
	slices.Sort(names)
	return names, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}
