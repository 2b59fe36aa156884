package cli

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/internal/app"

	"verbatim/internal/errkind"
	"verbatim/internal/layout"
	"verbatim/internal/report"
	"verbatim/internal/table"
	"verbatim/internal/task"
)

// horizonFlags holds the flags of `horizon`.
type horizonFlags struct {
	runFlags
	lengths string
	items   int
	width   float64
	format  formatFlags
	layout  table.Format
}

// horizonCommand returns the command `horizon`.
func horizonCommand(env *Env) *cobra.Command {
	var l horizonFlags
	cmd := &cobra.Command{
		Use:   "horizon --task NAME",
		Short: "Find the length at which half of a model's answers are right",
		Long: `Find the 50 % horizon of a model: the length at which half of its answers to a
task are right. The command prints it with its 95 % interval. Each item gets the
length that is expected to narrow the interval most.

The search ends when the interval is as narrow as --width, or after --items
items. It also ends when the horizon is almost certainly beyond the permitted
lengths. If at no length more than half of the answers are right, there is no
horizon, and the result is "none".

The same command again continues an unfinished search; no request is sent twice
for a saved answer. More items, a smaller --width or other lengths continue a
search too. A finished search is only printed; --new starts another. Several
tasks and models are searched one after another.

The exit code does not depend on the horizon.

Exit codes:
  0    every planned request has an answer
  1    answers are missing, or the search failed
  2    usage error
  130  interrupted`,
		Example: `  verbatim horizon --task reverse
  verbatim horizon --task copy --length 64..8192 --model openai:gpt-4o-mini
  verbatim horizon --task 'sort-int*' --items 160 --width 0.5 --model vllm:llama`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			return l.run(cmd, env)
		},
	}
	l.registerRequests(cmd)
	registerPromptVariant(cmd, &l.selection.Prompt)
	f := cmd.Flags()
	f.Lookup("concurrency").Usage = "`requests` in flight per model, at most 4096 (default auto: tuned, at most 8)"
	f.StringSliceVarP(&l.selection.Tasks, "task", "t", nil, "task `families`, such as reverse,copy or 'sort-*', required; 'verbatim tasks' lists them")
	f.StringVarP(&l.lengths, "length", "l", "", "shortest and longest `length` of the items, such as 2..1024 (default: from 2 to the larger of 256 and the family's longest)")
	f.IntVarP(&l.items, "items", "n", 80, "maximum number of `items` per task")
	f.Float64Var(&l.width, "width", 0.75, "width of the 95 % interval that ends the search, in `doublings` of length; 0: never")
	f.StringVar(&l.metric, "metric", "exact", "`score` that counts as right: exact, or extracted")
	f.Uint64Var(&l.selection.Seed, "seed", 1, "seed of the items, a `number`")
	f.StringVar(&l.selection.Edition, "edition", "standard", "edition of the task descriptions, a `name`: standard, paper or reference")
	l.format.register(cmd, formats(false, false))
	f.DurationVar(&l.maxTime, "for", 0, "`time` after which no further request is sent, such as 1h; requests in flight are finished (default: none)")
	f.BoolVarP(&l.quiet, "quiet", "q", false, "no progress output")
	completeDrawn(cmd)
	completeFlag(cmd, "metric", fixedWords(string(report.MetricExact), string(report.MetricExtracted)))
	return cmd
}

// bounds checks the flags and returns the shortest and the longest length. A longest length of 0
// is no bound.
func (l *horizonFlags) bounds() (shortest, longest int, err error) {
	if len(l.selection.Tasks) == 0 {
		return 0, 0, errkind.Usagef("name one, as in --task reverse; 'verbatim tasks' lists them", "a search for a horizon needs a task")
	}
	if l.items < 1 || l.items > app.MaxHorizonItems {
		return 0, 0, errkind.Usagef("80 items give an interval of about a doubling", "--items must be a number from 1 to %d, got %d", app.MaxHorizonItems, l.items)
	}
	if l.metric != string(report.MetricExact) && l.metric != string(report.MetricExtracted) {
		return 0, 0, errkind.Usagef("", "--metric must be exact or extracted, got %q", l.metric)
	}
	if l.lengths == "" {
		return 2, 0, nil
	}
	ladder, err := task.ParseLengths(l.lengths)
	if err != nil {
		return 0, 0, err
	}
	if strings.Count(l.lengths, "..") != 1 || strings.Contains(l.lengths, ",") {
		return 0, 0, errkind.Usagef("write the shortest and the longest, as in 2..1024", "--length %s: a search chooses the lengths itself", l.lengths)
	}
	return ladder[0].Min, ladder[len(ladder)-1].Max, nil
}

// horizonOptions returns the values of the flags.
func (l *horizonFlags) horizonOptions(env *Env) (o app.HorizonOptions, err error) {
	o = app.HorizonOptions{Tasks: l.selection.Tasks, Items: l.items, Width: l.width, Metric: report.Metric(l.metric), Announce: !l.quiet}
	if o.Shortest, o.Longest, err = l.bounds(); err != nil {
		return o, err
	}
	if l.layout, err = l.format.chosen(); err != nil {
		return o, err
	}
	o.Request = task.Request{Seed: l.selection.Seed, Edition: verbatim.Edition(l.selection.Edition)}
	if o.Request.Variant, err = l.selection.Prompt.Variant(); err != nil {
		return o, err
	}
	o.Options, err = l.options(env)
	return o, err
}

func (l *horizonFlags) run(cmd *cobra.Command, env *Env) error {
	o, err := l.horizonOptions(env)
	if err != nil {
		return err
	}
	stop, abort, release := env.Handler.contexts(cmd.Context())
	defer release()
	found, err := env.app(cmd).SearchHorizons(stop, abort, o)
	if err != nil {
		return err
	}
	defer found.Close()
	if found.Answered > 0 || l.layout.Name != "text" {
		err = env.Print(layout.Horizons(found.Found, env.layout()), l.layout)
	}
	if err != nil && !errkind.IsInterrupted(stop) {
		return err
	}
	return errors.Join(found.Missing(stop), err)
}
