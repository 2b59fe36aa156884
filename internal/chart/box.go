package chart

import (
	"math"
	"slices"

	"verbatim/internal/number"
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

// CountAxis returns an axis for counts from least to most. It is logarithmic, since a few
// counts are often a hundred times as large as most: with a tick at each power of ten, and at
// twice and five times these where there are few. With a 0 it is linear.
func CountAxis(label string, least, most float64) Axis {
	if least < 1 {
		return Axis{Label: label}
	}
	a := Axis{Label: label, Log2: true}
	for power := 1.0; power <= 10*most; power *= 10 {
		for _, m := range []float64{1, 2, 5} {
			if m == 1 || most < 100*least {
				a.Ticks = append(a.Ticks, Tick{At: m * power, Label: number.Count(int64(m * power))})
			}
		}
	}
	return a
}

// Quantile interpolates between the values of a sorted sample, which is not empty.
func Quantile(sorted []float64, p float64) float64 {
	at := p * float64(len(sorted)-1)
	low := math.Floor(at)
	high := min(int(low)+1, len(sorted)-1)
	return sorted[int(low)] + (at-low)*(sorted[high]-sorted[int(low)])
}
