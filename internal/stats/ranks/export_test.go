package ranks

// MomentsOnly leaves of vectors only their moments, as if they were too many.
func MomentsOnly(v *Scores) *Scores {
	v.dropVectors()
	return v
}

// Exact reports whether a posterior is computed from the vectors; otherwise it is the normal
// limit.
func Exact(j *Posterior) bool { return j.vectors != nil }
