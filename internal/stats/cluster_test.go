package stats_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"verbatim/internal/stats"
)

func TestClusteredEdges(t *testing.T) {
	varied := []stats.Moments{{N: 2, Mean: 0.1}, {N: 3, Mean: 0.2}}
	for name, clusters := range map[string][]stats.Moments{
		"none":             nil,
		"one":              {{N: 10, Mean: 0.1}},
		"one with items":   {{N: 10, Mean: 0.1}, {}},
		"all ties":         {{N: 10}, {N: 20}},
		"all alike":        {{N: 10, Mean: 0.1}, {N: 3, Mean: 0.1}, {N: 7, Mean: 0.1}},
		"a mean unknown":   {{N: 10, Mean: math.NaN()}, {N: 3, Mean: 0.1}},
		"a mean too large": {{N: 10, Mean: math.Inf(1)}, {N: 3, Mean: 0.1}},
	} {
		if c, ok := stats.ClusterRobust(clusters, 0.95); ok || c != (stats.ClusterResult{}) {
			t.Errorf("%s: %+v", name, c)
		}
	}
	for _, confidence := range []float64{0, 1, math.NaN()} {
		if c, ok := stats.ClusterRobust(varied, confidence); ok {
			t.Errorf("confidence %v: %+v", confidence, c)
		}
	}
	wide, ok := stats.ClusterRobust([]stats.Moments{{N: 1, Mean: -1}, {N: 1, Mean: 1}}, 0.95)
	if !ok || wide.Interval != (stats.Interval{Low: -1, High: 1}) {
		t.Errorf("cut: %+v", wide)
	}
}

func TestClusteredProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var clusters, mirrored []stats.Moments
		for range rapid.IntRange(0, 8).Draw(t, "clusters") {
			m := stats.Moments{N: rapid.Int64Range(0, 50).Draw(t, "n"), Mean: rapid.Float64Range(-1, 1).Draw(t, "mean")}
			clusters = append(clusters, m)
			mirrored = append([]stats.Moments{{N: m.N, Mean: -m.Mean}}, mirrored...)
		}
		c, ok := stats.ClusterRobust(clusters, 0.95)
		m, mok := stats.ClusterRobust(mirrored, 0.95)
		if ok != mok {
			t.Fatalf("%v, mirrored %v", ok, mok)
		}
		if !ok {
			return
		}
		if !(c.Interval.Low < c.Interval.High && c.Interval.Low <= c.Mean && c.Mean <= c.Interval.High && -1 <= c.Interval.Low && c.Interval.High <= 1) {
			t.Fatalf("%+v", c)
		}
		if math.Abs(m.Mean+c.Mean) > 1e-12 || math.Abs(m.SE-c.SE) > 1e-12 || math.Abs(m.Interval.Low+c.Interval.High) > 1e-9 {
			t.Fatalf("%+v, mirrored %+v", c, m)
		}
	})
}

// Three tasks of ten items each: by hand the sums of the tasks differ from a third
// of all by -1, 0 and 1, so that SE is √(3/2 · 2)/30, and t with 2 degrees of
// freedom is 4.303.
func ExampleClusterRobust() {
	c, ok := stats.ClusterRobust([]stats.Moments{{N: 10, Mean: -0.05}, {N: 10, Mean: 0.05}, {N: 10, Mean: 0.15}}, 0.95)
	fmt.Printf("%v %.2f, SE %.4f, %.3f to %.3f\n", ok, c.Mean, c.SE, c.Interval.Low, c.Interval.High)
	// Output: true 0.05, SE 0.0577, -0.198 to 0.298
}
