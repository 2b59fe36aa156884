package cli

import (
	"cmp"
	"context"
	"strconv"

	"github.com/spf13/cobra"

	"verbatim/internal/app"

	"verbatim/internal/errkind"
	"verbatim/internal/input"
	"verbatim/internal/layout"
	"verbatim/internal/model"
	"verbatim/internal/table"
	"verbatim/internal/verifying"
)

// verifyFlags holds the flags of `verify`.
type verifyFlags struct {
	probeFlags
	alpha      float64
	share      float64
	maxMissing float64
	modelsFile string
	noLogprobs bool
	noTools    bool
	mix        bool
	all        bool
	asTheyAre  bool
}

// verifyHelp is the long help of verify.
const verifyHelp = `Send the same prompts to two endpoints and test whether their texts differ
beyond what each endpoint's own texts vary. Neither endpoint is assumed to be
the better one.

Each prompt is sent twice to each endpoint: once alone, and once more, at least
12 requests later, with others in flight. What is compared:
  -  log probabilities, if both endpoints offer them: of the first token after 16 single words. Their distance is compared with the distance that an endpoint has from itself.
  -  texts: the endpoints differ at a prompt if their texts differ more often from each other than from their own. The probe finds a difference if that happens at more than --share of the prompts. The same weights with other arithmetic change 25 to 40 % of the texts, which is no difference here.
  -  exact answers, by McNemar's test. Among them are 12 objects as the arguments of a tool, if both are servers that take tools.
The maximum rate of false alarms of all probes together is --alpha, however early the test stops.

NO DIFFERENCE FOUND does not mean that both run the same model. The output says
how large a difference would have been seen. No verdict says why.

The temperature is 0 unless --temperature says otherwise. Both endpoints get
the same parameters. No prompt has a system message, which would replace the
default one of an endpoint: --system-as system keeps those of the tasks. A
finished test is closed: the same command starts another one with new prompts. An
interrupted test is continued.

Further tests:
  -  Several endpoints: each is compared with the first one, which gets new prompts each time. --alpha is then the rate of any false alarm: all p-values are adjusted together by Holm's method. --models names a file with an endpoint on each line. The first endpoint may be named once more, to compare it with itself.
  -  Routers: if a router passes requests on to several upstreams, each is compared separately. With too few prompts of each there is no verdict. --mix-upstreams compares all replies of an endpoint together.

Exit codes:
  0    no difference found
  3    differ
  4    undecided
  1    no answer at all, or a failure
  2    usage error
  130  interrupted`

// verifyCommand returns the command `verify`.
func verifyCommand(env *Env) *cobra.Command {
	var v verifyFlags
	cmd := &cobra.Command{
		Use:   "verify A B...",
		Short: "Test whether two endpoints answer alike (exit 0, 3 or 4)",
		Long:  verifyHelp,
		Example: `  verbatim verify vllm:llama together:llama
  verbatim verify http://127.0.0.1:8080/v1 http://127.0.0.1:8081/v1
  verbatim verify openai:gpt-4o-mini openrouter:openai/gpt-4o-mini --length 64
  verbatim verify vllm:llama together:llama groq:llama
  verbatim verify vllm:llama --models hosts.txt --format md
  verbatim verify vllm:llama together:llama --items mine.jsonl
  verbatim verify vllm:llama sglang:llama --format junit > verify.xml`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return v.run(cmd, env, args)
		},
	}
	v.registerProbe(cmd)
	v.registerPrompts(cmd)
	f := cmd.Flags()
	f.Float64Var(&v.alpha, "alpha", 0.01, "maximum `rate` of false alarms, between 0 and 1")
	f.Float64Var(&v.share, "share", 0.5, "largest `share` of prompts whose texts may differ beyond their own spread without a verdict DIFFER, between 0 and 1")
	f.BoolVar(&v.noLogprobs, "no-logprobs", false, "no test of log probabilities, even if both endpoints offer them")
	f.BoolVar(&v.noTools, "no-tools", false, "no calls of a tool, even if both endpoints take tools")
	f.BoolVar(&v.all, "all", false, "all probes to the end, even if one has decided")
	f.BoolVar(&v.asTheyAre, "as-they-are", false, "endpoints with different parameters in verbatim.toml compared with these")
	f.BoolVar(&v.mix, "mix-upstreams", false, "all replies of an endpoint compared together, whichever upstream served them")
	f.Float64Var(&v.maxMissing, "max-unanswered", 0.02, "no verdict if a larger `share` of the requests has no answer, 0 to 1")
	f.StringVar(&v.modelsFile, "models", "", "`file` with the name of an endpoint on each line (default: none)")
	completeDrawn(cmd)
	return cmd
}

