package verdict

import (
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
	// P is the PValue of the three probabilities. Adjusted is P with Holm's correction for
	// Together runs that are compared with the baseline; the word depends on it only.
	P        float64 `json:"p"`
	Adjusted float64 `json:"p_holm"`
	Together int     `json:"holm_of"`

	Success success `json:"success"`
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
	// Stratified is the stratification: "cells", "lengths" or "none".
	Stratified stratification `json:"stratified_by"`
}

// probabilities returns the three probabilities of a Difference.
func (d *Difference) probabilities() stats.Probabilities {
	return stats.Probabilities{Worse: d.Worse, Equivalent: d.Equivalent, Better: d.Better}
}

// pValue is the PValue of a Difference.
func (d *Difference) pValue() float64 { return PValue(d.probabilities(), d.SignFlip) }

// A Verdict is a Difference with its word.
type Verdict struct {
	Word       Word       `json:"verdict"`
	Why        []string   `json:"why,omitempty"` // reasons why it is withheld
	Difference Difference `json:"difference"`
	// ItemsNeeded is nil unless the verdict is inconclusive.
	ItemsNeeded *ItemsNeeded `json:"settle,omitempty"`
}

// success compares the shares of right answers.
type success struct {
	// P is the two-sided mid-p value of McNemar's test of the items that one run has
	// right more often (Fagerland, Lydersen and Laake 2013). With repeated items it is
	// a sign test.
	P float64 `json:"p"`
	Difference
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
	// P is the PValue of the three probabilities. Adjusted is P with Holm's
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
	// P is the mid-p value of McNemar's test of OnlyA and OnlyB, not adjusted for the
	// number of cells: of twenty, one is below 0.05 by chance.
	P float64 `json:"p_mcnemar"`
}

// A cellPart is one run in a Cell.
type cellPart struct {
	Answers int64   `json:"answers"`
	Mean    float64 `json:"mean"`
	Right   int64   `json:"right"`
}
