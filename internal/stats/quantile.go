package stats

// Quantile returns the quantile p, from 0 to 1, of sorted values by linear interpolation between
// them (Hyndman and Fan 1996, The American Statistician 50:361–365, definition 7). There must be a
// value.
func Quantile(sorted []float64, p float64) float64 {
	at := p * float64(len(sorted)-1)
	low := int(at)
	high := min(low+1, len(sorted)-1)
	return sorted[low] + (at-float64(low))*(sorted[high]-sorted[low])
}
