package ranks

// MomentsOnly leaves of vectors only their moments, as if they were too many.
func MomentsOnly(v *Scores) *Scores {
	v.dropVectors()
	return v
}
