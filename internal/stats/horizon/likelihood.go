package horizon

import "math"

// logRange is how far the log weight of a point may be below the best one. All points
// below it together weigh less than the rounding error of the sum.
const logRange = 35

// fill sets the weights of f, which has none yet, to the posterior of t.
func (m *Model) fill(f *Posterior, t tally) {
	g := m.grid
	keeps := t.rightTerms()
	best := math.Inf(-1)
	for r := range len(g.slopes) * g.thetas {
		k, i := r/g.thetas, r%g.thetas
		all := m.sharedTerm(t, r)
		for l := range lapseRates {
			v := all + keeps[l] + m.wrongTerm(t, r, l)
			f.weight[g.index(k, l, i)] = v
			best = max(best, v)
		}
	}
	for c, curve := range g.curves {
		cell := f.cell[curve.first:][:g.thetas]
		for i, v := range f.weight[c*g.thetas:][:g.thetas] {
			w := 0.0
			if v > best-logRange {
				w = math.Exp(v - best)
			}
			f.weight[c*g.thetas+i] = w
			cell[i] += w
		}
	}
	f.sum()
}

// rightTerms returns, for every lapse rate, the log-likelihood of the right answers and
// the log prior.
func (t tally) rightTerms() [len(lapseRates)]float64 {
	var out [len(lapseRates)]float64
	for l, lapse := range lapseRates {
		out[l] = (t.right + lapseWeight) * math.Log1p(-lapse)
	}
	return out
}

// sharedTerm is the part of the log-likelihood that does not depend on the lapse rate, at
// the r-th pair of slope and θ.
func (m *Model) sharedTerm(t tally, r int) float64 {
	return dot(t.all, m.all[r*len(t.all):])
}

// wrongTerm is the log-likelihood of the wrong answers for the l-th lapse rate, at the
// r-th pair of slope and θ.
func (m *Model) wrongTerm(t tally, r, l int) float64 {
	return dot(t.wrong, m.miss[(r*len(lapseRates)+l)*len(t.wrong):])
}

// dot is the scalar product of x with as many numbers of y.
func dot(x, y []float64) float64 {
	y = y[:len(x)]
	sum := 0.0
	for i, v := range x {
		sum += v * y[i]
	}
	return sum
}
