package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/internal/earlier"
	"verbatim/internal/layout"
	"verbatim/internal/model"
	"verbatim/internal/pace"
	"verbatim/internal/report"
	"verbatim/internal/task"
)

// A limiter holds the flags of `horizon`. Those of a runner that it does not
// register stay at what run takes them for by default.
type limiter struct {
	runner
	lengths string
	items   int
	width   float64
}

// The lengths that are asked where no flag names any, and how many items may be.
const (
	usualLongest = 256
	mostSearched = 1000
)

func horizonCommand(env *Env) *cobra.Command {
	var l limiter
	cmd := &cobra.Command{
		Use:   "horizon --task NAME",
		Short: "Find the length at which half of a model's answers are right",
		Long: `Find the 50 % horizon of a model: the length at which half of its answers to a
task are right. The command prints it with its 95 % interval. Each item gets the
length that is expected to narrow the interval most. 80 items give the precision
of about 120 items at fixed lengths.

The search ends when the interval is as narrow as --width, or after --items
items. It also ends when the horizon is almost certainly beyond the permitted
lengths. The same command again continues an unfinished search; no request is
sent twice for a saved answer. More items, a smaller --width or other lengths
continue a search too. A finished search is only printed; --new starts another.
Several tasks and models are searched one after another.

Exit codes: 0 every planned request has an answer, 1 answers are missing or the
search failed, 2 usage error, 130 interrupted. They do not depend on the
horizon.`,
		Example: `  verbatim horizon --task reverse
  verbatim horizon --task copy --length 64..8192 --model openai:gpt-4o-mini
  verbatim horizon --task 'sort-int*' --items 160 --width 0.5 --model vllm:llama`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return l.run(cmd, env)
		},
	}
	l.registerAsking(cmd)
	l.sel.as.register(cmd)
	f := cmd.Flags()
	f.StringSliceVarP(&l.sel.tasks, "task", "t", nil, "task `families`, such as reverse,copy or 'sort-*', required; 'verbatim tasks' lists them")
	f.StringVarP(&l.lengths, "length", "l", "", "shortest and longest `length` of the items, such as 2..1024 (default: from 2 to the larger of 256 and the family's longest)")
	f.IntVarP(&l.items, "items", "n", 80, "maximum number of `items` per task")
	f.Float64Var(&l.width, "width", 0.75, "width of the 95 % interval that ends the search, in `doublings` of length; 0: never")
	f.StringVar(&l.on, "metric", "exact", "`score` that counts as right: exact, or extracted")
	f.Uint64Var(&l.sel.seed, "seed", 1, "seed of the items, a `number`")
	f.StringVar(&l.sel.edition, "edition", "standard", "edition of the task descriptions, a `name`: standard, paper or reference")
	f.DurationVar(&l.duration, "for", 0, "`time` after which no further request is sent, such as 1h (default: none)")
	f.BoolVarP(&l.quiet, "quiet", "q", false, "no progress output")
	completeDrawn(cmd)
	return cmd
}

// checkSearch refuses what makes no sense as a search, and returns the bounds of the
// lengths; high 0 is none.
func (l *limiter) checkSearch() (low, high int, err error) {
	if len(l.sel.tasks) == 0 {
		return 0, 0, misused("name one, as in --task reverse; 'verbatim tasks' lists them", "a search for a horizon needs a task")
	}
	if l.items < 1 || l.items > mostSearched {
		return 0, 0, misused("80 items give an interval of about a doubling", "--items %d: ask for 1 to %d", l.items, mostSearched)
	}
	l.on = earlier.Metric(l.on)
	if l.on != string(report.MetricExact) && l.on != string(report.MetricExtracted) {
		return 0, 0, misused("", "--metric must be exact or extracted, got %q", l.on)
	}
	if l.lengths == "" {
		return 2, 0, nil
	}
	ladder, err := task.ParseLengths(l.lengths)
	if err != nil {
		return 0, 0, err
	}
	if strings.Count(l.lengths, "..") != 1 || strings.Contains(l.lengths, ",") {
		return 0, 0, misused("write the shortest and the longest, as in 2..1024", "--length %s: a search chooses the lengths itself", l.lengths)
	}
	return ladder[0].Min, ladder[len(ladder)-1].Max, nil
}

