package poweranalysis

import (
	"math/rand/v2"

	"verbatim/internal/stats"
	"verbatim/internal/stats/sequential"
	"verbatim/internal/verdict"
	"verbatim/internal/verdict/retest"
)

// A Result is what comparisons and checks over a number of items can detect.
type Result struct {
	Items   int64        `json:"items"`
	Power   float64      `json:"chance"` // power of the figures in Compare
	Compare ComparePower `json:"compare"`
	Check   checkPower   `json:"check"`
}

// A checkPower is the rates of checks of an unchanged and of a worse endpoint.
type checkPower struct {
	Variability Variability `json:"spread"`
	Margin      float64     `json:"margin"`
	Unchanged   checkRates  `json:"unchanged"`
	Loss        float64     `json:"loss"` // of the mean score, in Worse
	Worse       checkRates  `json:"worse"`
}

// checkRates are the rates of simulated checks.
type checkRates struct {
	Passed    float64 `json:"passed"` // share of checks
	Worse     float64 `json:"worse"`
	Undecided float64 `json:"undecided"`
	MeanItems float64 `json:"mean_asked"` // mean number of items until the decision, or all
	Simulated int     `json:"simulated"`
}

// targetPower is the power of the figures of ComparePower.
const targetPower = 0.8

// Settings of the simulation.
const (
	simulatedLoss = 0.1
	maxRuns       = 400
	minRuns       = 50
	answerBudget  = 400_000 // items of all checks
	maxSimulated  = 20_000  // items of a simulated check; longer ones decide before
)

// Analyze computes what comparisons and checks over a number of items can detect, with the
// given variability of differences.
func Analyze(items int64, compare, check Variability, o verdict.Options) (*Result, error) {
	if items < 1 {
		return nil, stats.ErrNoData
	}
	p := &Result{Items: items, Power: targetPower, Check: checkPower{Variability: check, Margin: retest.Margin, Loss: simulatedLoss}}
	var err error
	if p.Compare, err = comparePower(items, compare, &o); err != nil {
		return nil, err
	}
	n := int(min(items, maxSimulated))
	if p.Check.Unchanged, err = check.simulate(n, 0, o.Seed); err != nil {
		return nil, err
	}
	p.Check.Worse, err = check.simulate(n, simulatedLoss, o.Seed)
	return p, err
}

// simulate simulates checks over n items of an endpoint with a loss: that share of its
// answers becomes wrong.
func (v *Variability) simulate(n int, loss float64, seed uint64) (checkRates, error) {
	runs := min(max(answerBudget/n, minRuns), maxRuns)
	decisions, sum := map[sequential.Decision]int{}, 0
	for i := range runs {
		d, items, err := v.check(n, loss, rand.New(rand.NewPCG(seed, uint64(i))))
		if err != nil {
			return checkRates{}, err
		}
		decisions[d]++
		sum += items
	}
	share := func(n int) float64 { return float64(n) / float64(runs) }
	return checkRates{Passed: share(decisions[sequential.Pass]), Worse: share(decisions[sequential.Worse]), Undecided: share(decisions[sequential.Undecided]),
		MeanItems: share(sum), Simulated: runs}, nil
}

// check simulates one check, and returns its decision and the number of items that it sent.
func (v *Variability) check(n int, loss float64, rng *rand.Rand) (sequential.Decision, int, error) {
	gate, err := sequential.NewGate(retest.Margin, retest.Alpha, 0)
	if err != nil {
		return sequential.Undecided, 0, err
	}
	var seen stats.Strata
	for range n {
		d := v.draw(rng)
		if rng.Float64() < loss {
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
	b, err := seen.Bounds(false)
	if err != nil {
		return sequential.Undecided, n, err
	}
	return gate.FinalLook(b), n, nil
}
