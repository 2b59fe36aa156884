package leaderboard

import (
	"fmt"
	"maps"
	"slices"

	"verbatim/internal/stats/ranks"
	"verbatim/internal/verdict"
)

// apart ranks runs that have no answered item in common, each on its own items: they
// must be of the same tasks and lengths, or the difference would be one of these.
func (f *ranker) rankUnpaired() (*Leaderboard, error) {
	own := make([]*ranks.Scores, len(f.ranks))
	at := make(map[*contender]int)
	for i, e := range f.ranks {
		own[i], at[e] = ranks.NewScores(1), i
	}
	for _, e := range f.entrants {
		e.scores = new(runScores)
	}
	sides := make([]*verdict.Side, len(f.entrants))
	for i, e := range f.entrants {
		sides[i] = e.side
	}
	_, err := verdict.Match(sides, f.o.Score, func(item *verdict.MatchedItem) error {
		cell := f.grid.Cell(item.Family, item.Length)
		for i, e := range f.entrants {
			if item.Runs[i].Answers == 0 {
				continue
			}
			score := item.Runs[i].MeanScore()
			if err := e.scores.add(cell, score, unit(item.ID)); err != nil {
				return fmt.Errorf("run %s: item %s: %w", e.side.Run.Name, item.ID, err)
			}
			if j, ok := at[e]; ok {
				if err := own[j].Add(cell, []float64{score}); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if err := f.sameCells(own); err != nil {
		return nil, err
	}
	how, to := f.grid.Stratify(func(to func(int) int) bool {
		return len(own[0].Merge(to).Cells()) > 1 &&
			!slices.ContainsFunc(own, func(v *ranks.Scores) bool { return v.Merge(to).HasSingletons() })
	})
	joints, means := make([]*ranks.Posterior, len(own)), make([]float64, len(own))
	for i, v := range own {
		if joints[i], err = v.Merge(to).Posterior(how != verdict.Unstratified, nil); err != nil {
			return nil, err
		}
		means[i] = joints[i].Means()[0]
	}
	return f.unpairedBoard(how, to, own, joints, means)
}

// seal ranks runs that have nothing in common.
func (f *ranker) unpairedBoard(how verdict.Stratification, to func(int) int, own []*ranks.Scores, joints []*ranks.Posterior, means []float64) (*Leaderboard, error) {
	b := f.board(how)
	b.Left = f.left
	if f.shifted(own) {
		b.Notes = append(b.Notes, verdict.Note{Kind: "weights", Text: "The runs answered different shares of the tasks and lengths: a difference of scores may be one of these."})
	}
	leads := triangle(len(joints))
	for a := range leads {
		for c := range leads[a] {
			leads[a][c] = ranks.CompareIndependent(joints[a], joints[c])
		}
	}
	order := f.orderOf(means)
	drawn := make([]*ranks.Posterior, len(joints))
	for i, j := range order {
		drawn[i] = joints[j]
	}
	probabilities := make([][]float64, len(joints))
	for i, p := range ranks.IndependentRankProbabilities(drawn, f.o.Seed, f.o.Draws) {
		probabilities[order[i]] = p
	}
	f.shareTies(probabilities)
	if err := f.meanIntervals(how, to); err != nil {
		return nil, err
	}
	f.fill(b, means, leads, probabilities)
	return b, nil
}

// sameCells refuses runs that were asked different tasks or lengths.
func (f *ranker) sameCells(own []*ranks.Scores) error {
	cells := func(v *ranks.Scores) []int { return v.Merge(f.grid.Design).Cells() }
	for i, v := range own {
		if !slices.Equal(cells(v), cells(own[0])) {
			return &verdict.Refusal{RunA: f.ranks[0].side.Run.Name, RunB: f.ranks[i].side.Run.Name, Field: "items",
				Why: "no item was answered by all runs, and these were asked different tasks or lengths",
				Do:  "ask both with the same --suite or --task, --length and --items, or leave one of them out"}
		}
	}
	return nil
}

// shifted reports whether the shares of a cell in the items of two runs are more
// than two points apart.
func (f *ranker) shifted(own []*ranks.Scores) bool {
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

// uneven reports whether the cells of the items that all answered differ in size.
func (s *state) uneven() bool {
	sizes := slices.Sorted(maps.Values(s.even))
	return len(sizes) > 0 && sizes[0] != sizes[len(sizes)-1]
}
