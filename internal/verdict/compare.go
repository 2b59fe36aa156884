package verdict

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"verbatim"
	"verbatim/internal/stats"
)

// Compare compares run B with run A, the baseline, on the same items.
//
// The difference of an item is the mean score of B's answers minus that of A's. Items
// without an answer of both runs are left out. Runs of one plan with one trial are matched
// by position, in memory bounded by the number of cells; other runs are matched by item,
// in memory that grows with the items. Runs that cannot be compared give a *Refusal. Other
// errors are read errors, or name an item whose score is not a number.
//
// The probabilities are those of the mean difference on fresh items of the same families
// and lengths, by the anchored Bayesian bootstrap of package stats, stratified by cell if
// every cell has two items. They do not depend on the order of the records. With the runs
// exchanged, everything is mirrored.
func Compare(a, b Side, o Options) (*Comparison, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	check := CheckComparable
	if o.AcrossPrompt {
		check = checkPromptPair
	}
	if err := check(&a.Run, &b.Run); err != nil {
		return nil, err
	}
	f := newComparer(&o, &a.Run, &b.Run)
	var err error
	if f.graders, err = match([]*Side{&a, &b}, o.Score, o.ItemScore, f.add); err != nil {
		return nil, err
	}
	if err := CheckGraders(&a.Run, &b.Run, f.graders[0], f.graders[1]); err != nil {
		return nil, err
	}
	if err := f.checkCommonItems(&a.Run, &b.Run); err != nil {
		return nil, err
	}
	return f.comparison(&a, &b)
}

// checkCommonItems rejects runs that have no answered item in common.
func (f *comparer) checkCommonItems(a, b *verbatim.Run) error {
	if f.all.items > 0 {
		return nil
	}
	r := &Refusal{RunA: a.Name, RunB: b.Name, Field: "items", Do: "finish both runs: 'verbatim run' with the same flags continues them"}
	switch {
	case f.all.attempted > 0:
		r.Why = fmt.Sprintf("none of the %d common items has an answer of both runs", f.all.attempted)
	case f.leftOut.OnlyA == 0 || f.leftOut.OnlyB == 0:
		r.Why = "one of them has no records yet"
	default:
		r.Why = fmt.Sprintf("they have no item in common: %d are in the first only, %d in the second only", f.leftOut.OnlyA, f.leftOut.OnlyB)
		r.Do = "run both with the same --suite or --task, --length, --items and --seed"
	}
	return r
}

// comparison computes the result from the items collected.
func (f *comparer) comparison(a, b *Side) (*Comparison, error) {
	o := f.o
	f.leftOut.Share = f.all.unansweredShare()
	c := &Comparison{
		A: f.comparedRun(0, a), B: f.comparedRun(1, b),
		Metric: o.Metric, Rope: o.Rope, Threshold: o.Threshold, Confidence: o.Confidence,
		Items: f.all.items, LeftOut: f.leftOut, Balanced: f.all.strata.Merge(f.grid.Design).Balanced(), Flips: f.flips,
	}
	if o.AcrossPrompt {
		c.Across = AcrossPrompt
	}
	if c.Flips.List == nil {
		c.Flips.List = []Flip{}
	}
	var err error
	if c.Verdict, err = f.judge(&f.all, (1-o.Threshold)/float64(max(o.Together, 1))); err != nil {
		return nil, err
	}
	c.P = c.Difference.PValue()
	c.Adjusted, c.Together = c.P, 1
	if c.Success, err = f.success(); err != nil {
		return nil, err
	}
	if c.Families, err = f.familyRows(); err != nil {
		return nil, err
	}
	if c.Lengths, err = f.lengthRows(); err != nil {
		return nil, err
	}
	c.Tasks = f.acrossTasks()
	c.Cells = f.cellTable()
	if err := f.horizons(c); err != nil {
		return nil, err
	}
	c.Notes, c.Warnings = settingNotes(&a.Run, &b.Run)
	f.addNotes(c, &a.Run, &b.Run)
	return c, nil
}

// comparedRun describes run i in the result.
func (f *comparer) comparedRun(i int, s *Side) ComparedRun {
	side := &f.all.sides[i]
	out := ComparedRun{RunInfo: s.Info(), SideResult: f.sideResult(&f.all, i), Graders: f.graders[i].names(), Undecided: side.undecided, Undefined: side.undefined}
	for j, o := range verbatim.Outcomes() {
		out.Outcomes = append(out.Outcomes, Count{string(o), f.outcomes[i][j]})
	}
	return out
}

