package ranks

// Coarsened leaves of vectors only their moments, as if they were too many.
func Coarsened(v *Scores) *Scores {
	v.coarsen()
	return v
}
