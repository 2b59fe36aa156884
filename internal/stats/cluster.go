package stats

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// A Cluster is what clusters of paired differences say of clusters not seen.
type Cluster struct {
	Mean     float64 // over all items, each with the same weight
	SE       float64 // standard error of Mean where whole clusters were drawn
	Interval Interval
	Clusters int // those that hold an item
}

// almostNone is the standard error below which rounding is all that is left of it.
const almostNone = 1e-12

// Clustered returns the mean of the items of all clusters with its cluster-robust
// standard error √(G/(G-1) Σ_g (Σ_{i in g} (d_i - d̄))²)/n and the interval by
// Student's t with G-1 degrees of freedom (Liang and Zeger 1986, Biometrika
// 73:13–22; Miller 2024, arXiv:2411.00640, section 2.2). It assumes that the G
// clusters are independent draws from those that the claim is about, and nothing
// of the items inside one. The ends are cut to [-1, 1], where differences of scores
// lie.
//
// ok is false, and nothing is said, where clusters cannot be seen to vary: with
// fewer than two that hold items, where all their means agree (a width of 0 would
// claim to know clusters that nobody saw), with a confidence outside the open
// interval from 0 to 1, and where a mean is not finite.
func Clustered(clusters []Moments, confidence float64) (c Cluster, ok bool) {
	n, sum := 0.0, 0.0
	for _, g := range clusters {
		if g.N > 0 {
			n += float64(g.N)
			sum += float64(g.N) * g.Mean
			c.Clusters++
		}
	}
	if c.Clusters < 2 || !(confidence > 0 && confidence < 1) || math.IsNaN(sum) || math.IsInf(sum, 0) {
		return Cluster{}, false
	}
	c.Mean = sum / n
	squares := 0.0
	for _, g := range clusters {
		if g.N > 0 {
			away := float64(g.N) * (g.Mean - c.Mean)
			squares += away * away
		}
	}
	free := float64(c.Clusters - 1)
	c.SE = math.Sqrt(float64(c.Clusters)/free*squares) / n
	if !(c.SE > almostNone) {
		return Cluster{}, false
	}
	half := c.SE * distuv.StudentsT{Mu: 0, Sigma: 1, Nu: free}.Quantile((1+confidence)/2)
	// Scores outside [0, 1] can put the mean itself past the cut.
	c.Interval = Interval{Low: min(max(c.Mean-half, -1), c.Mean), High: max(min(c.Mean+half, 1), c.Mean)}
	return c, true
}
