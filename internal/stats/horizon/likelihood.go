package horizon

import "math"

// logRange is how far below the best point, as a logarithm, a point may lie and
// still be given a weight: e^-35 of the best one, times all points of the grid, is
// less than rounding leaves of the sum.
const logRange = 35

// fill gives f, which has no weights yet, the posterior of t.
func (m *Model) fill(f *Posterior, t tally) {
	g := m.grid
	keeps := t.keeps()
	best := math.Inf(-1)
	for r := range len(g.slopes) * g.thetas {
		k, i := r/g.thetas, r%g.thetas
		all := m.base(t, r)
		for l := range lapses {
			v := all + keeps[l] + m.missed(t, r, l)
			f.weight[g.place(k, l, i)] = v
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

// keeps returns what the right answers and the prior say of every lapse rate.
func (t tally) keeps() [len(lapses)]float64 {
	var out [len(lapses)]float64
	for l, lapse := range lapses {
		out[l] = (t.right + lapseWeight) * math.Log1p(-lapse)
	}
	return out
}

// base is the part of the logarithm of the likelihood that no lapse rate changes, at
// the r-th pair of slope and θ.
func (m *Model) base(t tally, r int) float64 {
	return dot(t.all, m.all[r*len(t.all):])
}

// missed is what the wrong answers say of the l-th lapse rate there.
func (m *Model) missed(t tally, r, l int) float64 {
	return dot(t.wrong, m.miss[(r*len(lapses)+l)*len(t.wrong):])
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
