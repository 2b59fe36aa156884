package verdict

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"verbatim"
	"verbatim/internal/stats"
)

// A Comparison is the result of Compare for a run B and its baseline A. All differences
// are B minus A. An unknown number is nil.
type Comparison struct {
	A ComparedRun `json:"a"`
	B ComparedRun `json:"b"`
	// Across is AcrossPrompt if the runs are two prompt variants of one model, otherwise "".
	Across string `json:"across,omitempty"`

	Metric     string  `json:"metric"` // the score
	Rope       float64 `json:"rope"`
	Threshold  float64 `json:"threshold"`
	Confidence float64 `json:"confidence"`

	Items   int64   `json:"items"` // with an answer of both runs; all numbers are over these
	LeftOut leftOut `json:"left_out"`
	// Balanced: all cells have the same number of items, so that cells have equal weight
	// in the mean. Otherwise only items have equal weight.
	Balanced bool `json:"even"`

	Verdict
	// P is the PValue of the difference. Adjusted is P with Holm's correction for
	// Together runs that are compared with the baseline; the word depends on it only.
	P        float64 `json:"p"`
	Adjusted float64 `json:"p_holm"`
	Together int     `json:"holm_of"`

	Success Difference `json:"success"` // of the shares of right answers
	// Tasks is nil if the error across tasks is unknown.
	Tasks *acrossTasks `json:"tasks"`

	Families []Row  `json:"families"` // empty if there is one
	Lengths  []Row  `json:"lengths"`  // empty if there is one, or too many for a table
	Cells    []Cell `json:"cells"`    // families by lengths
	Flips    flips  `json:"flips"`

	Notes    []Note `json:"notes,omitempty"`
	Warnings []Note `json:"warnings,omitempty"`
}

// A ComparedRun is one run of a Comparison.
type ComparedRun struct {
	RunInfo
	SideResult
	Graders []string `json:"graders,omitempty"`
	// Outcomes counts the requests of the items that both runs attempted, in the order
	// of verbatim.Outcomes.
	Outcomes []Count `json:"outcomes"`
	// Undecided counts answers truncated by the token limit that could still have become
	// right. Undefined counts answers whose score is undefined and counts 0.
	Undecided int64 `json:"undecided_limits"`
	Undefined int64 `json:"undefined_scores"`
}

// A Count is the number of requests with an outcome.
type Count struct {
	Name string `json:"name"`
	N    int64  `json:"n"`
}

// leftOut counts the items that a Comparison leaves out.
type leftOut struct {
	OnlyA       int64 `json:"only_a"` // no record of B
	OnlyB       int64 `json:"only_b"`
	UnansweredA int64 `json:"unanswered_a"` // answered by B only
	UnansweredB int64 `json:"unanswered_b"`
	Neither     int64 `json:"unanswered_both"`
	// Share is the share of pairs of answers in which one is missing, over the items
	// that both runs attempted.
	Share float64 `json:"share"`
}

// Unanswered is the number of items that both runs attempted and at least one did not
// answer.
func (l leftOut) unanswered() int64 { return l.UnansweredA + l.UnansweredB + l.Neither }

// A SideResult sums up one run over the items of a row.
type SideResult struct {
	Answers int64   `json:"answers"`
	Mean    float64 `json:"mean"`  // of the score, over items
	Right   int64   `json:"right"` // answers
	Share   float64 `json:"share"` // of right answers, over items
	// Range is the interval of Share by item (stats.ItemCounts). A report has the same one.
	Range Range `json:"range"`
	// Horizon is nil if it cannot be estimated from the lengths.
	Horizon *Horizon `json:"l50"`
}

// A Range is an interval.
type Range struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// RangeOf returns an interval as a Range.
func RangeOf(i stats.Interval) Range { return Range{i.Low, i.High} }

