package horizon

import "verbatim/internal/stats"

// curveBins is the number of shares that a band tells apart: its ends are rounded
// outwards to one in 4,096, far below its width with any number of answers in reach.
const curveBins = 4096

// Curve returns the share of right answers that the posterior expects of a length,
// with the equal-tailed 95 % band of that share. The length may lie outside those
// that the fit was made for. It is a *BadValue if the length is below 1.
func (f *Posterior) Curve(length int) (share float64, band stats.Interval, err error) {
	if length < 1 {
		return 0, stats.Interval{}, &stats.BadValue{Index: -1, Value: float64(length), Why: "is no length: the shortest is 1"}
	}
	g := f.grid
	odds := g.odds(length)
	var bins [curveBins + 1]float64
	for c, curve := range g.curves {
		row := odds[curve.slope*g.thetas:][:g.thetas]
		for i, w := range f.weight[c*g.thetas:][:g.thetas] {
			if w == 0 {
				continue
			}
			p := curve.keep / (1 + row[i])
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
