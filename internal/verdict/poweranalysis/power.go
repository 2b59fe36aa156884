package poweranalysis

import (
	"math/rand/v2"

	"verbatim/internal/stats"
	"verbatim/internal/stats/sequential"
	"verbatim/internal/verdict"
	"verbatim/internal/verdict/retest"
)

// A Power is what comparisons and checks over a number of items can tell.
type Result struct {
	Items   int64        `json:"items"`
	Power   float64      `json:"chance"` // with which Compare and its numbers hold
	Compare ComparePower `json:"compare"`
	Check   CheckPower   `json:"check"`
}

// A ComparePower is what comparisons with another model can tell.
type ComparePower struct {
	Variability Variability `json:"spread"`
	// Detectable is the smallest mean difference that is told from 0.
	Detectable float64 `json:"detectable"`
	// Equivalent is how many items it takes to show that two models whose means are the
	// same differ by no more than Rope; nil where no number would do.
	Rope       float64 `json:"rope"`
	Equivalent *int64  `json:"items_equivalent"`
}

// A CheckPower is what checks of an endpoint against itself come to.
type CheckPower struct {
	Variability Variability `json:"spread"`
	Margin      float64     `json:"margin"`
	Unchanged   CheckRates  `json:"unchanged"`
	Loss        float64     `json:"loss"` // by which it is worse in Worse
	Worse       CheckRates  `json:"worse"`
}

// Checked is what simulated checks came to.
type CheckRates struct {
	Passed    float64 `json:"passed"` // shares
	Worse     float64 `json:"worse"`
	Undecided float64 `json:"undecided"`
	MeanItems float64 `json:"mean_asked"` // items until the verdict, or all
	Simulated int     `json:"simulated"`
}

// targetPower is the power that the figures of ComparePower are for.
const targetPower = 0.8

// The loss that checks of a plan are simulated with, and how much is simulated.
const (
	simulatedLoss = 0.1
	maxRuns       = 400
	minRuns       = 50
	answerBudget  = 400_000
	maxSimulated  = 20_000 // items of a check; a longer one is decided before
)

// PowerOf says what comparisons and checks over so many items can tell, where
// differences spread as given.
func Analyze(items int64, compare, check Variability, o verdict.Options) (*Result, error) {
	if items < 1 {
		return nil, stats.ErrNoData
	}
	alpha := 1 - o.Threshold
	p := &Result{Items: items, Power: targetPower, Compare: ComparePower{Variability: compare, Rope: o.Rope}, Check: CheckPower{Variability: check, Margin: retest.Margin, Loss: simulatedLoss}}
	p.Compare.Detectable = stats.Detectable(compare.SD, items, alpha, targetPower)
	if n, err := stats.ItemsEquivalent(compare.SD, 0, o.Rope, alpha, targetPower); err == nil {
		p.Compare.Equivalent = &n
	}
	n := int(min(items, maxSimulated))
	var err error
	if p.Check.Unchanged, err = check.simulate(n, 0, o.Seed); err != nil {
		return nil, err
	}
	p.Check.Worse, err = check.simulate(n, simulatedLoss, o.Seed)
	return p, err
}

// simulate runs checks of an endpoint over n items that has lost so much: of so many
// of its answers nothing is left.
func (s *Variability) simulate(n int, loss float64, seed uint64) (CheckRates, error) {
	runs := min(max(answerBudget/n, minRuns), maxRuns)
	said, sum := map[sequential.Decision]int{}, 0
	for i := range runs {
		d, asked, err := s.check(n, loss, rand.New(rand.NewPCG(seed, uint64(i))))
		if err != nil {
			return CheckRates{}, err
		}
		said[d]++
		sum += asked
	}
	share := func(n int) float64 { return float64(n) / float64(runs) }
	return CheckRates{Passed: share(said[sequential.Pass]), Worse: share(said[sequential.Worse]), Undecided: share(said[sequential.Undecided]),
		MeanItems: share(sum), Simulated: runs}, nil
}

// check runs one check.
func (s *Variability) check(n int, loss float64, luck *rand.Rand) (sequential.Decision, int, error) {
	gate, err := sequential.NewGate(retest.Margin, retest.Alpha, 0)
	if err != nil {
		return sequential.Undecided, 0, err
	}
	var seen stats.Strata
	for range n {
		d := s.draw(luck)
		if luck.Float64() < loss {
			d = -1
		}
		if err := seen.Add(0, d); err != nil {
			return sequential.Undecided, 0, err
		}
		decision, err := gate.Add([]float64{d})
		if err != nil || decision != sequential.Undecided {
			return decision, gate.N(), err
		}
	}
	p, err := seen.Posterior()
	if err != nil {
		return sequential.Undecided, n, err
	}
	return gate.FinalLook(p), n, nil
}
