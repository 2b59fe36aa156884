package poweranalysis

import (
	"math"
	"math/rand/v2"

	"verbatim/internal/stats"
	"verbatim/internal/verdict"
)

// A ComparePower is what comparisons with another model can detect.
type ComparePower struct {
	Variability Variability `json:"spread"`
	// Detectable is the smallest mean difference for which a comparison says worse or
	// better with the target power; it is above 1 if there are too few items. Verdict are
	// simulated comparisons at that difference. ExcludesZero is the smallest mean difference
	// for which the 95 % interval excludes 0 with the target power. That is not yet a verdict,
	// because a verdict must also be outside the ROPE.
	Detectable   float64       `json:"detectable"`
	Verdict      compareRates  `json:"at_detectable"`
	ExcludesZero float64       `json:"excludes_zero"`
	Zero         *compareRates `json:"at_excludes_zero"` // nil if ExcludesZero is above 1
	// Equivalent is the number of items that show equivalence within Rope for two models
	// with equal means; nil if no number is enough.
	Rope       float64 `json:"rope"`
	Equivalent *int64  `json:"items_equivalent"`
}

// compareRates are the rates of simulated comparisons.
type compareRates struct {
	Verdict      float64 `json:"verdict"`       // share that says worse
	ExcludesZero float64 `json:"excludes_zero"` // share whose 95 % interval is below 0
	Simulated    int     `json:"simulated"`
}

// comparePower computes what comparisons over a number of items can detect.
func comparePower(items int64, v Variability, o *verdict.Options) (ComparePower, error) {
	alpha := 1 - o.Threshold
	p := ComparePower{Variability: v, Rope: o.Rope,
		Detectable:   stats.DetectableBeyond(v.SD, items, o.Rope, alpha, targetPower),
		ExcludesZero: stats.Detectable(v.SD, items, alpha, targetPower)}
	if n, err := stats.ItemsEquivalent(v.SD, 0, o.Rope, alpha, targetPower); err == nil {
		p.Equivalent = &n
	}
	for {
		var err error
		if p.Verdict, err = v.compare(items, min(p.Detectable, 1), o); err != nil {
			return p, err
		}
		standardError := math.Sqrt(targetPower * (1 - targetPower) / float64(p.Verdict.Simulated))
		if p.Detectable > 1 || p.Verdict.Verdict >= targetPower-2*standardError {
			break
		}
		// With few items the formula is too optimistic: the posterior has anchors, and the
		// sign-flip test few values.
		p.Detectable *= detectableStep
	}
	if p.ExcludesZero <= 1 {
		zero, err := v.compare(items, p.ExcludesZero, o)
		p.Zero = &zero
		return p, err
	}
	return p, nil
}

// Settings of simulated comparisons.
const (
	detectableStep   = 1.05
	comparisons      = 1000
	fewComparisons   = 200       // if there are many different scores: their posterior takes longer
	comparisonBudget = 8_000_000 // items of all comparisons
)

// compare simulates comparisons with a model whose mean score is lower by loss. The differences
// of their items vary as v says.
func (v *Variability) compare(items int64, loss float64, o *verdict.Options) (compareRates, error) {
	runs := comparisons
	if v.differences != nil {
		runs = fewComparisons
	}
	runs = max(minRuns, min(runs, int(comparisonBudget/items)))
	draw := v.losing(loss)
	rng := rand.New(rand.NewPCG(o.Seed, uint64(items)))
	known := map[[2]int][2]bool{} // results by the numbers of differences of -1 and 1
	worse, below := 0, 0
	for range runs {
		var s stats.Strata
		var count [2]int
		for range items {
			d := draw(rng)
			switch d {
			case -1:
				count[0]++
			case 1:
				count[1]++
			}
			if err := s.Add(0, d); err != nil {
				return compareRates{}, err
			}
		}
		seen, ok := known[count]
		if !ok || v.differences != nil {
			p, err := s.Posterior()
			if err != nil {
				return compareRates{}, err
			}
			d, err := o.Difference(p, &s, false)
			if err != nil {
				return compareRates{}, err
			}
			seen = [2]bool{o.Word(&d) == verdict.Worse, p.Above(0) <= (1-o.Confidence)/2}
			known[count] = seen
		}
		if seen[0] {
			worse++
		}
		if seen[1] {
			below++
		}
	}
	return compareRates{Verdict: float64(worse) / float64(runs), ExcludesZero: float64(below) / float64(runs), Simulated: runs}, nil
}

// losing returns a function that draws differences with a mean of -loss. It changes the signs of
// differences of v. Their mean square stays that of v as long as loss allows it.
func (v *Variability) losing(loss float64) func(rng *rand.Rand) float64 {
	size, scale := v.discordant, 1.0
	if v.differences != nil {
		sum, squares := 0.0, 0.0
		for _, d := range v.differences {
			sum, squares = sum+math.Abs(d), squares+d*d
		}
		// Differences between cells are no uncertainty of a comparison.
		scale = v.SD / math.Sqrt(squares/float64(len(v.differences)))
		size = min(1, scale*sum/float64(len(v.differences)))
	}
	down := min(1, (1+loss/size)/2)
	failed := 0.0
	if loss > size {
		failed = (loss - size) / (1 - size)
	}
	return func(rng *rand.Rand) float64 {
		d := min(1, scale*math.Abs(v.draw(rng)))
		if rng.Float64() < failed {
			return -1
		}
		if rng.Float64() < down {
			return -d
		}
		return d
	}
}
