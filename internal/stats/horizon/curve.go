package horizon

import "verbatim/internal/stats"

// curveBins is the resolution of a band: its ends are rounded outwards to multiples of
// 1/4,096.
const curveBins = 4096

// Curve returns the expected share of right answers at a length, with its pointwise 95 %
// equal-tailed band. The length may lie outside the range of the fit. A length below 1
// gives a *BadValue.
func (f *Posterior) Curve(length int) (share float64, band stats.Interval, err error) {
	if length < 1 {
		return 0, stats.Interval{}, &stats.BadValue{Index: -1, Value: float64(length), Why: "is not a length: it must be at least 1"}
	}
	g := f.grid
	odds := g.odds(length)
	var bins [curveBins + 1]float64
	for c, curve := range g.curves {
		row, floor := odds[curve.slope*g.thetas:][:g.thetas], g.floors[curve.floor]
		for i, w := range f.weight[c*g.thetas:][:g.thetas] {
			if w == 0 {
				continue
			}
			p := curve.keep * (1 + floor*row[i]) / (1 + row[i])
			share += w * p
			bins[int(p*curveBins)] += w
		}
	}
	share /= f.total
	low, high := 0, 0
	sum := 0.0
	for i, w := range bins {
		if w == 0 {
			continue
		}
		if sum < 0.025*f.total {
			low = i
		}
		if sum < 0.975*f.total {
			high = i
		}
		sum += w
	}
	return share, stats.Interval{Low: float64(low) / curveBins, High: min(float64(high+1)/curveBins, 1)}, nil
}