// success compares the shares of right answers.
func (f *comparer) success() (Difference, error) {
	d, _, err := f.difference(&f.exact)
	return d, err
}

// acrossTasks is the difference with the tasks as clusters; nil if its error is unknown.
func (f *comparer) acrossTasks() *acrossTasks {
	var clusters []stats.Moments
	for _, g := range f.families {
		clusters = append(clusters, g.strata.Total())
	}
	c, ok := stats.ClusterRobust(clusters, f.o.Confidence)
	if !ok {
		return nil
	}
	return &acrossTasks{N: c.Clusters, SE: c.SE, Range: RangeOf(c.Interval)}
}

// CompareSeveral compares every run with the first, or with allPairs every run with every
// other. With o.AcrossPrompt, every run is compared with the first of its model. The error
// rates hold for all verdicts together: by Bonferroni's correction for all pairs, otherwise
// by Holm's.
func CompareSeveral(sides []Side, o Options, allPairs bool) ([]*Comparison, error) {
	pairs, err := pairsToCompare(sides, o.AcrossPrompt, allPairs)
	if err != nil {
		return nil, err
	}
	if allPairs {
		o.Threshold = 1 - (1-o.Threshold)/float64(len(pairs))
	} else {
		o.Together = len(pairs)
	}
	var list []*Comparison
	for _, p := range pairs {
		one, err := Compare(sides[p[0]], sides[p[1]], o)
		if err != nil {
			return nil, err
		}
		list = append(list, one)
	}
	if !allPairs {
		Adjust(list)
	}
	return list, nil
}

// pairsToCompare returns the indexes of the runs of each comparison.
func pairsToCompare(sides []Side, acrossPrompt, allPairs bool) (pairs [][2]int, err error) {
	if acrossPrompt {
		return PromptPairs(sides)
	}
	for i := range sides {
		for j := i + 1; j < len(sides) && (i == 0 || allPairs); j++ {
			pairs = append(pairs, [2]int{i, j})
		}
	}
	return pairs, nil
}

// AcrossPrompt is the Across of a Comparison of two prompts with one model.
const AcrossPrompt = "prompt"

// PromptPairs returns the indexes of the runs to compare across prompts. Runs of one model
// with the same parameters are a group, and every run of a group is compared with its first
// one. A run that is alone in its group gives a *Refusal.
func PromptPairs(sides []Side) ([][2]int, error) {
	var groups [][]int
	for i := range sides {
		g := slices.IndexFunc(groups, func(members []int) bool { return sameSettings(&sides[members[0]].Run, &sides[i].Run) })
		if g < 0 {
			g, groups = len(groups), append(groups, nil)
		}
		groups[g] = append(groups[g], i)
	}
	var pairs [][2]int
	for _, members := range groups {
		first := &sides[members[0]].Run
		if len(members) == 1 {
			return nil, &Refusal{Field: "prompt", Why: fmt.Sprintf("no other run is of the model %s with the parameters of %s: a comparison across prompts needs two", first.Model, first.Name),
				Do: "name a run of the same model and items with another --shots, --paraphrase, --system or --as"}
		}
		for _, other := range members[1:] {
			pairs = append(pairs, [2]int{members[0], other})
		}
	}
	return pairs, nil
}

// sameSettings reports whether two runs are of one model with the same parameters.
func sameSettings(a, b *verbatim.Run) bool {
	return a.Model == b.Model && a.Origin == b.Origin && sameParams(a, b)
}

// sameParams reports whether two runs have the same parameters. The token limit of the
// reasoning follows from the model, and may differ.
func sameParams(a, b *verbatim.Run) bool {
	pa, pb := a.Params, b.Params
	pa.ReasoningTokens, pb.ReasoningTokens = 0, 0
	return reflect.DeepEqual(pa, pb)
}