// A Horizon is the 50 % horizon: the length at which half of the answers are right.
type Horizon struct {
	Text   string  `json:"text"`   // "64", "> 256", "< 2", "none"
	Length float64 `json:"length"` // 0 here or in Range: the share is above one half at no length
	Range
	Above float64 `json:"above"` // probability that it is above the longest length
	Below float64 `json:"below"` // probability that it is below the shortest length, or Never
	Never float64 `json:"never"` // probability that the share is above one half at no length
	// Resampled: the interval is a bootstrap over tasks.
	Resampled bool `json:"tasks_resampled"`
}

// A Difference is the mean score of B minus that of A, with its credible interval and the
// posterior probabilities that it is below, inside and above the ROPE.
type Difference struct {
	Value float64 `json:"value"`
	Range
	Worse      float64 `json:"p_worse"`
	Equivalent float64 `json:"p_equivalent"`
	Better     float64 `json:"p_better"`
	// SignFlip is the p-value of the sign-flip test: the probability of a mean at least as
	// far from 0 if the models are equal. Worse and better also need this to be small.
	SignFlip float64 `json:"p_sign_flip"`
	// Outside is the p-value of a mean outside the ROPE, by exact bounds (stats.Bounds). Equivalent
	// also needs this to be small.
	Outside float64 `json:"p_outside"`
	// Stratified is the stratification: "cells", "lengths" or "none".
	Stratified stratification `json:"stratified_by"`
}

// probabilities returns the three probabilities of a Difference.
func (d *Difference) probabilities() stats.Probabilities {
	return stats.Probabilities{Worse: d.Worse, Equivalent: d.Equivalent, Better: d.Better}
}

// A Verdict is a Difference with its word.
type Verdict struct {
	Word       Word       `json:"verdict"`
	Why        []string   `json:"why,omitempty"` // reasons why it is withheld
	Difference Difference `json:"difference"`
	// ItemsNeeded is nil unless the verdict is inconclusive, on FewItems or more.
	ItemsNeeded *ItemsNeeded `json:"settle,omitempty"`
}

// acrossTasks is the mean difference with the tasks as a sample of tasks: its interval is
// cluster-robust (Miller 2024, arXiv:2411.00640).
type acrossTasks struct {
	N  int     `json:"n"`
	SE float64 `json:"se"`
	Range
}

// A Row compares the items of one family, or of one length.
type Row struct {
	Family string `json:"family,omitempty"` // also set for a length that only one family has
	Length string `json:"length,omitempty"` // "16", or "9–16" for a band
	// Lengths is Length as numbers; nil if it is not a number.
	Lengths    *verbatim.Lengths `json:"lengths,omitempty"`
	Items      int64             `json:"items"`
	Unanswered float64           `json:"unanswered_share"`
	A          SideResult        `json:"a"`
	B          SideResult        `json:"b"`
	Verdict
	// P is the PValue of the difference. Adjusted is P with Holm's
	// correction for the rows of the table; the word depends on Adjusted only.
	P        float64 `json:"p"`
	Adjusted float64 `json:"p_holm"`
}

// A Cell compares the items of one family at one length.
type Cell struct {
	Family  string            `json:"family"`
	Length  string            `json:"length,omitempty"`
	Lengths *verbatim.Lengths `json:"lengths,omitempty"`
	Items   int64             `json:"items"`
	A       cellPart          `json:"a"`
	B       cellPart          `json:"b"`
	Value   float64           `json:"difference"`
	SD      *float64          `json:"sd"` // of the differences; nil with one item
	OnlyA   int64             `json:"only_a"`
	OnlyB   int64             `json:"only_b"`
	// P is the stats.SignTest of OnlyA and OnlyB, not adjusted for the number of cells: of
	// twenty, one is below 0.05 by chance.
	P float64 `json:"p_sign"`
}

// A cellPart is one run in a Cell.
type cellPart struct {
	Answers int64   `json:"answers"`
	Mean    float64 `json:"mean"`
	Right   int64   `json:"right"`
}

// A table has at most maxLengths lengths, or maxFamilies families. A file with more of them
// has a length or a family for nearly every text, and each row would have an item or two.
const (
	maxLengths  = 48
	maxFamilies = 256
)

