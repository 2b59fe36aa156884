package leaderboard

import "verbatim/internal/verdict"

// A Leaderboard ranks runs by the mean of their scores on the items that all of
// them answered, and says how far the ranks can be trusted: a bare order never
// stands alone.
type Leaderboard struct {
	Metric     string  `json:"metric"` // the score
	Confidence float64 `json:"confidence"`
	// Paired says that all runs answered the same items, and the numbers are over
	// these alone. Else each run's are over its own items.
	Paired bool  `json:"paired"`
	Items  int64 `json:"items"`    // that all of them answered
	Left   int64 `json:"left_out"` // that not all of them answered
	// Stratified is by what the uncertainty was.
	Stratified verdict.Stratification `json:"stratified_by"`
	// Places are in the order of Mean, best first; those that are not ranked come last.
	Places []Place `json:"places"`
	// Ahead holds how likely the run of one place is ahead of that of another on fresh
	// items, by the indexes of ranked Places: Ahead[i][j] and Ahead[j][i] add up to 1.
	Ahead [][]float64 `json:"p_ahead"`
	// Level are the sets of places of which no two can be told apart, each as large as
	// it can be; a place can be in several. Sets of one are left out.
	Level [][]int        `json:"tied_sets,omitempty"`
	Notes []verdict.Note `json:"notes,omitempty"`
}

// A Place is that of one run.
type Place struct {
	verdict.RunInfo
	// Items are those that Mean is over: none where a run has no answer, and then
	// Mean and Range say nothing.
	Items         int64   `json:"items"`
	Mean          float64 `json:"mean"`
	verdict.Range         // holds the mean on fresh items of the same families and lengths
	// Unanswered is the share of the items it was asked that it did not answer.
	Unanswered float64 `json:"unanswered_share"`
	// Rank counts from 1; runs with the same mean share one. It is 0 where the run is
	// not ranked, and Unranked says why.
	Rank     int    `json:"rank"`
	Unranked string `json:"unranked,omitempty"`
	// RankLow and RankHigh are the best and the worst rank in the interval. The
	// intervals of all runs hold together with the confidence: see ranks.Intervals.
	RankLow  int `json:"rank_low"`
	RankHigh int `json:"rank_high"`
	// P holds the probability of every rank, from the first to the last.
	P []float64 `json:"p_rank"`
	// Tied lists the runs, by their index in Places, from which this one cannot be
	// told apart.
	Tied []int `json:"tied,omitempty"`
}
