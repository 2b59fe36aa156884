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

// A Basis is what a Spread rests on.
type Basis string

// The bases, the best first for what each is good for: pairs for comparing models,
// repeats for checking one.
const (
	FromPairs   Basis = "pairs"   // two kept runs of the same items
	FromRepeats Basis = "repeats" // repeated answers of one endpoint
	FromRates   Basis = "rates"   // shares of right answers, as if answers were independent
	Assumed     Basis = "assumed" // nothing that is kept
)

// A Spread is how much the differences between two answers to one item vary.
type Variability struct {
	SD    float64  `json:"sd"` // of an item's difference; above 0
	Basis Basis    `json:"basis"`
	Items int64    `json:"items"`          // that it was seen in; 0 where it is assumed
	Runs  []string `json:"runs,omitempty"` // their names
	// seen are differences, of which either sign is as likely; nil: a share differ of
	// them differ by 1.
	differences []float64
	discordant  float64
}

// leastSeen is how many items make a Spread: of fewer an assumption is as good.
const minItems = 20

// AssumedSpread is that of answers of which one in five differs.
func AssumedVariability() Variability {
	const differ = 0.2
	return Variability{SD: math.Sqrt(differ), Basis: Assumed, discordant: differ}
}

// PairSpread is how much the scores of two runs differ item by item; what the cells
// of the plan differ by is left out, as in a comparison. Nil where they share too
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
	s := &Variability{Basis: FromPairs, Runs: []string{a.Run.Name, b.Run.Name}}
	for _, m := range second {
		if before, ok := byID[m.item]; ok {
			s.differences = append(s.differences, m.score-before)
			if err := differences.Add(m.spot, m.score-before); err != nil {
				return nil, fmt.Errorf("item %s: %w", m.item, err)
			}
		}
	}
	if s.Items = int64(len(s.differences)); s.Items < minItems {
		return nil, nil
	}
	_, how, strata, err := verdict.StratifiedPosterior(&differences, g)
	if err != nil {
		return nil, err
	}
	se, _ := strata.SE(how != verdict.Unstratified)
	s.setSD(se * math.Sqrt(float64(s.Items)))
	return s, nil
}

// RepeatSpread is how much two answers of one endpoint to the same item differ. Nil
// where too few items have two answers.
func RepeatVariability(r verdict.Side, o verdict.Options) (*Variability, error) {
	within, differences, err := retest.Within(&r.Run, r.Records, o)
	if err != nil || len(differences) < minItems {
		return nil, err
	}
	v := &Variability{Basis: FromRepeats, Items: int64(len(differences)), Runs: []string{r.Run.Name}, differences: differences}
	v.setSD(math.Sqrt2 * within)
	return v, nil
}

// RateSpread is how much two answers would differ that are right as often as those
// of a run to items of the families of a plan, family by family, and independent of
// each other given the family: more than answers of which the item decides. Nil where
// too few were answered.
func RateVariability(r verdict.Side, plan verbatim.Plan, o verdict.Options) (*Variability, error) {
	wanted := map[string]bool{}
	for _, c := range plan.Cells {
		wanted[c.Family] = true
	}
	g := verdict.NewGrid(&r.Run.Plan)
	list, err := itemMeans(r, &o, g)
	if err != nil {
		return nil, err
	}
	type sum struct{ n, scores float64 }
	families := map[string]sum{}
	s := &Variability{Basis: FromRates, Runs: []string{r.Run.Name}}
	for _, m := range list {
		family := g.Family(m.spot)
		if !wanted[family] && r.Run.Plan.Hash != plan.Hash {
			continue
		}
		f := families[family]
		families[family] = sum{f.n + 1, f.scores + m.score}
		s.Items++
	}
	if s.Items < minItems {
		return nil, nil
	}
	for _, f := range families {
		// Half a right answer and half a wrong one more (Jeffreys): a family without a
		// mistake in four items is not one without mistakes.
		p := (f.scores + 0.5) / (f.n + 1)
		s.discordant += f.n / float64(s.Items) * 2 * p * (1 - p)
	}
	s.SD = math.Sqrt(s.discordant)
	return s, nil
}

// A meanOf is the mean score of an item's answers.
type itemMean struct {
	item  string
	spot  int
	score float64
}

// means returns the items that have an answer, in the order of their first records.
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
		if !a.Outcome.Answered() {
			continue
		}
		i, ok := at[a.Item]
		if !ok {
			i = len(list)
			at[a.Item] = i
			list = append(list, itemMean{item: a.Item, spot: g.Cell(a.Family, a.Length)})
			answers = append(answers, 0)
		}
		answers[i]++
		list[i].score += (a.Score - list[i].score) / answers[i]
	}
	return list, nil
}

// set takes over a standard deviation. One of 0 says that nothing was seen to vary,
// which is what one item that differs in as many as there are would often look like.
func (s *Variability) setSD(sd float64) {
	if s.SD = sd; !(sd > 0) {
		s.discordant, s.differences = 1/float64(s.Items), nil
		s.SD = math.Sqrt(s.discordant)
	}
}

// draw draws a difference of two answers that are equally good.
func (s *Variability) draw(luck *rand.Rand) float64 {
	sign := float64(2*luck.IntN(2) - 1)
	switch {
	case s.differences != nil:
		return sign * s.differences[luck.IntN(len(s.differences))]
	case luck.Float64() < s.discordant:
		return sign
	}
	return 0
}