// familyRows computes the table of families.
func (f *comparer) familyRows() ([]Row, error) {
	order := make([]int, len(f.families))
	for i := range order {
		order[i] = i
	}
	return f.table(f.families, order, maxFamilies, func(i int) Row { return Row{Family: f.grid.families[i]} })
}

// lengthRows computes the table of lengths.
func (f *comparer) lengthRows() ([]Row, error) {
	severalFamilies := filled(f.families) > 1
	return f.table(f.lengths, f.grid.lengthOrder(), maxLengths, func(i int) Row {
		l := f.grid.lengths[i]
		r := Row{Length: l.name, Lengths: l.span}
		if l.family >= 0 && severalFamilies {
			r.Family = f.grid.families[l.family]
		}
		return r
	})
}

// table computes a row for each group that has items, in an order of their indexes. A table
// with a single row is left out, because it would repeat the total, and so is one with more
// rows than most.
func (f *comparer) table(groups []*group, order []int, most int, label func(i int) Row) ([]Row, error) {
	rows := []Row{}
	n := filled(groups)
	if n < 2 || n > most {
		return rows, nil
	}
	for _, i := range order {
		if i >= len(groups) || groups[i].items == 0 {
			continue
		}
		r, g := label(i), groups[i]
		r.Items, r.Unanswered, r.A, r.B = g.items, g.unansweredShare(), f.sideResult(g, 0), f.sideResult(g, 1)
		var err error
		if r.Verdict, err = f.judge(g, (1-f.o.Threshold)/float64(n)); err != nil {
			return nil, err
		}
		rows = append(rows, r)
	}
	f.adjust(rows)
	return rows, nil
}

// filled is the number of groups that have items.
func filled(groups []*group) (n int) {
	for _, g := range groups {
		if g.items > 0 {
			n++
		}
	}
	return n
}

// cellTable lists the cells by family and then by length.
func (f *comparer) cellTable() []Cell {
	order := make([]int, len(f.cells))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		x, y := f.grid.cells[i], f.grid.cells[j]
		return cmp.Or(cmp.Compare(x.family, y.family), f.grid.compare(x.length, y.length))
	})
	cells := []Cell{}
	for _, i := range order {
		g, at := f.cells[i], f.grid.cells[i]
		if g.items == 0 {
			continue
		}
		m := g.strata.Total()
		c := Cell{Family: f.grid.families[at.family], Items: g.items, Value: m.Mean, OnlyA: g.sides[0].onlyRight, OnlyB: g.sides[1].onlyRight}
		c.P = stats.SignTest(c.OnlyA, c.OnlyB)
		if at.length >= 0 {
			c.Length, c.Lengths = f.grid.lengths[at.length].name, f.grid.lengths[at.length].span
		}
		if m.N > 1 {
			c.SD = &m.SD
		}
		for side, part := range []*cellPart{&c.A, &c.B} {
			s := &g.sides[side]
			*part = cellPart{s.counts.Answers, s.scoreSum / float64(g.items), s.counts.Right}
		}
		cells = append(cells, c)
	}
	return cells
}

