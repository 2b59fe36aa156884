package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/internal/exchange"
	"verbatim/internal/paper"
	"verbatim/internal/report"
	"verbatim/internal/shell"
	"verbatim/internal/store"
	"verbatim/internal/verdict"
)

// presetOptions are the flags of `report` that go with --preset.
type presetOptions struct {
	Name    string
	Format  string // empty: a folder, unless Figures is given
	Out     string // the folder, or the file of a Format
	Figures string // the folder of the figures, if they alone are wanted
	Raw     bool   // as of report.Style
}

// presets lists the studies that --preset makes.
func presets() []string { return []string{"sortbench", "simpe"} }

// presetReport makes the tables and figures of a published study.
func presetReport(cmd *cobra.Command, env *Env, args []string, o presetOptions) error {
	if !slices.Contains(presets(), o.Name) {
		return misused("the studies are "+strings.Join(presets(), ", "), "there is no study %q", o.Name)
	}
	for _, flag := range []string{"on", "every-length"} {
		if cmd.Flags().Changed(flag) {
			return misused("leave it out: a study has scores and tables of its own", "--%s does not go with --preset", flag)
		}
	}
	if o.Format != "" && o.Figures != "" {
		return misused("--figures writes drawings, and --format one text", "--figures does not go with --format")
	}
	write, err := o.writer(cmd.Context(), env)
	if err != nil {
		return err
	}
	lib := env.library(cmd)
	defer lib.Close()
	runs, left, err := presetRuns(cmd.Context(), lib, o.Name, args)
	if err != nil {
		return err
	}
	if o.Name == "sortbench" { // which ranks
		runs, left = withoutNano(runs, left)
	}
	sides, err := presetSides(cmd.Context(), runs)
	if err != nil {
		return err
	}
	o.say(env, "reading %s and computing the tables", runsOf(len(sides)))
	d, err := o.study(env, sides)
	var refused *verdict.Refusal
	if errors.As(err, &refused) { // it names items and files as others spelt them
		return misused(report.Visible(refused.Hint()), "%s", report.Visible(refused.Error()))
	}
	if err != nil {
		return err
	}
	d.Lead = append(d.Lead, left...)
	if err := write(d); err != nil || o.Name != "simpe" || o.Format != "" || o.Figures != "" {
		return err
	}
	return o.simpeFiles(cmd.Context(), env, runs)
}

// withoutNano leaves out runs of nano where there are others, and says so.
func withoutNano(runs []namedRun, left []string) ([]namedRun, []string) {
	var others []namedRun
	said := left
	for _, r := range runs {
		if verdict.Nano(&r.Run) {
			said = append(said, fmt.Sprintf("Left out is run %s (%s), for the tables rank models: %s is %s.", r.ref, report.Visible(r.Name), r.Model, builtIn(&r.Run)))
		} else {
			others = append(others, r)
		}
	}
	if len(others) == 0 {
		return runs, left
	}
	return others, said
}

// study computes the document.
func (o presetOptions) study(env *Env, sides []verdict.Side) (*paper.Document, error) {
	if o.Name == "simpe" {
		return paper.SimpE(sides, paper.SimpEOptions{Command: o.command(env, sides)})
	}
	return paper.SortBench(sides, paper.SortBenchOptions{Command: o.command(env, sides)})
}

// say prints progress.
func (o presetOptions) say(env *Env, format string, args ...any) {
	writeNote(env, "verbatim: "+format, args...)
}

func runsOf(n int) string {
	if n == 1 {
		return "one run"
	}
	return strconv.Itoa(n) + " runs"
}

// presetRuns returns the runs that are named, or the newest of every model that was
// asked the suite's items. Where models were asked different ones, it is the items
// that most models have; left says who is not among them.
func presetRuns(ctx context.Context, lib *library, suite string, args []string) (runs []namedRun, left []string, err error) {
	if len(args) > 0 {
		runs, err = lib.named(ctx, args)
		return runs, nil, err
	}
	s, err := lib.database(ctx)
	if err != nil {
		return nil, nil, err
	}
	all, err := s.Runs(ctx)
	if err != nil {
		return nil, nil, err
	}
	if all, err = repliesLast(ctx, s, all); err != nil {
		return nil, nil, err
	}
	newest := newestOf(all, suite)
	if len(newest) == 0 {
		return nil, nil, misused("'verbatim run --suite "+suite+"' asks a model, and 'verbatim import "+suite+"' reads published results", "there is no run of the suite %s with an answer", suite)
	}
	if suite == "simpe" { // which draws its items anew for every model
		for _, r := range newestOfModels(newest) {
			ref := strconv.FormatInt(r.N, 10)
			runs = append(runs, namedRun{keptRun{r, s}, ref, ref})
		}
		return runs, nil, nil
	}
	kept := mostAsked(newest)
	for _, r := range newest {
		if asksLike(&r, &kept) {
			ref := strconv.FormatInt(r.N, 10)
			runs = append(runs, namedRun{keptRun{r, s}, ref, ref})
		} else if !slices.ContainsFunc(newest, func(x verbatim.Run) bool { return x.Model == r.Model && asksLike(&x, &kept) }) {
			left = append(left, fmt.Sprintf("Left out is run %d (%s), which was asked other lists; name the runs to choose others.", r.N, report.Visible(r.Name)))
		}
	}
	return runs, left, nil
}

