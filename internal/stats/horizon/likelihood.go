package horizon

import "math"

// logRange is how far the log weight of a point may be below the best one. All points
// below it together weigh less than the rounding error of the sum.
const logRange = 35

// fill sets the weights of f, which has none yet, to the posterior of t.
func (m *Model) fill(f *Posterior, t tally) {
	g := m.grid
	keeps := m.keepTerms(t)
	best := math.Inf(-1)
	for r := range len(g.slopes) * g.thetas {
		k, i := r/g.thetas, r%g.thetas
		for floor := range g.floors {
			shared := m.sharedTerm(t, r, floor)
			for l := range g.lapses {
				v := shared + keeps[l*len(g.floors)+floor] + m.wrongTerm(t, r, l, floor)
				f.weight[g.index(k, l, floor)*g.thetas+i] = v
				best = max(best, v)
			}
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

// keepTerms returns, by lapse rate and floor, the log prior and the part of the
// log-likelihood of the right answers that depends on the lapse rate only.
func (m *Model) keepTerms(t tally) []float64 {
	out := make([]float64, 0, len(m.grid.lapses)*len(m.grid.floors))
	for l, lapse := range m.grid.lapses {
		keep := 0.0
		if t.sum > 0 {
			keep = t.sum * math.Log1p(-lapse)
		}
		for f := range m.grid.floors {
			out = append(out, keep+m.grid.logWeights[l*len(m.grid.floors)+f])
		}
	}
	return out
}

// sharedTerm is the part of the log-likelihood that does not depend on the lapse rate, at
// the r-th pair of slope and θ.
func (m *Model) sharedTerm(t tally, r, floor int) float64 {
	n := len(t.all)
	v := dot(t.all, m.all[r*n:])
	if floor > 0 { // of a floor of 0 it is 0
		v += dot(t.right, m.hit[(r*len(m.grid.floors)+floor)*n:])
	}
	return v
}

// wrongTerm is the log-likelihood of the wrong answers for the l-th lapse rate, at the
// r-th pair of slope and θ.
func (m *Model) wrongTerm(t tally, r, l, floor int) float64 {
	g := m.grid
	return dot(t.wrong, m.miss[((r*len(g.lapses)+l)*len(g.floors)+floor)*len(t.wrong):])
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