// addNotes adds the notes and warnings that depend on the items.
func (f *comparer) addNotes(c *Comparison, a, b *verbatim.Run) {
	note := func(kind, format string, args ...any) {
		c.Notes = append(c.Notes, Note{kind, fmt.Sprintf(format, args...)})
	}
	warn := func(kind, format string, args ...any) {
		c.Warnings = append(c.Warnings, Note{kind, fmt.Sprintf(format, args...)})
	}
	if a.Plan.Hash != b.Plan.Hash {
		warn("plans", "The runs have different plans: items are matched by id; %d of A and %d of B have no match.", c.LeftOut.OnlyA, c.LeftOut.OnlyB)
	} else if n := c.LeftOut.OnlyA + c.LeftOut.OnlyB; n > 0 {
		warn("unfinished", "A run is not finished: %d items without a record are left out.", n)
	}
	if fromUserFile(&a.Plan) != fromUserFile(&b.Plan) {
		warn("items", "One run uses a file of items: equal ids may name different items.")
	}
	if n := c.LeftOut.unanswered(); n > 0 && c.Word != Withheld {
		note("unanswered", "%d items without an answer of both runs are left out (%.1f %%).", n, 100*c.LeftOut.Share)
	}
	for i, run := range []*ComparedRun{&c.A, &c.B} {
		if run.Undefined > 0 {
			note("undefined", "The score of %d of %s's answers is undefined and counts 0.", run.Undefined, "AB"[i:i+1])
		}
	}
	if (f.graders[0]["published"] > 0) != (f.graders[1]["published"] > 0) {
		warn("published", "One run has published scores without answers: other grading rules may apply.")
	}
	if d, alpha := &c.Difference, 1-c.Threshold+Rounding; c.Word == Inconclusive && c.P > alpha && 1-maxProbability(d.probabilities()) <= alpha {
		what, p := "Too few items differ for a verdict: equal models differ this much in %.1f %% of comparisons (sign-flip test)", d.SignFlip
		if mostProbable(d.probabilities()) == Equivalent {
			what, p = "Too few items for a verdict: a model on the edge of the ROPE differs as little in up to %.1f %% of comparisons (exact bounds)", d.Outside
		}
		note("few_items", what+", and at most %.3g %% are allowed.", 100*p, 100*(1-c.Threshold))
	}
	switch c.Difference.Stratified {
	case byLength:
		note("strata", "Some task has a single item at some length: the posterior is stratified by length only.")
	case Unstratified:
		if len(f.cells) > 1 {
			note("strata", "Some length has a single item: the posterior is not stratified.")
		}
	}
	if !c.Balanced {
		note("weights", "Tasks and lengths have different numbers of items: all items have equal weight, not all tasks and lengths.")
	}
	if f.grid.overflow || filled(f.lengths) > maxLengths {
		note("lengths", "Too many lengths for a table.")
	}
	if filled(f.families) > maxFamilies {
		note("families", "Too many tasks for a table.")
	}
}

// flips are the items that one run has right more often than the other. With one trial
// these are the items that one run has right and the other has not.
type flips struct {
	OnlyA int64  `json:"only_a"` // A is right more often
	OnlyB int64  `json:"only_b"`
	List  []Flip `json:"list"` // the first ones, in planned order
}

// A Flip is one item of Flips.
type Flip struct {
	Item  string   `json:"item"`
	Right string   `json:"right"` // the run that is right more often: "a" or "b"
	A     FlipSide `json:"a"`
	B     FlipSide `json:"b"`
}

// A FlipSide sums up the answers of one run to the item. Outcome and Label are those of the
// first answer that is not right, or of the first answer if all are right.
type FlipSide struct {
	Right   int64            `json:"right"`
	Answers int64            `json:"answers"`
	Outcome verbatim.Outcome `json:"outcome"`
	Label   string           `json:"label"`
}

// add counts an item, if the runs differ, and lists it while fewer than limit are listed. All
// are listed if limit is negative.
func (f *flips) add(item *MatchedItem, limit int) {
	flip := Flip{Right: "a"}
	switch a, b := item.Runs[0].rightShare(), item.Runs[1].rightShare(); {
	case a > b:
		f.OnlyA++
	case a < b:
		f.OnlyB++
		flip.Right = "b"
	default:
		return
	}
	if limit >= 0 && len(f.List) >= limit {
		return
	}
	flip.Item, flip.A, flip.B = item.ID, flipSide(&item.Runs[0]), flipSide(&item.Runs[1])
	f.List = append(f.List, flip)
}

func flipSide(r *itemResult) FlipSide {
	return FlipSide{Right: r.Right, Answers: r.Answers, Outcome: r.outcome, Label: r.label}
}

// A Note is a sentence about a result, with a kind for machines.
type Note struct {
	Kind string `json:"kind"`
	Text string `json:"text"`
}

