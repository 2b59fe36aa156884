package cli

import (
	"strconv"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/internal/app"

	"verbatim/internal/layout"
	"verbatim/internal/report"

	"verbatim/internal/table"
	"verbatim/internal/verdict/preflight"
)

// preflightCommand returns the command `preflight`.
func preflightCommand(env *Env) *cobra.Command {
	var p probeFlags
	var context int64
	cmd := &cobra.Command{
		Use:   "preflight [MODEL]",
		Short: "Test whether an endpoint keeps its contracts (exit 0, 3 or 4)",
		Long: `Send at most 30 calls to one endpoint and test whether it keeps the contracts of
its protocol: token limit, stop sequence, temperature, system prompt, streaming,
usage, Unicode, context, log probabilities and the model name. Each is tested by
its effect, not by whether the parameter is accepted. No reference is needed.

A contract is held, broken, not offered (the endpoint refuses the parameter), or
not testable (the model's replies show nothing). It is broken only if what came
back is impossible for an endpoint that obeys. Where one call shows it, a second
call with another prompt must show it too. The output has the bytes that do. A
line of information has no verdict: whether a seed repeats a text, for example.

Run it before a benchmark: a parameter that is ignored makes every number wrong.

Exit codes:
  0    no contract is broken
  3    a contract is broken
  4    a call has no reply
  1    no answer at all, or a failure
  2    usage error
  130  interrupted`,
		Example: `  verbatim preflight http://127.0.0.1:8080/v1
  verbatim preflight openrouter:openai/gpt-4o-mini --budget 0.05
  verbatim preflight vllm:llama --format junit > preflight.xml`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var test *preflight.Test
			o := app.ProbeOptions{Kind: "preflight", InFlight: 1, Settings: map[string]string{"seed": strconv.FormatUint(p.seed, 10)}}
			o.Open = func(e app.Endpoint, params verbatim.Params, reasoning int) (app.ProbeTest, error) {
				if context > 0 {
					e.Context = context
				}
				test = preflight.New(preflight.Config{Wire: e.Wire, Streams: e.Others, Renames: e.Renames, Context: e.Context, Seed: p.seed, Params: params, Reasoning: reasoning,
					Upstream: report.ReplyUpstream})
				return test, nil
			}
			return p.probe(cmd, env, args, o, func(probed report.Probed) (*table.Document, int) {
				doc := &report.Preflight{Result: test.Result(), Probed: probed}
				doc.Complete()
				doc.ExitCode = probeCode(doc.Word == preflight.SomeBroke, doc.Word == preflight.Undecided)
				return layout.Preflight(doc, env.layout()), doc.ExitCode
			})
		},
	}
	p.registerProbe(cmd)
	p.reply = 50
	cmd.Flags().Int64Var(&context, "context", 0, "context of the model in `tokens` (default: as the price table or verbatim.toml says; otherwise the contract is not testable)")
	return cmd
}
