package stats

import (
	"math"
)

// A ClusterResult is the mean of clustered differences, with its cluster-robust error.
type ClusterResult struct {
	Mean     float64 // over all items, equally weighted
	SE       float64 // cluster-robust standard error of Mean
	Interval Interval
	Clusters int // with at least one item
}

// minSE is the standard error below which only rounding error is left.
const minSE = 1e-12

// ClusterRobust returns the mean over all items of all clusters. Its standard error is
// cluster-robust: √(G/(G-1) Σ_g (Σ_{i in g} (d_i - d̄))²)/n for G clusters and n items.
// The interval uses Student's t with G-1 degrees of freedom (Liang and Zeger 1986,
// Biometrika 73:13–22; Miller 2024, arXiv:2411.00640, section 2.2). Its ends are clipped
// to [-1, 1], the range of differences of scores.
//
// Assumption: the clusters are independent draws from the population of clusters. Nothing
// is assumed of the items inside a cluster.
//
// ok is false, and there is no result, in these cases: fewer than two clusters have items;
// all cluster means are equal, so that the variance between clusters is unknown;
// confidence is not between 0 and 1; a mean is not finite.
func ClusterRobust(clusters []Moments, confidence float64) (c ClusterResult, ok bool) {
	n, sum := 0.0, 0.0
	for _, g := range clusters {
		if g.N > 0 {
			n += float64(g.N)
			sum += float64(g.N) * g.Mean
			c.Clusters++
		}
	}
	if c.Clusters < 2 || !(confidence > 0 && confidence < 1) || !finite(sum) {
		return ClusterResult{}, false
	}
	c.Mean = sum / n
	squares := 0.0
	for _, g := range clusters {
		if g.N > 0 {
			deviation := float64(g.N) * (g.Mean - c.Mean)
			squares += deviation * deviation
		}
	}
	free := float64(c.Clusters - 1)
	c.SE = math.Sqrt(float64(c.Clusters)/free*squares) / n
	if !(c.SE > minSE) {
		return ClusterResult{}, false
	}
	half := c.SE * StudentQuantile((1+confidence)/2, free)
	// With scores outside [0, 1] the mean itself can lie outside [-1, 1].
	c.Interval = Interval{Low: min(max(c.Mean-half, -1), c.Mean), High: max(min(c.Mean+half, 1), c.Mean)}
	return c, true
}