// repliesLast puts runs of scores alone before the others, as if they were older:
// where the replies are there too, they say more.
func repliesLast(ctx context.Context, s *store.Store, all []store.Listed) ([]store.Listed, error) {
	var scores, replies []store.Listed
	for _, l := range all {
		var none *store.NoCommonGrader
		switch graders, err := s.Common(ctx, l.Run.N); {
		case err != nil && !errors.As(err, &none):
			return nil, err
		case slices.Equal(graders, []string{exchange.Published}):
			scores = append(scores, l)
		default:
			replies = append(replies, l)
		}
	}
	return append(scores, replies...), nil
}

// newestOf returns the last run of every model for every set of items that it was
// asked, in the order of their numbers; runs without any answer are passed over.
func newestOf(all []store.Listed, suite string) []verbatim.Run {
	var list []verbatim.Run
	for _, l := range slices.Backward(all) {
		answered := int64(0)
		for outcome, n := range l.Tally {
			if outcome.Answered() {
				answered += n
			}
		}
		twice := slices.ContainsFunc(list, func(r verbatim.Run) bool { return r.Model == l.Run.Model && asksLike(&r, &l.Run) })
		if l.Run.Plan.Suite == suite && answered > 0 && !twice {
			list = append(list, l.Run)
		}
	}
	slices.SortFunc(list, func(a, b verbatim.Run) int { return cmp.Compare(a.N, b.N) })
	return list
}

// mostAsked returns a run whose items most of the runs were asked, the newest of such.
func mostAsked(runs []verbatim.Run) verbatim.Run {
	best, most := runs[0], 0
	for _, r := range slices.Backward(runs) {
		n := 0
		for _, x := range runs {
			if asksLike(&x, &r) {
				n++
			}
		}
		if n > most {
			best, most = r, n
		}
	}
	return best
}

// asksLike reports whether two runs of a suite ask the same items in the same way, as
// far as their plans say.
func asksLike(x, y *verbatim.Run) bool {
	a, b := &x.Plan, &y.Plan
	if a.Edition != b.Edition || (a.Items == nil) != (b.Items == nil) || (a.Variant == nil) != (b.Variant == nil) {
		return false
	}
	if a.Variant != nil && *a.Variant != *b.Variant {
		return false
	}
	if a.Items == nil {
		return a.Seed == b.Seed
	}
	return a.Items.SHA256 == b.Items.SHA256 || asksPublished(x) && asksPublished(y) && a.Items.Name == b.Items.Name
}

// publishedLists is how many lists a release of SortBench has.
const publishedLists = 1440

// asksPublished reports whether a run's items are lists of a published release. The
// hashes of scores, of outputs and of asked lists differ, though their ids do not.
func asksPublished(r *verbatim.Run) bool {
	return r.Plan.Items != nil && (r.Origin == exchange.OriginSortBench || r.Plan.Items.N == publishedLists)
}

// presetSides reads the runs with the same version of every grader, replies included:
// they are counted as they pass, and not kept.
func presetSides(ctx context.Context, runs []namedRun) ([]verdict.Side, error) {
	sides, err := sidesOf(ctx, runs, store.Read{Texts: true, Measures: true})
	var none *store.NoCommonGrader
	if errors.As(err, &none) {
		return nil, misused(none.Hint(), "%w", err)
	}
	return sides, err
}

// command is what makes the document again.
func (o presetOptions) command(env *Env, sides []verdict.Side) string {
	words := []string{"verbatim"}
	if db := env.namedDatabase(); db != "" {
		words = append(words, "--db", db)
	}
	words = append(words, "report", "--preset", o.Name)
	for _, s := range sides {
		words = append(words, s.Ref)
	}
	return shell.Words(words...)
}
