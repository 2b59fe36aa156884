package autorank

import "verbatim/internal/verdict"

// A Ranking is the analysis of the SortBench paper (Herbold 2025, arXiv:2504.08312): for
// every length and over all, models by mean score with the Bayesian signed-rank test of
// every pair, as autorank and baycomp compute it. Use it to repeat published tables. It is
// not the default, because "equal" means that most items tie: two models can be equal
// although one fails a quarter of the items.
type Ranking struct {
	Metric string            `json:"metric"`
	Alpha  float64           `json:"alpha"`
	Runs   []verdict.RunInfo `json:"runs"`
	Items  int64             `json:"items"` // that all runs answered
	// LeftOut is the number of items that not all runs answered.
	LeftOut int64   `json:"left_out"`
	Tables  []Table `json:"tables"`
	// Weighted holds the means with the lengths of the items as weights, by mode; empty if
	// items have no mode.
	Weighted []WeightedTable `json:"weighted"`
}

// A Table ranks the runs on the items of one length, or on all.
type Table struct {
	Length string `json:"length,omitempty"` // empty for all lengths
	Items  int    `json:"items"`
	Rows   []Row  `json:"rows"`
	Pairs  []Pair `json:"pairs"`
}

// A Row is one run in a Table. N does not count undefined scores.
type Row struct {
	Rank int     `json:"rank"` // from 1
	Run  int     `json:"run"`  // index of Runs
	N    int     `json:"n"`
	Mean float64 `json:"mean"`
	SD   float64 `json:"sd"`
	verdict.Range
	// D is Cohen's d compared with the first row, DAbove compared with the row above; nil
	// without variance.
	D         *float64 `json:"d"`
	Magnitude string   `json:"magnitude"`
	DAbove    *float64 `json:"d_above"`
}

// A Pair is the test of two rows. The probabilities are those that the lower ranked row is
// smaller than, equal to (within Rope), and larger than the higher ranked one.
type Pair struct {
	Upper   int     `json:"upper"` // rank
	Lower   int     `json:"lower"`
	Rope    float64 `json:"rope"`
	Smaller float64 `json:"p_smaller"`
	Equal   float64 `json:"p_equal"`
	Larger  float64 `json:"p_larger"`
	Word    string  `json:"decision"`
}

// A WeightedTable holds the weighted means of one mode, the best run first.
type WeightedTable struct {
	Mode    string        `json:"mode"` // "all" for all modes
	Columns []string      `json:"columns"`
	Rows    []weightedRow `json:"rows"`
}

// A weightedRow is one run in a WeightedTable. A mean without values is nil.
type weightedRow struct {
	Run   int        `json:"run"`
	Means []*float64 `json:"means"` // in the order of Columns
}
