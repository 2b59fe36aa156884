package verdict

import (
	"verbatim"
	"verbatim/internal/stats"
)

// A Comparison is what there is to say of a run B beside its baseline A, computed
// once by Compare. Differences are B less A, everywhere. A number that is not
// known is nil.
type Comparison struct {
	A ComparedRun `json:"a"`
	B ComparedRun `json:"b"`

	Metric     string  `json:"metric"` // the score
	Rope       float64 `json:"rope"`
	Threshold  float64 `json:"threshold"`
	Confidence float64 `json:"confidence"`

	Items   int64   `json:"items"` // that both answered; all numbers are over these
	LeftOut LeftOut `json:"left_out"`
	// Even: every cell has as many items, so that all weigh the same in the mean;
	// else every item does.
	Balanced bool `json:"even"`

	Verdict
	Success Success `json:"success"`
	// Tasks is the difference on tasks like these; nil where that is not known.
	Tasks *AcrossTasks `json:"tasks"`

	Families []Row  `json:"families"` // empty where there is one
	Lengths  []Row  `json:"lengths"`  // empty where there is one, or more than make a table
	Cells    []Cell `json:"cells"`    // families by lengths
	Flips    Flips  `json:"flips"`

	Notes    []Note `json:"notes,omitempty"`
	Warnings []Note `json:"warnings,omitempty"`
}

// An Arm is one side of a Comparison.
type ComparedRun struct {
	RunInfo
	SideResult
	Graders []string `json:"graders,omitempty"`
	// Outcomes counts the requests of the items that both were asked, in the order
	// of verbatim.Outcomes.
	Outcomes []Count `json:"outcomes"`
	// Undecided counts the answers that the token limit ended before anything was
	// decided, and Undefined those whose score is undefined and counts 0.
	Undecided int64 `json:"undecided_limits"`
	Undefined int64 `json:"undefined_scores"`
}

// A Count is how often something was seen.
type Count struct {
	Name string `json:"name"`
	N    int64  `json:"n"`
}

// Left counts the items that a Comparison leaves out.
type LeftOut struct {
	OnlyA       int64 `json:"only_a"` // no record of B
	OnlyB       int64 `json:"only_b"`
	UnansweredA int64 `json:"unanswered_a"` // B answered, A did not
	UnansweredB int64 `json:"unanswered_b"`
	Neither     int64 `json:"unanswered_both"`
	// Share is that of the pairs of answers, over the items that both were asked,
	// in which a side has none.
	Share float64 `json:"share"`
}

// Unanswered is the number of items that both were asked and a side did not answer.
func (l LeftOut) Unanswered() int64 { return l.UnansweredA + l.UnansweredB + l.Neither }

// A Part is what one side has of the items of a row.
type SideResult struct {
	Answers int64   `json:"answers"`
	Mean    float64 `json:"mean"`  // of the score, over items
	Right   int64   `json:"right"` // answers
	Share   float64 `json:"share"` // of right answers, over items
	// Range is the interval of Share (Wilson 1927) over items: repeats of an item
	// add nothing to what is known of others.
	Range Range `json:"range"`
	// Limit is where half of the answers are right; nil where the lengths say
	// nothing about it.
	Horizon *Horizon `json:"l50"`
}

// A Range is an interval.
type Range struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// RangeOf returns an interval as a Range.
func RangeOf(i stats.Interval) Range { return Range{i.Low, i.High} }

// A Horizon is the length at which half of the answers are right.
type Horizon struct {
	Text   string  `json:"text"` // "64", "> 256", "< 2"
	Length float64 `json:"length"`
	Range
	Above float64 `json:"above"` // the probability that it lies beyond the longest length asked
	Below float64 `json:"below"`
	// Resampled: the interval is that of tasks like these, drawn anew.
	Resampled bool `json:"tasks_resampled"`
}

// A Difference is the mean of B's scores less A's, with its interval, and the
// probabilities that it lies below, within and above the region of practical
// equivalence.
type Difference struct {
	Value float64 `json:"value"`
	Range
	Worse      float64 `json:"p_worse"`
	Equivalent float64 `json:"p_equivalent"`
	Better     float64 `json:"p_better"`
	// Stratified is by what the uncertainty was: "cells", "lengths" or "none".
	Stratified Stratification `json:"stratified_by"`
}

// A Verdict is a Difference with the word for it.
type Verdict struct {
	Word       Word       `json:"verdict"`
	Why        []string   `json:"why,omitempty"` // it is withheld
	Difference Difference `json:"difference"`
	// Settle says what would settle it; nil unless it is inconclusive.
	ItemsNeeded *ItemsNeeded `json:"settle,omitempty"`
}

// Success compares the shares of right answers.
type Success struct {
	// P is the two-sided mid-p value of McNemar's test of the items that one side
	// has right more often (Fagerland, Lydersen and Laake 2013); a sign test where
	// items were repeated.
	P float64 `json:"p"`
	Difference
}

// Tasks is the difference on tasks like these, of which those asked are a sample:
// its interval is robust to tasks that differ (Miller 2024, arXiv:2411.00640).
type AcrossTasks struct {
	N  int     `json:"n"`
	SE float64 `json:"se"`
	Range
}

// A Row compares the items of one family, or of one length.
type Row struct {
	Family string `json:"family,omitempty"` // also of a length that only one family has
	Length string `json:"length,omitempty"` // "16", or "9–16" for a band
	// Lengths is Length as numbers; nil where it is none.
	Lengths    *verbatim.Lengths `json:"lengths,omitempty"`
	Items      int64             `json:"items"`
	Unanswered float64           `json:"unanswered_share"`
	A          SideResult        `json:"a"`
	B          SideResult        `json:"b"`
	Verdict
	// P is the least error of a verdict, 1 less the greatest of the three
	// probabilities, and Adjusted what Holm (1979) makes of it among the rows of its
	// table. The word is by Adjusted alone.
	P        float64 `json:"p"`
	Adjusted float64 `json:"p_holm"`
}

// A Cell is what there is of one family at one length.
type Cell struct {
	Family  string            `json:"family"`
	Length  string            `json:"length,omitempty"`
	Lengths *verbatim.Lengths `json:"lengths,omitempty"`
	Items   int64             `json:"items"`
	A       CellPart          `json:"a"`
	B       CellPart          `json:"b"`
	Value   float64           `json:"difference"`
	SD      *float64          `json:"sd"` // of the items' differences; nil with one item
	OnlyA   int64             `json:"only_a"`
	OnlyB   int64             `json:"only_b"`
	// P is the mid-p value of McNemar's test of OnlyA and OnlyB. It knows nothing of
	// the other cells: of twenty, one is below 0.05 by chance.
	P float64 `json:"p_mcnemar"`
}

// A CellPart is what one side has of a Cell.
type CellPart struct {
	Answers int64   `json:"answers"`
	Mean    float64 `json:"mean"`
	Right   int64   `json:"right"`
}
