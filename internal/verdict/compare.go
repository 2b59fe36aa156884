package verdict

import (
	"fmt"
	"math"

	"verbatim"
	"verbatim/internal/stats"
)

// Compare says of run B what its answers say beside those of run A, the baseline,
// to the same items.
//
// The difference of an item is the mean score of B's answers to it less that of
// A's. Items that a side did not answer leave both. Runs of one plan with one trial
// are paired place by place, in memory that is bounded by the number of cells;
// others by item, in memory that grows with the items. What cannot be compared is a
// *Refusal; other errors are those of reading, or name the item whose score is not
// a number.
//
// The probabilities are those of the mean difference on fresh items of the same
// families and lengths, by the anchored Bayesian bootstrap of package stats,
// stratified by cell where every cell has two items. They do not depend on the
// order of the records; with the sides exchanged, everything is mirrored.
func Compare(a, b Side, o Options) (*Comparison, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	if err := agree(&a.Run, &b.Run); err != nil {
		return nil, err
	}
	f := newFold(&o, &a.Run, &b.Run)
	pairs := byItem
	if a.Run.Plan.Hash == b.Run.Plan.Hash && a.Run.Plan.Trials == 1 {
		pairs = inPlace
	}
	if err := pairs([2]*Side{&a, &b}, &o, f); err != nil {
		return nil, err
	}
	if err := mixed(&a.Run, &b.Run, f.graders); err != nil {
		return nil, err
	}
	if err := f.something(&a.Run, &b.Run); err != nil {
		return nil, err
	}
	return f.seal(&a, &b)
}

// something refuses runs that have no answered item in common.
func (f *fold) something(a, b *verbatim.Run) error {
	if f.all.items > 0 {
		return nil
	}
	r := &Refusal{RunA: a.Name, RunB: b.Name, Field: "items", Do: "finish both runs: 'verbatim run' with the same flags goes on with them"}
	switch {
	case f.all.asked > 0:
		r.Why = fmt.Sprintf("of the %d items that both were asked, none has an answer on both sides", f.all.asked)
	case f.left.OnlyA == 0 || f.left.OnlyB == 0:
		r.Why = "one of them has no record yet"
	default:
		r.Why = fmt.Sprintf("they have no item in common: %d are in the first only, %d in the second only", f.left.OnlyA, f.left.OnlyB)
		r.Do = "ask both with the same --suite or --task, --length, --items and --seed"
	}
	return r
}

// seal computes what the pairs say.
func (f *fold) seal(a, b *Side) (*Comparison, error) {
	o := f.o
	f.left.Share = f.all.missing()
	c := &Comparison{
		A: f.arm(0, a), B: f.arm(1, b),
		On: o.On, Rope: o.Rope, Threshold: o.Threshold, Confidence: o.Confidence,
		Items: f.all.items, Left: f.left, Even: f.all.strata.Merge(f.grid.design).Even(), Flips: f.flips,
		Families: []Row{}, Lengths: []Row{},
	}
	if c.Flips.List == nil {
		c.Flips.List = []Flip{}
	}
	var err error
	if c.Verdict, err = f.judge(&f.all, 1-o.Threshold); err != nil {
		return nil, err
	}
	if c.Success, err = f.success(); err != nil {
		return nil, err
	}
	if c.Families, c.Lengths, err = f.rows(); err != nil {
		return nil, err
	}
	c.Tasks = f.tasks()
	c.Cells = f.table()
	if err := f.limits(c); err != nil {
		return nil, err
	}
	c.Notes, c.Warnings = remarks(&a.Run, &b.Run)
	f.remark(c, &a.Run, &b.Run)
	return c, nil
}

func (f *fold) arm(i int, s *Side) Arm {
	arm := &f.all.arms[i]
	out := Arm{Head: head(s), Part: f.part(&f.all, i), Graders: f.graders[i].names(), Undecided: arm.undecided, Undefined: arm.undefined}
	for j, o := range verbatim.Outcomes() {
		out.Outcomes = append(out.Outcomes, Count{string(o), f.outcomes[i][j]})
	}
	return out
}

// part is what a bin has of one side.
func (f *fold) part(b *bin, side int) Part {
	arm := &b.arms[side]
	n := float64(b.items)
	p := Part{Answers: arm.answers, Mean: arm.mean / n, Right: arm.right, Share: arm.share / n}
	p.Range.Low, p.Range.High = stats.Wilson(int(math.Round(arm.share)), int(b.items), f.o.Confidence)
	return p
}

// success compares the shares of right answers.
func (f *fold) success() (Success, error) {
	d, _, err := f.difference(&f.exact)
	return Success{P: stats.McNemar(f.flips.OnlyA, f.flips.OnlyB), Difference: d}, err
}

// tasks is the difference on tasks like those asked.
func (f *fold) tasks() *Tasks {
	var clusters []stats.Moments
	for _, b := range f.families {
		clusters = append(clusters, b.strata.Total())
	}
	c, ok := stats.Clustered(clusters, f.o.Confidence)
	if !ok {
		return nil
	}
	return &Tasks{N: c.Clusters, SE: c.SE, Range: Range{c.Interval.Low, c.Interval.High}}
}
