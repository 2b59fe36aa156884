package cli

import (
	"github.com/spf13/cobra"
)

// planCommand returns the command `plan`.
func planCommand(env *Env) *cobra.Command {
	var r runFlags
	cmd := &cobra.Command{
		Use:   "plan",
		Short: "Estimate the requests, tokens, cost and time of a run",
		Long: `Estimate what 'verbatim run' with the same arguments still has to do for each
model: requests, tokens, cost and minutes. It requests no answer and needs no
key. A server on this machine or network is asked for the context of its model:
items that do not fit with their answers are counted, and not sent.

Tokens are estimated from bytes. If replies of the model are saved, the ratio is
measured per task. Without any, it is 3 bytes of a prompt or 2 bytes of an
answer per token, and no reasoning.

"At most" is the worst-case cost, if the server honours token limits: every byte
of a prompt is a token, and every answer has the length of its limit. --budget
reserves this cost before each request.

Minutes are estimated from the mean time of saved replies, the requests in
flight (-j, or 4), --rpm and --tpm. For nano, which runs inside this program,
they follow from its tokens per second and processor.

The command also prints the statistical power of the plan:
  -  the smallest difference between two models that gets a verdict of 'verbatim compare' in 80 % of comparisons
  -  the smallest difference whose 95 % interval excludes 0, which is not yet a verdict
  -  the number of items that show two models equivalent within ±0.02
  -  simulated results of 'verbatim check' with a margin of 0.05, for an unchanged endpoint and for one that is worse by 0.10
Power is estimated from saved runs, or from an assumption; each line says which.

Exit codes: 0 done, 1 failed, 2 usage error.`,
		Example: `  verbatim plan --model openai:gpt-4o-mini --suite simpe
  verbatim plan -m openai:gpt-4o-mini -m anthropic:claude-haiku-4-5 --batch
  verbatim plan --suite simpe --shots 3 --model http://127.0.0.1:8080/v1 --json`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			return r.plan(cmd, env)
		},
	}
	r.register(cmd)
	r.registerJSON(cmd)
	return cmd
}

// plan prints what a run is expected to need.
func (r *runFlags) plan(cmd *cobra.Command, env *Env) error {
	o, err := r.options(env)
	if err != nil {
		return err
	}
	plan, err := r.selection.Plan()
	if err != nil {
		return err
	}
	f, err := env.app(cmd).Forecast(cmd.Context(), plan, o)
	if err != nil {
		return err
	}
	if r.asJSON {
		return writeDocument(env.Out, "plan", forecastDocument(f))
	}
	return writeForecast(env.Out, f, env.Style())
}
