package verdict

// A Leaderboard ranks runs by their mean scores, with simultaneous rank intervals.
type Leaderboard struct {
	Metric     string  `json:"metric"` // the score
	Confidence float64 `json:"confidence"`
	// Paired: the numbers are over the items that all runs answered. Otherwise the numbers of
	// each run are over its own items.
	Paired  bool  `json:"paired"`
	Items   int64 `json:"items"`    // that all runs answered
	LeftOut int64 `json:"left_out"` // that not all runs answered
	// Stratified is the stratification of the posterior.
	Stratified stratification `json:"stratified_by"`
	// Places are ordered by falling Mean; runs that are not ranked come last.
	Places []RankPlace `json:"places"`
	// Ahead[i][j] is the posterior probability that place i is ahead of place j on fresh
	// items. Ahead[i][j] and Ahead[j][i] add up to 1.
	Ahead [][]float64 `json:"p_ahead"`
	// IndistinguishableSets are maximal sets of places that are pairwise indistinguishable.
	// A place can be in several. Sets of one place are left out.
	IndistinguishableSets [][]int `json:"tied_sets,omitempty"`
	Notes                 []Note  `json:"notes,omitempty"`
}

// A Place is one run in a Leaderboard.
type RankPlace struct {
	RunInfo
	// Items is the number of items of Mean. If it is 0, Mean and Range mean nothing.
	Items int64   `json:"items"`
	Mean  float64 `json:"mean"`
	Range         // interval of the mean by item (stats.ItemScores); a report has the same one
	// Unanswered is the share of its items without an answer.
	Unanswered float64 `json:"unanswered_share"`
	// Rank counts from 1; runs with equal means share a rank. It is 0 for a run that is not
	// ranked, with the reason in Unranked.
	Rank     int    `json:"rank"`
	Unranked string `json:"unranked,omitempty"`
	// RankLow and RankHigh are the best and the worst rank of the simultaneous rank
	// interval. The intervals of all runs hold together: see stats.RankIntervals.
	RankLow  int `json:"rank_low"`
	RankHigh int `json:"rank_high"`
	// RankProbabilities are the probabilities of all ranks, from the first to the last.
	RankProbabilities []float64 `json:"p_rank"`
	// Indistinguishable lists the indexes of the places indistinguishable from this one.
	Indistinguishable []int `json:"tied,omitempty"`
}
