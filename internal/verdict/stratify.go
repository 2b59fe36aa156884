package verdict

import "verbatim/internal/stats"

// A Stratification names the strata of a posterior. Differences between strata add no
// uncertainty, because the plan fixes the number of items in each.
type stratification string

// The stratifications, the finest first.
const (
	byCell       stratification = "cells"   // family and length
	byLength     stratification = "lengths" // if some cell has one item only
	Unstratified stratification = "none"    // if some length has one item only, or there is one cell
)

// Stratify returns the finest stratification that usable accepts, and the function that maps
// the cells of the grid to its strata.
func (g *Grid) stratify(usable func(stratum func(cell int) int) bool) (stratification, func(cell int) int) {
	switch {
	case usable(g.Design):
		return byCell, g.Design
	case usable(g.sameLength):
		return byLength, g.sameLength
	}
	return Unstratified, func(int) int { return 0 }
}

// StratifiedPosterior returns the posterior of the mean of differences by cell of the
// grid. It uses the finest stratification in which every stratum has two items or more,
// and also returns the differences by stratum.
func StratifiedPosterior(differences *stats.Strata, g *Grid) (*stats.Posterior, stratification, *stats.Strata, error) {
	var s *stats.Strata
	how, stratum := g.stratify(func(stratum func(cell int) int) bool {
		s = differences.Merge(stratum)
		return len(s.Cells()) > 1 && !s.HasSingletons()
	})
	if how != Unstratified {
		p, err := s.StratifiedPosterior()
		return p, how, s, err
	}
	s = differences.Merge(stratum)
	p, err := s.Posterior()
	return p, how, s, err
}
