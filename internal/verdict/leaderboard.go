package verdict

// A Leaderboard ranks runs by the mean of their scores on the items that all of
// them answered, and says how far the ranks can be trusted: a bare order never
// stands alone.
type Leaderboard struct {
	On         string  `json:"on"` // the score
	Confidence float64 `json:"confidence"`
	// Paired says that all runs answered the same items, and the numbers are over
	// these alone. Else each run's are over its own items.
	Paired bool  `json:"paired"`
	Items  int64 `json:"items"`    // that all of them answered
	Left   int64 `json:"left_out"` // that not all of them answered
	// Places are in the order of Mean, best first.
	Places []Place  `json:"places"`
	Notes  []Remark `json:"notes,omitempty"`
}

// A Place is that of one run.
type Place struct {
	Head
	Mean  float64 `json:"mean"`
	Range         // holds the mean on fresh items of the same families and lengths
	// Rank counts from 1; runs with the same mean share one.
	Rank int `json:"rank"`
	// RankLow and RankHigh are the best and the worst rank in the interval.
	RankLow  int `json:"rank_low"`
	RankHigh int `json:"rank_high"`
	// P holds the probability of every rank, from the first to the last.
	P []float64 `json:"p_rank"`
	// Tied lists the runs, by their index in Places, from which this one cannot be
	// told apart.
	Tied []int `json:"tied,omitempty"`
}
