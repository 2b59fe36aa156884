package stats

// MomentsOnly leaves of vectors only their moments, as if they were too many.
func MomentsOnly(v *RankScores) *RankScores {
	v.dropVectors()
	return v
}

// Exact reports whether a posterior is computed from the vectors; otherwise it is the normal
// limit.
func Exact(j *ScorePosterior) bool { return j.vectors != nil }
