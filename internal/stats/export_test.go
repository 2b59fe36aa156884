package stats

// Coarsened leaves of vectors only their moments, as if they were too many.
func Coarsened(v *Vectors) *Vectors {
	v.coarsen()
	return v
}
