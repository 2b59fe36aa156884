package verdict

import (
	"fmt"

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
	c.P = c.Difference.pValue()
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
func (f *comparer) success() (success, error) {
	d, _, err := f.difference(&f.exact)
	return success{P: stats.McNemar(f.flips.OnlyA, f.flips.OnlyB), Difference: d}, err
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