// settingNotes compares the settings of two runs. A note says what else is compared, a warning
// what may have caused the result.
func settingNotes(a, b *verbatim.Run) (notes, warnings []Note) {
	if x, y := a.Params.ReasoningTokens, b.Params.ReasoningTokens; x != y {
		warnings = append(warnings, Note{"token_limit", fmt.Sprintf("The reasoning limits differ: %d tokens for A, %d for B. The run with fewer may be truncated more often.", x, y)})
	}
	if !sameParams(a, b) {
		notes = append(notes, Note{"parameters", "The runs have different parameters: the difference is due to models and parameters together."})
	}
	if a.Plan.Trials != b.Plan.Trials && a.Plan.Trials > 0 && b.Plan.Trials > 0 {
		notes = append(notes, Note{"trials", fmt.Sprintf("Trials of each item: %d for A, %d for B. The mean score over the trials counts.", a.Plan.Trials, b.Plan.Trials)})
	}
	for _, r := range []struct {
		name       string
		run, other *verbatim.Run
	}{{"A", a, b}, {"B", b, a}} {
		what := ""
		switch {
		case Nano(r.run) && !Nano(r.other):
			what = " is nano, the built-in model, which was trained on some of the tasks here"
		case Simulated(r.run) && !BuiltIn(r.other):
			what = " is built into this program"
		}
		if what != "" {
			warnings = append(warnings, Note{"built-in", r.name + what + ": the comparison does not rank the models."})
		}
		if t := r.run.Test; t != nil {
			warnings = append(warnings, Note{"stopped", fmt.Sprintf("%s is a run of %s, which stops early. The probabilities are posterior; their error rate is not guaranteed.", r.name, t.Kind)})
		}
	}
	return notes, warnings
}

// ItemsNeeded is the number of items that would settle an inconclusive verdict, if further
// items behave like those seen.
type ItemsNeeded struct {
	Toward Word `json:"toward"` // the expected verdict
	// Items is the total number for a verdict with probability 0.8. It is nil if no
	// number is enough, because the difference is on the edge of the ROPE.
	Items *int64 `json:"items"`
	More  *int64 `json:"more"` // in addition to those seen
}

// FewItems is the least number of items that tells how many more are needed.
const FewItems = 8

// power is the probability that ItemsNeeded is for.
const power = 0.8

// itemsNeeded uses the normal approximation of the mean of paired differences. With few
// items or without variation its number can be too small, because the anchors of the bounds
// still have weight. Then it uses the bounds themselves.
func itemsNeeded(s *stats.Strata, how stratification, rope, alpha float64) *ItemsNeeded {
	t := s.Total()
	out := &ItemsNeeded{Toward: Equivalent}
	if t.Mean > rope {
		out.Toward = Better
	} else if t.Mean < -rope {
		out.Toward = Worse
	}
	if math.Abs(math.Abs(t.Mean)-rope) < 1e-9 {
		return out
	}
	se, ok := s.SE(how != Unstratified)
	n := t.N
	if sd := se * math.Sqrt(float64(t.N)); ok && sd > 0 {
		var err error
		if out.Toward == Equivalent {
			n, err = stats.ItemsEquivalent(sd, t.Mean, rope, alpha, power)
		} else {
			n, err = stats.ItemsBeyond(sd, t.Mean, rope, alpha, power)
			if different, e := stats.ItemsToDetect(sd, t.Mean, alpha, power); e == nil {
				n = max(n, different) // for the sign-flip test
			}
		}
		if err != nil { // too close to the edge for any number of items
			return out
		}
	}
	if n <= t.N {
		n = max(t.N+1, itemsIfAllEqual(t.Mean, rope, alpha))
	}
	out.Items, out.More = &n, new(n-t.N)
	return out
}

// itemsIfAllEqual is the number of items that a verdict needs if all differences equal d: the anchor
// of the bounds is against it, and the sign-flip test.
func itemsIfAllEqual(d, rope, alpha float64) int64 {
	d = math.Abs(d)
	anchor, flips := (rope-d)/(1-d), 0.0
	if d > rope {
		anchor, flips = (d-rope)/(1+d), 1-math.Log2(alpha)
	}
	return int64(math.Ceil(max(math.Log(alpha)/math.Log1p(-anchor), flips)))
}
