package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"verbatim/internal/report"
	"verbatim/internal/store"
	"verbatim/internal/verdict"
	"verbatim/internal/verdict/leaderboard"
)

// A publication is a report with the runs that it is about.
type publication struct {
	*report.Report
	lib   *library
	on    report.Metric
	runs  []namedRun     // each once, the baseline first
	sides []verdict.Side // of the runs, where there are several
	// apart is why the runs cannot be put next to each other; nil where they can.
	apart error
}

// publication folds the runs that the arguments name. The caller closes its library.
func (r *reporting) publication(cmd *cobra.Command, env *Env, args []string) (*publication, error) {
	on, err := report.ParseMetric(r.on)
	if err != nil {
		return nil, misused("", "--metric: %w", err)
	}
	by, err := report.ParseGroupBy(r.groupBy)
	if err != nil {
		return nil, misused("", "--group-by: %w", err)
	}
	p := &publication{on: on, lib: env.library(cmd)}
	if err := p.choose(cmd.Context(), r.named(args)); err != nil {
		p.lib.Close()
		return nil, err
	}
	if err := p.fold(cmd.Context(), report.Options{Metric: on, GroupBy: by, Samples: r.samples}); err != nil {
		p.lib.Close()
		return nil, err
	}
	p.Tool, p.Command, p.Database = version(), env.commandLine(env.Args), env.namedDatabase()
	return p, nil
}

// choose finds the runs that are named, each once.
func (p *publication) choose(ctx context.Context, names []string) error {
	all, err := p.lib.named(ctx, names)
	if err != nil {
		return err
	}
	for _, run := range all {
		if !slices.ContainsFunc(p.runs, run.same) {
			p.runs = append(p.runs, run)
		}
	}
	return nil
}

// named lists the names of the runs, the baseline first.
func (r *reporting) named(args []string) []string {
	if len(args) == 0 {
		args = []string{"last"}
	}
	if r.baseline != "" {
		args = append([]string{r.baseline}, args...)
	}
	return args
}

// fold computes the report of the runs.
func (p *publication) fold(ctx context.Context, o report.Options) error {
	var kept []keptRun
	for _, run := range p.runs {
		kept = append(kept, run.keptRun)
	}
	in, err := inputs(ctx, p.on, kept)
	if err != nil {
		return err
	}
	var ungrouped *report.GroupError
	if p.Report, err = report.Of(o, in...); errors.As(err, &ungrouped) {
		return misused("", "%w", err)
	}
	if err != nil || len(p.runs) < 2 {
		return err
	}
	p.sides, p.apart = sidesOf(ctx, p.runs, store.Read{Scores: true, Measures: measured(p.on)})
	var none *store.NoCommonGrader
	if p.apart != nil && !errors.As(p.apart, &none) {
		return p.apart
	}
	return nil
}

// mostMatched is how many requests are matched by their items without being asked to:
// that takes memory for each of them. Runs of one plan without repeats are matched by
// their places, however many these are.
const mostMatched = 100_000

// matchable reports whether the runs can be put next to each other in bounded memory.
func (p *publication) matchable() bool {
	var requests int64
	byPlace := true
	for _, r := range p.runs {
		requests += r.Plan.Count
		byPlace = byPlace && r.Plan.Trials == 1 && r.Plan.Hash == p.runs[0].Plan.Hash
	}
	return byPlace || requests <= mostMatched
}

// rank adds the leaderboard of several runs, or why there is none.
func (p *publication) rank(ctx context.Context) error {
	if p.sides == nil {
		return nil
	}
	if !p.matchable() {
		p.sides = nil
		p.Warnings = append(p.Warnings, report.Warning{Kind: "leaderboard", Text: "The runs are neither ranked nor compared: their requests are too many to be matched item by item in passing. " +
			"`compare` takes the memory for it."})
		return nil
	}
	var err error
	p.Leaderboard, err = leaderboard.Rank(p.sides, leaderboard.Options{Metric: string(p.on), Score: p.on.Score})
	return p.doubt("leaderboard", "The runs are not ranked", err)
}

// compare adds what every run is next to the first one, with limits where they are shown.
func (p *publication) compare(ctx context.Context, limits bool) error {
	if p.sides == nil {
		return nil
	}
	list := make([]*verdict.Comparison, len(p.sides)-1)
	refused := make([]error, len(list))
	o := verdict.Defaults(string(p.on), p.on.Score)
	if o.Horizons = new(verdict.HorizonCache); !limits {
		o.Resamples = 0
	}
	var all errgroup.Group
	all.SetLimit(4)
	for i := range list {
		all.Go(func() (err error) {
			list[i], err = verdict.Compare(p.sides[0], p.sides[i+1], o)
			var no *verdict.Refusal
			if errors.As(err, &no) {
				refused[i], err = err, nil
			}
			return err
		})
	}
	if err := all.Wait(); err != nil {
		return err
	}
	for i, c := range list {
		if c != nil {
			p.Comparisons = append(p.Comparisons, c)
			continue
		}
		what := fmt.Sprintf("%s is not compared with %s", p.runs[i+1].Name, p.runs[0].Name)
		if err := p.doubt("comparison", what, refused[i]); err != nil {
			return err
		}
	}
	return nil
}

// doubt makes a refusal a warning of the report, and returns any other error.
func (p *publication) doubt(kind, what string, err error) error {
	var no *verdict.Refusal
	if !errors.As(err, &no) {
		return err
	}
	p.Warnings = append(p.Warnings, report.Warning{Kind: kind, Text: fmt.Sprintf("%s: %v.", what, no)})
	return nil
}
