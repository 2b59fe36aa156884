package chart

import (
	"math"
	"slices"
)

// BoxOf summarises a sample: quartiles by linear interpolation between the values
// (Hyndman and Fan 1996, definition 7), whiskers to the last values within one and a
// half times the distance of the quartiles (Tukey 1977), the rest as outliers. The
// sample is not empty.
func BoxOf(name string, at float64, sample []float64) Box {
	sorted := slices.Sorted(slices.Values(sample))
	b := Box{Name: name, At: at, N: len(sorted), Q1: Quantile(sorted, 0.25), Median: Quantile(sorted, 0.5), Q3: Quantile(sorted, 0.75)}
	reach := 1.5 * (b.Q3 - b.Q1)
	b.Low, b.High = b.Q1, b.Q3
	for _, v := range sorted {
		if v < b.Q1-reach || v > b.Q3+reach {
			b.Outliers = append(b.Outliers, v)
			continue
		}
		b.Low, b.High = min(b.Low, v), max(b.High, v)
	}
	return b
}

// Quantile interpolates between the values of a sorted sample, which is not empty.
func Quantile(sorted []float64, p float64) float64 {
	at := p * float64(len(sorted)-1)
	low := math.Floor(at)
	high := min(int(low)+1, len(sorted)-1)
	return sorted[int(low)] + (at-low)*(sorted[high]-sorted[int(low)])
}