// checkPromptPair rejects two runs that do not differ in their prompt variants, or differ in
// more than these.
func checkPromptPair(a, b *verbatim.Run) error {
	if err := checkPlans(a, b, sameEdition, sameSeed, sameVersions, sameFile); err != nil {
		return err
	}
	switch {
	case a.Model != b.Model:
		return &Refusal{RunA: a.Name, RunB: b.Name, Field: "model", A: a.Model, B: b.Model, Do: "compare runs of one model across prompts"}
	case !sameSettings(a, b):
		return &Refusal{RunA: a.Name, RunB: b.Name, Field: "parameters", Why: "their parameters differ, not only their prompts", Do: "run both with the same parameters"}
	case variantOf(&a.Plan) == variantOf(&b.Plan):
		return &Refusal{RunA: a.Name, RunB: b.Name, Field: "prompt", Why: "they have the same prompt: " + describeVariant(variantOf(&a.Plan)),
			Do: "leave out --across prompt, or run one of them with another --shots, --paraphrase, --system or --as"}
	}
	return nil
}

// Simulated reports whether the model of a run is simulated: it knows the right answers
// and spoils some of them.
func Simulated(r *verbatim.Run) bool { return strings.HasPrefix(r.Model, "sim:") }

// Nano reports whether the model of a run is nano, the small language model of this
// program. It was trained on some of its tasks, so a rank among other models would mean
// nothing. A model of that name in the results of another program is a different one.
func Nano(r *verbatim.Run) bool { return r.Model == "nano" && (r.Origin == "" || r.Tool != "") }

// BuiltIn reports whether the model of a run is part of this program.
func BuiltIn(r *verbatim.Run) bool { return Simulated(r) || Nano(r) }

// NanoUnranked is the reason why nano is not ranked among other models.
const NanoUnranked = "it is built into this program and was trained on some of its tasks"

// Options are the settings of a comparison. Start from Defaults.
type Options struct {
	// Metric names the score, and Score computes it for an answer.
	Metric string
	Score  ScoreFunc
	// ItemScore computes the score of an item from all its answers; nil: it is the mean
	// score of the answers.
	ItemScore ItemScoreFunc
	// AcrossPrompt compares two prompt variants with one model, instead of two models with
	// one prompt.
	AcrossPrompt bool
	// Rope is the half-width of the region of practical equivalence: from 0 to 1.
	Rope float64
	// Threshold is the posterior probability that a verdict needs. Confidence is the
	// probability of the intervals.
	Threshold, Confidence float64
	// Together is the number of comparisons that Adjust will correct together; 0 counts
	// as 1. ItemsNeeded is for a verdict after this correction.
	Together int
	// A verdict is withheld if the share of pairs without an answer is above
	// MaxUnanswered, or if the shares of answers that the token limit truncated before
	// they could be judged differ by more than MaxTruncatedGap.
	MaxUnanswered, MaxTruncatedGap float64
	// flips is the maximum number of flips to list; negative: all are listed.
	Flips int
	// Resamples is the number of bootstrap samples for the horizon over several tasks, and
	// Seed their seed. With 0 resamples no horizons are estimated: they take most of the time.
	Resamples int
	Seed      uint64
	// Horizons keeps horizons for further comparisons; nil keeps none. It does not change
	// results.
	Horizons *HorizonCache
}

// Defaults returns the options of 'verbatim compare' without flags, for a score.
func Defaults(metric string, score ScoreFunc) Options {
	return Options{
		Metric: metric, Score: score,
		Rope: 0.02, Threshold: 0.95, Confidence: 0.95,
		MaxUnanswered: 0.02, MaxTruncatedGap: 0.02,
		Flips: 20, Resamples: 1000, Seed: 1,
	}
}

// Validate rejects options that are out of range, or have no score.
func (o *Options) Validate() error {
	for _, c := range []struct {
		name  string
		value float64
		ok    bool
	}{
		{"the region of practical equivalence", o.Rope, o.Rope >= 0 && o.Rope <= 1},
		{"the threshold", o.Threshold, o.Threshold > 0.5 && o.Threshold < 1},
		{"the confidence", o.Confidence, o.Confidence > 0 && o.Confidence < 1},
		{"the bound on unanswered pairs", o.MaxUnanswered, o.MaxUnanswered >= 0 && o.MaxUnanswered <= 1},
		{"the bound on truncated answers", o.MaxTruncatedGap, o.MaxTruncatedGap >= 0 && o.MaxTruncatedGap <= 1},
	} {
		if !c.ok || math.IsNaN(c.value) {
			return fmt.Errorf("%s is out of range: %v", c.name, c.value)
		}
	}
	if o.Score == nil {
		return fmt.Errorf("a comparison needs a score function")
	}
	return nil
}
