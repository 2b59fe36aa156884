package verdict

import (
	"fmt"
	"iter"
	"math"
	"math/rand/v2"

	"verbatim"
	"verbatim/internal/stats"
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
type Spread struct {
	SD    float64  `json:"sd"` // of an item's difference; above 0
	Basis Basis    `json:"basis"`
	Items int64    `json:"items"`          // that it was seen in; 0 where it is assumed
	Runs  []string `json:"runs,omitempty"` // their names
	// seen are differences, of which either sign is as likely; nil: a share differ of
	// them differ by 1.
	seen   []float64
	differ float64
}

// leastSeen is how many items make a Spread: of fewer an assumption is as good.
const leastSeen = 20

// AssumedSpread is that of answers of which one in five differs.
func AssumedSpread() Spread {
	const differ = 0.2
	return Spread{SD: math.Sqrt(differ), Basis: Assumed, differ: differ}
}

// A Reading is a run with its records, or as many of them as are looked at.
type Reading struct {
	Run     verbatim.Run
	Records iter.Seq2[verbatim.Record, error]
}

// PairSpread is how much the scores of two runs differ item by item; what the cells
// of the plan differ by is left out, as in a comparison. Nil where they share too
// few items.
func PairSpread(a, b Reading, o Options) (*Spread, error) {
	g := NewGrid(&a.Run.Plan, &b.Run.Plan)
	first, err := means(a, &o, g)
	if err != nil {
		return nil, err
	}
	second, err := means(b, &o, g)
	if err != nil {
		return nil, err
	}
	byID := map[string]float64{}
	for _, m := range first {
		byID[m.item] = m.score
	}
	var differences stats.Strata
	s := &Spread{Basis: FromPairs, Runs: []string{a.Run.Name, b.Run.Name}}
	for _, m := range second {
		if before, ok := byID[m.item]; ok {
			s.seen = append(s.seen, m.score-before)
			if err := differences.Add(m.spot, m.score-before); err != nil {
				return nil, fmt.Errorf("item %s: %w", m.item, err)
			}
		}
	}
	if s.Items = int64(len(s.seen)); s.Items < leastSeen {
		return nil, nil
	}
	_, how, strata, err := StratifiedPosterior(&differences, g)
	if err != nil {
		return nil, err
	}
	se, _ := strata.SE(how != Unstratified)
	s.set(se * math.Sqrt(float64(s.Items)))
	return s, nil
}

// RepeatSpread is how much two answers of one endpoint to the same item differ. Nil
// where too few items have two answers.
func RepeatSpread(r Reading, o Options) (*Spread, error) {
	var t Twice
	items, err := t.gather(r.Records, &o, NewGrid(&r.Run.Plan))
	if err != nil || t.Items < leastSeen {
		return nil, err
	}
	if err := t.agree(items); err != nil {
		return nil, err
	}
	s := &Spread{Basis: FromRepeats, Items: t.Items, Runs: []string{r.Run.Name}}
	for _, it := range items {
		s.seen = append(s.seen, it.scores[1]-it.scores[0])
	}
	s.set(math.Sqrt2 * t.Within)
	return s, nil
}

// RateSpread is how much two answers would differ that are right as often as those
// of a run to items of the families of a plan, family by family, and independent of
// each other given the family: more than answers of which the item decides. Nil where
// too few were answered.
func RateSpread(r Reading, plan verbatim.Plan, o Options) (*Spread, error) {
	wanted := map[string]bool{}
	for _, c := range plan.Cells {
		wanted[c.Family] = true
	}
	g := NewGrid(&r.Run.Plan)
	list, err := means(r, &o, g)
	if err != nil {
		return nil, err
	}
	type sum struct{ n, scores float64 }
	families := map[int]sum{}
	s := &Spread{Basis: FromRates, Runs: []string{r.Run.Name}}
	for _, m := range list {
		family := g.cells[m.spot].family
		if !wanted[g.families[family]] && r.Run.Plan.Hash != plan.Hash {
			continue
		}
		f := families[family]
		families[family] = sum{f.n + 1, f.scores + m.score}
		s.Items++
	}
	if s.Items < leastSeen {
		return nil, nil
	}
	for _, f := range families {
		// Half a right answer and half a wrong one more (Jeffreys): a family without a
		// mistake in four items is not one without mistakes.
		p := (f.scores + 0.5) / (f.n + 1)
		s.differ += f.n / float64(s.Items) * 2 * p * (1 - p)
	}
	s.SD = math.Sqrt(s.differ)
	return s, nil
}

// A meanOf is the mean score of an item's answers.
type meanOf struct {
	item  string
	spot  int
	score float64
}

// means returns the items that have an answer, in the order of their first records.
func means(r Reading, o *Options, g *Grid) ([]meanOf, error) {
	var list []meanOf
	at := map[string]int{}
	var answers []float64
	for rec, err := range r.Records {
		if err != nil {
			return nil, err
		}
		a, err := ReadAnswer(&rec, o.Score)
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
			list = append(list, meanOf{item: a.Item, spot: g.Cell(a.Family, a.Length)})
			answers = append(answers, 0)
		}
		answers[i]++
		list[i].score += (a.Score - list[i].score) / answers[i]
	}
	return list, nil
}

// set takes over a standard deviation. One of 0 says that nothing was seen to vary,
// which is what one item that differs in as many as there are would often look like.
func (s *Spread) set(sd float64) {
	if s.SD = sd; !(sd > 0) {
		s.differ, s.seen = 1/float64(s.Items), nil
		s.SD = math.Sqrt(s.differ)
	}
}

// draw draws a difference of two answers that are equally good.
func (s *Spread) draw(luck *rand.Rand) float64 {
	sign := float64(2*luck.IntN(2) - 1)
	switch {
	case s.seen != nil:
		return sign * s.seen[luck.IntN(len(s.seen))]
	case luck.Float64() < s.differ:
		return sign
	}
	return 0
}
