package verdict

import (
	"maps"
	"slices"

	"verbatim/internal/stats"
)

// rankUnpaired ranks runs without common items, each on its own items. All runs must have the
// same tasks and lengths: otherwise these could cause the differences.
func (f *ranker) rankUnpaired() (*Leaderboard, error) {
	own := make([]*stats.RankScores, len(f.contenders))
	at := make(map[*contender]int)
	for i, e := range f.contenders {
		own[i], at[e] = stats.NewRankScores(1), i
	}
	for _, e := range f.entrants {
		e.scores = new(runScores)
	}
	_, err := match(f.sides, f.o.Score, f.o.ItemScore, func(item *MatchedItem) error {
		cell := f.grid.Cell(item.Family, item.Length)
		return f.eachScore(item, cell, func(e *contender, score float64) error {
			if i, ok := at[e]; ok {
				return own[i].Add(cell, []float64{score})
			}
			return nil
		})
	})
	if err != nil {
		return nil, err
	}
	if err := f.sameCells(own); err != nil {
		return nil, err
	}
	how, stratum := f.grid.stratify(func(stratum func(cell int) int) bool {
		return len(own[0].Merge(stratum).Cells()) > 1 &&
			!slices.ContainsFunc(own, func(v *stats.RankScores) bool { return v.Merge(stratum).HasSingletons() })
	})
	joints, means := make([]*stats.ScorePosterior, len(own)), make([]float64, len(own))
	for i, v := range own {
		if joints[i], err = v.Merge(stratum).Posterior(how != Unstratified, nil); err != nil {
			return nil, err
		}
		means[i] = joints[i].Means()[0]
	}
	return f.unpairedBoard(how, own, joints, means)
}

// unpairedBoard makes the leaderboard of unpaired runs.
func (f *ranker) unpairedBoard(how stratification, own []*stats.RankScores, joints []*stats.ScorePosterior, means []float64) (*Leaderboard, error) {
	b := f.newBoard(how)
	b.LeftOut = f.leftOut
	if f.unevenShares(own) {
		b.Notes = append(b.Notes, Note{Kind: "weights", Text: "The runs have different shares of tasks and lengths: differences of scores may come from these."})
	}
	pairs := triangle(len(joints))
	for a := range pairs {
		for c := range pairs[a] {
			pairs[a][c] = stats.CompareIndependent(joints[a], joints[c])
		}
	}
	order := f.order(means)
	drawn := make([]*stats.ScorePosterior, len(joints))
	for i, j := range order {
		drawn[i] = joints[j]
	}
	probabilities := make([][]float64, len(joints))
	for i, p := range stats.IndependentRankProbabilities(drawn, f.o.Seed, f.o.Draws) {
		probabilities[order[i]] = p
	}
	f.shareTies(probabilities)
	f.fillPlaces(b, means, pairs, probabilities)
	return b, nil
}

// sameCells rejects runs with different tasks or lengths.
func (f *ranker) sameCells(own []*stats.RankScores) error {
	cells := func(v *stats.RankScores) []int { return v.Merge(f.grid.Design).Cells() }
	for i, v := range own {
		if !slices.Equal(cells(v), cells(own[0])) {
			return &Refusal{RunA: f.contenders[0].side.Run.Name, RunB: f.contenders[i].side.Run.Name, Field: "items",
				Why: "no item was answered by all runs, and these have different tasks or lengths",
				Do:  "run both with the same --suite or --task, --length and --items, or leave one of them out"}
		}
	}
	return nil
}

// unevenShares reports whether the share of a cell differs by more than two points between
// runs.
func (f *ranker) unevenShares(own []*stats.RankScores) bool {
	const far = 0.02
	least, most := map[int]float64{}, map[int]float64{}
	for i, v := range own {
		m := v.Merge(f.grid.Design)
		for _, cell := range m.Cells() {
			share := float64(m.Size(cell)) / float64(m.N())
			if i == 0 {
				least[cell], most[cell] = share, share
			}
			least[cell], most[cell] = min(least[cell], share), max(most[cell], share)
		}
	}
	for cell := range least {
		if most[cell]-least[cell] > far {
			return true
		}
	}
	return false
}

// unbalanced reports whether cells have different numbers of common items.
func (s *collected) unbalanced() bool {
	sizes := slices.Sorted(maps.Values(s.cellSizes))
	return len(sizes) > 0 && sizes[0] != sizes[len(sizes)-1]
}
