package horizon

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"verbatim/internal/stats"
)

// A Posterior is the posterior of the horizon on the grid. Answers can be added one by
// one; see Fit for the model. Adding an answer takes about 50 µs, a draw or a quantile
// much less. It is not safe for concurrent use.
type Posterior struct {
	grid       *grid
	weight     []float64 // by curve, then by θ; not normalised
	cell       []float64 // total weight by cell of the grid
	total      float64
	lengths    []int               // those with answers, rising
	shareCache map[int][][]float64 // by length and floor: P(right) without lapses, by slope and θ
}

// NewPosterior returns the posterior without answers, for lengths from shortest to
// longest. A shortest below 1 and a longest below shortest give a *BadValue.
func NewPosterior(shortest, longest int) (*Posterior, error) {
	if shortest < 1 {
		return nil, &stats.BadValue{Index: -1, Value: float64(shortest), Why: "is not a length: it must be at least 1"}
	}
	if longest < shortest {
		return nil, &stats.BadValue{Index: -1, Value: float64(longest), Why: fmt.Sprintf("is below the shortest length %d", shortest)}
	}
	f := unweighted(newGrid(defaultPrior(), shortest, longest))
	for c, curve := range f.grid.curves {
		for i := range f.grid.thetas {
			f.weight[c*f.grid.thetas+i] = curve.weight
			f.cell[curve.first+i] += curve.weight
		}
	}
	f.sum()
	return f, nil
}

// unweighted returns a posterior whose weights are all 0.
func unweighted(g *grid) *Posterior {
	return &Posterior{
		grid:   g,
		weight: make([]float64, len(g.curves)*g.thetas),
		cell:   make([]float64, g.cells),
	}
}

// Add takes in one answer. The order of answers does not matter. A length outside the
// range of the posterior gives a *BadValue and changes nothing.
func (f *Posterior) Add(length int, right bool) error {
	g := f.grid
	if length < g.shortest || length > g.longest {
		return &stats.BadValue{Index: -1, Value: float64(length), Why: fmt.Sprintf("is outside the lengths from %d to %d", g.shortest, g.longest)}
	}
	if right {
		f.addCounts(Counts{Length: length, Right: 1, N: 1})
	} else {
		f.addCounts(Counts{Length: length, N: 1})
	}
	return nil
}

// addCounts takes in answers at one length. Dividing by the old total keeps the weights from
// underflow.
func (f *Posterior) addCounts(n Counts) {
	g, right, wrong := f.grid, n.Right, n.N-n.Right
	shares := f.rightShares(n.Length)
	powers := shares
	if right != 1 {
		powers = make([][]float64, len(shares))
		for i, share := range shares {
			powers[i] = make([]float64, len(share))
			for j, s := range share {
				powers[i][j] = power(s, right)
			}
		}
	}
	clear(f.cell)
	for c, curve := range g.curves {
		scale := power(curve.keep, right) / f.total
		share, powers := shares[curve.floor][curve.slope*g.thetas:][:g.thetas], powers[curve.floor][curve.slope*g.thetas:][:g.thetas]
		weight, cell := f.weight[c*g.thetas:][:g.thetas], f.cell[curve.first:][:g.thetas]
		for i, w := range weight {
			w *= scale * powers[i]
			if wrong > 0 {
				miss := 1 - curve.keep*share[i]
				if wrong > 1 {
					miss = power(miss, wrong)
				}
				w *= miss
			}
			weight[i] = w
			cell[i] += w
		}
	}
	f.sum()
	if at, found := slices.BinarySearch(f.lengths, n.Length); !found {
		f.lengths = slices.Insert(f.lengths, at, n.Length)
	}
}

// power returns x to the n, for n ≥ 0.
func power(x float64, n int64) float64 {
	y := 1.0
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			y *= x
		}
		x *= x
	}
	return y
}

// rightShares returns P(right) without lapses at a length, by floor. Results are cached.
func (f *Posterior) rightShares(length int) [][]float64 {
	if shares, ok := f.shareCache[length]; ok {
		return shares
	}
	odds := f.grid.odds(length)
	shares := make([][]float64, len(f.grid.floors))
	for i, floor := range f.grid.floors {
		for _, u := range odds {
			shares[i] = append(shares[i], (1+floor*u)/(1+u))
		}
	}
	if f.shareCache == nil {
		f.shareCache = make(map[int][][]float64)
	}
	f.shareCache[length] = shares
	return shares
}

// sum computes total from the cells.
func (f *Posterior) sum() {
	f.total = 0
	for _, w := range f.cell {
		f.total += w
	}
}

// Draw returns the quantile u of the posterior, as a length; 0 is the horizon of a curve
// that is above one half at no length. With u uniform between 0 and 1 it is a draw; with 0.5
// it is the median. Below 0 and above 1 it is the end of the grid that has weight. NaN
// counts as 0.
func (f *Posterior) Draw(u float64) float64 { return math.Exp2(f.quantile(u)) }

