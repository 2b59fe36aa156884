package figure

import (
	"slices"

	"verbatim/internal/number"
	"verbatim/internal/stats"
)

// BoxOf summarises a sample, which must not be empty. The quartiles are those of stats.Quantile. The
// whiskers end at the last values within 1.5 times the distance of the quartiles (Tukey 1977). The
// other values are outliers.
func BoxOf(name string, at float64, sample []float64) Box {
	sorted := slices.Sorted(slices.Values(sample))
	b := Box{Name: name, At: at, N: len(sorted), Q1: stats.Quantile(sorted, 0.25), Median: stats.Quantile(sorted, 0.5), Q3: stats.Quantile(sorted, 0.75)}
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

// CountAxis returns an axis for counts from least to most. It is logarithmic, because a few counts
// are often a hundred times as large as the others. It has a tick at each power of ten; if these
// are few, also at twice and five times each. If least is below 1, the axis is linear.
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
