package stats

import (
	"cmp"
	"slices"
)

// A mass is a weight at a support point.
type mass struct{ at, weight float64 }

// mergeEqual returns the support points z in rising order with their weights a, those of
// equal points added up. More than maxSupport points are put into bins. It sorts all in
// place.
func mergeEqual(all []mass) (z, a []float64) {
	if len(all) > maxSupport {
		all = binMasses(all)
	}
	slices.SortFunc(all, func(p, q mass) int {
		return cmp.Or(cmp.Compare(p.at, q.at), cmp.Compare(p.weight, q.weight))
	})
	for _, m := range all {
		if k := len(z) - 1; k >= 0 && z[k] == m.at {
			a[k] += m.weight
		} else {
			z, a = append(z, m.at), append(a, m.weight)
		}
	}
	return z, a
}

// binMasses returns one mass for each of equally wide bins, at the mean of its points.
func binMasses(all []mass) []mass {
	low, high := all[0].at, all[0].at
	for _, m := range all {
		low, high = min(low, m.at), max(high, m.at)
	}
	if low == high {
		return all
	}
	bins := make([]mass, supportBins+1) // the last one for the maximum
	for _, m := range all {
		b := &bins[int((m.at-low)/(high-low)*supportBins)]
		b.weight += m.weight
		b.at += (m.at - b.at) * (m.weight / b.weight)
	}
	return slices.DeleteFunc(bins, func(m mass) bool { return m.weight == 0 })
}

const (
	maxSupport  = maxExact + 3 // support points: the values that a Strata keeps, and three anchors
	supportBins = 1 << 13      // bins of a posterior with more points
)
