package autorank

import "verbatim/internal/verdict"

// A Ranking is the analysis of the SortBench paper (Herbold 2025, arXiv:2504.08312):
// for every length and over all, models in the order of their mean scores with the
// Bayesian signed rank test of every pair, as autorank and baycomp compute it. It
// is here so that published tables can be computed again. It is not the default,
// because "equal" there means that most items tie: models of which one fails a
// quarter of the items can be equal.
type Ranking struct {
	Metric string            `json:"metric"`
	Alpha  float64           `json:"alpha"`
	Runs   []verdict.RunInfo `json:"runs"`
	Items  int64             `json:"items"` // that all of them answered
	// Left is the number of items that not all of them answered, which are left out.
	LeftOut int64   `json:"left_out"`
	Tables  []Table `json:"tables"`
	// Weighted holds means with the length of the items for their weight, by mode;
	// empty where items have no mode.
	Weighted []WeightedTable `json:"weighted"`
}

// A RankTable ranks the runs on the items of one length, or on all.
type Table struct {
	Length string `json:"length,omitempty"` // empty: all
	Items  int    `json:"items"`
	Rows   []Row  `json:"rows"`
	Pairs  []Pair `json:"pairs"`
}

// A RankRow is one run in a RankTable. N leaves out scores that are undefined.
type Row struct {
	Rank int     `json:"rank"` // from 1
	Run  int     `json:"run"`  // place in Runs
	N    int     `json:"n"`
	Mean float64 `json:"mean"`
	SD   float64 `json:"sd"`
	verdict.Range
	// D is Cohen's d against the first row and DAbove that against the row above;
	// nil where nothing varies.
	D         *float64 `json:"d"`
	Magnitude string   `json:"magnitude"`
	DAbove    *float64 `json:"d_above"`
}

// A RankPair is the test of two rows, the better ranked one first: how likely the
// other is smaller, equal within Rope, and larger.
type Pair struct {
	Upper   int     `json:"upper"` // rank
	Lower   int     `json:"lower"`
	Rope    float64 `json:"rope"`
	Smaller float64 `json:"p_smaller"`
	Equal   float64 `json:"p_equal"`
	Larger  float64 `json:"p_larger"`
	Word    string  `json:"decision"`
}

// A WeightedTable holds the means of one mode, the best run first.
type WeightedTable struct {
	Mode    string        `json:"mode"` // "all": of all modes
	Columns []string      `json:"columns"`
	Rows    []WeightedRow `json:"rows"`
}

// A WeightedRow is one run in a WeightedTable; a mean of nothing is nil.
type WeightedRow struct {
	Run   int        `json:"run"`
	Means []*float64 `json:"means"` // in the order of Columns
}
