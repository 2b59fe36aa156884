package stats

import (
	"cmp"
	"maps"
	"math"
	"slices"
)

// SignFlip returns the two-sided p-value of the sign-flip test of the mean difference
// (Fisher 1935, The Design of Experiments, section 21): the probability of a mean at least
// as far from 0 if every difference has a random sign. The hypothesis is that both sides
// are equal, so that d and -d are equally likely. Without a difference it is 1.
//
// Guarantee: for equal sides, a p-value of at most α has a probability of at most α, for
// any number of items. A posterior is too certain if few items differ. Up to 2,048
// different sums the value is exact; with differences of one size it is the exact
// McNemar test for any number. With more it is the saddlepoint approximation of Lugannani
// and Rice (1980, Advances in Applied Probability 12:475–490).
func (s *Strata) SignFlip() float64 {
	bySize := map[float64][2]int64{} // number of positive and of negative differences
	for _, cell := range s.Cells() {
		for _, p := range s.cells[cell].points() {
			n := bySize[math.Abs(p.at)]
			if p.at > 0 {
				n[0] += p.n
			} else {
				n[1] += p.n
			}
			bySize[math.Abs(p.at)] = n
		}
	}
	delete(bySize, 0)
	if len(bySize) == 0 {
		return 1
	}
	sizes := slices.Sorted(maps.Keys(bySize))
	largest := sizes[len(sizes)-1]
	if len(sizes) == 1 {
		return SignTest(bySize[largest][0], bySize[largest][1])
	}
	sum := 0.0
	all := make([]mass, len(sizes)) // in units of the largest
	for i, size := range sizes {
		n := bySize[size]
		all[i] = mass{size / largest, float64(n[0] + n[1])}
		sum += size / largest * float64(n[0]-n[1])
	}
	sum = math.Abs(sum)
	tail, ok := flipTail(all, sum)
	if !ok {
		tail = flipSaddlepoint(all, sum)
	}
	return min(1, 2*tail)
}

// SignTest returns the two-sided p-value of the exact sign test: SignFlip if all differences have one
// size. Of right and wrong answers it is the exact McNemar test.
func SignTest(up, down int64) float64 {
	if up == down {
		return 1
	}
	n, k := float64(up)+float64(down), float64(min(up, down))
	return min(1, 2*newGammaSum([]float64{0, 1}, []float64{k + 1, n - k}).tail(0.5, -1, 0))
}

const (
	maxFlipSums = 1 << 11
	sameSum     = 1e-9 // sums that are closer differ by rounding only
)

// flipTail returns the probability that a sum of sizes with random signs is at least
// least. The weight of a size is how many differences have it. ok is false if there are
// more than maxFlipSums different sums.
func flipTail(sizes []mass, least float64) (tail float64, ok bool) {
	sums := []mass{{0, 1}}
	for _, size := range sizes {
		for range int64(size.weight) {
			if sums = flipOne(sums, size.at); len(sums) > maxFlipSums {
				return 0, false
			}
		}
	}
	for _, s := range sums {
		if s.at >= least-sameSum {
			tail += s.weight
		}
	}
	return tail, true
}

// flipOne returns the distribution of a sum, in rising order, after size is added with a
// random sign.
func flipOne(sums []mass, size float64) []mass {
	next := make([]mass, 0, 2*len(sums))
	add := func(at, weight float64) {
		if k := len(next) - 1; k >= 0 && at-next[k].at < sameSum {
			next[k].weight += weight
			return
		}
		next = append(next, mass{at, weight})
	}
	for i, j := 0, 0; j < len(sums); {
		if i < len(sums) && sums[i].at-size <= sums[j].at+size {
			add(sums[i].at-size, sums[i].weight/2)
			i++
			continue
		}
		add(sums[j].at+size, sums[j].weight/2)
		j++
	}
	return next
}

// flipSaddlepoint approximates flipTail for many different sums. The cumulants of a sum of
// random signs are those of Σ log cosh(t·size).
func flipSaddlepoint(sizes []mass, least float64) float64 {
	total, variance := 0.0, 0.0
	for _, size := range sizes {
		total += size.weight * size.at
		variance += size.weight * size.at * size.at
	}
	normal := least / math.Sqrt(variance)
	if normal < 0.01 { // the formula is 0/0 at the centre, where it is normal
		return NormalAbove(normal)
	}
	if least >= total*(1-1e-12) {
		return 0
	}
	// The cumulant generating function at t, with its first two derivatives.
	cumulants := func(t float64) (first, second, log float64) {
		for _, size := range sizes {
			x := t * size.at
			h := math.Tanh(x)
			first += size.weight * size.at * h
			second += size.weight * size.at * size.at * (1 - h*h)
			log += size.weight * (x + math.Log1p(math.Exp(-2*x)) - math.Ln2)
		}
		return first, second, log
	}
	high := 1.0
	for first, _, _ := cumulants(high); first < least && high < 1e6; first, _, _ = cumulants(high) {
		high *= 2
	}
	t := findRoot(func(t float64) float64 { first, _, _ := cumulants(t); return least - first }, 0, high, least/variance, 1/math.Sqrt(variance))
	_, second, log := cumulants(t)
	w, u := math.Sqrt(2*(t*least-log)), t*math.Sqrt(second)
	return NormalAbove(w) + math.Exp(-w*w/2)/math.Sqrt(2*math.Pi)*(1/u-1/w)
}

// Holm returns p-values adjusted for multiple testing, in the given order (Holm 1979,
// Scandinavian Journal of Statistics 6:65–70). Rejecting the hypotheses with an adjusted
// value of at most α keeps the family-wise error rate at α, for any dependence among the
// p-values.
//
// The smallest of m values is multiplied by m, the next by m-1 and so on. Adjusted values
// are monotone and at most 1. A value below 0 counts as 0. A value above 1 or NaN counts
// as 1: the hypothesis was not tested, but belongs to the family.
func Holm(p []float64) []float64 {
	return WeightedHolm(p, slices.Repeat([]float64{1}, len(p)))
}

// WeightedHolm is Holm with a weight above 0 for each hypothesis (Holm 1979). A hypothesis
// whose p-value is at most α times its share of all weights is rejected in the first step,
// whatever the others are.
func WeightedHolm(p, weights []float64) []float64 {
	adjusted, order := make([]float64, len(p)), make([]int, len(p))
	left := 0.0 // weight of the hypotheses not adjusted yet
	for i, x := range p {
		order[i] = i
		left += weights[i]
		adjusted[i] = 1
		if x < 1 {
			adjusted[i] = max(x, 0)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int {
		return cmp.Compare(adjusted[i]/weights[i], adjusted[j]/weights[j])
	})
	least := 0.0
	for _, i := range order {
		least = max(least, min(1, adjusted[i]*left/weights[i]))
		adjusted[i] = least
		left -= weights[i]
	}
	return adjusted
}
