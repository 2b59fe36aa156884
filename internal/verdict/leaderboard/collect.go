package leaderboard

import (
	"fmt"

	"verbatim/internal/stats"
	"verbatim/internal/stats/ranks"
	"verbatim/internal/verdict"
)

// collected is what one reading of all runs gives.
type collected struct {
	scores     *ranks.Scores // of the ranked runs, by cell
	leftOut    int64         // items that not all ranked runs answered
	vector     []float64     // scores of one item, in the order of contenders
	contenders []*contender
	cellSizes  map[int]int64 // number of items by cell of the design
}

// runScores are the scores of one run on the common items.
type runScores struct {
	strata      stats.Strata
	byItem      stats.ItemScores
	fingerprint float64 // differs if the scores differ; independent of their order
}

// collect reads all runs.
func (f *ranker) collect() error {
	f.contenders = f.ranked()
	f.collected = collected{scores: ranks.NewScores(len(f.contenders)), vector: make([]float64, len(f.contenders)), contenders: f.contenders, cellSizes: map[int]int64{}}
	sides := make([]*verdict.Side, len(f.entrants))
	for i, e := range f.entrants {
		*e = contender{side: e.side, unranked: e.unranked, scores: new(runScores)}
		sides[i] = e.side
	}
	graders, err := verdict.Match(sides, f.o.Score, f.o.ItemScore, f.addItem)
	for i, e := range f.entrants {
		e.graders = graders[i]
	}
	return err
}

// addItem takes in an item.
func (f *ranker) addItem(item *verdict.MatchedItem) error {
	all := true
	for i, e := range f.entrants {
		h := &item.Runs[i]
		if h.Records > 0 {
			e.asked++
		}
		if h.Answers > 0 {
			e.answered++
			e.answers, e.undecided, e.undefined = e.answers+h.Answers, e.undecided+h.Undecided, e.undefined+h.Undefined
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
	at, hash := 0, hashUnit(item.ID)
	for i, e := range f.entrants {
		if item.Runs[i].Answers == 0 {
			continue
		}
		score := item.Runs[i].MeanScore()
		if err := e.scores.add(cell, &item.Runs[i], hash); err != nil {
			return fmt.Errorf("run %s: item %s: %w", e.side.Run.Name, item.ID, err)
		}
		if e.unranked == "" {
			f.vector[at] = score
			at++
		}
	}
	return f.scores.Add(cell, f.vector)
}

// add takes in the answers to an item. hash is that of the item, between 0 and 1.
func (m *runScores) add(cell int, answers *verdict.ItemResult, hash float64) error {
	score := answers.MeanScore()
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
