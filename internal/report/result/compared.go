package result

import (
	"verbatim"
	"verbatim/internal/report"
	"verbatim/internal/verdict"
	"verbatim/internal/verdict/autorank"
)

// A Compared is what there is to say of runs side by side. Its JSON form is
// the format "verbatim/compare/2"; a missing number is null.
type Compared struct {
	Format string `json:"format"`
	// Method is "posterior", or "signed-rank" for the analysis of the SortBench paper.
	Method string `json:"method"`
	// Comparisons holds one for each run compared with the baseline, or for all pairs; it
	// is empty by the method signed-rank.
	Comparisons []*verdict.Comparison `json:"comparisons"`
	// Ranking is the result of the method signed-rank; nil by the other.
	Ranking *autorank.Ranking `json:"ranking"`
}

// Comparing makes what the formats print of comparisons.
func Comparing(list []*verdict.Comparison) *Compared {
	return &Compared{Format: "verbatim/compare/2", Method: "posterior", Comparisons: list}
}

// Ranked makes what the formats print of a ranking.
func Ranked(r *autorank.Ranking) *Compared {
	return &Compared{Format: "verbatim/compare/2", Method: "signed-rank", Comparisons: []*verdict.Comparison{}, Ranking: r}
}

// SortBenchMeasures are the columns of SortBench's weighted tables, in the
// normalisation that belongs to the item's edition, or to published scores.
func SortBenchMeasures() []autorank.Measure {
	var list []autorank.Measure
	for _, name := range []string{"sortbench", "sorting", "faithfulness", "validity"} {
		list = append(list, autorank.Measure{Name: name, Value: func(it *verbatim.Item, g *verbatim.Grade) (float64, bool) {
			return report.SortBenchMeasure(name, it, g)
		}})
	}
	return list
}
