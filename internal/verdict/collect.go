package verdict

import (
	"fmt"

	"verbatim/internal/stats"
)

// collected is what reading all runs once gives.
type collected struct {
	scores     *stats.RankScores // of the ranked runs, by cell
	leftOut    int64             // items that not all ranked runs answered
	vector     []float64         // scores of one item, in the order of contenders
	contenders []*contender      // the ranked runs
	cellSizes  map[int]int64     // number of items by cell of the design
}

// runScores are the scores of one run on the common items.
type runScores struct {
	strata      stats.Strata
	byItem      stats.ItemScores
	fingerprint float64 // hash of the scores, whatever their order is
}

// collect reads all runs.
func (f *ranker) collect() error {
	f.contenders = f.ranked()
	f.collected = collected{scores: stats.NewRankScores(len(f.contenders)), contenders: f.contenders, cellSizes: map[int]int64{}}
	for _, e := range f.entrants {
		*e = contender{side: e.side, unranked: e.unranked, scores: new(runScores)}
	}
	graders, err := match(f.sides, f.o.Score, f.o.ItemScore, f.addItem)
	for i, e := range f.entrants {
		e.graders = graders[i]
	}
	return err
}

// addItem counts an item, and adds its scores if all ranked runs answered it.
func (f *ranker) addItem(item *MatchedItem) error {
	all := true
	for i, e := range f.entrants {
		r := &item.Runs[i]
		if r.Records > 0 {
			e.asked++
		}
		if r.Answers > 0 {
			e.answered++
			e.answers, e.undecided, e.undefined = e.answers+r.Answers, e.undecided+r.Undecided, e.undefined+r.Undefined
		} else if e.unranked == "" {
			all = false
		}
	}
	if !all {
		f.leftOut++
		return nil
	}
	cell := f.grid.Cell(item.Family, item.Length)
	f.cellSizes[f.grid.Design(cell)]++
	f.vector = f.vector[:0]
	err := f.eachScore(item, cell, func(e *contender, score float64) error {
		if e.unranked == "" {
			f.vector = append(f.vector, score)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return f.scores.Add(cell, f.vector)
}

// eachScore adds an item to the scores of every run that answered it, and calls visit with its
// score in that run.
func (f *ranker) eachScore(item *MatchedItem, cell int, visit func(e *contender, score float64) error) error {
	hash := hashUnit(item.ID)
	for i, e := range f.entrants {
		r := &item.Runs[i]
		if r.Answers == 0 {
			continue
		}
		if err := e.scores.add(cell, r, hash); err != nil {
			return fmt.Errorf("run %s: item %s: %w", e.side.Run.Name, item.ID, err)
		}
		if err := visit(e, r.meanScore()); err != nil {
			return err
		}
	}
	return nil
}

// add adds the answers to an item, with the hashUnit of its id.
func (m *runScores) add(cell int, answers *itemResult, hash float64) error {
	score := answers.meanScore()
	m.byItem.Add(answers.ScoreSum, answers.Scored, answers.Fractions)
	m.fingerprint += hash * score
	return m.strata.Add(cell, score)
}

// items is the number of items.
func (m *runScores) items() int64 { return m.strata.Total().N }

// hashUnit returns a number between 0 and 1 from an item id (FNV-1a, with its high bits
// mixed). Sums of scores with these weights differ for runs with equal means and different
// scores.
func hashUnit(item string) float64 {
	h := uint64(14695981039346656037)
	for i := range len(item) {
		h = (h ^ uint64(item[i])) * 1099511628211
	}
	h = (h ^ h>>32) * 0xd6e8feb86659fd93
	return float64(h>>11) / (1 << 53)
}