// registerPrompts adds the flags that say which prompts are sent.
func (v *verifyFlags) registerPrompts(cmd *cobra.Command) {
	f := cmd.Flags()
	// A system message replaces the default one of the chat template, and would hide that it differs.
	v.request.SystemAs = model.SystemAsUser
	f.Lookup("system-as").DefValue = model.SystemAsUser
	f.StringSliceVarP(&v.selection.Tasks, "task", "t", []string{"copy", "reverse", "sort-int", "sort-word"}, "task `families` of the prompts; 'verbatim tasks' lists them")
	f.StringVarP(&v.selection.Lengths, "length", "l", "8,24", "`lengths` of the items; greater ones show more of a strong model")
	f.StringVarP(&v.selection.Items, "items", "n", "6", "`number` of items for each task and length, or a FILE.jsonl of your own prompts")
}

// dropDefaults removes the default tasks and lengths if the prompts come from a file.
func (v *verifyFlags) dropDefaults(cmd *cobra.Command) {
	if _, err := strconv.Atoi(v.selection.Items); err == nil || v.selection.Items == "" {
		return
	}
	if !cmd.Flags().Changed("task") {
		v.selection.Tasks = nil
	}
	if !cmd.Flags().Changed("length") {
		v.selection.Lengths = ""
	}
}

func (v *verifyFlags) run(cmd *cobra.Command, env *Env, models []string) error {
	err := cmp.Or(refuseProbability("alpha", v.alpha, "0.01"), refuseProbability("share", v.share, "0.5"), refuseUnanswered(v.maxMissing))
	if err != nil {
		return err
	}
	if v.modelsFile != "" {
		named, err := input.ReadNames(v.modelsFile)
		if err != nil {
			return errkind.Usagef("the file has the name of an endpoint on each line", "--models: %w", err)
		}
		models = append(models, named...)
	}
	if len(models) < 2 {
		return errkind.Usagef("write verbatim verify A B", "two endpoints are needed to compare")
	}
	v.dropDefaults(cmd)
	return v.within(cmd, env, models, func(stop, abort context.Context, a *app.App, options app.Options) (*table.Document, int, error) {
		if options.Params.Temperature == nil {
			options.Params.Temperature = new(float64)
		}
		v.selection.Trials, v.selection.Edition, v.selection.Seed = 1, "standard", v.seed
		o := verifying.Options{Options: options, Selection: v.selection.Selection,
			Alpha: v.alpha, Share: v.share, MaxMissing: v.maxMissing, Logprobs: !v.noLogprobs, Tools: !v.noTools,
			MixUpstreams: v.mix, All: v.all, AsTheyAre: v.asTheyAre}
		if v.plan {
			plans, err := verifying.Plan(stop, a, o)
			return layout.CallPlans(plans...), exitDone, err
		}
		all, err := verifying.Run(stop, abort, a, o)
		if err != nil {
			return nil, 0, err
		}
		if len(options.Models) == 2 {
			return layout.Verification(all.Tests[0], env.layout()), all.ExitCode, nil
		}
		return layout.Verifications(all, env.layout()), all.ExitCode, nil
	})
}
