package stats

import "math"

// limitReach is how far below the best point, as a logarithm, a point may lie and
// still be given a weight: e^-35 of the best one, times all points of the grid, is
// less than rounding leaves of the sum.
const limitReach = 35

// A limitScratch keeps what fill works with from one call to the next.
type limitScratch struct {
	base  []float64 // for every slope and θ: the part of the logarithm that no lapse rate changes
	bound []float64 // the same: more than any lapse rate can reach
	near  []int     // those that may lie within reach
	keeps [len(lapses)]float64
}

// fill replaces the weights of f by the posterior of t. With odds u against a right
// answer the chance of one is keep/(1+u) and that of a wrong one (lapse+u)/(1+u), so
// that the logarithm of the likelihood is a sum over lengths of
//
//	right·log(keep) + wrong·log(lapse+u) - (right+wrong)·log(1+u)
//
// Only the middle term needs all of k, θ and lapse at once. With the greatest lapse
// rate in it, and without the first, it bounds the likelihood for all lapse rates,
// and most pairs of k and θ need no closer look.
func (m *LimitModel) fill(f *LimitFit, t limitTally, s *limitScratch) {
	g := m.grid
	top := m.bound(t, s)
	best := math.Inf(-1)
	for _, v := range m.logs(t, s, top) {
		best = max(best, v)
	}
	clear(f.weight)
	s.near = s.near[:0]
	for r, b := range s.bound {
		if b < best-limitReach {
			continue
		}
		s.near = append(s.near, r)
		k, i := r/g.thetas, r%g.thetas
		for l, v := range m.logs(t, s, r) {
			f.weight[(k*len(lapses)+l)*g.thetas+i] = v
			best = max(best, v)
		}
	}
	clear(f.cell)
	for _, r := range s.near {
		k, i := r/g.thetas, r%g.thetas
		for l := range lapses {
			c := k*len(lapses) + l
			w := &f.weight[c*g.thetas+i]
			if *w -= best; *w < -limitReach {
				*w = 0
				continue
			}
			*w = math.Exp(*w)
			f.cell[g.curves[c].first+i] += *w
		}
	}
	f.sum()
}

// bound fills s but for near, and returns the pair of slope and θ with the highest
// bound.
func (m *LimitModel) bound(t limitTally, s *limitScratch) (top int) {
	n := len(m.grid.slopes) * m.grid.thetas
	if len(s.base) != n {
		s.base, s.bound = make([]float64, n), make([]float64, n)
	}
	clear(s.base)
	clear(s.bound)
	right := 0.0
	for l, table := range m.tables {
		right += t.right[l]
		if all := t.right[l] + t.wrong[l]; all > 0 {
			for r, v := range table.norm {
				s.base[r] -= all * v
			}
		}
		if wrong := t.wrong[l]; wrong > 0 {
			for r := range s.bound {
				s.bound[r] += wrong * table.miss[r*len(lapses)+len(lapses)-1]
			}
		}
	}
	for r, v := range s.base {
		s.bound[r] += v
		if s.bound[r] > s.bound[top] {
			top = r
		}
	}
	for l, lapse := range lapses {
		s.keeps[l] = (right + lapseWeight) * math.Log1p(-lapse)
	}
	return top
}

// logs returns the logarithms of the posterior weights, up to a constant, of the
// r-th pair of slope and θ with every lapse rate.
func (m *LimitModel) logs(t limitTally, s *limitScratch, r int) [len(lapses)]float64 {
	out := s.keeps
	for l := range out {
		out[l] += s.base[r]
	}
	for l, table := range m.tables {
		wrong := t.wrong[l]
		if wrong == 0 {
			continue
		}
		for l, v := range table.miss[r*len(lapses):][:len(lapses)] {
			out[l] += wrong * v
		}
	}
	return out
}
