package leaderboard

import (
	"fmt"

	"verbatim/internal/stats"
	"verbatim/internal/stats/ranks"
	"verbatim/internal/verdict"
)

// A state is what one reading of all runs gathers.
type state struct {
	vectors *ranks.Scores // of the runs that are ranked, by cell
	left    int64         // items that not all of them answered
	place   []float64     // of an item's scores, in the order of contenders
	ranks   []*contender
	even    map[int]int64 // items by cell of the design
}

// marks are the scores of one run on the items that count.
type runScores struct {
	strata      stats.Strata
	fingerprint float64 // differs where scores do, whatever their order
}

// gather reads all runs.
func (f *ranker) gather() error {
	f.ranks = f.ranked()
	f.state = state{vectors: ranks.NewScores(len(f.ranks)), place: make([]float64, len(f.ranks)), ranks: f.ranks, even: map[int]int64{}}
	sides := make([]*verdict.Side, len(f.entrants))
	for i, e := range f.entrants {
		*e = contender{side: e.side, unranked: e.unranked, scores: new(runScores)}
		sides[i] = e.side
	}
	graders, err := verdict.Match(sides, f.o.Score, f.take)
	for i, e := range f.entrants {
		e.graders = graders[i]
	}
	return err
}

// take counts an item.
func (f *ranker) take(item *verdict.MatchedItem) error {
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
		f.left++
		return nil
	}
	cell := f.grid.Cell(item.Family, item.Length)
	f.even[f.grid.Design(cell)]++
	at, luck := 0, unit(item.ID)
	for i, e := range f.entrants {
		if item.Runs[i].Answers == 0 {
			continue
		}
		score := item.Runs[i].MeanScore()
		if err := e.scores.add(cell, score, luck); err != nil {
			return fmt.Errorf("run %s: item %s: %w", e.side.Run.Name, item.ID, err)
		}
		if e.unranked == "" {
			f.place[at] = score
			at++
		}
	}
	return f.vectors.Add(cell, f.place)
}

func (m *runScores) add(cell int, score, luck float64) error {
	m.fingerprint += luck * score
	return m.strata.Add(cell, score)
}

// items is how many were added.
func (m *runScores) items() int64 { return m.strata.Total().N }

// unit returns a number between 0 and 1 that an item's id decides (FNV-1a, its high
// bits mixed): sums of scores weighed with it tell runs apart that have equal means.
func unit(item string) float64 {
	h := uint64(14695981039346656037)
	for i := range len(item) {
		h = (h ^ uint64(item[i])) * 1099511628211
	}
	h = (h ^ h>>32) * 0xd6e8feb86659fd93
	return float64(h>>11) / (1 << 53)
}