// resolveSearches reads what the flags say, before anything is opened.
func (l *limiter) resolveSearches(env *Env) (*asking, []search, model.Options, error) {
	a := &asking{runner: &l.runner, env: env}
	low, high, err := l.checkSearch()
	if err == nil {
		err = l.check()
	}
	if err == nil {
		a.params, err = l.call.params()
	}
	if err == nil {
		a.limit, err = l.pacing.limit()
	}
	if err != nil {
		return nil, nil, model.Options{}, err
	}
	q := task.Request{Seed: l.sel.seed, Edition: verbatim.Edition(l.sel.edition)}
	if q.Variant, err = l.sel.as.variant(); err != nil {
		return nil, nil, model.Options{}, err
	}
	families, err := task.Select(l.sel.tasks)
	if err != nil {
		return nil, nil, model.Options{}, err
	}
	var searches []search
	for _, f := range families {
		s, err := newSearch(f, q, low, high)
		if err != nil {
			return nil, nil, model.Options{}, err
		}
		searches = append(searches, s)
	}
	options, err := l.call.options(env)
	return a, searches, options, err
}

func (l *limiter) run(cmd *cobra.Command, env *Env) error {
	a, kinds, options, err := l.resolveSearches(env)
	if err != nil {
		return err
	}
	stop, abort, release := env.interruptible(cmd.Context())
	defer release()
	targets, err := env.openTargets(stop, l.models, options)
	if err != nil {
		return err
	}
	defer closeTargets(targets)
	if err := l.pacing.afford(targets, a.params, a.limit); err != nil {
		return err
	}
	if a.store, err = env.createDatabase(stop, cmd); err != nil {
		return err
	}
	defer a.store.Close()

	searches, err := l.begin(stop, a, kinds, targets)
	if err != nil {
		return err
	}
	var until time.Time
	if l.duration > 0 {
		until = time.Now().Add(l.duration)
	}
	for _, s := range searches {
		if stop.Err() != nil {
			break
		}
		if err := s.ask(stop, abort, until); err != nil {
			return err
		}
	}
	return l.conclude(context.WithoutCancel(abort), stop, env, searches)
}

// begin finds or makes the run of every search, and the budget that they share.
func (l *limiter) begin(ctx context.Context, a *asking, kinds []search, targets []target) ([]*search, error) {
	inner := l.runner
	inner.asJSON = false // the one document comes at the end
	var searches []*search
	var budget *pace.Budget
	if a.limit != nil {
		budget = pace.NewBudget(*a.limit, 0)
	}
	for _, kind := range kinds {
		for _, t := range targets {
			s := kind
			s.limiter, s.target = l, t
			s.asking = &asking{runner: &inner, env: a.env, store: a.store, plan: s.plan, params: a.params, limit: a.limit}
			if err := s.begin(ctx); err != nil {
				return nil, err
			}
			if budget != nil {
				if err := s.asking.open(ctx, budget); err != nil {
					return nil, err
				}
			}
			searches = append(searches, &s)
		}
	}
	return searches, nil
}

// conclude prints what was found, and says by the exit code whether everything
// that was asked has an answer.
func (l *limiter) conclude(ctx, stop context.Context, env *Env, searches []*search) error {
	horizons := []report.LimitSearch{}
	var open *search // the first that is not at its end
	var asked, answered int64
	for _, s := range searches {
		doc, err := s.document(ctx)
		if err != nil {
			return err
		}
		horizons = append(horizons, doc)
		if doc.Limit != nil {
			asked, answered = asked+doc.Limit.Answered+doc.Limit.Unanswered, answered+doc.Limit.Answered
		}
		if open == nil && (doc.Ended == "" || doc.Limit == nil || doc.Limit.Unanswered > 0) {
			open = s
		}
	}
	var err error
	switch {
	case l.asJSON:
		err = writeJSON(env.Out, "horizon", map[string]any{"horizons": horizons})
	case answered > 0:
		err = layout.LimitText(env.Out, horizons, env.style())
	}
	if open == nil || err != nil && context.Cause(stop) != errInterrupted {
		return err
	}
	what := "the search for the horizon of " + open.family.Name + " is not at its end"
	if asked > answered {
		what = fmt.Sprintf("%d of %d requests have no answer yet", asked-answered, asked)
	}
	return errors.Join(open.asking.unfinished(stop, what), err)
}