// Target returns a length at which an answer is informative: a draw of the horizon by u. If
// the curve drawn has no horizon, it is a length between the shortest and the middle of that
// curve, chosen by v: answers there tell a low ceiling from a short horizon. While it is open
// whether one half is reached at all, at least a share exploreShare of the draws is of such
// curves. u and v are uniform between 0 and 1.
func (f *Posterior) Target(u, v float64) float64 {
	g, never := f.grid, f.never()
	explore := never
	if isOpen(never) {
		explore = max(never, exploreShare)
	}
	if u >= explore {
		return f.Draw(never + (u-explore)/(1-explore)*(1-never))
	}
	sum, target, middle := 0.0, u/explore*never*f.total, 0
	for i, w := range f.cell[:g.thetas] {
		if w > 0 && sum < target {
			middle = i
		}
		sum += w
	}
	low, high := log2Length(g.shortest), log2Length(g.longest)
	return math.Exp2(low + v*(min(max(g.theta(middle), low), high)-low))
}

// exploreShare is the share of draws that explore whether one half is reached at all.
const exploreShare = 0.25

// quantile returns the smallest horizon of the grid, in doublings, that has the share p of
// the weight at or below it; -Inf for a curve without one.
func (f *Posterior) quantile(p float64) float64 {
	if !(p > 0) {
		p = 0
	}
	// The terms are added in the same order as in sum, so the total is reached exactly.
	g, target := f.grid, min(p, 1)*f.total
	sum, last := 0.0, 0.0
	for j, w := range f.cell {
		if w == 0 || sum+w < target {
			sum += w
			continue
		}
		if j < g.thetas {
			return math.Inf(-1)
		}
		for _, c := range g.order {
			i := j - g.curves[c].first
			if i < 0 || i >= g.thetas || f.weight[c*g.thetas+i] == 0 {
				continue
			}
			sum += f.weight[c*g.thetas+i]
			last = g.horizon(c, i)
			if sum >= target {
				return last
			}
		}
		// Rounding made the cell's weight larger than the sum of its points.
	}
	return last
}

// Estimate returns the median, the 95 % interval, and the probabilities that the horizon
// is outside the range of lengths.
func (f *Posterior) Estimate() Estimate {
	g := f.grid
	e := Estimate{
		L50:      f.Draw(0.5),
		Above:    1 - f.upTo(log2Length(g.longest)-tolerance),
		Below:    f.upTo(log2Length(g.shortest) - tolerance),
		Never:    f.never(),
		Shortest: g.shortest,
		Longest:  g.longest,
	}
	tail := 0.025
	if isOpen(e.Never) {
		tail = openTail
	}
	e.Interval = stats.Interval{Low: math.Exp2(f.lowEnd(tail)), High: math.Exp2(f.highEnd(tail))}
	return e
}

// openTail is the tail probability of an interval while it is open whether one half is
// reached at all. With 0.025 in each tail, intervals hold the horizon in 78 to 85 % of
// searches where the ceiling is just above one half.
const openTail = 0.0025

// isOpen reports whether it is open whether one half is reached at all. never is the
// probability that it is not.
func isOpen(never float64) bool {
	const settled = 0.008
	return never > settled && never < 1-settled
}

// never returns the probability that one half is reached at no length.
func (f *Posterior) never() float64 {
	sum := 0.0
	for _, w := range f.cell[:f.grid.thetas] {
		sum += w
	}
	return min(sum/f.total, 1)
}

// lowEnd returns the quantile p as the lower end of an interval. Between two neighbouring
// lengths with answers, nothing tells where a step is. So the weight of steps there counts at
// the lower length.
func (f *Posterior) lowEnd(p float64) float64 {
	q := f.quantile(p)
	low, high, ok := f.neighbours(q)
	if !ok {
		return q
	}
	return min(q, max(low, f.quantile(p-f.stepShare(low, high))))
}

// highEnd is lowEnd for the upper end: the quantile 1-p, and the upper length.
func (f *Posterior) highEnd(p float64) float64 {
	q := f.quantile(1 - p)
	low, high, ok := f.neighbours(q)
	if !ok {
		return q
	}
	return max(q, min(high, f.quantile(1-p+f.stepShare(low, high))))
}

// neighbours returns the two lengths with answers between which x is, all in doublings; ok is
// false if x is not between two.
func (f *Posterior) neighbours(x float64) (low, high float64, ok bool) {
	after := sort.Search(len(f.lengths), func(i int) bool { return log2Length(f.lengths[i]) > x+tolerance })
	if after == 0 || after == len(f.lengths) {
		return 0, 0, false
	}
	return log2Length(f.lengths[after-1]), log2Length(f.lengths[after]), true
}

// stepShare returns the probability of a step between low and high, in doublings; low itself
// is included.
func (f *Posterior) stepShare(low, high float64) float64 {
	g, sum := f.grid, 0.0
	slope := g.steps()
	if slope < 0 {
		return 0
	}
	first := max(int(math.Ceil((low-tolerance-g.low)/g.step)), 0)
	for c, curve := range g.curves {
		if curve.slope != slope || curve.never {
			continue
		}
		for i := first; i < g.thetas && g.theta(i) < high-tolerance; i++ {
			sum += f.weight[c*g.thetas+i]
		}
	}
	return sum / f.total
}

// upTo is the posterior probability of a horizon of at most x doublings.
func (f *Posterior) upTo(x float64) float64 {
	g, sum := f.grid, 0.0
	for j, w := range f.cell {
		if j < g.thetas || g.edge(j) <= x {
			sum += w
			continue
		}
		if g.edge(j)-g.step > x {
			break
		}
		for c, curve := range g.curves {
			i := j - curve.first
			if !curve.never && i >= 0 && i < g.thetas && g.horizon(c, i) <= x {
				sum += f.weight[c*g.thetas+i]
			}
		}
	}
	return min(sum/f.total, 1)
}
