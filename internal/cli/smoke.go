package cli

import (
	"cmp"
	"strconv"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/internal/app"

	"verbatim/internal/errkind"
	"verbatim/internal/layout"
	"verbatim/internal/report"
	"verbatim/internal/table"
	"verbatim/internal/verdict/smoke"
)

// smokeCommand returns the command `smoke`.
func smokeCommand(env *Env) *cobra.Command {
	var p probeFlags
	var alpha, maxMissing float64
	var length int
	cmd := &cobra.Command{
		Use:   "smoke [MODEL]",
		Short: "Test whether an endpoint holds under load (exit 0, 3 or 4)",
		Long: `Send 76 calls to one endpoint: 16 alone, the same 16 three times more with 16 in
flight, and 12 with long common prefixes. Each asks for a copy of a line with
random digits, behind texts of 16 words up to --length. Four of the 16 ask for
an object as the arguments of a tool, with nested values, escapes and accents;
an endpoint without tools gets two of them. No reference is needed.

These are faults, and the first one ends the test:
  - digits of another request in a reply
  - broken characters
  - a reply that is cut without a finish reason
  - no text where the same request alone had some
  - a server error under load, other than 503
Rounding of numbers excuses none of them. Copies that are wrong under load and
right alone are counted. They are a fault if chance has a probability of at most
--alpha to make so many.

It is made for those who build, configure or upgrade a serving engine: key-value
caches, prefix caching, batching and speculative decoding break in this way.

Exit codes:
  0    no fault found
  3    a fault found
  4    too many calls have no reply
  1    no answer at all, or a failure
  2    usage error
  130  interrupted`,
		Example: `  verbatim smoke http://127.0.0.1:8080/v1
  verbatim smoke http://127.0.0.1:8000/v1 --format junit > smoke.xml
  verbatim smoke vllm:llama --seed 2`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := refuseProbability("alpha", alpha, "0.01"); err != nil {
				return err
			}
			if length != 0 && (length < smoke.LeastLength || length > smoke.MostLength) {
				return errkind.Usagef("write --length 240", "--length must be from %d to %d words, got %d", smoke.LeastLength, smoke.MostLength, length)
			}
			var test *smoke.Test
			o := app.ProbeOptions{Kind: "smoke", InFlight: smoke.MaxInFlight,
				Settings: map[string]string{"seed": strconv.FormatUint(p.seed, 10), "alpha": strconv.FormatFloat(alpha, 'g', -1, 64), "length": strconv.Itoa(length)}}
			o.Open = func(e app.Endpoint, params verbatim.Params, reasoning int) (app.ProbeTest, error) {
				if params.Temperature == nil {
					params.Temperature = new(float64)
				}
				longest := cmp.Or(length, smoke.LengthFor(e.Context))
				test = smoke.New(smoke.Config{Seed: p.seed, Length: longest, Alpha: alpha, MaxMissing: maxMissing, Params: params, Reasoning: reasoning, Tools: e.Wire != ""})
				return test, nil
			}
			return p.probe(cmd, env, args, o, func(probed report.Probed) (*table.Document, int) {
				doc := &report.Smoke{Result: test.Result(), Probed: probed}
				doc.Complete()
				doc.ExitCode = probeCode(doc.Word == smoke.Fault, doc.Word == smoke.Undecided)
				return layout.Smoke(doc, env.layout()), doc.ExitCode
			})
		},
	}
	p.registerProbe(cmd)
	p.reply = smoke.MeanReply
	f := cmd.Flags()
	f.Float64Var(&alpha, "alpha", 0.01, "maximum `rate` of false alarms by copies that are wrong under load, between 0 and 1")
	f.IntVarP(&length, "length", "l", 0, "`words` of the longest text before a line to copy, 32 to 1400 (default: what three fifths of the known context hold, or 240)")
	f.Float64Var(&maxMissing, "max-unanswered", 0.02, "no verdict if a larger `share` of the calls has no reply, 0 to 1")
	return cmd
}
