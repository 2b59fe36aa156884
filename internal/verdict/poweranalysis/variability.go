package poweranalysis

import (
	"fmt"
	"math"
	"math/rand/v2"

	"verbatim"
	"verbatim/internal/stats"
	"verbatim/internal/verdict"
	"verbatim/internal/verdict/retest"
)

// A Basis says from what a Variability is estimated.
type basis string

// The bases. Pairs are best for comparisons, and repeats for checks. Rates are next.
const (
	FromPairs   basis = "pairs"   // two saved runs on the same items
	FromRepeats basis = "repeats" // repeated answers of one model
	FromRates   basis = "rates"   // shares of right answers, with independent answers
	assumed     basis = "assumed" // no saved runs
)

// A Variability is how much two answers to one item differ.
type Variability struct {
	SD    float64  `json:"sd"` // of a difference; above 0
	Basis basis    `json:"basis"`
	Items int64    `json:"items"`          // number of items of the estimate; 0 if assumed
	Runs  []string `json:"runs,omitempty"` // names of the runs
	// differences to draw from, with random signs; if nil, a share discordant of the
	// items differs by 1.
	differences []float64
	discordant  float64
}

// minItems is the number of items that an estimate needs. With fewer, AssumedVariability is as
// good.
const minItems = 20

// AssumedVariability assumes that one answer in five differs.
func AssumedVariability() Variability {
	const differ = 0.2
	return Variability{SD: math.Sqrt(differ), Basis: assumed, discordant: differ}
}

// PairVariability estimates the variability from two runs on the same items. Differences
// between cells of the plan are left out, as in a comparison. It is nil if they share too
// few items.
func PairVariability(a, b verdict.Side, o verdict.Options) (*Variability, error) {
	g := verdict.NewGrid(&a.Run.Plan, &b.Run.Plan)
	first, err := itemMeans(a, &o, g)
	if err != nil {
		return nil, err
	}
	second, err := itemMeans(b, &o, g)
	if err != nil {
		return nil, err
	}
	byID := map[string]float64{}
	for _, m := range first {
		byID[m.item] = m.score
	}
	var differences stats.Strata
	v := &Variability{Basis: FromPairs, Runs: []string{a.Run.Name, b.Run.Name}}
	for _, m := range second {
		if scoreA, ok := byID[m.item]; ok {
			v.differences = append(v.differences, m.score-scoreA)
			if err := differences.Add(m.cell, m.score-scoreA); err != nil {
				return nil, fmt.Errorf("item %s: %w", m.item, err)
			}
		}
	}
	if v.Items = int64(len(v.differences)); v.Items < minItems {
		return nil, nil
	}
	_, how, strata, err := verdict.StratifiedPosterior(&differences, g)
	if err != nil {
		return nil, err
	}
	se, _ := strata.SE(how != verdict.Unstratified)
	v.setSD(se * math.Sqrt(float64(v.Items)))
	return v, nil
}

// RepeatVariability estimates the variability from repeated answers of one model. It is
// nil if too few items have two answers.
func RepeatVariability(r verdict.Side, o verdict.Options) (*Variability, error) {
	within, differences, err := retest.Within(&r.Run, r.Records, o)
	if err != nil || len(differences) < minItems {
		return nil, err
	}
	v := &Variability{Basis: FromRepeats, Items: int64(len(differences)), Runs: []string{r.Run.Name}, differences: differences}
	v.setSD(math.Sqrt2 * within)
	return v, nil
}

// RateVariability estimates the variability from the mean scores of a run in the families of a
// plan. It assumes two answers that are right at these rates, independently given the family.
// Real answers depend on the item, and differ less. It is nil if too few items were answered.
func RateVariability(r verdict.Side, plan verbatim.Plan, o verdict.Options) (*Variability, error) {
	planned := map[string]bool{}
	for _, c := range plan.Cells {
		planned[c.Family] = true
	}
	g := verdict.NewGrid(&r.Run.Plan)
	list, err := itemMeans(r, &o, g)
	if err != nil {
		return nil, err
	}
	type sum struct{ n, scores float64 }
	families := map[string]sum{}
	v := &Variability{Basis: FromRates, Runs: []string{r.Run.Name}}
	for _, m := range list {
		family := g.Family(m.cell)
		if !planned[family] && r.Run.Plan.Hash != plan.Hash {
			continue
		}
		f := families[family]
		families[family] = sum{f.n + 1, f.scores + m.score}
		v.Items++
	}
	if v.Items < minItems {
		return nil, nil
	}
	for _, f := range families {
		// Jeffreys' prior adds half a right and half a wrong answer: a family without a mistake
		// in four items is not one without mistakes.
		p := (f.scores + 0.5) / (f.n + 1)
		v.discordant += f.n / float64(v.Items) * 2 * p * (1 - p)
	}
	v.SD = math.Sqrt(v.discordant)
	return v, nil
}

// An itemMean is the mean score of an item's answers.
type itemMean struct {
	item  string
	cell  int // of the grid
	score float64
}

// itemMeans returns the items with an answer, in the order of their first records.
func itemMeans(r verdict.Side, o *verdict.Options, g *verdict.Grid) ([]itemMean, error) {
	var list []itemMean
	at := map[string]int{}
	var answers []float64
	for rec, err := range r.Records {
		if err != nil {
			return nil, err
		}
		a, err := verdict.ReadAnswer(&rec, o.Score)
		if err != nil {
			return nil, err
		}
		if !a.Answered() {
			continue
		}
		i, ok := at[a.Item]
		if !ok {
			i = len(list)
			at[a.Item] = i
			list = append(list, itemMean{item: a.Item, cell: g.Cell(a.Family, a.Length)})
			answers = append(answers, 0)
		}
		answers[i]++
		list[i].score += (a.Score - list[i].score) / answers[i]
	}
	return list, nil
}

// setSD sets the standard deviation. If it is 0, no variation was seen, and one item is assumed
// to differ: so few can stay unseen.
func (v *Variability) setSD(sd float64) {
	if v.SD = sd; !(sd > 0) {
		v.discordant, v.differences = 1/float64(v.Items), nil
		v.SD = math.Sqrt(v.discordant)
	}
}

// draw draws a difference of two equally good answers.
func (v *Variability) draw(rng *rand.Rand) float64 {
	sign := float64(2*rng.IntN(2) - 1)
	switch {
	case v.differences != nil:
		return sign * v.differences[rng.IntN(len(v.differences))]
	case rng.Float64() < v.discordant:
		return sign
	}
	return 0
}
