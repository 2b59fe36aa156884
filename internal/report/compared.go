package report

import (
	"verbatim"

	"verbatim/internal/verdict"
	"verbatim/internal/verdict/autorank"
)

// A Compared is the result of comparing runs. Its JSON form is the format "verbatim/compare/1"; a
// missing number is null.
type Compared struct {
	Format string `json:"format"`
	// Method is "posterior", or "signed-rank" for the analysis of the SortBench paper.
	Method string `json:"method"`
	// Comparisons compare each run with the baseline, or all pairs of runs; empty if the method
	// is signed-rank.
	Comparisons []*verdict.Comparison `json:"comparisons"`
	// Ranking is the result of the method signed-rank; nil for the other method.
	Ranking *autorank.Ranking `json:"ranking"`
}

// Comparing returns the result of comparisons by posteriors.
func Comparing(list []*verdict.Comparison) *Compared {
	return &Compared{Format: "verbatim/compare/1", Method: "posterior", Comparisons: list}
}

// Ranked returns the result of a ranking by signed-rank tests.
func Ranked(r *autorank.Ranking) *Compared {
	return &Compared{Format: "verbatim/compare/1", Method: "signed-rank", Comparisons: []*verdict.Comparison{}, Ranking: r}
}

// SortBenchMeasures returns the columns of SortBench's weighted tables; see
// report.sortBenchMeasure.
func SortBenchMeasures() []autorank.Measure {
	var list []autorank.Measure
	for _, name := range []string{"sortbench", "sorting", "faithfulness", "validity"} {
		list = append(list, autorank.Measure{Name: name, Value: func(it *verbatim.Item, g *verbatim.Grade) (float64, bool) {
			return sortBenchMeasure(name, it, g)
		}})
	}
	return list
}
