package cli

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"verbatim/internal/model"
	"verbatim/internal/provider"
	"verbatim/internal/report"
	"verbatim/internal/sim"
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

Exit codes: 0 every planned request has an answer, 1 answers are missing or the
run failed, 2 usage error, 130 interrupted.`,
		Example: `  verbatim run
  verbatim run --model http://127.0.0.1:8080/v1 -j 2
  verbatim run --model openai:gpt-4o-mini --suite simpe --budget 0.50
  verbatim run --model anthropic:claude-haiku-4-5 --suite sortbench --batch
  verbatim run -m vllm:llama -m ollama:llama3.2 -t sort-int -l 4..64 -n 10
  verbatim run --items mine.jsonl --trials 3
  verbatim run --for 10m
  verbatim run --model openai:gpt-4o-mini --until-verdict --baseline 1`,
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
	f.DurationVar(&r.duration, "for", 0, "`time` after which no further request is sent, such as 1h (default: none)")
	f.IntVar(&r.warmup, "warmup", 0, "warm-up `requests` that are sent first and not saved (default 0)")
	f.BoolVar(&r.forget, "forget-batches", false, "new requests for batches in unknown state, which are given up: they may be billed twice")
	f.BoolVarP(&r.quiet, "quiet", "q", false, "no progress output")
	f.StringVar(&r.on, "metric", "", "`score` in the score column: exact, extracted, similarity or sortbench (default: the suite's own)")
	return cmd
}

// register adds the flags that run and plan have in common.
func (r *runner) register(cmd *cobra.Command) {
	r.sel.register(cmd)
	r.registerAsking(cmd)
	cmd.Flags().BoolVar(&r.batch, "batch", false, "batch API of the provider: half the price, replies within a day (OpenAI, Anthropic, Gemini)")
}

// registerAsking adds the flags that say who is asked and how.
func (r *runner) registerAsking(cmd *cobra.Command) {
	r.call.register(cmd)
	r.pacing.register(cmd)
	f := cmd.Flags()
	f.StringArrayVarP(&r.models, "model", "m", nil, "`model` to run; repeatable: the models get each item in turn; 'verbatim models' lists the forms (default: a local server, or nano)")
	f.StringVar(&r.thinking, "reasoning-tokens", "auto", "`tokens` added to the token limit of each reply for reasoning; not sent as a parameter; auto: estimated from saved replies, or 8192 with --reasoning-effort, or 0")
	f.BoolVar(&r.fresh, "new", false, "a new run, even if an unfinished one could be continued")
	f.BoolVar(&r.asJSON, "json", false, "JSON output instead of text")
	cmd.RegisterFlagCompletionFunc("model", completeModels)
}

// mostThinking bounds the tokens that a model is allowed for thinking.
const mostThinking = 1_000_000_000

// check refuses what does not go together.
func (r *runner) check() error {
	if n, err := strconv.Atoi(r.thinking); r.thinking != "auto" && (err != nil || n < 0 || n > mostThinking) {
		return misused("write a number of tokens, such as 8192, or auto", "--reasoning-tokens: %q is not a number from 0 to %d", r.thinking, mostThinking)
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
	on, err := report.ParseMetric(r.on)
	if err != nil {
		return misused("", "--metric: %w", err)
	}
	return a.carryOut(cmd, options, func(ctx context.Context, runs []keptRun) error { return a.summary(ctx, on, runs) })
}

func completeModels(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	names := []string{model.NanoName + "\t" + model.NanoDoc}
	for _, p := range provider.All() {
		names = append(names, p.Name+":")
	}
	for _, k := range sim.Kinds() {
		names = append(names, "sim:"+k.Name+"\t"+k.Doc)
	}
	slices.Sort(names)
	return names, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}
